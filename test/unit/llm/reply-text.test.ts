import fc from "fast-check";
import { expect, test } from "vitest";
import { replyText } from "../../../src/llm/reply-text.ts";

const read = (pieces: readonly string[], stop: readonly string[], maxTokens = 100) => {
  const reply = replyText({ stop, maxTokens });
  const shown = pieces.map((piece) => reply.add(piece)).join("") + reply.rest();
  return { shown, text: reply.text, ended: reply.ended };
};

test.each<[string, readonly string[], string, "stop" | undefined]>([
  ["in one piece", ["Act[1]\nResult: 7\nAct[2]"], "Act[1]", "stop"],
  ["in two pieces", ["Act[1]\nRes", "ult: 7"], "Act[1]", "stop"],
  ["letter by letter", "Act[1]\nResult: 7".split(""), "Act[1]", "stop"],
  ["of another stop that comes earlier", ["Act[1]###\nResult: 7"], "Act[1]", "stop"],
  ["before any text", ["\n\nResult: 7\nAct[1]\nResult: 8"], "\n\nResult: 7\nAct[1]", "stop"],
  ["that is only begun", ["Act[1]\nResul"], "Act[1]\nResul", undefined],
  ["that is begun twice", ["Act[1]\nRes", "\nResult: 7"], "Act[1]\nRes", "stop"],
  [
    "behind many blanks and a text",
    [" ".repeat(150), " ".repeat(150), "Act[1]", "\nResult: 7"],
    `${" ".repeat(300)}Act[1]`,
    "stop",
  ],
])("a reply ends before a stop text %s", (_name, pieces, text, ended) => {
  expect(read(pieces, ["\nResult:", "###", ""])).toEqual({ shown: text, text, ended });
});

test("the pieces that a reply comes in change nothing, and nothing behind a stop text is shown", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 30 });
  const stops = fc.array(fc.string({ unit: fc.constantFrom("a", "\n"), minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(letters), stops, (pieces, stop) => {
      const parts = read(pieces, stop);
      expect(parts).toEqual(read([pieces.join("")], stop));
      expect(parts.shown).toBe(parts.text);
    }),
  );
});

test("a stop text waits for one that begins before it and is not complete yet", () => {
  const stop = ["a", "\na\n"];
  // The longer one begins first, once its last piece is there; without that the shorter one ends the text.
  expect(read(["a", "\na", "\n"], stop)).toEqual({ shown: "a", text: "a", ended: "stop" });
  expect(read(["a", "\na", "b"], stop)).toEqual({ shown: "a\n", text: "a\n", ended: "stop" });
  expect(read(["a", "\na"], stop)).toEqual({ shown: "a\n", text: "a\n", ended: "stop" });
});

test("a reply far beyond its longest is cut off, however it comes", () => {
  const much = "x".repeat(1 << 20);
  for (const pieces of [[much], Array.from({ length: 1000 }, () => "xyz ".repeat(100))]) {
    const { text, shown, ended } = read(pieces, ["\nResult:"], 100);
    expect(ended).toBe("length");
    expect(text).toHaveLength(5600);
    expect(shown).toBe(text);
  }
});

test("a reply whose tokens are runs of ten blanks is no longer than it may be", () => {
  const text = " ".repeat(9).concat("x").repeat(500);
  expect(read([text], [], 500)).toEqual({ shown: text, text, ended: undefined });
});
