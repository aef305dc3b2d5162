import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonExcess, MAX_DEPTH, parseJson, readJson, stringEnd } from "../../../src/model/read-json.ts";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("readJson", () => {
  test("property: within the limits it reads what the engine reads", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        expect(readJson(text)).toEqual({ value: JSON.parse(text) as unknown });
      }),
    );
  });

  test("property: no text makes it throw, and one that is no JSON has a problem", () => {
    const pieces = fc.constantFrom(
      '"',
      "\\",
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      "1",
      "null",
      " ",
      "\n",
      "\u0000",
      "\ud800",
    );
    const text = fc.array(pieces, { maxLength: 300 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, (given) => {
        const { value, problem } = readJson(given);
        expect(problem === undefined).toBe(value !== undefined);
      }),
    );
  });

  test(`takes ${MAX_DEPTH} levels and not one more, and says where`, () => {
    expect(readJson(nested(MAX_DEPTH)).problem).toBeUndefined();
    expect(readJson(nested(MAX_DEPTH + 1)).problem).toMatchObject({ kind: "deep", at: MAX_DEPTH });
    expect(jsonExcess("[".repeat(1_000_000))).toMatchObject({ kind: "deep", at: MAX_DEPTH });
  });

  test("does not count brackets within texts, whatever they escape", () => {
    const text = JSON.stringify({ a: '[{"'.repeat(1_000), b: "\\".repeat(301), c: `${"[".repeat(500)}\\` });
    expect(readJson(text).problem).toBeUndefined();
    expect(parseJson(`{"a":"${'\\"['.repeat(400)}"}`)).toBeDefined();
  });

  test("refuses a short text that would fill the memory", () => {
    expect(readJson(`[${"{},".repeat(6_000_000)}1]`).problem?.kind).toBe("large");
    expect(readJson(`[${"[],".repeat(6_000_000)}1]`).problem?.kind).toBe("large");
  });

  test("null is a value, and no problem", () => {
    expect(readJson("null")).toEqual({ value: null });
    expect(readJson("").problem?.kind).toBe("syntax");
  });
});

test("property: a text ends where the engine ends it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "\\", '"', "\n", "é") }),
      fc.string(),
      (text, after) => {
        const written = JSON.stringify(text);
        expect(stringEnd(written + after, 0)).toBe(written.length - 1);
      },
    ),
  );
});
