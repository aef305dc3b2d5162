import { openContainment } from "../../../src/platform/containment/open-containment.ts";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { estimateJudging } from "../../../src/app/judge-estimate.ts";
import { judgeRun, type JudgeOrder } from "../../../src/app/judge-run.ts";
import { domainJudging } from "../../../src/app/open-judge.ts";
import { readInputs } from "../../../src/app/run/inputs.ts";
import { scoreInputs } from "../../../src/app/score-answers.ts";
import { splitData } from "../../../src/app/split-data.ts";
import { renderScore } from "../../../src/cli/score-report.ts";
import { domainOf } from "../../../src/domains/registry.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { SPLIT_DEFAULTS } from "../../../src/model/question-set.ts";
import { modelJudge } from "../../../src/scoring/model-judge.ts";
import { parseEpisode, serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { episode, FACTS, files, temporaryFolder } from "../trace/support.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Right, wrong and undecided for the exact judge. */
const ANSWERS = [
  ["0.5", String.raw`\frac12`],
  ["-7", "7"],
  ["it depends on the sign", "7"],
] as const;

function writeRun(domain: string): void {
  const facts = { ...FACTS, domain };
  const lines = ANSWERS.map(([answer, gold], n) =>
    serialiseEpisode(episode(`e${n}`, { facts, steps: [], outcome: "unjudged", answer, gold: [gold] })),
  );
  writeFileSync(path.join(folder, "episodes.jsonl"), `${lines.join("\n")}\n`);
}

const readBack = (): (Episode | undefined)[] =>
  readFileSync(path.join(folder, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line, n) => parseEpisode(line, "e", n).value);

const services = { files, openContainment, signal: new AbortController().signal, on: () => undefined };

const judging = (more: Partial<JudgeOrder>) =>
  judgeRun(
    { run: folder, judge: undefined, drafts: false, again: false, concurrency: 2, ...more },
    {
      ...services,
      asOnlyWriter: (_folder, work) => work({ lost: new AbortController().signal, release: () => undefined }),
      redact: (text) => text,
    },
  );

test("the exact judge, named, judges a run of any domain, and says why it leaves answers undecided", async () => {
  writeRun("web-search");
  const { value } = await judging({ domain: domainJudging("exact_math") });
  expect(value).toMatchObject({
    judge: "exact_math",
    added: 2,
    passed: 1,
    withoutVerdict: 1,
    undecided: { "One is in words, the other is not.": 1 },
    leavesRest: false,
  });
  expect(readBack().map((one) => one?.outcome)).toEqual(["correct", "wrong", "unjudged"]);
  expect(readBack()[0]?.verdicts?.[0]?.evidence).toEqual({ given: "1/2", accepted: "1/2" });
});

test("exact match and models are no judges of a domain", () => {
  expect(["exact_match", "f1", "openai:m", ""].map(domainJudging)).toEqual(Array(4).fill(undefined));
});

test("the judge of a math run leaves what it cannot decide to a model", async () => {
  writeRun("math");
  expect((await judging({})).value).toMatchObject({
    judge: "exact_math",
    withoutVerdict: 1,
    leavesRest: true,
  });
});

test("on a math run a model is asked only about what the exact judge leaves undecided", async () => {
  writeRun("math");
  const asked: string[] = [];
  const model = scriptedModel((request) => {
    asked.push(request.messages.at(-1)?.content.toString() ?? "");
    return '{"equivalent": true}';
  });
  const judge = modelJudge(model);
  const estimate = await estimateJudging({ run: folder, judge, again: false }, services);
  expect(estimate.value?.answers).toMatchObject({ texts: 3, calls: 1 });

  const { value } = await judging({ judge });
  expect(value).toMatchObject({ judge: `exact_math else ${judge.name}`, added: 3, passed: 2 });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("it depends on the sign");
  expect(readBack().map((one) => one?.verdicts?.[0]?.evidence?.["decidedBy"])).toEqual([
    "exact_math",
    "exact_math",
    judge.name,
  ]);
  expect(await judging({ judge })).toMatchObject({ value: { added: 0, had: 3 } });
});

test("on a run of another domain the model decides alone", async () => {
  writeRun("web-search");
  const judge = modelJudge(scriptedModel(() => '{"equivalent": true}'));
  expect((await judging({ judge })).value).toMatchObject({ judge: judge.name, added: 3, passed: 3 });
});

test("a file of answers is scored by the exact judge that a person names", async () => {
  const file = path.join(folder, "answers.jsonl");
  const rows = ANSWERS.map(([pred, gold], n) => ({ id: `a${n}`, question: `Which ${n}?`, pred, gold }));
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
  const order = { inputs: [file], concurrency: 2, by: undefined };
  const { value } = await scoreInputs(
    { ...order, domain: domainJudging("exact_math") },
    { ...services, judge: undefined },
  );
  const lines = value?.flatMap(({ report }) => renderScore(report)) ?? [];
  expect(lines.find((line) => line.startsWith("outcome"))).toMatch(/exact_math % +no verdict$/);
  expect(lines.find((line) => line.startsWith("all"))).toMatch(/3 +33\.3–66\.7 +1$/);
  expect(value?.[0]?.undecided).toEqual({ "One is in words, the other is not.": 1 });
  const refused = await scoreInputs(order, { ...services, judge: undefined });
  expect(refused.diagnostics).toMatchObject([
    { code: "HASP599", next: expect.stringContaining("--judge exact_math") as unknown },
  ]);
});

test("accepted answers that the judge of the run cannot read are named before it begins", async () => {
  const questions = { name: "q.jsonl", path: path.join(folder, "q.jsonl") };
  const rows = ["7", String.raw`\frac{1}{`].map((gold, n) => ({
    id: `q${n}`,
    question: `Which ${n}?`,
    gold,
  }));
  writeFileSync(questions.path, rows.map((row) => JSON.stringify(row)).join("\n"));
  const found: Diagnostic[] = [];
  const domain = domainOf("math");
  if (domain === undefined) throw new Error("There is no math.");
  const reading = { domain, searchesPassages: false, judge: domain.judge };
  await readInputs(files, { questions, corpus: undefined }, reading, found);
  expect(found).toMatchObject([{ code: "HASP569", file: "q.jsonl", range: { start: { line: 1 } } }]);
  const counted: Diagnostic[] = [];
  const order = { questions, corpus: undefined, dataset: "amc23" };
  await readInputs(files, order, { ...reading, judge: {} }, counted);
  expect(counted).toEqual([]);
  const split = {
    ...SPLIT_DEFAULTS,
    split: undefined,
    boundaries: {},
    output: undefined,
    corpusOut: undefined,
  };
  const data = { ...split, file: questions.path, dataset: "amc23" };
  const paths = { absolute: (name: string) => name, folderOf: (name: string) => path.dirname(name) };
  const { diagnostics } = await splitData(data, { files, ...paths });
  expect(diagnostics).toMatchObject([{ code: "HASP569" }]);
});
