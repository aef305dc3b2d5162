import { openContainment } from "../../../src/platform/containment/open-containment.ts";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openLibrary } from "../../../src/analysis/library.ts";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import { backtestSkills } from "../../../src/app/backtest.ts";
import { judgeRun, type JudgeOrder } from "../../../src/app/judge-run.ts";
import { runQuestionsOf } from "../../../src/app/run/questions.ts";
import { controlOf } from "../../../src/app/run/settings.ts";
import { scoreInputs } from "../../../src/app/score-answers.ts";
import { trainDataOrder } from "../../../src/app/train-data/assemble.ts";
import { buildTrainData } from "../../../src/app/train-data/build.ts";
import { evolve } from "../../../src/evolve/evolve.ts";
import { renderProposal } from "../../../src/evolve/author/parse-proposal.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { DEFAULT_SAMPLING } from "../../../src/model/sampling.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { libraryFiles } from "../../../src/platform/library-files.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import { readMaterials } from "../../../src/trace/judging-store.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { episodesIn, openCore } from "../../support/core.ts";
import { estimate } from "../../support/estimate-domain/estimate.ts";
import { EVERY_RECORD } from "../../support/every-record.mts";
import { scriptedServices } from "../../support/scripted-run.ts";
import { sha256 } from "../../../src/platform/sha256.ts";

/**
 * A domain of one step whose judge needs material, through the whole product: one folder and one line in the registry. Its data sets:
 * estimate-datasets.test.ts; recorded answers: app/import-answers.test.ts; the prompts of teachers: teacher-prompts.test.ts.
 */
vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { estimate: added } = await import("../../support/estimate-domain/estimate.ts");
  return { REGISTERED: [...REGISTERED, added] };
});

const files = nodeFiles();
const core = openCore();
const { signal } = new AbortController();
let root = "";
let run = "";
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hasp-estimate-whole-"));
  run = path.join(root, "run");
  await writeSkill(HOLDS);
  await writeRun();
}, 60_000);
afterAll(async () => {
  await Promise.all([core.compiler.close(), core.host.close(), rm(root, { recursive: true, force: true })]);
});

/** Holds an answer back that is not the last number of its thought, which the domain reads. */
const HOLDS = {
  "SKILL.md": `---
name: other-number
description: Use when an estimate ends with another number than its thought.
metadata:
  hasp:
    skill_id: other_number
    version: 1
    priority: 0.6
    error_category: other_number
    applicable_modes: [estimate]
    applicable_phases: [answer]
    system_summary: Give the number that the thought ends with.
---

# Other number

Give the number that the thought ends with.
`,
  "pf.ts": `import { injectContext, ProgramFunction, type ActionType, type EstimateContext, type Intervention } from "hasp";

export default class OtherNumber extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: EstimateContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.draft.numbers.at(-1) !== ctx.draft.answer;
  }

  intervene(ctx: EstimateContext): Intervention {
    return injectContext(\`The thought ends with \${ctx.draft.numbers.at(-1)}.\`, "another number");
  }
}
`,
  "cases.yaml": `cases:
  - name: another number is held back
    context: { question: How long is it?, maxSteps: 1, thought: "It is 12." }
    proposed: { type: FINAL, arg: "7" }
    expect: { fires: true, type: INJECT_CONTEXT }

  - name: the same number stands
    context: { question: How long is it?, maxSteps: 1, thought: "It is 12." }
    proposed: { type: FINAL, arg: "12" }
    expect: { fires: false }
`,
};

const skillFolder = (): string => path.join(root, "skills/estimate/other-number");
const readSkill = () => readSkillFolder(files, core.compiler, skillFolder());

async function writeSkill(texts: typeof HOLDS): Promise<void> {
  await mkdir(skillFolder(), { recursive: true });
  for (const [name, text] of Object.entries(texts)) await writeFile(path.join(skillFolder(), name), text);
}

/** Draft and revision of each question; the right answer is 50, and may be off by 0.5. −50 is not 50. */
const PAIRS: readonly (readonly [draft: string, revision: string])[] = [
  ...Array.from({ length: 5 }, () => ["-50", "50.4"] as const),
  ["49.6", "500"],
  ["50", "50.1"],
  ["50.5", "49.5"],
  ...Array.from({ length: 4 }, () => ["5", "500"] as const),
];

async function writeRun(): Promise<void> {
  const rows = PAIRS.map((_, i) => ({
    id: `q${i}`,
    question: `How long is bridge ${i}?`,
    gold: ["50"],
    material: "0.5",
  }));
  await writeFile(path.join(root, "questions.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  // The thought ends with another number than the draft, and with that of the revision.
  const script = PAIRS.flatMap(([draft, revision]) => [
    `I think it is 99.\nAnswer: ${draft}`,
    `It must be ${revision}\nAnswer: ${revision}`,
  ]);
  await writeFile(path.join(root, "script.json"), JSON.stringify(script));
  const { value, diagnostics } = await runQuestionsOf(
    {
      domain: estimate,
      choice: controlOf({
        config: undefined,
        domain: estimate,
        setting: "pf-only",
        by: "--setting",
        sets: [],
      }).value,
      remarks: [],
      policy: { spec: "scripted:script.json" },
      teacher: undefined,
      sampling: DEFAULT_SAMPLING,
      samples: 1,
      tools: { retriever: "corpus", language: "en", concurrency: 1, topK: 1 },
      folder: run,
      maxDollars: undefined,
      questions: { name: "questions.jsonl", path: path.join(root, "questions.jsonl") },
      corpus: undefined,
      resume: false,
      concurrency: 1,
    },
    scriptedServices(core, root, async () => [await readSkill()]),
    { signal, on: () => undefined },
  );
  expect(diagnostics).toEqual([]);
  expect(value?.summary.outcomes).toMatchObject({ correct: 7, wrong: 5 });
}

const verdictsOf = ({ steps }: Episode) => steps[0]?.proposals.map(({ verdicts }) => verdicts?.[0]?.passed);

const judgeAgain = (more: Partial<JudgeOrder> = {}) =>
  judgeRun(
    { run, judge: undefined, drafts: false, again: true, concurrency: 2, ...more },
    {
      files,
      openContainment,
      asOnlyWriter: (_folder, work) => work({ lost: signal, release: () => undefined }),
      redact: (text) => text,
      signal,
      on: () => undefined,
    },
  );

async function backtested() {
  const { index, diagnostics } = await openRun(files, run);
  const order = {
    skills: [await readSkill()],
    runs: [{ run, folder: run, index, diagnostics }],
    split: undefined,
    signal,
  };
  return backtestSkills(order, { files, ...core }, () => undefined);
}

describe("a domain of one step whose judge needs material", () => {
  it("types the contexts of its Program Functions", async () => {
    const read = await readSkill();
    expect(read.diagnostics).toEqual([]);
    const { "pf.ts": code } = HOLDS;
    expect(await core.compiler.check(`${skillFolder()}/pf.ts`, code)).toEqual([]);
    const misspelt = code.replaceAll("ctx.draft.numbers", "ctx.draft.figures");
    expect(await core.compiler.check(`${skillFolder()}/pf.ts`, misspelt)).toMatchObject([
      { code: "TS2339" },
      { code: "TS2339" },
    ]);
  });

  it("holds drafts back and has both judged, by material that neither policy nor Program Function sees", async () => {
    const episodes = await episodesIn(run);
    expect(episodes.map(verdictsOf)).toEqual([
      ...Array.from({ length: 5 }, () => [false, true]),
      [true, false],
      [true, true],
      [true, true],
      ...Array.from({ length: 4 }, () => [false, false]),
    ]);
    expect(episodes[0]?.verdicts).toMatchObject([{ judge: "within tolerance", passed: true }]);
    const messages = await readFile(runPaths(run).messages, "utf8");
    expect(messages).not.toMatch(/tolerance|material/);
    expect(JSON.stringify(episodes[0]?.steps)).not.toContain('"material"');
  });

  it("replays as recorded", async () => {
    const library = await openLibrary([await readSkill()], core.host);
    for (const episode of await episodesIn(run)) {
      const [judged] = await judgeRecorded(episode, library, core.host);
      const [step] = episode.steps;
      expect(judged).toMatchObject({ events: step?.events, executed: step?.executed, diverged: false });
    }
  });

  it("is backtested: fixed, broken and same of the drafts, and worth by its own judge", async () => {
    const { value: report } = await backtested();
    const [skill] = report?.skills ?? [];
    // Six that differ, five one way: p = 2 · (1 + 6) / 2^6.
    const revisions = {
      fixed: 5,
      broken: 1,
      sameRight: 2,
      sameWrong: 4,
      notMeasured: 0,
      p: expect.closeTo(14 / 64) as number,
    };
    expect(skill?.revisions).toEqual(revisions);
    expect(report?.revisions).toEqual(revisions);
    expect(report?.episodes).toMatchObject({ correct: 7, wrong: 5 });
    // Of the drafts −50 and 5 is no right one, of 49.6, 50 and 50.5 each.
    const values = skill?.hits.map(({ worth }) => worth?.value);
    expect(values).toEqual(PAIRS.map((_, i) => (i >= 5 && i < 8 ? "harmed" : "could_help")));
  });

  it("is scored by its judge, which is named", async () => {
    const scored = await scoreInputs(
      { inputs: [run], concurrency: 2, by: undefined },
      { files, openContainment, judge: undefined, signal, on: () => undefined },
    );
    expect(scored.value?.[0]?.report).toMatchObject({ judge: "within tolerance" });
    expect(scored.value?.[0]?.report.rows.find(({ outcome }) => outcome === "correct")).toMatchObject({
      answers: 7,
    });
  });

  it("makes training data: pairs of revisions by themselves, and none that a revision broke", async () => {
    const request = { runs: [run], output: path.join(root, "data"), signal };
    const order = await trainDataOrder(request, files);
    if (order.value === undefined) throw new Error("no order");
    const built = await buildTrainData(order.value, {
      files,
      clock: systemClock,
      redact: (text: string) => text,
      readNamed: () => Promise.reject(new Error("No file is named.")),
      on: () => undefined,
    });
    expect(built.value?.domain).toBe("estimate");
    const dpo = (await readFile(path.join(root, "data/a-dpo.jsonl"), "utf8")).trimEnd().split("\n");
    const rows = dpo.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map((row) => [row["draft_correct"], row["revision_correct"]])).not.toContainEqual([1, 0]);
    expect(rows.filter((row) => row["draft_correct"] === 0 && row["revision_correct"] === 1)).toHaveLength(5);
  });

  it("evolves from recorded runs: a proposed skill passes every check in its own domain, and joins the library", async () => {
    const name = "wide-estimate";
    const proposal = renderProposal({
      "SKILL.md": HOLDS["SKILL.md"]
        .replaceAll("other-number", name)
        .replaceAll("other_number", "wide_estimate"),
      "pf.ts": HOLDS["pf.ts"].replace("class OtherNumber", "class WideEstimate"),
      "cases.yaml": HOLDS["cases.yaml"],
    });
    await writeFile(
      path.join(root, "author.json"),
      JSON.stringify(Array.from({ length: 5 }, () => proposal)),
    );
    const { index, diagnostics } = await openRun(files, run);
    const evolved = await evolve(
      {
        folder: path.join(root, "evolution"),
        domain: estimate,
        generated: path.join(root, "skills/estimate/generated"),
        epochs: 1,
        mode: "lite",
        gate: "audit",
        worth: false,
        caps: { candidates: 1, minClusterSize: 2, librarySize: 50 },
        rollouts: { kind: "recorded", runs: [{ run, folder: run, index, diagnostics }] },
        author: { spec: "scripted:author.json" },
        teacher: undefined,
        pinned: [],
        seed: 1,
        maxDollars: undefined,
      },
      {
        ...scriptedServices(core, root, async () => [await readSkill()]),
        own: EVERY_RECORD,
        library: libraryFiles(files),
        training: {
          redact: (text: string) => text,
          readNamed: () => Promise.reject(new Error("No file is named.")),
        },
        signal,
        stop: signal,
        on: () => undefined,
      },
    );
    expect(evolved.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(evolved.value?.epochs).toBe(1);
    const admitted = await readSkillFolder(
      files,
      core.compiler,
      path.join(root, "skills/estimate/generated/wide_estimate__v1/wide-estimate"),
    );
    expect(admitted.skill?.skillId).toBe("wide_estimate");
  });

  it("takes what its judge needs along when the run is imported elsewhere", async () => {
    const elsewhere = path.join(root, "elsewhere");
    const sources = [runPaths(run).episodes];
    const imported = await importRun(files, { clock: systemClock, sha256 }, { sources, folder: elsewhere });
    expect(imported.value).toMatchObject({ episodes: 12, outcomes: { correct: 7, wrong: 5 } });
    expect(await readMaterials(files, elsewhere)).toEqual(await readMaterials(files, run));
  });

  it("is judged again from the run folder; without its material nobody is, and that is said", async () => {
    const again = await judgeAgain();
    expect(again.value).toMatchObject({ judge: "within tolerance", added: 12, passed: 7 });
    const [episode] = await episodesIn(run);
    expect(episode?.verdicts).toHaveLength(2);
    expect(episode?.steps[0]?.proposals.map(({ verdicts }) => verdicts?.length)).toEqual([2, 2]);
    await rm(runPaths(run).judging);
    const gone = await judgeAgain();
    expect(gone.value).toMatchObject({ added: 0 });
    expect(gone.diagnostics.map(({ code }) => code)).toContain("HASP549");
  });
});
