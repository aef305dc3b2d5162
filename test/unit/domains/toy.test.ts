import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkExecutable } from "../../../src/analysis/executable-checks.ts";
import { domainOfFolder, openLibrary } from "../../../src/analysis/library.ts";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import { runCases } from "../../../src/analysis/run-cases.ts";
import { backtestSkills } from "../../../src/app/backtest.ts";
import { runQuestionsOf } from "../../../src/app/run/questions.ts";
import type { RunServices } from "../../../src/app/run/parts.ts";
import { allDomains, domainOf, runnableDomains } from "../../../src/domains/registry.ts";
import { chooseControl } from "../../../src/evaluation/choose-control.ts";
import { DEFAULT_LIBRARIES } from "../../../src/evaluation/workspace-config.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { DEFAULT_SAMPLING } from "../../../src/model/sampling.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import { SKILL_KINDS, type SkillKind } from "../../../src/skill/scaffold-kinds.ts";
import { scaffoldSkill } from "../../../src/skill/scaffold.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { authored } from "../../support/authored.ts";
import { episodesIn, openCore } from "../../support/core.ts";
import { scriptedServices } from "../../support/scripted-run.ts";
import { toy } from "../../support/toy-domain/toy.ts";

// The one line in the registry.
vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { toy: added } = await import("../../support/toy-domain/toy.ts");
  return { REGISTERED: [...REGISTERED, added] };
});

const files = nodeFiles();
const core = openCore();
let root = "";
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hasp-toy-"));
});
afterAll(async () => {
  await Promise.all([core.compiler.close(), core.host.close(), rm(root, { recursive: true, force: true })]);
});

/** A new skill of the domain, whose author kept each text of the template. */
async function newSkill(kind: SkillKind): Promise<string> {
  const name = `new-${kind}`;
  const folder = path.join(root, "skills/toy", name);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of scaffoldSkill({ name, description: "Use when new.", domain: toy, kind }))
    await writeFile(path.join(folder, file), authored(text));
  return folder;
}

const servicesWith = (skill: string): RunServices =>
  scriptedServices(core, root, async () => [await readSkillFolder(files, core.compiler, skill)]);

/** The recorded episode: a first guess that the new skill holds back, a look, and the guess that stands. */
async function runToy(folder: string): Promise<Episode> {
  const questions = path.join(root, "questions.jsonl");
  await writeFile(
    questions,
    `${JSON.stringify({ id: "q1", question: "How many marbles?", gold: ["42"] })}\n`,
  );
  await writeFile(path.join(root, "script.json"), JSON.stringify(["GUESS[7]", "LOOK[box]", "GUESS[42.0]"]));
  const { value, diagnostics } = await runQuestionsOf(
    {
      domain: toy,
      choice: chooseControl({ domain: toy }).value,
      remarks: [],
      policy: { spec: "scripted:script.json" },
      teacher: undefined,
      sampling: DEFAULT_SAMPLING,
      samples: 1,
      tools: { retriever: "corpus", language: "en", concurrency: 1, topK: 1 },
      folder,
      maxDollars: undefined,
      questions: { name: "questions.jsonl", path: questions },
      corpus: undefined,
      resume: false,
      concurrency: 1,
    },
    servicesWith(await newSkill("inject")),
    { signal: new AbortController().signal, on: () => undefined },
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(value?.summary.finished).toBe(1);
  const [episode] = await episodesIn(folder);
  if (episode === undefined) throw new Error("no episode");
  return episode;
}

describe("a domain of one folder and one line in the registry", () => {
  it("is offered by New Skill and, with its environment, by Run Questions", () => {
    expect(allDomains().map(({ name }) => name)).toContain("toy");
    expect(runnableDomains().map(({ name }) => name)).toEqual(["web-search", "math", "code", "toy"]);
    expect(domainOf("toy")).toBe(toy);
  });

  it("has its shipped skills among the default libraries", () => {
    expect(DEFAULT_LIBRARIES).toContainEqual({ kind: "builtin", domain: "toy" });
  });

  it.each(SKILL_KINDS)(
    "has a new skill of kind $kind that validates, and whose cases hold",
    async ({ kind }) => {
      const folder = await newSkill(kind);
      const read = await readSkillFolder(files, core.compiler, folder);
      expect(read.diagnostics).toEqual([]);
      expect(read.skill?.applicableModes).toEqual(["toy"]);
      expect(domainOfFolder(folder)).toBe(toy);
      if (read.pfSource === undefined) return;
      expect(await core.compiler.check(`${folder}/pf.ts`, read.pfSource)).toEqual([]);
      const { checks, score } = await checkExecutable([], read.program, core.host);
      expect(checks.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
      expect(score).toBe(1);
      const { active } = await openLibrary([read], core.host);
      const results = await runCases(active[0]?.skill.skillId ?? "", read.cases, toy, core.host);
      expect(results.map(({ passed }) => passed)).toEqual(results.map(() => true));
    },
  );

  it("runs, is scored by its own judge, replays as recorded, and is backtested", async () => {
    const folder = path.join(root, "run");
    const episode = await runToy(folder);
    expect(episode).toMatchObject({ outcome: "correct", answer: "42.0", stopReason: "final" });
    expect(episode.facts).toMatchObject({
      domain: "toy",
      actionTypes: ["LOOK", "GUESS"],
      finalAction: "GUESS",
    });
    expect(episode.steps.map(({ executed }) => executed.type)).toEqual(["LOOK", "GUESS"]);
    expect(episode.steps[0]?.proposals.map(({ action }) => action.type)).toEqual(["GUESS", "LOOK"]);

    const skill = await readSkillFolder(files, core.compiler, path.join(root, "skills/toy/new-inject"));
    const library = await openLibrary([skill], core.host);
    const judged = await judgeRecorded(episode, library, core.host);
    expect(judged.map(({ executed }) => executed)).toEqual(episode.steps.map(({ executed }) => executed));
    expect(judged.map(({ events }) => events)).toEqual(episode.steps.map(({ events }) => events));
    expect(judged.map(({ diverged }) => diverged)).toEqual([false, false]);

    const { index, diagnostics } = await openRun(files, folder);
    const { signal } = new AbortController();
    const order = {
      skills: [skill],
      runs: [{ run: folder, folder, index, diagnostics }],
      split: undefined,
      signal,
    };
    const judging = { files, ...core };
    const report = await backtestSkills(order, judging, () => undefined);
    expect(report.value?.skills).toMatchObject([{ skillId: "new_inject", stepsAsked: 2 }]);
    expect(report.value?.episodes).toMatchObject({ correct: 1 });
  });
});
