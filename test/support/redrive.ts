/** Recorded trajectories driven again by the command line: `hasp import`, then `hasp run --policy recorded:`. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { FINAL } from "../../src/model/action-types.ts";
import type { Episode } from "../../src/model/episode.ts";

export const ROOT = path.resolve(import.meta.dirname, "../..");
export const DATA = path.join(ROOT, "../shared/data");
/** Ten paragraphs each of 100 questions of HotpotQA; a run searches them all in one pool. */
export const HOTPOT = path.join(DATA, "hotpotqa/distractor-100.jsonl");

/** Runs the built `hasp` of a checkout; its findings go to the terminal. Rejects where it ends with another code than 0. */
export async function runHasp(args: readonly string[], root = ROOT): Promise<void> {
  const child = spawn(process.execPath, [path.join(root, "dist/hasp.cjs"), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`hasp ${args[0]} ended with ${code}`);
}

/** The episodes of a run folder that `hasp` has just written, in order. */
export const episodesOf = (run: string): Episode[] =>
  readFileSync(path.join(run, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Episode);

/** The first episode in the file for each question: the one that `recorded:` drives again where all have one sample number. */
export function firstOfEach(episodes: readonly Episode[]): ReadonlyMap<string, Episode> {
  const first = new Map<string, Episode>();
  for (const episode of episodes) if (!first.has(episode.questionId)) first.set(episode.questionId, episode);
  return first;
}

/** Writes the questions of recorded episodes as a file for `--questions`. */
export function writeQuestions(file: string, recorded: ReadonlyMap<string, Episode>): void {
  const rows = [...recorded].map(([id, { question, gold }]) => JSON.stringify({ id, question, gold }));
  writeFileSync(file, `${rows.join("\n")}\n`);
}

/** The step and the text of the first answer of a recorded episode; undefined where it gives none. */
export function recordedAnswer(episode: Episode | undefined): { t: number; answer: string } | undefined {
  const step = episode?.steps.find(({ proposals }) => proposals.at(-1)?.action.type === FINAL);
  const answer = step?.proposals.at(-1)?.action.arg.trim();
  return step === undefined || answer === undefined ? undefined : { t: step.t, answer };
}

/** The budgets of the paper's rollouts. */
export const ROLLOUT_STEPS = 5;
export const ROLLOUT_BUDGETS = ["--max-steps", String(ROLLOUT_STEPS), "--max-search-calls", "3"];

export interface Redrive {
  readonly questions: string;
  /** A run folder with what the policy says. */
  readonly recorded: string;
  readonly setting: string;
  /** Further options of `hasp run`. */
  readonly options?: readonly string[];
  /** A checkout with a built `dist/`, whose skills take part. */
  readonly root?: string;
  readonly output: string;
}

/** The episodes of recorded proposals under today's skills, with the paragraphs of `HOTPOT` to search in. `run`: runs a command line. */
export async function redrive(
  order: Redrive,
  run: (args: readonly string[], root: string) => Promise<unknown> = runHasp,
): Promise<Episode[]> {
  const { questions, recorded, setting, options = [], root = ROOT, output } = order;
  const asked = ["--questions", questions, "--corpus", HOTPOT, "--policy", `recorded:${recorded}`];
  // Another checkout may be older than the lists.
  const skills =
    root === ROOT ? ["builtin:web-search", "--triggers", "paper"] : [path.join(root, "skills/web-search")];
  const how = ["--skills", ...skills, "--setting", setting];
  await run(["run", ...asked, ...how, ...options, "-o", output], root);
  return episodesOf(output);
}

/** A table in Markdown; the first row is its head. */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
