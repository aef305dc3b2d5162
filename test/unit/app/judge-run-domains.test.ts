import { openContainment } from "../../../src/platform/containment/open-containment.ts";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { judgeRun, type JudgeOrder } from "../../../src/app/judge-run.ts";
import { scoreInputs, type ScoreOrder } from "../../../src/app/score-answers.ts";
import { renderScore } from "../../../src/cli/score-report.ts";
import type { Episode, Proposal, Step } from "../../../src/model/episode.ts";
import { RUN_SCHEMA } from "../../../src/model/episode.ts";
import type { Verdict } from "../../../src/model/verdict.ts";
import { parseEpisode, serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { keepMaterials } from "../../../src/trace/judging-store.ts";
import { estimate } from "../../support/estimate-domain/estimate.ts";
import { toy } from "../../support/toy-domain/toy.ts";
import { episode, FACTS, files, temporaryFolder } from "../trace/support.ts";

// The lines in the registry. `broken` is a domain whose judge cannot be opened, `failing` one whose judge rejects.
vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { estimate: numbers } = await import("../../support/estimate-domain/estimate.ts");
  const { toy: marbles } = await import("../../support/toy-domain/toy.ts");
  const failing = {
    ...marbles,
    name: "failing",
    judge: {
      name: "fails on 7",
      open: async () => ({
        name: "fails on 7",
        close: async () => undefined,
        async judge({ answer }: { readonly answer: string }) {
          if (answer === "7") throw new TypeError("hunter2 is no number");
          return { judge: "fails on 7", score: 1, passed: true };
        },
      }),
    },
  };
  const broken = {
    ...marbles,
    name: "broken",
    judge: {
      name: "needs a machine",
      async open(): Promise<never> {
        throw new Error("no machine");
      },
    },
  };
  return { REGISTERED: [...REGISTERED, marbles, numbers, failing, broken] };
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const answerStep = (t: number, type: string, answers: readonly string[]): Step => ({
  t,
  proposals: answers.map((arg) => ({ thought: "", action: { type, arg } })),
  events: [],
  executed: { type, arg: answers.at(-1) ?? "" },
  injected: [],
  observation: "",
});

/** An episode whose policy proposed these answers in its only step; the last one stands. */
function answered(
  id: string,
  domain: { readonly name: string; readonly finalAction: string },
  answers: readonly string[],
  parts: Partial<Episode> = {},
) {
  const { name, finalAction } = domain;
  const facts = { ...FACTS, domain: name, actionTypes: [finalAction], finalAction };
  const answer = answers.at(-1);
  return episode(id, {
    facts,
    steps: [answerStep(0, finalAction, answers)],
    ...(answer !== undefined && { answer }),
    gold: ["42"],
    ...parts,
  });
}

function writeRun(domain: string, episodes: readonly Episode[]): void {
  const run = {
    schema: RUN_SCHEMA,
    id: "r",
    title: "r",
    domain,
    createdAt: "2026-01-01T00:00:00Z",
    source: "hasp",
  };
  writeFileSync(path.join(folder, "run.json"), JSON.stringify(run));
  writeFileSync(path.join(folder, "episodes.jsonl"), `${episodes.map(serialiseEpisode).join("\n")}\n`);
}

const file = (): string => readFileSync(path.join(folder, "episodes.jsonl"), "utf8");
const readBack = (): (Episode | undefined)[] =>
  file()
    .trimEnd()
    .split("\n")
    .map((line, i) => parseEpisode(line, "e", i).value);
const passesOf = (verdicts: readonly Verdict[] = []): boolean[] => verdicts.map(({ passed }) => passed);
const draftsOf = (one: Episode | undefined): readonly Proposal[] =>
  one?.steps.flatMap(({ proposals }) => proposals) ?? [];

const judging = (more: Partial<JudgeOrder> = {}) =>
  judgeRun(
    { run: folder, judge: undefined, drafts: false, again: false, concurrency: 2, ...more },
    {
      files,
      openContainment,
      asOnlyWriter: (_folder, work) => work({ lost: new AbortController().signal, release: () => undefined }),
      redact: (text) => text.replaceAll("hunter2", "[redacted]"),
      signal: new AbortController().signal,
      on: () => undefined,
    },
  );

const scoring = async (order: Partial<ScoreOrder> = {}) => {
  const { value, diagnostics } = await scoreInputs(
    { inputs: [folder], concurrency: 2, by: undefined, ...order },
    { files, openContainment, judge: undefined, signal: new AbortController().signal, on: () => undefined },
  );
  return { scored: value?.[0], diagnostics };
};
const linesOf = (report: NonNullable<Awaited<ReturnType<typeof scoring>>["scored"]>["report"] | undefined) =>
  report === undefined ? [] : renderScore(report).slice(1);

const EXACT: Verdict = { judge: "exact_match", score: 0, passed: false };

describe("judging a run again as its domain judges", () => {
  it("adds a verdict to the answer and to every draft, by the domain's final action", async () => {
    writeRun("toy", [
      answered("a", toy, ["7", "42.0"], { outcome: "wrong", verdicts: [EXACT] }),
      answered("b", toy, ["42", "42"], { outcome: "unjudged" }),
    ]);
    const { value, diagnostics } = await judging();
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({
      judge: "same number",
      added: 2,
      passed: 2,
      drafts: { added: 4, passed: 3 },
      agreement: { onlyNew: 1 },
    });
    const [a, b] = readBack();
    // The first verdict still counts.
    expect(a).toMatchObject({ outcome: "wrong", verdicts: [EXACT, { judge: "same number", passed: true }] });
    expect(draftsOf(a).map(({ verdicts }) => passesOf(verdicts))).toEqual([[false], [true]]);
    expect(b).toMatchObject({ outcome: "correct", verdicts: [{ judge: "same number" }] });
    expect(await judging()).toMatchObject({ value: { added: 0, had: 2, drafts: { added: 0 } } });
    expect(await judging({ again: true })).toMatchObject({ value: { added: 2, drafts: { added: 4 } } });
    expect(draftsOf(readBack()[0]).map(({ verdicts }) => passesOf(verdicts))).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it("judges drafts of an episode that came to no answer", async () => {
    const { answer: _none, ...halted } = answered("a", toy, ["7"], { outcome: "halted" });
    writeRun("toy", [halted]);
    expect(await judging()).toMatchObject({
      value: { added: 0, nothingToJudge: 1, drafts: { added: 1, passed: 0 } },
    });
    expect(readBack()[0]?.verdicts).toBeUndefined();
  });

  it("gives the judge the material that the run folder keeps", async () => {
    writeRun("estimate", [answered("a", estimate, ["30", "40"]), answered("b", estimate, ["40"])]);
    await keepMaterials(files, folder, [
      { id: "q-a", material: "5" },
      { id: "q-b", material: "1" },
    ]);
    expect(await judging()).toMatchObject({
      value: { added: 2, passed: 1, withoutMaterial: 0 },
      diagnostics: [],
    });
    expect(draftsOf(readBack()[0]).map(({ verdicts }) => passesOf(verdicts))).toEqual([[false], [true]]);
  });

  it("gives no verdict where the material is gone, and says for how many questions", async () => {
    writeRun("estimate", [
      answered("a", estimate, ["40"]),
      answered("b", estimate, ["40"]),
      answered("a2", estimate, ["42"], { questionId: "q-a", sample: 2 }),
    ]);
    await keepMaterials(files, folder, [{ id: "q-b", material: "5" }]);
    const { value, diagnostics } = await judging();
    expect(value).toMatchObject({ added: 1, withoutMaterial: 1, withoutVerdict: 0 });
    expect(diagnostics).toMatchObject([
      {
        code: "HASP549",
        severity: "warning",
        message: expect.stringContaining("for 1 question;") as unknown,
        // Who never had any has no file to put back.
        next: expect.stringMatching(
          /^If the questions never had material, add it .* put the file back/,
        ) as unknown,
      },
    ]);
    rmSync(path.join(folder, "judging.jsonl"));
    const before = file();
    const gone = await judging({ again: true });
    expect(gone.value).toMatchObject({ added: 0, withoutMaterial: 2 });
    expect(gone.diagnostics[0]?.message).toContain("The run has no judging.jsonl");
    expect(file()).toBe(before);
  });

  it("counts what the judge fails on, hides secrets in its message, and writes the verdicts of the others", async () => {
    const names = { name: "failing", finalAction: "GUESS" };
    writeRun("failing", [answered("a", names, ["7"]), answered("b", names, ["7", "8"])]);
    const { value } = await judging();
    expect(value).toMatchObject({
      added: 1,
      passed: 1,
      failed: 2,
      failure: { message: "[redacted] is no number" },
      stopped: false,
    });
    expect(readBack().map((one) => one?.verdicts?.length)).toEqual([undefined, 1]);
  });

  it("is refused where the domain is not registered or its judge cannot be opened, and the run stays as it is", async () => {
    writeRun("chess", [answered("a", { name: "chess", finalAction: "FINAL" }, ["42"])]);
    const before = file();
    const unknown = await judging();
    expect(unknown.diagnostics).toMatchObject([
      { code: "HASP547", message: expect.stringContaining('"chess", is not registered') as unknown },
    ]);
    expect(unknown.diagnostics[0]?.next).toContain("--judge f1");
    expect(file()).toBe(before);
    writeRun("broken", [answered("a", { name: "broken", finalAction: "GUESS" }, ["42"])]);
    expect((await judging()).diagnostics).toMatchObject([
      { code: "HASP547", message: expect.stringContaining("no machine") as unknown },
    ]);
  });

  it("finds the domain of a run without a run.json in its episodes", async () => {
    writeRun("toy", [answered("a", toy, ["42.0"])]);
    rmSync(path.join(folder, "run.json"));
    expect(await judging()).toMatchObject({ value: { judge: "same number", passed: 1 } });
  });
});

describe("hasp score of a domain that compares no words", () => {
  it("has the share right by the domain's judge, and no exact match and no F1", async () => {
    // For exact match −42 would be 42, and 42.0 would be 420.
    writeRun("toy", [
      answered("a", toy, ["-42"], { outcome: "wrong", verdicts: [{ ...EXACT, judge: "same number" }] }),
      answered("b", toy, ["42.0"], { verdicts: [{ judge: "same number", score: 1, passed: true }] }),
    ]);
    const { scored, diagnostics } = await scoring();
    expect(diagnostics).toEqual([]);
    expect(scored?.report).toMatchObject({ judge: "same number", agreement: undefined });
    expect(linesOf(scored?.report)).toEqual([
      "outcome  answers  same number %  no verdict",
      "correct        1          100.0           0",
      "wrong          1            0.0           0",
      "all            2           50.0           0",
      "the recorded outcomes are those of same number, so there is nothing to compare",
    ]);
  });

  it("takes a recorded verdict of that very judge, judges the others with their material, and compares", async () => {
    const recorded = { judge: "within tolerance", score: 1, passed: true };
    writeRun("estimate", [
      // The judge would not pass it: only the record does.
      answered("a", estimate, ["7"], { verdicts: [recorded] }),
      answered("b", estimate, ["40"], { outcome: "wrong", verdicts: [EXACT] }),
      answered("c", estimate, ["40"]),
      answered("d", estimate, [], { outcome: "halted", steps: [] }),
    ]);
    await keepMaterials(files, folder, [{ id: "q-b", material: "5" }]);
    const { scored, diagnostics } = await scoring();
    expect(diagnostics).toMatchObject([
      { code: "HASP549", message: expect.stringContaining("for 1 question;") as unknown },
    ]);
    expect(scored?.report.agreement).toEqual({
      // Nobody judged the episode without an answer.
      compared: 1,
      agreed: 0,
      disagreements: [{ id: "b", answer: "40", gold: ["42"], recorded: "wrong" }],
    });
    expect(linesOf(scored?.report)).toContain('  b: "40", gold "42"; recorded wrong, within tolerance yes');
  });

  it("has a range where the judge fails, and says on how many answers", async () => {
    const names = { name: "failing", finalAction: "GUESS" };
    writeRun("failing", [answered("a", names, ["7"]), answered("b", names, ["8"])]);
    const { scored, diagnostics } = await scoring();
    expect(diagnostics).toMatchObject([
      { code: "HASP547", message: expect.stringContaining("failed on 1 answer") as unknown },
    ]);
    expect(scored?.report.rows.at(-1)?.right).toEqual({ atLeast: 0.5, atMost: 1, judged: 1, unjudged: 1 });
  });

  it("counts several samples of a question by the same judge", async () => {
    writeRun("toy", [
      answered("a", toy, ["42.0"], { outcome: "wrong", verdicts: [EXACT] }),
      answered("a2", toy, ["7"], { questionId: "q-a", sample: 2, outcome: "wrong", verdicts: [EXACT] }),
    ]);
    const { scored } = await scoring();
    expect(scored?.report.groups?.questions).toMatchObject([{ samples: 2, right: 1 }]);
  });
});

describe("hasp score of a domain that compares words", () => {
  const names = { name: "web-search", finalAction: "FINAL" };
  const gold = ["Sam Walton"];

  it("says that the outcomes are exact match only where every verdict is", async () => {
    const verdict = { judge: "exact_match", score: 1, passed: true };
    writeRun("web-search", [answered("a", names, gold, { gold, verdicts: [verdict] })]);
    const own = await scoring();
    expect(own.scored?.report).toMatchObject({ judge: "exact_match", agreement: undefined });
    expect(linesOf(own.scored?.report)).toContain(
      "the recorded outcomes are this very exact match, so there is nothing to compare",
    );
    writeRun("web-search", [
      answered("a", names, gold, { gold, verdicts: [verdict] }),
      answered("b", names, ["Walton"], { gold, verdicts: [{ ...verdict, judge: "f1>=0.5" }] }),
    ]);
    const other = await scoring();
    expect(linesOf(other.scored?.report)).toContain("exact match agrees with the recorded verdict on 1 of 2");
    expect(other.scored?.report.agreement?.disagreements).toMatchObject([{ id: "b", em: false }]);
  });
});
