import { wasRight } from "../model/outcomes.ts";
import { openRunAt } from "../app/open-run.ts";
import { need } from "../app/refusal.ts";
import { otherPrompts, type Asked } from "../model/prompt-versions.ts";
import { z } from "../model/zod.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import { isInSplit } from "../trace/question-split.ts";
import { readArtifact, writeJson } from "./artifacts.ts";
import type { Epoch } from "./epoch.ts";
import { heldOutRuns } from "./epoch-runs.ts";
import { evolutionPaths } from "./evolution-paths.ts";
import { generatedEffects } from "./generated-backtest.ts";
import { testOf } from "./base-rate-worth.ts";
import { figureOf, sumsOf, type WorthEpisode } from "./held-out-worth.ts";
import { signTest } from "./sign-test.ts";
import type { PlacedWorth } from "./worth-episodes.ts";
import { expectedOf } from "./worth-verdict.ts";

const count = z.number().int().nonnegative();

/** One reading of the final part of the questions. */
const readingSchema = z.object({
  /** After this epoch. */
  epoch: count,
  /** Ids of the generated skills that acted. */
  skills: z.array(z.string()),
  /** Questions that came out better with them, worse, and the same. */
  better: count,
  worse: count,
  ties: count,
  /** How many of the better and worse questions a trigger that knows nothing makes better; absent for a sign test with a fair coin. */
  expected: z.number().optional(),
  p: z.number(),
  words: z.string(),
});
const finalSchema = z.object({
  schema: z.literal("hasp.final-worth/1"),
  /** More than one: an evolution was given more epochs after its end, so later readings are not of untouched questions. */
  readings: z.array(readingSchema),
});
export type FinalReading = z.infer<typeof readingSchema>;

/** The readings of an evolution so far. */
export async function readFinalReadings(
  files: Pick<SkillFiles, "readText">,
  folder: string,
): Promise<readonly FinalReading[]> {
  return (await readArtifact(files, evolutionPaths(folder).final, finalSchema)).value?.readings ?? [];
}

/** A validation run, with the share of right samples of each question of the part. */
interface ValidatedPart extends Asked {
  readonly right: ReadonlyMap<string, number>;
}

async function rightIn(epoch: Epoch, folder: string): Promise<ValidatedPart> {
  const { services, parts } = epoch;
  const { run, index, title } = need(await openRunAt(services.files, folder));
  const scores = new Map<string, number[]>();
  for await (const { value } of readEpisodes(services.files, index)) {
    if (
      value === undefined ||
      wasRight(value.outcome) === undefined ||
      !isInSplit(value.question, parts.final)
    )
      continue;
    const before = scores.get(value.questionId) ?? [];
    scores.set(value.questionId, [...before, value.outcome === "correct" ? 1 : 0]);
  }
  const right = new Map([...scores].map(([id, all]) => [id, all.reduce((a, b) => a + b, 0) / all.length]));
  return { title, settings: run?.settings, right };
}

/** The validation runs before the first epoch and after the last one, question by question. */
async function onRollouts(epoch: Epoch, first: string, last: string): Promise<readonly WorthEpisode[]> {
  const [before, after] = [await rightIn(epoch, first), await rightIn(epoch, last)];
  epoch.found.push(...otherPrompts(before, after));
  return [...before.right].flatMap(([question, was]) => {
    const now = after.right.get(question);
    if (now === undefined) return [];
    const outcome = now >= was ? ("wrong" as const) : ("correct" as const);
    return [{ question, outcome, helped: now > was, harmed: now < was }];
  });
}

type Read = Pick<FinalReading, "better" | "worse" | "ties" | "expected" | "p" | "words">;

const resultWords = ({ better, worse, ties }: Pick<Read, "better" | "worse" | "ties">): string =>
  `With the generated skills ${better} questions come out better, ${worse} worse and ${ties} the same`;

/**
 * By a sign test with a fair coin. It is the right one for two rollouts of the same questions: skills that change nothing for the better win and
 * lose questions alike.
 */
function bySignTest(episodes: readonly WorthEpisode[], name: string): Read {
  const { better, worse, ties } = sumsOf(episodes);
  const p = signTest(better, worse);
  const words = `${resultWords({ better, worse, ties })} (${name}: p = ${figureOf(p)}).`;
  return { better, worse, ties, p, words };
}

/** Recorded episodes are never run again: a trigger that knows nothing meets wrong and right ones as they come. */
function byBaseRate(episodes: readonly PlacedWorth[]): Read {
  const { sums, chances, p } = testOf(episodes);
  const { better, worse, ties } = sums;
  const expected = expectedOf(chances);
  const words = `${resultWords(sums)}; a trigger that knows nothing would be better on ${figureOf(expected)} of ${chances.length} (p = ${figureOf(p)}).`;
  return { better, worse, ties, expected, p, words };
}

async function readPart(epoch: Epoch, first: string | undefined): Promise<Read> {
  const last = epoch.result("credit").validation;
  if (first !== undefined && last !== undefined)
    return bySignTest(await onRollouts(epoch, epoch.at(first), epoch.at(last)), "one-sided sign test");
  const episodes = await generatedEffects(epoch, await heldOutRuns(epoch, "final"));
  return epoch.worthRule === undefined
    ? bySignTest(episodes, "one-sided sign test with a fair coin, the rule of this evolution")
    : byBaseRate(episodes);
}

/**
 * The worth of the generated skills on the part of the questions that no author and no gate read; measured once, after the last epoch, and
 * kept.
 */
export async function readFinal(epoch: Epoch, first: string | undefined): Promise<FinalReading> {
  const { services, order, number } = epoch;
  const { final } = evolutionPaths(order.folder);
  const before = await readFinalReadings(services.files, order.folder);
  const kept = before.find((one) => one.epoch === number);
  if (kept !== undefined) return kept;
  const skills = (await epoch.generatedSkills()).flatMap(({ skill }) => skill?.skillId ?? []);
  const reading = { epoch: number, skills, ...(await readPart(epoch, first)) };
  await writeJson(services.files, final, { schema: "hasp.final-worth/1", readings: [...before, reading] });
  return reading;
}
