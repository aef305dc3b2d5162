import { expect, test } from "vitest";
import { readCode } from "../../../../src/domains/code/read-code.ts";

const tex = String.raw;

const lines = (...all: string[]): string => all.join("\n");

/** Names that a question asks for: a value is wanted of those with an arrow. */
const asked = (question: string): readonly string[] =>
  readCode({ question, answer: "" }).entries.map(
    ({ name, owner, wantsValue }) =>
      `${owner === undefined ? "" : `${owner}.`}${name}${wantsValue ? " ->" : ""}`,
  );

test.each([
  [["f ->"], "def f(x: int) -> int:"],
  [["f"], "def f(x: list) -> None:"],
  [["f ->"], 'def f(x):\n    """Return twice x."""'],
  [["f"], 'def f(x):\n    """Sort the list in place and return nothing."""'],
  [["f"], 'def f(path):\n    """Write it.\n\n    Returns:\n        None\n    """'],
  [["f"], 'def f(x):\n    """Print x."""'],
  [["f"], "Write a return value of g to a file.\nThe function should output with:\n    None\ndef f(g):"],
  [["second ->"], "def first(x):\n    return x\n\ndef second(y):\n    # Return first of y."],
  [["f ->"], "Double it.\nassert f(2) == 4"],
  [["f ->"], "Double it.\nassert sorted(set(f([2]))) == [4]"],
  [["f ->"], "Double it.\nassert math.isclose(f(2), 4) == True"],
  [["f ->"], "Write a function named `f` that returns twice its argument."],
  [["f"], "Write a function called f that prints its argument."],
  [["task_func ->"], "Return the sum.\nYou should begin with:\n```\nimport os\ndef task_func(a, b=1):\n```"],
  [
    ["Solution", "Solution.add ->", "Solution.drop"],
    "class Solution:\n    def __init__(self): pass\n    def add(self, x: int) -> int:\n    def drop(self) -> None:\n\nExample",
  ],
  [["add ->"], "Write a function add(a, b) that returns the sum of two numbers."],
  [["add ->"], "Please implement a recursive Python function add(a, b). Return the sum."],
  [["count"], "Write count(items), which counts the pairs."],
  [["show"], "Define `show(x)`, which prints x."],
  [[], "Given the function f(x) = 3x, write a program that prints f(n)."],
  [[], "Write a function that returns sum(x) of its argument."],
  [[], "Write a function to find the shared items. Complete it with max(a, b)."],
  [[], "Read n and print n."],
  [[], ""],
])("asks for %j", (expected, question) => expect(asked(question)).toEqual(expected));

const isDefined = (question: string, answer: string): readonly boolean[] =>
  readCode({ question, answer }).entries.map((entry) => entry.isDefined);

test.each([
  ["a function", "def f(x):", "def f(x): return x", [true]],
  ["another one", "def f(x):", "def g(x): return x", [false]],
  ["a lambda", "def f(x):", "f = lambda x: x", [true]],
  ["an import", "def f(x):", "from math import sqrt as f", [true]],
  ["a method of another class", "def f(x):", "class A:\n    def f(self, x): return x", [false]],
  [
    "a method",
    "class Solution:\n    def f(self):",
    "class Solution:\n    def f(self): return 1",
    [true, true],
  ],
  [
    "no method",
    "class Solution:\n    def f(self):",
    "class Solution:\n    def g(self): return 1",
    [true, false],
  ],
  ["a star import", "def f(x):", "from mine import *", [true]],
  ["a program that cannot be read", "def f(x):", "def g(x: return", [true]],
  ["the body alone", "def f(x):", "    return x", [true]],
  ["nothing", "def f(x):", "", [false]],
])("defines it: %s", (_, question, answer, expected) =>
  expect(isDefined(question, answer)).toEqual(expected),
);

test("a body alone stands under the head of the question", () => {
  const { source, functions, undefinedNames } = readCode({
    question: 'def f(x: int) -> int:\n    """Return twice x."""',
    answer: "    y = 2 * x\n    return y",
  });
  expect(source).toBe("def f(x: int) -> int:\n    y = 2 * x\n    return y");
  expect(functions).toMatchObject([{ name: "f", returns: "every path" }]);
  expect(undefinedNames).toEqual([]);
});

test.each([
  ["    y = 2 * x\n    return y"],
  ["y = 2 * x\nreturn y"],
  ["y = 2 * x\n    return y"],
  ["return 2 * x"],
])("a body: %s", (answer) => {
  const { entries, functions, problem } = readCode({ question: "def f(x: int) -> int:", answer });
  expect([entries[0]?.isDefined, functions[0]?.returns, problem]).toEqual([true, "every path", undefined]);
});

test("a class Solution may use what its sites import", () => {
  const answer = "class Solution:\n    def f(self, x: List[int]) -> int:\n        return lcm(*x, y)";
  const names = (question: string) => readCode({ question, answer }).undefinedNames.map(({ name }) => name);
  expect(names("class Solution:\n    def f(self, x):")).toEqual(["y"]);
  expect(names("Write a class.")).toEqual(["List", "lcm", "y"]);
});

const limits = (question: string): readonly string[] =>
  readCode({ question, answer: "" }).limits.map(
    ({ words, most, isSize }) => `${words}: ${most}${isSize ? "" : " each"}`,
  );

test.each([
  ["1 <= n <= 200000", ["1 <= n <= 200000: 200000"]],
  ["1 <= nums.length <= 10^5", ["1 <= nums.length <= 10^5: 100000"]],
  ["0 <= nums[i] <= 10^9", ["0 <= nums[i] <= 10^9: 1000000000 each"]],
  [
    tex`$1 \leq N \leq 2\times 10^5$, $1 \le A_i \le 10^9$`,
    [tex`$1 \leq N \leq 2\times 10^5: 200000`, tex`$1 \le A_i \le 10^9: 1000000000 each`],
  ],
  [tex`$N \leq 10^{5}$`, [tex`$N \leq 10^{5}: 100000`]],
  ["with at most 300,000 words", ["with at most 300,000: 300000"]],
  ["n up to 1e5", ["n up to 1e5: 100000"]],
  ["n ≤ 2·10**5", ["n ≤ 2·10**5: 200000"]],
  ["print it modulo 10^9 + 7", []],
  ["if a < b then 5", []],
])("limits of %s", (question, expected) => expect(limits(question)).toEqual(expected));

test("the question's kind of program", () => {
  const kind = (answer: string): string => readCode({ question: lines("Write it."), answer }).kind;
  expect(["", "def f(): return 1", "print(1)", "n = input()", "class Solution:\n    pass"].map(kind)).toEqual(
    ["none", "function", "script", "script", "class"],
  );
});
