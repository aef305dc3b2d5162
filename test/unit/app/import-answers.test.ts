import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { backtestSkills } from "../../../src/app/backtest.ts";
import { importEpisodes, type ImportOrder } from "../../../src/app/import-episodes.ts";
import { importOrdered } from "../../../src/app/import-ordered.ts";
import { runQuestionsOf } from "../../../src/app/run/questions.ts";
import { domainOf } from "../../../src/domains/registry.ts";
import { chooseControl } from "../../../src/evaluation/choose-control.ts";
import { recordedProposals } from "../../../src/harness/recorded-proposals.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { DEFAULT_SAMPLING } from "../../../src/model/sampling.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { asOnlyWriter } from "../../../src/platform/run-lock.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import { scaffoldSkill } from "../../../src/skill/scaffold.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { authored } from "../../support/authored.ts";
import { episodesIn, openCore } from "../../support/core.ts";
import { scriptedServices } from "../../support/scripted-run.ts";
import { estimate } from "../../support/estimate-domain/estimate.ts";
import { sha256 } from "../../../src/platform/sha256.ts";

// The one line in the registry.
vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { estimate: added } = await import("../../support/estimate-domain/estimate.ts");
  return { REGISTERED: [...REGISTERED, added] };
});

const files = nodeFiles();
const core = openCore();
let root = "";
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hasp-answers-"));
});
afterAll(async () => {
  await Promise.all([core.compiler.close(), core.host.close(), rm(root, { recursive: true, force: true })]);
});

async function write(name: string, rows: readonly object[]): Promise<string> {
  const file = path.join(root, name);
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}

async function importAnswers(order: Omit<ImportOrder, "folder">, name: string) {
  const folder = path.join(root, name);
  const services = { asOnlyWriter, signal: new AbortController().signal, on: () => undefined };
  const importRun = (followed: Parameters<typeof importOrdered>[2]) =>
    importOrdered(files, { clock: systemClock, sha256 }, followed);
  const imported = await importEpisodes({ ...order, folder }, { ...services, importRun });
  return { ...imported, folder, episodes: imported.value === undefined ? [] : await episodesIn(folder) };
}

const QUESTION = "How long is the bridge, in metres?";
const answer = (id: string, number: number, parts: object = {}): object => ({
  id,
  question_id: "bridge",
  model: "m",
  question: QUESTION,
  gold: "6812",
  solution: `Two pylons.\nAnswer: ${number}`,
  correct: number === 6812,
  ...parts,
});

/** A new skill of the domain, whose author kept each text of the template. */
async function newSkill() {
  const folder = path.join(root, "skills/estimate/look-again");
  await mkdir(folder, { recursive: true });
  const about = {
    name: "look-again",
    description: "Use when new.",
    domain: estimate,
    kind: "inject" as const,
  };
  for (const [file, text] of scaffoldSkill(about)) await writeFile(path.join(folder, file), authored(text));
  return readSkillFolder(files, core.compiler, folder);
}

/** Re-drives the recorded answers on a file of questions, with a skill that holds each first answer back. */
async function drive(recorded: string, questions: string, samples: number): Promise<readonly Episode[]> {
  const skill = await newSkill();
  // Recorded runs are named by their whole paths.
  const services = scriptedServices(core, "/", async () => [skill]);
  const folder = `${recorded}-again`;
  const { value, diagnostics } = await runQuestionsOf(
    {
      domain: estimate,
      choice: chooseControl({ domain: estimate }).value,
      remarks: [],
      policy: { spec: `recorded:${recorded}` },
      teacher: undefined,
      sampling: DEFAULT_SAMPLING,
      samples,
      tools: { retriever: "corpus", language: "en", concurrency: 1, topK: 1 },
      folder,
      maxDollars: undefined,
      questions: { name: "questions.jsonl", path: questions },
      corpus: undefined,
      resume: false,
      concurrency: 1,
    },
    services,
    { signal: new AbortController().signal, on: () => undefined },
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(value?.summary.left).toBe(0);
  return episodesIn(folder);
}

async function backtest(folder: string) {
  const { index, diagnostics } = await openRun(files, folder);
  const runs = [{ run: folder, folder, index, diagnostics }];
  const order = { skills: [await newSkill()], runs, split: undefined, signal: new AbortController().signal };
  const judging = { files, ...core };
  return (await backtestSkills(order, judging, () => undefined)).value;
}

describe("recorded answers of a domain of one step", () => {
  it("can be driven again and backtested", async () => {
    const source = await write("answers.jsonl", [answer("a", 6812), answer("b", 17)]);
    const questions = await write("questions.jsonl", [{ id: "bridge", question: QUESTION, gold: "6812" }]);
    const { folder, episodes, diagnostics } = await importAnswers(
      { sources: [source], domain: "estimate" },
      "run",
    );
    expect(diagnostics).toEqual([]);
    expect(episodes.map(({ outcome, answer, sample }) => [outcome, answer, sample])).toEqual([
      ["correct", "6812", 1],
      ["wrong", "17", 2],
    ]);
    const driven = await drive(folder, questions, 2);
    expect(driven.map(({ id, answer }) => [id, answer])).toEqual([
      ["bridge#1", "6812"],
      ["bridge#2", "17"],
    ]);
    expect(await backtest(folder)).toMatchObject({
      skills: [{ skillId: "look_again", stepsAsked: 2 }],
      episodes: { correct: 1, wrong: 1 },
    });
  });

  it("show no Program Function the verdict, or what is accepted", async () => {
    const secrets = { gold: "SECRET-GOLD", correct: true, level: "SECRET-EXTRA" };
    const source = await write("leak.jsonl", [answer("a", 17, secrets)]);
    const { episodes } = await importAnswers({ sources: [source], domain: "estimate" }, "leak");
    const [episode] = episodes;
    if (episode === undefined) throw new Error("no episode");
    const { contextRules } = estimate;
    const conditions = { contextRules, maxModifyFires: 2, budgets: undefined, hadTeacher: false };
    const seen = JSON.stringify(recordedProposals(episode, conditions));
    expect(seen).toContain("Two pylons.");
    expect(seen).not.toMatch(/SECRET|correct|verdict|recorded/);
  });

  it("take question and gold from a file of questions or of coding tasks", async () => {
    const bare = { question: undefined, gold: undefined };
    const source = await write("bare.jsonl", [
      answer("a", 17, bare),
      answer("b", 18, { ...bare, question_id: 7 }),
    ]);
    const plain = await write("plain.jsonl", [{ id: "bridge", question: QUESTION, gold: ["1", "2"] }]);
    const tasks = await write("tasks.jsonl", [
      { task_id: "bridge", prompt: QUESTION },
      { task_id: 7, prompt: "def f():" },
      { task_id: 8 },
    ]);
    const order = { sources: [source], domain: "estimate" };
    const ofPlain = await importAnswers({ ...order, questions: plain }, "plain");
    expect(ofPlain.episodes.map(({ question, gold }) => [question, gold])).toEqual([[QUESTION, ["1", "2"]]]);
    expect(ofPlain.diagnostics).toMatchObject([
      { code: "HASP530", message: expect.stringContaining('Line 2: from here on 1 row of 1 question ("7")') },
    ]);
    const ofTasks = await importAnswers({ ...order, questions: tasks }, "tasks");
    expect(ofTasks.episodes.map(({ question, gold }) => [question, gold])).toEqual([
      [QUESTION, undefined],
      ["def f():", undefined],
    ]);
    expect(ofTasks.diagnostics).toMatchObject([{ code: "HASP540", range: { start: { line: 2 } } }]);
  });
});

describe("an order that cannot be carried out", () => {
  it.each([
    ["a domain that is not registered", { domain: "estimat" }, "HASP528", 'Did you mean "estimate"'],
    ["a domain without a prompt", { domain: "agent" }, "HASP528", "estimate"],
    ["no domain", {}, "HASP528", "--domain"],
    ["no file of questions", { domain: "estimate", questions: "/nowhere/q.jsonl" }, "HASP578", "Check"],
  ])("names %s and leaves no folder", async (_what, order, code, next) => {
    const source = await write("answers.jsonl", [answer("a", 17)]);
    const { value, diagnostics } = await importAnswers({ sources: [source], ...order }, "refused");
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code, next: expect.stringContaining(next) }]);
    expect(await files.list(path.join(root, "refused"))).toEqual([]);
  });

  it("says that a domain is not used where no file holds answers", async () => {
    const message = { role: "assistant", content: "Hello." };
    const source = await write("chat.jsonl", [{ messages: [{ role: "user", content: "Hi." }, message] }]);
    const { value, diagnostics } = await importAnswers({ sources: [source], domain: "estimate" }, "chat");
    expect(value?.episodes).toBe(1);
    expect(diagnostics).toMatchObject([{ code: "HASP527", severity: "information" }]);
  });
});

const DATA = path.resolve(import.meta.dirname, "../../../../shared/data");
const isThere = existsSync(path.join(DATA, "answers")) && existsSync(path.join(DATA, "coding"));

describe.skipIf(!isThere)(`real answers${isThere ? "" : " (skipped: no ../shared/data)"}`, () => {
  it("of four models to math questions are imported with their verdicts", { timeout: 120_000 }, async () => {
    expect(domainOf("estimate")).toBe(estimate);
    const source = path.join(DATA, "answers/gsm8k-gpt3-even.jsonl");
    const { value, diagnostics, folder, episodes } = await importAnswers(
      { sources: [source], domain: "estimate" },
      "gsm8k",
    );
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ episodes: 2640, outcomes: { correct: 986, wrong: 1654 }, invalidSteps: 0 });
    const samples = Map.groupBy(episodes, ({ sample }) => sample);
    expect([...samples].map(([sample, of]) => [sample, of.length])).toEqual([
      [1, 660],
      [2, 660],
      [3, 660],
      [4, 660],
    ]);
    expect(await backtest(folder)).toMatchObject({ episodes: { correct: 986, wrong: 1654 } });
    const rows = (await readFile(source, "utf8")).split("\n", 4).map((line) => JSON.parse(line) as object);
    const [{ question_id: id, question, gold }] = rows as [Record<string, unknown>];
    const questions = await write("gsm8k.jsonl", [{ id, question, gold }]);
    const driven = await drive(folder, questions, 4);
    expect(driven.map((one) => one.answer)).toEqual(episodes.slice(0, 4).map((one) => one.answer));
  });

  it("to coding tasks get their questions from the tasks", { timeout: 120_000 }, async () => {
    const { value, diagnostics, episodes } = await importAnswers(
      {
        sources: [path.join(DATA, "answers/humaneval-50-163.jsonl")],
        questions: path.join(DATA, "coding/humanevalplus-mini-50-163.jsonl"),
        domain: "estimate",
      },
      "humaneval",
    );
    expect(diagnostics).toEqual([]);
    expect(value?.episodes).toBe(1140);
    expect(episodes.every(({ question }) => question.trim() !== "")).toBe(true);
    const judged = episodes.filter(({ verdicts }) => verdicts !== undefined);
    expect(judged).toHaveLength(114);
    expect(new Set(judged.map(({ settings }) => settings?.["model"]))).toEqual(new Set(["gpt-4"]));
    expect(judged.map(({ outcome }) => outcome)).toEqual(
      judged.map(({ verdicts }) => (verdicts?.[0]?.passed ? "correct" : "wrong")),
    );
  });
});
