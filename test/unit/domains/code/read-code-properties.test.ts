import fc from "fast-check";
import { expect, test } from "vitest";
import type { CodeDraft } from "../../../../src/domains/code/code-types.d.ts";
import { readCode } from "../../../../src/domains/code/read-code.ts";

const MOST = 100;
const LONGEST = 200;

function read(text: string, question = text): CodeDraft {
  const draft = readCode({ question, answer: text });
  const lineCount = draft.source.split("\n").length;
  for (const list of Object.values(draft)) {
    if (!Array.isArray(list)) continue;
    expect(list.length).toBeLessThanOrEqual(MOST);
    for (const entry of list as readonly { readonly text?: string; readonly line?: number }[]) {
      expect(entry.text?.length ?? 0).toBeLessThanOrEqual(LONGEST);
      expect(entry.line ?? 0).toBeLessThan(lineCount);
    }
  }
  return draft;
}

function readTwice(text: string): void {
  expect(read(text)).toEqual(read(text));
}

const WORDS = (
  "def class if elif else for while try except finally with as return yield raise pass break continue lambda import from global nonlocal " +
  "del assert match case in not and or is None True self Solution input range len int print x y f items async await " +
  "( ) [ ] { } : , . ; = == := + - * ** / // % @ -> ~ < > <= != ' \" \"\"\" ''' ` ``` \\ # 0 1 -1 1. 0.5 1e9 _ ... é \u0660 \ud83d"
).split(" ");
const LAYOUT = [" ", "\n", "\n    ", "\n        ", "\t", "\r\n", "f'{", "def f(x):\n    ", "```python\n"];
const pieces = fc.constantFrom(...WORDS, ...LAYOUT);

test("property: no text makes the reading throw, lists and texts are bounded, and the answer is the same twice", () => {
  fc.assert(fc.property(fc.array(pieces, { maxLength: 60 }), (some) => readTwice(some.join(""))));
  fc.assert(fc.property(fc.array(pieces, { maxLength: 60 }), (some) => readTwice(some.join(" "))));
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), readTwice));
});

test("property: a name is undefined exactly where nothing assigns it", () => {
  const name = fc.constantFrom("alpha", "beta", "gamma", "delta");
  fc.assert(
    fc.property(fc.uniqueArray(name), fc.uniqueArray(name, { minLength: 1 }), (defined, used) => {
      const source = [...defined.map((one) => `${one} = 1`), `print(${used.join(", ")})`].join("\n");
      const names = readCode({ question: "", answer: source }).undefinedNames.map((one) => one.name);
      expect(names).toEqual(used.filter((one) => !defined.includes(one)));
    }),
  );
});

/** A block of statements, and whether each path through it returns. */
interface Block {
  readonly lines: readonly string[];
  readonly returns: boolean;
}

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `    ${line}`);

const { block } = fc.letrec<{ block: Block }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom({ lines: ["x = 1"], returns: false }, { lines: ["return 1"], returns: true }),
    fc.tuple(tie("block"), tie("block")).map(([a, b]) => ({
      lines: ["if x:", ...indent(a.lines), "else:", ...indent(b.lines)],
      returns: a.returns && b.returns,
    })),
    fc.tuple(tie("block"), tie("block")).map(([a, b]) => ({
      lines: [...a.lines, ...b.lines],
      returns: a.returns || b.returns,
    })),
    tie("block").map((a) => ({ lines: ["for y in x:", ...indent(a.lines)], returns: false })),
    tie("block").map((a) => ({ lines: ["with x as y:", ...indent(a.lines)], returns: a.returns })),
    fc.tuple(tie("block"), tie("block")).map(([a, b]) => ({
      lines: ["try:", ...indent(a.lines), "except OSError:", ...indent(b.lines)],
      returns: a.returns && b.returns,
    })),
  ),
}));

test("property: every path returns exactly where each part says so", () => {
  fc.assert(
    fc.property(block, ({ lines, returns }) => {
      const answer = ["def f(x):", ...indent(lines)].join("\n");
      const [found] = readCode({ question: "", answer }).functions;
      const some = returns ? "every path" : "some paths";
      expect(found?.returns).toBe(lines.some((line) => line.includes("return")) ? some : "no path");
    }),
  );
});

const long = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length));

test.each([
  ["brackets", "("],
  ["closed brackets", "[]"],
  ["quotes", "'"],
  ["triple quotes", '"""'],
  ["colons", ":"],
  ["words", "not "],
  ["signs", "-"],
  ["blocks", "if x:\n "],
  ["calls", "f("],
  ["operations", "x and x or "],
  ["reads", "x = x + y\n"],
  ["functions", "def f(x):\n    return f(x[0])\n"],
  ["branches", "elif x:\n    pass\n"],
  ["prose", "The quick brown fox jumps. "],
  ["fences", "```python\n"],
  ["blanks", " \n"],
])("a text of a megabyte of %s, and one that is just short enough to be read", (_, piece) => {
  read(long(piece, 1_000_000), "Return it.");
  for (const start of ["x = ", "def f(x):\n    return ", "if x:\n    pass\n"])
    read(`${start}${long(piece, 49_000)}`, "Return it.");
});

test("1,000 nested brackets are read, 10,000 are more than the grammar takes", () => {
  const nested = (depth: number): CodeDraft => read(`x = ${"[".repeat(depth)}y${"]".repeat(depth)}`);
  expect(nested(1_000)).toMatchObject({ undefinedNames: [{ name: "y" }] });
  expect(nested(10_000)).toMatchObject({ problem: { line: 0 }, undefinedNames: [] });
});

test("a longer program has no facts, and nothing is said to be missing", () => {
  const answer = `def other():\n    pass\n${"# a comment\n".repeat(5_000)}`;
  const { source, entries, functions, kind } = readCode({ question: "def f(x):", answer });
  expect([source.length > 50_000, entries[0]?.isDefined, functions, kind]).toEqual([true, true, [], "none"]);
});
