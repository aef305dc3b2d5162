/** The stage's questions, answered by the model in one way: what it was sent, what it replied, and what came of it. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Episode } from "../../../src/model/episode.ts";
import { indexPassages } from "../../../src/domains/passages/search-index.ts";
import { answerAllPlainly, readReply, spoken } from "../../../scripts/lib/plain-react.mts";
import { MODEL_ID } from "../../../scripts/lib/real-model.mts";
import { hasp } from "../../support/cli.ts";
import { type Exchange, recordingProxy } from "../../support/recording-proxy.ts";
import { CORPUS, CORPUS_FILE, QUESTIONS, QUESTIONS_FILE } from "./world.ts";

/** Of the eight questions: the stage has twelve minutes. */
export const ASKED = Number(process.env["HASP_TEST_MODEL_QUESTIONS"] ?? 4);

export interface Attempt {
  readonly exchanges: readonly Exchange[];
  readonly answered: readonly Answered[];
}

/** One question that came to its end. */
export interface Answered {
  readonly question: string;
  readonly isRight: boolean;
  /** Undefined where the episode halted. */
  readonly answer: string | undefined;
  readonly replies: readonly {
    readonly text: string;
    readonly isInvalid: boolean;
    readonly isLenient: boolean;
  }[];
}

/** `hasp run` in a setting. Questions that are not answered in time are left out. */
export async function attemptRun(url: string, setting: string, milliseconds: number): Promise<Attempt> {
  const place = mkdtempSync(path.join(tmpdir(), "hasp-model-"));
  const proxy = await recordingProxy(url);
  try {
    const run = path.join(place, "run");
    const args = ["--questions", QUESTIONS_FILE, "--corpus", CORPUS_FILE, "--limit", String(ASKED)];
    const how = [
      "--setting",
      setting,
      "--policy",
      `${proxy.url}#${MODEL_ID}`,
      "--concurrency",
      "1",
      "-o",
      run,
    ];
    const skills = ["--skills", "builtin:web-search"];
    const signal = AbortSignal.timeout(milliseconds);
    const { code, err } = await hasp(["run", ...args, ...how, ...skills], { cwd: place, signal });
    if (code !== 0 && !signal.aborted) throw new Error(`hasp run ended with ${code}: ${err}`);
    return { exchanges: [...proxy.exchanges], answered: episodesIn(run).map(answeredOf) };
  } finally {
    await proxy.close();
    rmSync(place, { recursive: true, force: true });
  }
}

/** None where the time ended before the first. */
function episodesIn(run: string): Episode[] {
  const file = path.join(run, "episodes.jsonl");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Episode);
}

function answeredOf({ question, outcome, answer, steps }: Episode): Answered {
  const proposals = steps.flatMap((step) => step.proposals);
  return {
    question,
    isRight: outcome === "correct",
    answer,
    replies: proposals.map(({ completion, action, lenient }) => ({
      text: completion?.text ?? "",
      isInvalid: action.type === "invalid",
      isLenient: lenient === true,
    })),
  };
}

/** The plain script, the yardstick. */
export async function attemptPlainly(url: string, milliseconds: number): Promise<Attempt> {
  const proxy = await recordingProxy(url);
  const signal = AbortSignal.timeout(milliseconds);
  const endpoint = { baseUrl: proxy.url, model: MODEL_ID };
  const search = indexPassages(CORPUS);
  const answered: Answered[] = [];
  try {
    let from = 0;
    const questions = QUESTIONS.slice(0, ASKED);
    for await (const { id, em, answer } of answerAllPlainly(questions, { endpoint, search, signal })) {
      const texts = proxy.exchanges.slice(from).map(({ reply }) => reply);
      from = proxy.exchanges.length;
      const replies = texts.map((text) => {
        const isInvalid = readReply(spoken(text)).type === "invalid";
        return { text, isInvalid, isLenient: false };
      });
      const { question = "" } = questions.find((one) => one.id === id) ?? {};
      answered.push({ question, isRight: em, answer, replies });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await proxy.close();
  }
  return { exchanges: proxy.exchanges, answered };
}
