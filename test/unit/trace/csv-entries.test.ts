import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvEntries } from "../../../src/trace/csv-entries.ts";

const entries = (text: string) => [...csvEntries(text)];
const values = (text: string): unknown[] => entries(text).map(({ value }) => value);

describe("The rows of a CSV file", () => {
  it.each([
    ["LF", "a,b\n1,2\n3,4\n"],
    ["a byte order mark, CRLF, blank lines and no last line break", "\uFEFFa,b\r\n\r\n1,2\r\n\r\n3,4"],
    ["quotes", '"a","b"\n"1","2"\n3,"4"\n'],
  ])("with %s", (_name, text) =>
    expect(values(text)).toEqual([
      { a: "1", b: "2" },
      { a: "3", b: "4" },
    ]),
  );

  it("have quoted commas, quotes and line breaks, and know their line and text", () => {
    const text = 'a,b\n"1,\n""x""",2\n3,';
    expect(entries(text)).toEqual([
      { line: 1, name: undefined, value: { a: '1,\n"x"', b: "2" }, source: '"1,\n""x""",2' },
      { line: 3, name: undefined, value: { a: "3", b: "" }, source: "3," },
    ]);
  });

  it("that do not fit the header say so, and do not swallow the rest", () => {
    expect(entries('a,b\n1\n1,2,3\n"x"y,2\n5,6\n"7').map(({ value, problem }) => problem ?? value)).toEqual([
      "it has 1 fields, and the header has 2",
      "it has 3 fields, and the header has 2",
      "it has 3 fields, and the header has 2",
      { a: "5", b: "6" },
      "a quoted field has no closing quote",
    ]);
  });

  it("are those that were written", () => {
    const field = fc.string().map((text) => `x${text}`);
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(field, field)), (rows) => {
        const lines = [["a", "b"], ...rows].map((row) => row.map(quoted).join(","));
        expect(values(lines.join("\r\n"))).toEqual(rows.map(([a, b]) => ({ a, b })));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void entries(text)));
  });

  const game = new URL("../../../../shared/data/game24/24-first-900.csv", import.meta.url);
  it.skipIf(!existsSync(game))("of a public file are all there", () => {
    const found = entries(readFileSync(game, "utf8"));
    expect(found).toHaveLength(900);
    expect(found.every(({ problem }) => problem === undefined)).toBe(true);
    expect(found[0]?.value).toMatchObject({ Rank: "1", Puzzles: "1 1 4 6" });
  });
});
