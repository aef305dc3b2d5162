import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Bootstrapped } from "../../src/evolve/bootstrap.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { FailureReport } from "../../src/model/failure.ts";
import { DIMENSIONS, type Review } from "../../src/model/review.ts";
import { episodesIn, ROOT, SAMPLE_RUN } from "../support/core.ts";
import { type HookScene, openScene } from "../support/hook-process.ts";
import { inRole, type InRole, tell } from "./support/role.ts";
import { BRIEF_NOTE, IS_BRIEF, IS_MISSING, MODEL_URL } from "./support/the-model.ts";
import { paperSkill } from "../support/shipped.ts";

const SKILL = "skills/web-search/repeated-action";
const FAILED = "museum-plain";
/** An author reads 8,000 tokens and writes 1,500, up to three times. */
const AUTHOR_MS = 1_500_000;

const scenes: HookScene[] = [];
afterAll(() => scenes.forEach((scene) => scene.close()));

/** A workspace with these episodes of the sample's run, and one skill. */
function sceneWith(...ids: readonly string[]): HookScene {
  const scene = openScene("model-role");
  scenes.push(scene);
  cpSync(path.join(ROOT, SAMPLE_RUN), scene.at("run"), { recursive: true });
  const lines = readFileSync(scene.at("run/episodes.jsonl"), "utf8").trimEnd().split("\n");
  const chosen = lines.filter((line) => ids.includes((JSON.parse(line) as Episode).id));
  writeFileSync(scene.at("run/episodes.jsonl"), chosen.map((line) => `${line}\n`).join(""));
  mkdirSync(scene.at("skills/web-search"), { recursive: true });
  cpSync(path.join(ROOT, paperSkill("repeated-action")), scene.at(SKILL), { recursive: true });
  writeFileSync(scene.at("hasp.yaml"), "libraries: [skills]\n");
  return scene;
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Whether a text that the model gave is one that it was given. */
function isOfPrompt(text: string, { exchanges }: InRole): boolean {
  const given = exchanges.map(({ request }) =>
    plain(request.messages.map(({ content }) => content).join("\n")),
  );
  return given.some((prompt) => prompt.includes(plain(text)));
}

const inTime = { timeout: 600_000 };

describe.skipIf(IS_MISSING || IS_BRIEF)(`a real model as a teacher${BRIEF_NOTE}`, () => {
  test(
    "its review has scores and reasons of its own, or says what is wrong with the reply",
    inTime,
    async () => {
      const scene = sceneWith(FAILED);
      const ended = await inRole("review", scene, MODEL_URL, ["review", SKILL, "--teacher", "{}", "--json"]);
      const { review, diagnostics } = JSON.parse(ended.out) as {
        readonly review: Review | null;
        readonly diagnostics: readonly Diagnostic[];
      };
      expect(ended.exchanges.length).toBeLessThanOrEqual(2);
      if (review === null) {
        expect(diagnostics.filter(({ severity }) => severity === "error")).not.toEqual([]);
        return tell("reviewer", `no review: ${diagnostics.map(({ code }) => code).join(", ")}`);
      }
      const given = [...Object.values(review.comments), ...review.suggestions];
      expect(given.filter((text) => text !== undefined && isOfPrompt(text, ended))).toEqual([]);
      return tell("reviewer", `${review.decision}, ${DIMENSIONS.map((one) => review.scores[one]).join(" ")}`);
    },
  );

  test("its summary of a failure is one of its own, or is counted as missing", inTime, async () => {
    const scene = sceneWith(FAILED);
    const words = [
      "failures",
      "run",
      "--teacher",
      "{}",
      "--min-cluster",
      "1",
      "--concurrency",
      "1",
      "--json",
    ];
    const ended = await inRole("failures", scene, MODEL_URL, words);
    const { failures, summaries } = JSON.parse(ended.out) as FailureReport;
    const [summary] = failures.flatMap((one) => one.summary ?? []);
    expect(summaries.made + summaries.missing).toBe(1);
    expect(summary === undefined).toBe(summaries.made === 0);
    if (summary === undefined) return tell("summariser", "no summary could be read");
    const { abstraction, trigger, intervention_hint: hint } = summary;
    expect([abstraction, trigger, hint].filter((text) => isOfPrompt(text, ended))).toEqual([]);
    return tell("summariser", `${summary.category}: ${abstraction}`);
  });

  test("each of its scores of steps is a number from 0 to 1, or the fallback counts", inTime, async () => {
    const scene = sceneWith(FAILED);
    const words = ["signals", "run", "--teacher", "{}", "--concurrency", "1"];
    const { code, out, exchanges } = await inRole("signals", scene, MODEL_URL, words);
    const judged = readFileSync(scene.at("run/semantic.jsonl"), "utf8").trimEnd().split("\n");
    const scores = judged.map((line) => (JSON.parse(line) as { readonly score?: number }).score);
    expect(code, out).toBe(0);
    expect(scores).toHaveLength(exchanges.length);
    expect(scores.filter((score) => score !== undefined && !(score >= 0 && score <= 1))).toEqual([]);
    if (scores.includes(undefined)) expect(out).toContain("the fallback counts");
    tell("judge of steps", scores.map((score) => score ?? "unreadable").join(", "));
  });

  test("its verdict of an answer is kept, or the answer is counted as without one", inTime, async () => {
    const scene = sceneWith(FAILED);
    const ended = await inRole("judge", scene, MODEL_URL, ["judge", "run", "--judge", "{}", "--json"]);
    const { withoutVerdict } = JSON.parse(ended.out) as { readonly withoutVerdict: number };
    const verdicts = (await episodesIn(scene.at("run"))).flatMap((episode) => episode.verdicts ?? []);
    const own = verdicts.filter(({ judge }) => judge.includes("http://"));
    expect(own.length + withoutVerdict).toBe(1);
    expect(ended.code).toBe(withoutVerdict === 0 ? 0 : 1);
    tell(
      "judge of answers",
      own.map((verdict) => JSON.stringify(verdict)).join() || "no verdict could be read",
    );
  });

  test("its skill is written as a whole, or refused with the reason", { timeout: AUTHOR_MS }, async () => {
    const scene = sceneWith(FAILED, "museum-skills");
    const words = "bootstrap run --author {} --candidates 1 --min-cluster 1 -o made/web-search --json".split(
      " ",
    );
    const ended = await inRole("bootstrap", scene, MODEL_URL, words);
    const { recovered, candidates } = JSON.parse(ended.out) as Bootstrapped;
    expect(recovered).toBe(1);
    expect(candidates).toHaveLength(1);
    for (const { folder, refusals, skillId } of candidates) {
      expect((folder === undefined) === refusals.length > 0).toBe(true);
      expect(refusals.filter(({ message }) => message === "")).toEqual([]);
      tell(
        "author",
        `${skillId ?? "no skill"}: ${refusals.map((one) => `${one.code} ${one.message}`).join("; ") || "written"}`,
      );
    }
  });
});
