import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestions } from "../../../src/evaluation/questions.ts";

const lines = (...rows: unknown[]): string =>
  rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");

describe("questions of a file", () => {
  it("take gold or answer, one or several, and trim the question", () => {
    const { value, diagnostics } = parseQuestions(
      lines(
        { id: "a", question: " Who? ", gold: ["X", "Y"] },
        { id: 2, question: "When?", answer: "1999" },
        { question: "Where?" },
        { id: "d", question: "Why?", answer: "" },
      ),
      "q.jsonl",
    );
    expect(diagnostics).toEqual([]);
    expect(value?.slice(0, 2)).toEqual([
      { id: "a", question: "Who?", gold: ["X", "Y"] },
      { id: "2", question: "When?", gold: ["1999"] },
    ]);
    expect(value?.slice(2).map(({ gold }) => gold)).toEqual([undefined, undefined]);
    expect(value?.[2]?.id).toMatch(/^q-[0-9a-f]{14}$/);
  });

  it("name the lines whose accepted answers the judge cannot read, and keep them", () => {
    const rows = lines(
      { id: "a", question: "Half of 7?", gold: "7/2" },
      { id: "b", question: "Which?", gold: ["3", "3 +"] },
    );
    const { value, diagnostics } = parseQuestions(rows, "q.jsonl", [], (accepted) => !accepted.endsWith("+"));
    expect(value).toHaveLength(2);
    expect(diagnostics).toMatchObject([
      {
        code: "HASP569",
        severity: "warning",
        message: expect.stringMatching(
          /^Line 2: the judge cannot read the accepted answer "3 \+"/,
        ) as unknown,
      },
    ]);
  });

  it("say which line is no question and why, and go on with the others", () => {
    const { value, diagnostics } = parseQuestions(
      lines("{broken", { id: "a", question: "Who?" }, { id: "b" }, { id: "a", question: "Again?" }, "3"),
      "q.jsonl",
    );
    expect(value).toHaveLength(1);
    expect(diagnostics.map((d) => `${d.code} ${d.range.start.line}`)).toEqual([
      "HASP540 0",
      "HASP540 2",
      "HASP541 3",
      "HASP540 4",
    ]);
    expect(diagnostics[1]?.message).toContain("`question`");
  });

  it("have ids that can name a file", () => {
    const { value } = parseQuestions(
      lines({ id: "é".repeat(300), question: "Who?" }, { id: "\ud800", question: "When?" }),
      "q.jsonl",
    );
    expect(value?.[0]?.id).toMatch(/^q-[0-9a-f]{14}$/);
    expect(value?.[1]?.id).toBe("\ufffd");
  });

  it("have ids without the blanks around them, so that one question has one id", () => {
    const blanks = fc.stringMatching(/^[ \t\n\u00a0]{0,3}$/);
    fc.assert(
      fc.property(blanks, fc.stringMatching(/^[\w-]([\w -]{0,8}[\w-])?$/), blanks, (before, id, after) => {
        const [padded, plain] = [`${before}${id}${after}`, id].map((given) =>
          parseQuestions(lines({ id: given, question: "Who?" }), "q.jsonl"),
        );
        expect(padded).toEqual(plain);
        const twice = parseQuestions(
          lines({ id: `${before}${id}`, question: "Who?" }, { id, question: "Who?" }),
          "q",
        );
        expect(twice.diagnostics.map(({ code }) => code)).toEqual(["HASP541"]);
      }),
    );
    const [blank] = parseQuestions(lines({ id: "  ", question: "Who?" }), "q.jsonl").value ?? [];
    expect(blank?.id).toMatch(/^q-/);
  });

  it("are missing in a file of something else", () => {
    expect(parseQuestions("", "q.jsonl")).toMatchObject({
      value: undefined,
      diagnostics: [{ code: "HASP542" }],
    });
  });

  it("never make the loader throw", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseQuestions(text, "q")));
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        (rows) => void parseQuestions(lines(...rows.map((row) => JSON.stringify(row))), "q"),
      ),
    );
  });

  const hotpot = new URL("../../../../shared/data/hotpotqa/distractor-100.jsonl", import.meta.url);
  it.skipIf(!existsSync(hotpot))(
    "of HotpotQA: all hundred, with their answers (skipped without ../shared/data)",
    () => {
      const { value, diagnostics } = parseQuestions(readFileSync(hotpot, "utf8"), "hotpot");
      expect(diagnostics).toEqual([]);
      expect(value).toHaveLength(100);
      expect(value?.every(({ gold }) => gold?.length === 1)).toBe(true);
    },
  );
});
