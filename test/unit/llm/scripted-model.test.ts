import fc from "fast-check";
import { expect, test } from "vitest";
import { parseScript } from "../../../src/llm/parse-script.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { ask, failure } from "./support.ts";

test("a list is said in order, what was asked is kept, and its end is a failure with a way out", async () => {
  const model = scriptedModel(["one", { text: "two", finish: "length" }, { error: "timeout" }]);
  const pieces: string[] = [];
  expect(await model.chat(ask("a"), { onText: (p) => void pieces.push(p) })).toMatchObject({
    text: "one",
    finish: "stop",
    usage: { cost: 0 },
  });
  expect(await model.chat(ask("b"))).toMatchObject({ text: "two", finish: "length" });
  expect((await failure(model.chat(ask("c")))).kind).toBe("timeout");
  expect(await failure(model.chat(ask("d")))).toMatchObject({
    kind: "refused_request",
    next: expect.stringContaining("Add a reply"),
  });
  expect(model.requests.map(({ messages }) => messages[0]?.content)).toEqual(["a", "b", "c", "d"]);
  expect(pieces).toEqual(["one"]);
});

const SCRIPT = `
- when: [Walmart, Bentonville]
  text: FINAL("Sam Walton")
- { when: [Walmart], text: 'SEARCH("Walmart founder")' }
- otherwise
- { error: rate_limited }
`;

test("a script file answers by what a request holds, whatever the order; the rest in order", async () => {
  const { value, diagnostics } = parseScript(SCRIPT, "replies.yaml");
  expect(diagnostics).toEqual([]);
  const model = scriptedModel(value ?? []);
  const say = async (text: string): Promise<string> => (await model.chat(ask(text))).text;
  expect(await say("Walmart began in Bentonville")).toBe('FINAL("Sam Walton")');
  expect(await say("Who founded Walmart?")).toBe('SEARCH("Walmart founder")');
  expect(await say("Who founded Walmart?")).toBe('SEARCH("Walmart founder")');
  expect(await say("Who founded Aldi?")).toBe("otherwise");
  expect((await failure(say("Aldi"))).kind).toBe("rate_limited");
  expect((await failure(say("Aldi"))).kind).toBe("refused_request");
});

test("JSON is read too, and mistakes are named with their place", () => {
  expect(parseScript('["a", {"text": "b"}]', "r.json")).toMatchObject({ diagnostics: [] });
  const codes = (text: string) =>
    parseScript(text, "r.yaml").diagnostics.map((d) => [d.code, d.range.start.line]);
  expect(codes("a: 1")).toEqual([["HASP610", 0]]);
  expect(codes("")).toEqual([["HASP610", 0]]);
  expect(codes("- [")[0]).toEqual(["HASP610", 0]);
  expect(codes("- a\n- 1")).toEqual([["HASP611", 1]]);
  expect(codes("- a\n- { txt: b }")).toEqual([
    ["HASP612", 1],
    ["HASP613", 1],
  ]);
  expect(codes("- { error: oops }")).toEqual([["HASP613", 0]]);
  expect(codes("- { text: a, finish: soon }")).toEqual([["HASP613", 0]]);
});

test("any file is read or refused, never thrown at", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => parseScript(text, "r").diagnostics.length >= 0),
  );
});
