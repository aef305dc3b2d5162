import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backtest, modifiersOf, type BacktestReport } from "../../src/analysis/backtest.ts";
import { openLibrary, type Library } from "../../src/analysis/library.ts";
import { SPLIT_SEED } from "../../src/trace/question-split.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { episodesIn, openCore, readFolders, ROOT } from "../support/core.ts";
import { shippedSkills } from "../support/shipped.ts";
import { THOROUGH } from "../support/thorough.ts";
import { sha256 } from "../../src/platform/sha256.ts";

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

/** The questions on which skills are tuned: those that are reported are read once (docs/worth.md), not with each run of this test. */
const split = { parts: [1, 2], of: 3, seed: SPLIT_SEED };

async function backtestTuned(): Promise<BacktestReport> {
  const run = path.join(place, "fireact");
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  await importRun(nodeFiles(), { clock, sha256 }, { sources: [FIREACT], format: "fireact", folder: run });
  async function* placed() {
    let index = 0;
    for (const episode of await episodesIn(run)) yield { run, index: index++, episode };
  }
  return backtest(library, placed(), core.host, { modifiers, worth: core, split });
}

let tuned: Promise<BacktestReport> | undefined;
const backtestOnce = (): Promise<BacktestReport> => (tuned ??= backtestTuned());

describe.skipIf(!existsSync(FIREACT))("the default library on real episodes of FireAct", () => {
  it("is worth more than a random trigger and seldom harms", { timeout: 120_000 }, async () => {
    const { episodes, worth } = await backtestOnce();
    expect([episodes.wrong, episodes.correct]).toEqual([321, 157]);
    const separation = worth?.separation.all;
    expect(separation?.intervals?.aboveRandom.low).toBeGreaterThan(0.1);
    expect(separation?.right.harmed).toBeLessThanOrEqual(0.08 * episodes.correct);
  });

  it.runIf(THOROUGH)(
    "never lets a skill of our own take an action from one that the paper names",
    { timeout: 120_000 },
    async () => {
      const { skills } = await backtestOnce();
      const stepsOf = (ids: (id: string) => boolean, status: string): string[] =>
        skills
          .filter(({ skillId }) => ids(skillId) && modifiers.has(skillId))
          .flatMap(({ hits }) => hits.filter((hit) => hit.status === status && !hit.diverged))
          .map(({ index, t }) => `${index}:${t}`);
      const taken = new Set(stepsOf((id) => OWN.has(id), "applied"));
      expect(taken.size).toBeGreaterThan(10);
      expect(stepsOf((id) => !OWN.has(id), "overridden").filter((step) => taken.has(step))).toEqual([]);
    },
  );

  it.runIf(THOROUGH)(
    "has no skill whose changed actions are worth less than those of a random trigger",
    { timeout: 120_000 },
    async () => {
      const { notSeparating, skills } = await backtestOnce();
      const above = ({ worth }: (typeof skills)[number]) => worth?.separation.all?.aboveRandom ?? 0;
      const named = skills.filter(({ skillId }) => modifiers.has(skillId) && notSeparating.includes(skillId));
      expect(named.filter((skill) => above(skill) <= 0)).toEqual([]);
      expect(skills.map(({ errors }) => errors)).toEqual(skills.map(() => 0));
    },
  );
});
