import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonEntries, memberSource } from "../../../src/trace/json-entries.ts";

const entries = (text: string) => [...jsonEntries(text)];
const values = (text: string): unknown[] => entries(text).map(({ value }) => value);
const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), { minLength: 1 });

describe("the values of a file", () => {
  it.each([
    ["JSONL", '{"a":1}\n{"b":2}\n'],
    ["JSONL with a byte order mark, CRLF and blank lines", '\uFEFF{"a":1}\r\n\r\n{"b":2}\r\n'],
    ["an array in one line", '[{"a":1},{"b":2}]'],
    ["an array over lines, with a byte order mark", '\uFEFF\r\n[\r\n {"a":1},\r\n {"b":2}\r\n]\r\n'],
    ["an array with a comma too many", '[{"a":1},{"b":2},]'],
  ])("%s", (_name, text) => expect(values(text)).toEqual([{ a: 1 }, { b: 2 }]));

  it("are one where the file is one value over many lines", () => {
    const source = '{\n "a": {\n  "b": "]"\n }\n}';
    expect(entries(`\n${source}\n`)).toEqual([
      { line: 1, name: undefined, value: { a: { b: "]" } }, source },
    ]);
  });

  it("know the line and the number of an entry", () => {
    const found = entries('[\n{"a":"}, ["},\n\n  7, "x\\"]",\n {oops}, {"b":2}]').map(
      ({ line, name, problem }) => [line, name, problem],
    );
    expect(found).toEqual([
      [1, "entry 1", undefined],
      [3, "entry 2", undefined],
      [3, "entry 3", undefined],
      [4, "entry 4", "it is not complete JSON"],
      [4, "entry 5", undefined],
    ]);
  });

  it("before a break stay, and the break is said", () => {
    for (const text of ['[{"a":1},\n{"b":', '[{"a":1}\n', '[{"a":1},', '[{"a":1}, "x']) {
      const found = entries(text);
      expect(found[0]?.value).toEqual({ a: 1 });
      expect(found.at(-1)).toMatchObject({
        value: undefined,
        problem: expect.stringContaining("breaks off") as string,
      });
    }
    expect(entries('[{"a":1}]\n{"b":2}').at(-1)).toMatchObject({
      line: 0,
      problem: "more text follows the array",
    });
  });

  it("that a stray bracket stands among do not swallow the rest", () => {
    expect(values('[{"a":1}},{"b":2}]')).toEqual([undefined, { b: 2 }]);
  });

  it("are those that were written, as an array of any layout and as JSONL", () => {
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 1, "\t"), (rows, indent) => {
        const plain: unknown = JSON.parse(JSON.stringify(rows));
        expect(values(JSON.stringify(rows, null, indent))).toEqual(plain);
        expect(values(rows.map((row) => JSON.stringify(row)).join("\n"))).toEqual(plain);
      }),
    );
  });

  it("never throw, whatever the text, and a cut array gives a beginning of what was written", () => {
    fc.assert(fc.property(fc.string(), (text) => void entries(text)));
    fc.assert(
      fc.property(objects, fc.nat(), (rows, at) => {
        const text = JSON.stringify(rows);
        const plain = JSON.parse(text) as unknown[];
        const found = entries(text.slice(0, Math.max(1, at % text.length))).filter(
          (e) => e.value !== undefined,
        );
        expect(found.map(({ value }) => value)).toEqual(plain.slice(0, found.length));
      }),
    );
  });
});

describe("the text of a row", () => {
  it("is as it was written, in JSONL and in an array", () => {
    const rows = ['{"a": 1.0}', '{"a": 12345678901234567890}'];
    for (const text of [rows.join("\r\n"), `[ ${rows.join(" ,\n ")} ]`])
      expect(entries(text).map(({ source }) => source)).toEqual(rows);
  });

  it.each([
    ['{"a": 1.0, "b": 2}', "a", "1.0"],
    ['{ "b" : {"a": [1, "}"]} , "a":12345678901234567890 }', "a", "12345678901234567890"],
    ['{"b": {"a": [1, "}"]}, "a": 2}', "b", '{"a": [1, "}"]}'],
    ['{"a": 1, "\\u0061": 1.50}', "a", "1.50"],
    ['{"b": "\\"a\\": 3"}', "a", undefined],
    ["{}", "a", undefined],
  ])("%s has at %s the text %s", (object, name, source) => expect(memberSource(object, name)).toBe(source));

  it("gives the value of each member again, whatever the object", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          for (const [name, value] of Object.entries(object))
            expect(JSON.stringify(JSON.parse(memberSource(text, name) ?? ""))).toBe(JSON.stringify(value));
        },
      ),
    );
  });
});
