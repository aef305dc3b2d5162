import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pythonTokens } from "../../../webview/python/tokens.ts";
import { diffRows, type DiffRow } from "../../../webview/replay/line-diff.ts";
import { fencedStretches } from "../../../webview/shared/fenced.ts";

describe("fenced blocks of a text", () => {
  const blocks = (text: string): unknown[] =>
    fencedStretches(text).flatMap((one) => (one.code === undefined ? [] : [[one.code, one.text]]));

  test.each([
    ["a\n```python\nx = 1\n```\nb", [["python", "x = 1\n"]]],
    ["```\nx\n```", [["python", "x\n"]]],
    ["~~~sh\nls\n~~~", [["other", "ls\n"]]],
    ["```py\nno end", [["python", "no end"]]],
    ["````\n```\n````", [["python", "```\n"]]],
    ["no `code` here", []],
    ["    ```\nindented by four", []],
    ["```py\r\nx\r\n```\r\n", [["python", "x\r\n"]]],
  ])("of %j are %j", (text, expected) => {
    expect(blocks(text)).toEqual(expected);
  });

  test("put together with the words between them, they are the text", () => {
    const line = fc.constantFrom("```", "```python", "~~~", "````", "x = 1", "", "words");
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join("\n");
        const stretches = fencedStretches(text).map((one) => one.text);
        expect(stretches.join("")).toBe(text);
      }),
    );
  });

  test("are a bounded number, and the rest stays text", () => {
    const text = "```\nx\n```\n".repeat(100_000);
    const stretches = fencedStretches(text);
    expect(stretches.length).toBeLessThan(300);
    expect(stretches.map((one) => one.text).join("")).toBe(text);
  });
});

describe("the lines that a revision changed", () => {
  const shown = (before: string, after: string): string[] | undefined => {
    const [old, now] = [before.split("\n"), after.split("\n")];
    const line = (row: DiffRow): string => {
      if (row.is === "gap") return `… ${row.lines}`;
      const sign = { same: " ", added: "+", removed: "-" }[row.is];
      return `${sign}${(row.is === "removed" ? old : now)[row.line]}`;
    };
    return diffRows(before, after)?.map(line);
  };

  test("stand among those around them", () => {
    const body = Array.from({ length: 10 }, (_, i) => `line ${i}`);
    const before = [...body, "a", ...body].join("\n");
    const after = [...body, "b", "c", ...body].join("\n");
    expect(shown(before, after)).toEqual([
      "… 7",
      " line 7",
      " line 8",
      " line 9",
      "-a",
      "+b",
      "+c",
      " line 0",
      " line 1",
      " line 2",
      "… 7",
    ]);
  });

  test("are none for the same program, also with another end of its last line", () => {
    expect(shown("a\nb\n", "a\nb")).toEqual(["… 2"]);
  });

  test("make one program of the other", () => {
    const program = fc.array(fc.constantFrom("a", "b", "", "c"), { maxLength: 30 });
    fc.assert(
      fc.property(program, program, (one, other) => {
        const [before, after] = [`${one.join("\n")}\nend`, `${other.join("\n")}\nend`];
        const rows = diffRows(before, after) ?? [];
        const [old, now] = [before.split("\n"), after.split("\n")];
        const removed = rows.flatMap((row) => (row.is === "removed" ? [row.line] : []));
        const added = rows.flatMap((row) => (row.is === "added" ? [row.line] : []));
        expect(old.filter((_, i) => !removed.includes(i))).toEqual(now.filter((_, i) => !added.includes(i)));
      }),
    );
  });

  test("are not looked for in programs that are too long, or have nothing in common", () => {
    const lines = (count: number, of: string): string =>
      Array.from({ length: count }, (_, i) => `${of} ${i}`).join("\n");
    expect(diffRows("x".repeat(1_000_000), "y")).toBeUndefined();
    expect(diffRows("a\n".repeat(100_000), "a")).toBeUndefined();
    expect(diffRows(lines(4_000, "old"), lines(4_000, "new"))).toBeUndefined();
  });
});

describe("colours of Python", () => {
  const kinds = (program: string): string[] =>
    pythonTokens(program).map(({ from, to, kind }) => `${kind} ${program.slice(from, to)}`);

  test("are those of its keywords, names, texts, numbers, constants and comments", () => {
    expect(kinds("def wide(x=0x1F):\n    return None if x else 'a'  # why")).toEqual([
      "keyword def",
      "name wide",
      "number 0x1F",
      "keyword return",
      "constant None",
      "keyword if",
      "keyword else",
      "string 'a'",
      "comment # why",
    ]);
  });

  test.each([
    ["prose", "I cannot write this."],
    ["open brackets", "(".repeat(20_000)],
    ["nested brackets", "[".repeat(10_000) + "]".repeat(10_000)],
    ["open texts", '"""'.repeat(6_000)],
    ["nested f-strings", 'f"{'.repeat(6_000)],
    ["deeper and deeper", Array.from({ length: 190 }, (_, i) => `${" ".repeat(i)}if x:`).join("\n")],
    ["what no eye sees", "\u0000\u001b[31m\u202e\ud800"],
  ])("of %s are in their order, and never an error", (_, text) => {
    const tokens = pythonTokens(text);
    let at = 0;
    for (const { from, to } of tokens) {
      expect(from).toBeGreaterThanOrEqual(at);
      expect(to).toBeGreaterThan(from);
      at = to;
    }
    expect(at).toBeLessThanOrEqual(text.length);
  });
});
