import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseAnswers } from "../../../src/evaluation/answer-file.ts";

it("reads answers as another program wrote them, with its verdicts", () => {
  const rows = [
    { id: "a", question: "Who?", pred: "Sam", gold: "Sam Walton", status: "incorrect" },
    { question: "When?", pred: null, gold: ["1962", "in 1962"], status: "halted" },
    { id: 3, question: "Where?", pred: "Ark.", gold: null },
  ];
  const { value, diagnostics } = parseAnswers(rows.map((row) => JSON.stringify(row)).join("\n"), "f");
  expect(diagnostics).toEqual([]);
  const question = expect.stringMatching(/^q-/) as string;
  const own = { questionId: question, sample: 1 };
  expect(value).toEqual([
    { ...own, id: "a", question: "Who?", answer: "Sam", gold: ["Sam Walton"], recorded: "wrong" },
    {
      ...own,
      id: question,
      question: "When?",
      answer: undefined,
      gold: ["1962", "in 1962"],
      recorded: "halted",
    },
    { ...own, id: "3", question: "Where?", answer: "Ark.", gold: undefined, recorded: undefined },
  ]);
});

it("says which rows are none and why", () => {
  const text =
    '{"question":"Who?"}\n{"question":"Who?","pred":"x","status":"great"}\n{oops\n{"question":"q","pred":"p"}';
  const { value, diagnostics } = parseAnswers(text, "f");
  expect(value).toHaveLength(1);
  expect(diagnostics.map(({ code, range }) => `${code} ${range.start.line}`)).toEqual([
    "HASP567 0",
    "HASP567 1",
    "HASP567 2",
  ]);
  expect(diagnostics[0]?.message).toContain("`pred`");
  expect(parseAnswers("", "f")).toMatchObject({ value: undefined, diagnostics: [{ code: "HASP568" }] });
});

it("never throws", () => {
  fc.assert(fc.property(fc.string(), (text) => void parseAnswers(text, "f")));
  fc.assert(fc.property(fc.array(fc.jsonValue()), (rows) => void parseAnswers(JSON.stringify(rows), "f")));
});
