import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReply } from "../../../src/domains/web-search/parse-reply.ts";

describe("a reply of a model", () => {
  it.each([
    ["Thought: I look.\nAction: SEARCH[Helen Walton]", "I look.", "SEARCH", "Helen Walton"],
    ["Thought 2: I look.\nAction 2: Search[Helen Walton]", "I look.", "SEARCH", "Helen Walton"],
    ["**Thought:** I look.\n\n**Action:** `READ[doc_0]`", "I look.", "READ", "doc_0"],
    ['I look.\nSEARCH("Helen Walton")', "I look.", "SEARCH", "Helen Walton"],
    ["Action: FINAL[Sam Walton", "", "FINAL", "Sam Walton"],
    ["Action: finish[Love and Theft [album]]", "", "FINAL", "Love and Theft [album]"],
    ['Action: FINAL["A" and "B"]', "", "FINAL", '"A" and "B"'],
    ["Action: FINAL[]", "", "FINAL", ""],
    ["Thought: a\nAction: SEARCH[x]\nObservation: made up\nThought: b\nAction: FINAL[y]", "a", "SEARCH", "x"],
    ["Action: FINAL[two\nlines]", "", "FINAL", "two\nlines"],
    [
      "Thought: I could Search[that] later.\nAction: READ[doc_1]",
      "I could Search[that] later.",
      "READ",
      "doc_1",
    ],
  ])("%j", (reply, thought, type, arg) => {
    expect(parseReply(reply)).toEqual({ thought, action: { type, arg } });
  });

  it.each([
    "",
    "I will look into it.",
    "Thought: search for it",
    '{"action": "search"}',
    "Observation: nothing",
  ])("%j is no action, and its words stay", (reply) => {
    const { action } = parseReply(reply);
    expect(action.type).toBe("invalid");
    expect(action.raw).toBe(reply.trim());
    expect(action.arg).toBe(action.raw);
  });

  it("is always read, and quickly", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const { action } = parseReply(text);
        expect(["SEARCH", "READ", "FINAL", "invalid"]).toContain(action.type);
      }),
    );
    for (const text of [
      "*".repeat(50_000),
      "Action ".repeat(20_000),
      "[".repeat(100_000),
      " \n".repeat(50_000),
      "Action: FINAL[".repeat(10_000),
    ])
      parseReply(text);
  });

  it("keeps any argument in the agreed form", () => {
    const arg = fc
      .string({ maxLength: 80 })
      .filter((text) => !/["“”'`‘’\n\r[\]]/.test(text) && text === text.trim());
    fc.assert(
      fc.property(fc.constantFrom("SEARCH", "READ", "FINAL"), arg, (type, text) => {
        expect(parseReply(`Thought: so\nAction: ${type}[${text}]`)).toEqual({
          thought: "so",
          action: { type, arg: text },
        });
      }),
    );
  });
});
