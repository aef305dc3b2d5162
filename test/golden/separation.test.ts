import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backtest, modifiersOf, type BacktestReport } from "../../src/analysis/backtest.ts";
import { openLibrary, type Library } from "../../src/analysis/library.ts";
import { SPLIT_SEED } from "../../src/trace/question-split.ts";
import type { Outcome } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { episodesIn, openCore, readFolders, ROOT } from "../support/core.ts";
import { shippedSkills } from "../support/shipped.ts";
import { THOROUGH } from "../support/thorough.ts";

const FIREACT = path.join(ROOT, "../shared/data/trajectories/fireact-hotpotqa-even.jsonl");
/** The seven of our own (SPEC §3). */
const OWN: ReadonlySet<string> = new Set(
  "answer_kind_mismatch dead_end_search overfull_answer question_echo repeated_action unfinished_answer unspecific_answer".split(
    " ",
  ),
);
const place = mkdtempSync(path.join(tmpdir(), "hasp-separation-"));
const core = openCore();
let library: Library;
let modifiers: ReadonlySet<string>;
beforeAll(async () => {
  library = await openLibrary(await readFolders(core.compiler, ...shippedSkills("worth")), core.host);
  modifiers = await modifiersOf(library, core.compiler);
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  rmSync(place, { recursive: true, force: true });
});

const share = ({ modifiers: group, episodes }: BacktestReport, outcome: Outcome): number =>
  group.applied[outcome] / episodes[outcome];

async function backtestPart(parts: readonly number[]): Promise<BacktestReport> {
  const run = path.join(place, "fireact");
  if (!existsSync(run)) {
    const clock = { now: () => "2026-01-01T00:00:00.000Z" };
    await importRun(nodeFiles(), clock, { sources: [FIREACT], format: "fireact", folder: run });
  }
  async function* placed() {
    let index = 0;
    for (const episode of await episodesIn(run)) yield { run, index: index++, episode };
  }
  return backtest(library, placed(), core.host, {
    modifiers,
    worth: {},
    split: { parts, of: 3, seed: SPLIT_SEED },
  });
}

/** Of all questions, for the tests that look at all of them. */
let whole: Promise<BacktestReport> | undefined;
const backtestWhole = (): Promise<BacktestReport> => (whole ??= backtestPart([1, 2, 3]));

describe.skipIf(!existsSync(FIREACT))("the shipped library on 717 real episodes of FireAct", () => {
  it(
    "is worth more than a random trigger and seldom harms, on the third of the questions that nobody tuned on",
    { timeout: 120_000 },
    async () => {
      const report = await backtestPart([3]);
      expect(report.episodes.wrong + report.episodes.correct).toBe(239);
      const separation = report.worth?.separation.all;
      expect(separation?.intervals?.aboveRandom.low).toBeGreaterThan(0);
      expect(separation?.right.harmed).toBeLessThanOrEqual(0.1 * report.episodes.correct);
      expect(share(report, "wrong")).toBeGreaterThanOrEqual(0.35);
      expect(share(report, "correct")).toBeLessThanOrEqual(0.15);
    },
  );

  it.runIf(THOROUGH)(
    "never lets a skill of our own take an action from one that the paper names",
    { timeout: 120_000 },
    async () => {
      const { skills } = await backtestWhole();
      const stepsOf = (ids: (id: string) => boolean, status: string): string[] =>
        skills
          .filter(({ skillId }) => ids(skillId) && modifiers.has(skillId))
          .flatMap(({ hits }) => hits.filter((hit) => hit.status === status && !hit.diverged))
          .map(({ index, t }) => `${index}:${t}`);
      const taken = new Set(stepsOf((id) => OWN.has(id), "applied"));
      expect(taken.size).toBeGreaterThan(100);
      expect(stepsOf((id) => !OWN.has(id), "overridden").filter((step) => taken.has(step))).toEqual([]);
    },
  );

  it.runIf(THOROUGH)(
    "has no skill whose changed actions are worth less than those of a random trigger",
    { timeout: 120_000 },
    async () => {
      const { notSeparating, skills } = await backtestWhole();
      const above = ({ worth }: (typeof skills)[number]) => worth?.separation.all?.aboveRandom ?? 0;
      const named = skills.filter(({ skillId }) => modifiers.has(skillId) && notSeparating.includes(skillId));
      expect(named.filter((skill) => above(skill) <= 0)).toEqual([]);
      expect(skills.map(({ errors }) => errors)).toEqual(skills.map(() => 0));
    },
  );
});
