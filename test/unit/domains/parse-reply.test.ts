import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReply } from "../../../src/domains/web-search/parse-reply.ts";
import { webSearchPrompt } from "../../../src/domains/web-search/prompt.ts";

describe("a reply in the form that the prompt asks for", () => {
  it.each([
    ["Thought: I look.\nAction: SEARCH[Helen Walton]", "I look.", "SEARCH", "Helen Walton"],
    ["  Thought: I look.\r\n  Action:READ[ doc_0 ]  \r\n", "I look.", "READ", "doc_0"],
    ["Two lines\nof thought.\nAction: FINAL[Sam Walton]", "Two lines\nof thought.", "FINAL", "Sam Walton"],
    ["**Thought 1:** I look.\nAction: READ[doc_1]", "I look.", "READ", "doc_1"],
    ["Action: FINAL[Love and Theft [album]]", "", "FINAL", "Love and Theft [album]"],
    ['Action: SEARCH["Blue" and "Clouds"]', "", "SEARCH", '"Blue" and "Clouds"'],
    ['Action: SEARCH["Blue"]', "", "SEARCH", '"Blue"'],
    ["thought: I look.\naction: Search[x]", "I look.", "SEARCH", "x"],
    ["Action: FINAL[]", "", "FINAL", ""],
    ["Thought: Search[that] later.\nAction: READ[doc_1]", "Search[that] later.", "READ", "doc_1"],
    ["Thought: a\nObservation of it helps.\nAction: READ[b]", "a\nObservation of it helps.", "READ", "b"],
  ])("%j", (reply, thought, type, arg) => {
    expect(parseReply(reply)).toEqual({ thought, action: { type, arg } });
  });

  it("ends where the model begins to play its environment, as with a stop sequence", () => {
    const reply = "Thought: a\nAction: SEARCH[x]\nObservation: made up\nThought: b\nAction: FINAL[y]";
    expect(parseReply(reply)).toEqual({ thought: "a", action: { type: "SEARCH", arg: "x" } });
  });

  it("holds any argument of one line", () => {
    const arg = fc
      .string({ maxLength: 80 })
      .filter((text) => !/[\n\r[\]]/.test(text) && text === text.trim());
    fc.assert(
      fc.property(fc.constantFrom("SEARCH", "READ", "FINAL"), arg, (type, text) => {
        const proposal = { thought: "so", action: { type, arg: text } };
        expect(parseReply(webSearchPrompt.render(proposal))).toEqual(proposal);
      }),
    );
  });
});

describe("a reply in another form that can mean one action only", () => {
  it.each([
    ["FINAL[1999]", "FINAL", "1999"],
    ["Final[1963]", "FINAL", "1963"],
    ["Action 2: SEARCH[x]", "SEARCH", "x"],
    ["**Action:** SEARCH[x]", "SEARCH", "x"],
    ["**Action: SEARCH[x]**", "SEARCH", "x"],
    ["Action: **FINAL[x]**", "FINAL", "x"],
    ["Action: `SEARCH[x]`", "SEARCH", "x"],
    ["- Action: SEARCH[x]", "SEARCH", "x"],
    ["1. SEARCH[x]\n2. READ[doc_0]", "SEARCH", "x"],
    ["Action: SEARCH(x)", "SEARCH", "x"],
    ['FINAL("The Strokes")', "FINAL", "The Strokes"],
    ['SEARCH(query="Osk (river)")', "SEARCH", "Osk (river)"],
    ["READ(id = doc_2)", "READ", "doc_2"],
    ["FINAL(x=2)", "FINAL", "x=2"],
    ["Action: SEARCH [x]", "SEARCH", "x"],
    ["Action: SEARCH[x] and y", "SEARCH", "x"],
    ["Action: SEARCH[x].", "SEARCH", "x"],
    ["Action: SEARCH[naj]\nHint: look at the clues", "SEARCH", "naj"],
    ["Action: SEARCH[x]\nAction: READ[doc_0]", "SEARCH", "x"],
    ["SEARCH[x]\nREAD[doc_0]", "SEARCH", "x"],
    ["Action: FINAL[a] or FINAL[b]", "FINAL", "a"],
    ["```\nAction: SEARCH[x]\n```", "SEARCH", "x"],
    ["Action: look around\nAction: SEARCH[x]", "SEARCH", "x"],
    ["The answer is clear now, so FINAL[x].", "FINAL", "x"],
    ["Action: SEARCH[a few words]\nAction: SEARCH[Tarnby]", "SEARCH", "Tarnby"],
    ["<think>SEARCH[a] or FINAL[b]?</think>\nFINAL[c]", "FINAL", "c"],
    ["思考：需要查找。\nAction：SEARCH[河流]", "SEARCH", "河流"],
    ["कार्रवाई: SEARCH[नदी]\nकार्रवाई: READ[doc_0]", "SEARCH", "नदी"],
  ])("%j", (reply, type, arg) => {
    expect(parseReply(reply)).toMatchObject({ action: { type, arg }, lenient: true });
  });
});

describe("any other reply", () => {
  it.each([
    "",
    "I will look into it.",
    "Thought: search for it",
    '{"action": "search"}',
    "Observation: nothing",
    "FINAL[]\nDone.",
    "Action: SEARCH: x",
    "Action: finish[x]",
    "Action: lookup[x]",
    "Action: SEARCH[x",
    "Action: SEARCH[x [y]",
    "Action: SEARCH[two\nlines]",
    "Either SEARCH[x] or FINAL[y] comes next.",
    "Thought: a\nObservation: made up\nAction: FINAL[x]",
    "Thought: a\n**Observation 1:** made up\nAction: FINAL[x]",
    "Thought: a\nObservation\nmade up\nAction: FINAL[x]",
    'Next come a line "Thought: …" on this observation and a line "Action: …" with FINAL, READ or SEARCH.',
  ])("%j is no action, and its words stay", (reply) => {
    expect(parseReply(reply).action).toEqual({ type: "invalid", arg: reply, raw: reply });
  });

  it("is always read, and quickly", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(["SEARCH", "READ", "FINAL", "invalid"]).toContain(parseReply(text).action.type);
      }),
    );
    const started = performance.now();
    for (const text of ["*", "Action ", "[", " \n", "Action: FINAL[", "Action:\n", "\nObservation", "`"])
      parseReply(text.repeat(1_000_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
