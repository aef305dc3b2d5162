import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { datasetNamed, detectDataset } from "../../../src/evaluation/dataset-rows.ts";
import { parseDataset } from "../../../src/evaluation/datasets.ts";
import { parseQuestions } from "../../../src/evaluation/questions.ts";

const hotpot = {
  _id: "h1",
  question: "Who founded the firm that Bud Walton helped to found?",
  answer: "Sam Walton",
  type: "bridge",
  level: "hard",
  supporting_facts: [["Bud Walton", 0]],
  context: [
    ["Bud Walton", ["Bud helped to found Walmart.", " He died in 1995."]],
    ["Walmart", ["Sam Walton founded it."]],
  ],
};
const { level: _, ...withoutLevel } = hotpot;
const wiki = {
  ...withoutLevel,
  _id: "w1",
  type: "bridge_comparison",
  evidences: [
    ["a", "b", "c"],
    ["c", "d", "e"],
  ],
};
const musique = {
  id: "3hop1__1_2_3",
  paragraphs: [
    { idx: 0, title: "Walmart", paragraph_text: "Sam Walton founded it.", is_supporting: true },
    { idx: 1, title: "Target", paragraph_text: "A shop.", is_supporting: false },
  ],
  question: "Who founded it?",
  question_decomposition: [{}, {}, {}],
  answer: "Sam Walton",
  answer_aliases: ["Samuel Walton"],
  answerable: true,
};
const bamboogle = {
  idx: 4,
  question:
    "Who founded Walmart?When ready, output the final answer enclosed in <answer> and </answer> tags. Do not go on.",
  answer: ["sam walton"],
  pid: "4",
};
const lines = (...rows: unknown[]): string =>
  rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
/** Only the name of a file tells Bamboogle. */
const fileOf = (dataset: string): string => (dataset === "bamboogle" ? "test/bamboogle/data/data.json" : "f");
const codes = (list: readonly { code: string; range: { start: { line: number } } }[]): string[] =>
  list.map(({ code, range }) => `${code} ${range.start.line}`);

describe("a file in release format", () => {
  it.each([
    ["hotpotqa", hotpot, { hops: 2, type: "bridge", level: "hard" }, 2],
    ["2wikimultihopqa", wiki, { hops: 2, type: "bridge_comparison" }, 2],
    ["musique", musique, { hops: 3 }, 2],
    ["bamboogle", bamboogle, { hops: 2 }, 0],
  ])("of %s is recognised, as JSONL and as an array", (dataset, row, meta, passages) => {
    for (const text of [lines(row), JSON.stringify([row], null, 1)]) {
      const { value, diagnostics } = parseDataset(text, fileOf(dataset));
      expect(diagnostics).toEqual([]);
      expect(value).toMatchObject({ dataset, rows: 1, unanswerable: 0 });
      expect(value?.passages).toHaveLength(passages);
      expect(value?.questions[0]).toMatchObject({ dataset, meta });
    }
  });

  it("gives questions with all accepted answers, and passages with their sentences joined", () => {
    const { value } = parseDataset(lines(musique), "f");
    expect(value?.questions).toEqual([
      {
        id: "3hop1__1_2_3",
        question: "Who founded it?",
        gold: ["Sam Walton", "Samuel Walton"],
        dataset: "musique",
        meta: { hops: 3 },
      },
    ]);
    expect(parseDataset(lines(hotpot), "f").value?.passages[0]).toEqual({
      title: "Bud Walton",
      text: "Bud helped to found Walmart. He died in 1995.",
    });
  });

  it("of Bamboogle loses the instruction that is glued to its questions, and gets ids of its own", () => {
    const { value } = parseDataset(lines(bamboogle, { Question: "When?", Answer: "1962" }), "bamboogle.json");
    expect(value?.questions.map(({ id, question, gold }) => [id, question, gold])).toEqual([
      ["bamboogle-4", "Who founded Walmart?", ["sam walton"]],
      [expect.stringMatching(/^q-/), "When?", ["1962"]],
    ]);
  });

  it("pools paragraphs that questions share", () => {
    const { value } = parseDataset(lines(hotpot, { ...hotpot, _id: "h2" }), "f");
    expect(value?.questions).toHaveLength(2);
    expect(value?.passages).toHaveLength(2);
  });

  it("without answers is a test set: its questions have no gold", () => {
    const { _id, question, context } = hotpot;
    const { value, diagnostics } = parseDataset(lines({ _id, question, context }), "f");
    expect(diagnostics).toEqual([]);
    expect(value?.questions[0]?.gold).toBeUndefined();
  });

  it("can be read again after it was written as our questions", () => {
    const { value } = parseDataset(lines(musique), "f");
    const again = parseDataset(lines(...(value?.questions ?? [])), "g");
    expect(again.diagnostics).toEqual([]);
    expect(again.value?.questions).toEqual(value?.questions);
    expect(parseQuestions(lines(...(value?.questions ?? [])), "g").value).toEqual(value?.questions);
  });
});

describe("what is wrong with a file", () => {
  it("is said with its line: another data set, an id again, no row, no paragraphs, a break", () => {
    const text = lines(
      musique,
      hotpot,
      musique,
      3,
      { ...musique, id: "x", paragraphs: [{ paragraph_text: 1 }] },
      '{"id',
    );
    const { value, diagnostics } = parseDataset(text, "f");
    expect(value?.questions.map(({ id }) => id)).toEqual(["3hop1__1_2_3", "x"]);
    expect(codes(diagnostics)).toEqual(["HASP562 1", "HASP541 2", "HASP562 3", "HASP563 4", "HASP540 5"]);
    expect(diagnostics[0]?.message).toBe(
      "Line 2: this is a row of hotpotqa in a file of musique, and left out.",
    );
  });

  it("names the entry of an array that stands in one line", () => {
    const { diagnostics } = parseDataset(JSON.stringify([hotpot, musique]), "f");
    expect(diagnostics[0]?.message).toContain("entry 2 is a row of musique");
  });

  it("leaves out unanswerable rows and counts them, also where their answerable twin has the same id", () => {
    const twin = { ...musique, answerable: false, answer: "nothing" };
    const { value, diagnostics } = parseDataset(lines(twin, musique, { ...twin, id: "y" }), "f");
    expect(value).toMatchObject({ rows: 3, unanswerable: 2, questions: [{ id: "3hop1__1_2_3" }] });
    expect(codes(diagnostics)).toEqual(["HASP561 0"]);
    expect(diagnostics[0]?.message).toContain("2 rows are marked as unanswerable");
    expect(codes(parseQuestions(lines(musique, { ...twin, id: "y" }), "f").diagnostics)).toEqual([
      "HASP561 1",
    ]);
  });

  it("is not that its rows show no data set: they are plain questions, unless --dataset decides", () => {
    const plain = lines({ question: "Who?", answer: "x" });
    const { value, diagnostics } = parseDataset(plain, "f");
    expect(value).toMatchObject({
      dataset: undefined,
      rows: 1,
      questions: [{ question: "Who?", gold: ["x"] }],
    });
    expect(diagnostics).toMatchObject([{ code: "HASP564", severity: "information" }]);
    expect(parseDataset(plain, "f", "bamboogle").value).toMatchObject({ dataset: "bamboogle", rows: 1 });
    expect(parseDataset(lines(hotpot), "f", "2wikimultihopqa").value?.dataset).toBe("2wikimultihopqa");
    expect(codes(parseDataset("", "f").diagnostics)).toEqual(["HASP542 0"]);
    expect(codes(parseDataset("[]", "f", "musique").diagnostics)).toEqual(["HASP542 0"]);
  });

  it("in a name is answered with the likely one", () => {
    expect(datasetNamed("musiqe").diagnostics[0]?.next).toBe('Did you mean "musique"?');
    expect(datasetNamed("2Wiki").value).toBe("2wikimultihopqa");
    expect(datasetNamed("nq").diagnostics[0]?.next).toContain("Use one of: hotpotqa");
  });

  it("never makes the loader throw", () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          question: fc.jsonValue(),
          answer: fc.jsonValue(),
          context: fc.jsonValue(),
          paragraphs: fc.jsonValue(),
          evidences: fc.jsonValue(),
          dataset: fc.constantFrom("musique", "x", 3),
          meta: fc.jsonValue(),
          answerable: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(
        fc.array(odd),
        fc.constantFrom(undefined, "hotpotqa", "musique", "bamboogle"),
        (rows, forced) => {
          const { value } = parseDataset(lines(...rows.map((row) => JSON.stringify(row))), "f", forced);
          for (const { question } of value?.questions ?? []) expect(question.trim()).not.toBe("");
        },
      ),
    );
    fc.assert(fc.property(fc.anything(), (value) => void detectDataset(value, "f")));
  });
});

describe("a file in AgentFlow's layout", () => {
  const glued = "When ready, output the final answer enclosed in <answer> and </answer> tags.";
  const rows = [
    { idx: 0, query: `Which shop did Bud help to found?${glued}`, answer: ["walmart"], pid: "0" },
    { idx: 1, question: "", query: "How many hands has a clock?", answer: 3, pid: "1" },
    { idx: 2, question: "Who?", query: "Somebody else?", answer: "Sam", context: "A text, not paragraphs." },
    { Question: "When?", Answer: "1962" },
  ];

  it("has its question under `query`, and is of no data set for its shape", () => {
    for (const text of [lines(...rows), JSON.stringify(rows)])
      for (const { value, diagnostics } of [parseDataset(text, "test/hotpotqa/data.json"), readPlain(text)]) {
        expect(value?.questions.map(({ question, gold }) => [question, gold])).toEqual([
          ["Which shop did Bud help to found?", ["walmart"]],
          ["How many hands has a clock?", ["3"]],
          ["Who?", ["Sam"]],
          ["When?", ["1962"]],
        ]);
        expect(value?.questions.some((question) => "dataset" in question || "meta" in question)).toBe(false);
        expect(diagnostics.filter(({ severity }) => severity !== "information")).toEqual([]);
      }
  });

  it("keeps a row of a known data set apart where both stand in one file, whichever is first", () => {
    const { value, diagnostics } = parseDataset(lines(rows[0], musique), "f");
    expect(value).toMatchObject({ dataset: "musique", rows: 2, questions: [{ id: "3hop1__1_2_3" }] });
    expect(codes(diagnostics)).toEqual(["HASP562 0"]);
  });
});

function readPlain(text: string) {
  const { value, diagnostics } = parseQuestions(text, "q.json");
  return { value: value && { questions: value }, diagnostics };
}

const data = new URL("../../../../shared/data/", import.meta.url);
describe("the real files (skipped without ../shared/data)", () => {
  it.skipIf(!existsSync(data)).each([
    ["hotpotqa/distractor-100.jsonl", "hotpotqa", 100, 1_000],
    ["multihop/hotpotqa_train.json", "hotpotqa", 100, 994],
    ["multihop/musique_train.json", "musique", 100, 1_890],
    ["bamboogle/bamboogle.json", "bamboogle", 125, 0],
  ])("%s", (file, dataset, questions, passages) => {
    const { value, diagnostics } = parseDataset(readFileSync(new URL(file, data), "utf8"), file);
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ dataset, rows: questions });
    expect(value?.questions).toHaveLength(questions);
    expect(value?.passages).toHaveLength(passages);
    expect(
      value?.questions.every(({ question, gold }) => gold?.length && !question.includes("<answer>")),
    ).toBe(true);
  });
});
