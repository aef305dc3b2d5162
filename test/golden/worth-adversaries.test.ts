import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BacktestRun } from "../../src/app/backtest.ts";
import { measureCandidates, type MeasuredCandidate } from "../../src/evolve/measure.ts";
import type { Separation } from "../../src/model/worth.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import type { SkillFolder } from "../../src/skill/read-skill.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { SPLIT_SEED } from "../../src/trace/question-split.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { ADVERSARIES, codeOf } from "../support/adversaries.ts";
import { openCore, readFolders, ROOT } from "../support/core.ts";
import { paperSkill } from "../support/shipped.ts";
import { THOROUGH } from "../support/thorough.ts";
import { sha256 } from "../../src/platform/sha256.ts";

const DATA = path.join(ROOT, "../shared/data");
const TRAJECTORIES = path.join(DATA, "trajectories");
const CORPUS = path.join(DATA, "hotpotqa/distractor-100.jsonl");
const files = nodeFiles();
const core = openCore();
const place = mkdtempSync(path.join(tmpdir(), "hasp-adversaries-"));

async function imported(
  format: "reflexion" | "fireact",
  name: string,
  corpus?: string,
): Promise<BacktestRun> {
  const folder = path.join(place, format);
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  await importRun(files, { clock, sha256 }, { sources: [path.join(TRAJECTORIES, name)], format, folder });
  const searched = corpus === undefined ? {} : { corpus: { name: corpus, path: corpus, hash: undefined } };
  return { ...(await openRun(files, folder, { save: false })), run: format, ...searched };
}

function candidatesOf(shipped: SkillFolder): readonly MeasuredCandidate[] {
  const { program } = shipped;
  if (program === undefined) throw new Error("no program");
  return ADVERSARIES.map((one) => ({
    id: one.name,
    folder: { ...shipped, program: { ...program, code: codeOf(one), phases: [] } },
  }));
}

const REFLEXION = () => imported("reflexion", "reflexion-hotpotqa.jsonl", CORPUS);
const FIREACT = () => imported("fireact", "fireact-hotpotqa-even.jsonl");

/** The questions on which skills may be tuned: nothing is chosen here, and the others stay unread. */
const split = { parts: [1, 2], of: 3, seed: SPLIT_SEED };

describe.skipIf(!THOROUGH || !existsSync(TRAJECTORIES))("triggers and deeds that know nothing", () => {
  let found: ReadonlyMap<string, Separation | undefined>;
  beforeAll(async () => {
    const [shipped] = await readFolders(core.compiler, paperSkill("retrieval-failure"));
    if (shipped === undefined) throw new Error("no skill");
    const runs = [await REFLEXION(), await FIREACT()];
    const order = { runs, split, base: [], others: [], signal: new AbortController().signal };
    const judging = { files, ...core };
    const measured = await measureCandidates(candidatesOf(shipped), order, judging, () => undefined);
    found = new Map([...measured.candidates].map(([id, { skill }]) => [id, skill.worth?.separation.all]));
  }, 600_000);
  afterAll(async () => {
    await Promise.all([core.host.close(), core.compiler.close()]);
    rmSync(place, { recursive: true, force: true });
  });

  it("are measured, all of them", () => {
    expect([...found.keys()]).toEqual(ADVERSARIES.map(({ name }) => name));
    expect([...found.values()].filter((one) => (one?.changes ?? 0) >= 10).length).toBeGreaterThan(12);
  });

  it("are not worth more than a random trigger, but for one by chance", () => {
    const above = [...found].filter(([, one]) => (one?.intervals?.aboveRandom.low ?? 0) > 0);
    // 19 answers to 11 questions, all wrong: of 17 triggers one is so by chance in every third set of questions.
    expect(above.map(([name]) => name)).toEqual(["a letter that is not ASCII in the answer"]);
  });
});
