import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backtestEach } from "../../src/analysis/backtest.ts";
import { openLibrary } from "../../src/analysis/library.ts";
import type { BacktestRun } from "../../src/app/backtest.ts";
import { decideBy } from "../../src/evolve/gate.ts";
import { decideWorths, MOST_HARM, type WorthEpisode } from "../../src/evolve/held-out-worth.ts";
import { measureCandidates, type Measured } from "../../src/evolve/measure.ts";
import { checkCandidate } from "../../src/evolve/check-candidate.ts";
import { indexSeed } from "../../src/evolve/refusals/copied-texts.ts";
import { worthEpisodes } from "../../src/evolve/worth-episodes.ts";
import type { CandidateChecks, HeldOutWorth } from "../../src/model/evolution.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { readSkillFolder, type SkillFolder } from "../../src/skill/read-skill.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { placedEpisodes } from "../../src/trace/placed-episodes.ts";
import { isInSplit, SPLIT_SEED } from "../../src/trace/question-split.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { madeCandidates, type MadeCandidate } from "../support/candidate-mutations.ts";
import { openCore, readFolders, ROOT } from "../support/core.ts";
import { PAPER } from "../support/shipped.ts";
import { THOROUGH } from "../support/thorough.ts";

const DATA = path.join(ROOT, "../shared/data/trajectories");
const SOURCES = [
  ["reflexion", "reflexion-hotpotqa.jsonl"],
  ["fireact", "fireact-hotpotqa-even.jsonl"],
] as const;
const MUTATIONS = 40;
const SEED = 42;
/** Candidates of an epoch (SPEC §7 C). */
const PER_EPOCH = 5;

const place = mkdtempSync(path.join(tmpdir(), "hasp-gate-"));
const core = openCore();
const files = nodeFiles();
const judging = { files, compiler: core.compiler, startHost: core.startHost };

interface Judged {
  readonly made: MadeCandidate;
  readonly folder: SkillFolder;
  readonly checks: CandidateChecks;
  readonly worth: HeldOutWorth;
  readonly admitted: boolean;
  readonly reason: string;
  /** On the third part of the questions, which neither author nor gate read. */
  readonly truth: {
    readonly helped: number;
    readonly harmed: number;
    readonly right: number;
    readonly better: number;
    readonly worse: number;
  };
}

/** Its SKILL.md says what any candidate's would have to say and quotes no example. */
async function skillOf({ name, origin, pf }: MadeCandidate, shipped: SkillFolder): Promise<SkillFolder> {
  const { skill } = shipped;
  const id = name.replaceAll("-", "_");
  const skillMd = `---
name: ${name}
description: "Acts as ${origin} does, or nearly."
metadata:
  hasp:
    skill_id: ${id}
    title: "Candidate"
    version: 1
    priority: ${skill?.priority ?? 0.5}
    error_category: ${id}
    applicable_modes: [web-search]
    applicable_phases: [${skill?.applicablePhases.join(", ") ?? "answer"}]
---

# Candidate

A candidate.
`;
  const texts = new Map([
    ["SKILL.md", skillMd],
    ["pf.ts", pf],
  ]);
  const folder = `candidates/web-search/${name}`;
  const inMemory = {
    list: async () => [...texts.keys()],
    readText: async (file: string) => {
      const text = texts.get(file.slice(folder.length + 1));
      return text === undefined ? ({ kind: "absent" } as const) : ({ kind: "text", text } as const);
    },
  };
  return readSkillFolder(inMemory, core.compiler, folder);
}

async function importedRuns(): Promise<readonly BacktestRun[]> {
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  const runs: BacktestRun[] = [];
  for (const [format, name] of SOURCES) {
    const folder = path.join(place, format);
    await importRun(files, clock, { sources: [path.join(DATA, name)], format, folder });
    runs.push({ ...(await openRun(files, folder, { save: false })), run: format });
  }
  return runs;
}

let runs: readonly BacktestRun[] = [];
let judged: readonly Judged[] = [];

const part = (n: number) => ({ parts: [n], of: 3, seed: SPLIT_SEED });

async function measured(skills: readonly SkillFolder[], n: number): Promise<Measured> {
  const candidates = skills.map((folder) => ({ id: folder.skill?.skillId ?? "", folder }));
  const order = { runs, split: part(n), base: [], others: [], signal: new AbortController().signal };
  return measureCandidates(candidates, order, judging, () => undefined);
}

function truthOf(episodes: readonly WorthEpisode[]): Judged["truth"] {
  const balance = new Map<string, number>();
  for (const { question, helped, harmed, outcome } of episodes) {
    const change = Number(outcome === "wrong" && helped) - Number(outcome === "correct" && harmed);
    balance.set(question, (balance.get(question) ?? 0) + change);
  }
  const signs = [...balance.values()];
  return {
    helped: episodes.filter(({ helped, outcome }) => helped && outcome === "wrong").length,
    harmed: episodes.filter(({ harmed, outcome }) => harmed && outcome === "correct").length,
    right: episodes.filter(({ outcome }) => outcome === "correct").length,
    better: signs.filter((n) => n > 0).length,
    worse: signs.filter((n) => n < 0).length,
  };
}

/** Truth: it helps more questions than it harms, and harms hardly any right episode. */
const isGood = ({ truth: { better, worse, harmed, right } }: Judged): boolean =>
  better > worse && harmed <= MOST_HARM * right;
/** The ends of the 95% interval of a share (Wilson). */
function wilson(part: number, whole: number): readonly [number, number] {
  if (whole === 0) return [0, 1];
  const [z, p] = [1.96, part / whole];
  const middle = (p + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const half = (z / (1 + (z * z) / whole)) * Math.sqrt((p * (1 - p)) / whole + (z * z) / (4 * whole * whole));
  return [middle - half, middle + half];
}

/** Truth: it harms more questions than it helps, or harms more right episodes than `MOST_HARM` and more than chance explains. */
const isHarmful = ({ truth: { better, worse, harmed, right } }: Judged): boolean =>
  worse > better || wilson(harmed, right)[0] > MOST_HARM;

async function judgeAll(): Promise<readonly Judged[]> {
  const shipped = (await readFolders(core.compiler, ...PAPER)).filter(
    ({ pfSource }) => pfSource !== undefined,
  );
  const named = shipped.map((folder) => ({ name: path.basename(folder.folder), pf: folder.pfSource ?? "" }));
  const made = madeCandidates(named, MUTATIONS, SEED);
  const skills = await Promise.all(
    made.map((one) => {
      const origin = shipped.find(({ folder }) => path.basename(folder) === one.origin);
      if (origin === undefined) throw new Error(`no ${one.origin}`);
      return skillOf(one, origin);
    }),
  );
  const [onSeed, onGate, onTruth] = [
    await measured(skills, 1),
    await measured(skills, 2),
    await measured(skills, 3),
  ];
  const result: Judged[] = [];
  for (let from = 0; from < made.length; from += PER_EPOCH) {
    const epoch = skills.slice(from, from + PER_EPOCH);
    const ids = epoch.map(({ skill }) => skill?.skillId ?? "");
    const effects = (on: Measured, id: string) =>
      worthEpisodes(on.episodes, on.candidates.get(id)?.skill ?? { hits: [] });
    const worths = decideWorths(ids.map((id) => effects(onGate, id)));
    for (const [i, folder] of epoch.entries()) {
      const [id, one, worth] = [ids[i] ?? "", made[from + i], worths[i]];
      if (one === undefined || worth === undefined) continue;
      const texts = { "SKILL.md": folder.skillMd ?? "", "pf.ts": folder.pfSource ?? "" };
      const checks = await checkCandidate({ folder, texts }, judging, {
        mode: "full",
        others: [],
        seed: indexSeed([]),
        backtests: { candidate: onSeed.candidates.get(id)?.skill, others: [] },
      });
      const { admitted, reason } = decideBy("exec-only", true, { checks, worth, newCategory: false });
      result.push({
        made: one,
        folder,
        checks,
        worth,
        admitted,
        reason,
        truth: truthOf(effects(onTruth, id)),
      });
    }
  }
  return result;
}

/** Help and harm of several skills together, by the first change of each episode of the third part. */
async function asLibrary(skills: readonly SkillFolder[]): Promise<Judged["truth"]> {
  const library = await openLibrary(skills, core.host);
  const noted: {
    run: string;
    index: number;
    question: string;
    outcome: "wrong" | "correct" | "halted" | "unjudged";
  }[] = [];
  for await (const { run, index, episode } of placedEpisodes(files, runs, () => undefined))
    noted.push({ run, index, question: episode.question, outcome: episode.outcome });
  const [report] = await backtestEach(
    [library],
    placedEpisodes(files, runs, () => undefined),
    core.host,
    {
      worth: {},
      split: part(3),
    },
  );
  const inPart = noted.filter(({ question }) => isInSplit(question, part(3)));
  return truthOf(worthEpisodes(inPart, { hits: report?.skills.flatMap(({ hits }) => hits) ?? [] }));
}

function shareText(part: number, whole: number): string {
  const [low, high] = wilson(part, whole).map((end) => `${(100 * end).toFixed(0)}%`);
  return `${part} of ${whole} (95%: ${low} to ${high})`;
}

/** Without these episodes, how the gate decides: unit/evolve/gate.test.ts. */
describe.skipIf(!THOROUGH || !existsSync(path.join(DATA, SOURCES[0][1])))(
  "the gate on 40 spoiled copies of shipped skills beside the originals, on 1,244 real episodes",
  () => {
    beforeAll(async () => {
      runs = await importedRuns();
      judged = await judgeAll();
    }, 600_000);
    afterAll(async () => {
      await Promise.all([core.host.close(), core.compiler.close()]);
      rmSync(place, { recursive: true, force: true });
    });

    it("admits some, and none that harms questions that it never saw", () => {
      const admitted = judged.filter((one) => one.admitted);
      expect(admitted).not.toEqual([]);
      expect(judged.filter(isHarmful)).not.toEqual([]);
      expect(admitted.filter(isHarmful).map(({ made }) => made.origin)).toEqual([]);
    });

    it("admits mostly what is good on questions that it never saw", () => {
      const admitted = judged.filter((one) => one.admitted);
      const good = judged.filter(isGood);
      const both = admitted.filter(isGood);
      expect(judged.filter(({ made }) => made.mutation !== "original")).toHaveLength(MUTATIONS);
      expect([judged.length, good.length, judged.filter(isHarmful).length]).toEqual([66, 20, 17]);
      expect(`precision ${shareText(both.length, admitted.length)}`).toBe(
        "precision 9 of 11 (95%: 52% to 95%)",
      );
      expect(`recall ${shareText(both.length, good.length)}`).toBe("recall 9 of 20 (95%: 26% to 66%)");
    });

    it(
      "keeps a library from harm that one without a gate does in nearly every right episode",
      { timeout: 300_000 },
      async () => {
        const admitted = judged.filter((one) => one.admitted);
        const gated = await asLibrary(admitted.map(({ folder }) => folder));
        const open = judged.filter(
          ({ checks }) => decideBy("none", false, { checks, newCategory: false }).admitted,
        );
        const ungated = await asLibrary(open.map(({ folder }) => folder));
        expect([open.length, gated, ungated]).toEqual([
          66,
          { helped: 100, harmed: 6, right: 112, better: 40, worse: 3 },
          { helped: 214, harmed: 106, right: 112, better: 62, worse: 39 },
        ]);
      },
    );

    it("refuses copies whose trigger was inverted or always holds, whatever they help", () => {
      const spoiled = judged.filter(({ made }) => made.mutation === "inverted" || made.mutation === "always");
      expect(spoiled.length).toBeGreaterThanOrEqual(16);
      expect(spoiled.filter(({ admitted }) => admitted)).toEqual([]);
    });
  },
);
