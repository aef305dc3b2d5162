import { expect, test } from "vitest";
import { defines, findProgram } from "../../../../src/domains/code/find-program.ts";

const textOf = (answer: string, entry?: string): string | undefined => findProgram(answer, entry)?.text;
const program = "def twice(n):\n    return 2 * n";
const fenced = (code: string, language = "python"): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;

test.each([
  ["a program alone", program],
  ["a fence", fenced(program)],
  ["a fence without a language", fenced(program, "")],
  ["a fence that is not closed", `Here it is:\n\`\`\`python\n${program}\n`],
  ["a fence that the prompt had opened", `${program}\n\`\`\`\nIt doubles the number.`],
  [
    "an indented fence in a list",
    `1. Write it:\n   \`\`\`py\n   def twice(n):\n       return 2 * n\n   \`\`\`\n2. Done.`,
  ],
  ["tildes", `~~~python\n${program}\n~~~`],
  ["prose before and behind", `Sure! Here is the function:\n\n${program}\n\nThis function doubles a number.`],
  ["a fence that says more", fenced(program, 'python title="twice.py"')],
  ["a fence with attributes", fenced(program, "{.python .numbered}")],
  ["a byte order mark", `\u{feff}${program}\n`],
  ["a byte order mark before a fence", `\u{feff}${fenced(program)}`],
  ["CRLF", fenced(program).replaceAll("\n", "\r\n")],
  [
    "a fence of another language beside it",
    `${fenced("pip install nothing", "bash")}${fenced(program)}${fenced("4", "text")}`,
  ],
  ["a usage behind it", `${fenced(program)}Use it so:\n${fenced("print(twice(3))")}`],
  [
    "tests behind it",
    `${fenced(program)}${fenced("import unittest\nclass TestTwice(unittest.TestCase):\n    pass")}`,
  ],
  ["its output behind it, in a fence without a language", `${fenced(program)}Output:\n${fenced("4", "")}`],
  [
    "a function that shows its use",
    `${fenced(program)}${fenced("def main():\n    print(twice(3))\n\nmain()")}`,
  ],
  [
    "its pieces, explained",
    `${fenced(program)}The head:\n${fenced("def twice(n):")}The rest:\n${fenced("return 2 * n")}`,
  ],
  ["a fence that begins behind prose", `Here it is: ${fenced(program)}It doubles.`],
  [
    "a fence that begins behind prose in a thought",
    `<think>\nPerhaps ${fenced("def twice(n): return n")}</think>\n${fenced(program)}`,
  ],
  ["an earlier try", `${fenced("def twice(n):\n    return n + n + 0")}Better:\n${fenced(program)}`],
])("%s", (_, answer) => {
  expect(textOf(answer)).toBe(program);
});

test("the block that defines the entry is taken before a later one that does not", () => {
  const other = "def helper(n):\n    return n";
  const answer = `${fenced(program)}${fenced(other)}`;
  expect(textOf(answer)).toBe(other);
  expect(textOf(answer, "twice")).toBe(program);
  expect(textOf(answer, "unknown")).toBe(other);
});

test.each([
  ["calls", "twice(2)\ntwice(4)"],
  ["a variable of the same name", "twice = twice(3)\nprint(twice)"],
  ["an item", "twice[0]"],
  ["its head", "def twice(n):"],
  ["a comparison", "twice == 4"],
])("a later block defines no function: %s", (_, code) => {
  expect(textOf(`${fenced(program)}${fenced(code)}`, "twice")).toBe(program);
});

test.each([
  ["print(sum(range(10)))", "45"],
  ["print(sum(map(int, open(0).read().split())))", "3"],
  ["for line in open(0):\n    print(line)", "a\nb = 3"],
])("a script is taken before what it prints: %j", (script, printed) => {
  expect(textOf(`${fenced(script)}Output:\n${fenced(printed, "")}`)).toBe(script);
});

test("a later program that is better than an earlier one may name it", () => {
  const better = "def twice(n):\n    # Not as slow as slow(n).\n    return 2 * n";
  expect(textOf(`${fenced("def slow(n):\n    return n + n")}${fenced(better)}`)).toBe(better);
});

test("a body keeps its indentation", () => {
  expect(textOf("\n    total = 2 * n\n    return total\n")).toBe("    total = 2 * n\n    return total");
});

test("a docstring may hold prose and fences", () => {
  const documented = `def twice(n):\n    """\nGives the double of a number.\n\`\`\`\n>>> twice(2)\n4\n\`\`\`\n    """\n    return 2 * n`;
  expect(textOf(documented)).toBe(documented);
  const inside = `def twice(n):\n    """\n    \`\`\`\n    twice(2)\n    \`\`\`\n    """\n    return 2 * n`;
  expect(textOf(fenced(inside))).toBe(inside);
});

test("a comment with two marks does not cut a program without fences", () => {
  const parts = `import math\n\n## The root\ndef root(n):\n    return math.sqrt(n)\n\n### The square\ndef square(n):\n    return n * n`;
  expect(textOf(parts)).toBe(parts);
  expect(textOf(`## Solution\n\nIt takes the double.\n\n${program}\n\nThat is all of it.`)).toBe(program);
});

test("comments, decorators and scripts are code", () => {
  const script = "# Reads two numbers\nimport sys\na, b = map(int, sys.stdin.read().split())\nprint(a + b)";
  expect(textOf(script)).toBe(script);
  expect(textOf(`The program:\n${script}\n\nExplanation: it adds them.`)).toBe(script);
});

test.each(["", " \n ", "I cannot solve this task.", "```python\n```"])("no program in %j", (answer) => {
  expect(findProgram(answer)).toBeUndefined();
});

test("where the program stands", () => {
  const answer = `Before.\n${fenced(program)}Behind.`;
  const found = findProgram(answer);
  expect(found).toMatchObject({ isFenced: true });
  expect(answer.slice(0, found?.from)).toBe("Before.\n");
  expect(answer.slice(found?.to)).toBe("Behind.");
});

test("defines", () => {
  expect(defines(program, "twice")).toBe(true);
  expect(defines("class Solution:\n    def go(self): ...", "Solution")).toBe(true);
  expect(defines("    def twice(n): ...", "twice")).toBe(false);
  expect(defines("twice = lambda n: 2 * n", "twice")).toBe(true);
  expect(defines("twice: object = 3", "twice")).toBe(true);
  expect(defines("twice(3)", "twice")).toBe(false);
  expect(defines("twice == 3", "twice")).toBe(false);
  expect(defines("twice[3] = 4", "twice")).toBe(false);
  expect(defines("class twice: pass", "twice")).toBe(true);
  expect(defines(program, "t.*")).toBe(false);
});

test.each([
  ["one line", "a ".repeat(500_000)],
  ["fences", "```\n".repeat(250_000)],
  ["quotes", '"""'.repeat(300_000)],
  ["short lines of prose", "The end\n".repeat(125_000)],
  ["assignments", "x = 1\n".repeat(160_000)],
  ["brackets", "(".repeat(1_000_000)],
  ["names and blanks", `${"a".repeat(500_000)}${" ".repeat(500_000)}`],
  ["definitions without end", `def ${"a".repeat(999_000)}`],
  ["lines of blanks", `${" ".repeat(1_000)}\n`.repeat(1_000)],
])("an answer of a megabyte: %s", (_, answer) => {
  const found = findProgram(answer, "a");
  expect(found === undefined || found.text.length <= answer.length).toBe(true);
});
