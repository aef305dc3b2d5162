import { expect, test } from "vitest";
import { readCode } from "../../../../src/domains/code/read-code.ts";

const lines = (...all: string[]): string => all.join("\n");

/** Names without a definition; one that is only defined later has a mark. */
function namesIn(answer: string, question = "Write a program."): readonly string[] {
  const { problem, undefinedNames } = readCode({
    question,
    answer: `\`\`\`python
${answer}
\`\`\``,
  });
  expect(problem).toBeUndefined();
  return undefinedNames.map(({ name, defined }) => (defined === "later" ? `${name} later` : name));
}

test.each([
  ["x = y", ["y"]],
  ["import math\nprint(math.pi, cmath.pi)", ["cmath"]],
  ["import os.path as p\nprint(p, os)", ["os"]],
  ["import os.path\nprint(os)", []],
  ["from a.b import c as d, e\nprint(d, e, a, b, c)", ["a", "b", "c"]],
  ["from math import *\nprint(sin(1))", []],
  ["exec('x = 1')\nprint(x)", []],
  ["print(xrange(3), raw_input())", ["xrange", "raw_input"]],
  ["x: int = 1\nfor i, (j, *k) in []: print(x, i, j, k)", []],
  ["a = b = c, d = 1, 2\nprint(a, b, c, d)", []],
  ["x[0] = 1\ny.z = 2", ["x", "y"]],
  ["f(key=1, other=v)\ndef f(**kw): return kw", ["f later", "v"]],
  ["with open('a') as file, open('b') as other: print(file, other)", []],
  ["try: pass\nexcept (OSError, Missing) as error: print(error)", ["Missing"]],
  ["print([x for x in range(3) if x], y)", ["y"]],
  ["print([x for x in range(3)])\nprint(x)", ["x"]],
  ["print({k: v for k, v in z})\nprint(sum(i for i in [1]))", ["z"]],
  ["if (n := 3) > 2: print(n)", []],
  ["print([m := i for i in [1]], m)", []],
  ["print(n := 3)\nprint(n)", []],
  ["print(any(n := i for i in [0, 2]), n)", []],
  ["from __future__ import annotations\ndef f(a: Later) -> Later: return a\nclass Later:\n    b: Never", []],
  ["from __future__ import division\ndef f(a: List) -> List: return a", ["List"]],
  ["print(list(map(lambda a, b=c, *d: (a, b, d, e), [])))", ["c", "e"]],
  ["match x:\n    case [a, *b] if a: print(a, b)\n    case {'k': v, **rest}: print(v, rest)", ["x"]],
  ["match 1:\n    case Point(x=y) as p: print(y, p)", ["Point"]],
  ["@cache\ndef f(): pass", ["cache"]],
  ["import functools\n@functools.cache\ndef f(): pass", []],
  ["def f(a: List[int]) -> Tuple: return a", ["List", "Tuple"]],
  ["def f():\n    a: List[int] = []\n    return a", []],
  ["print(f'{a} {b:{c}} {{d}}')", ["a", "b", "c"]],
  ["class A(B, metaclass=M): pass", ["B", "M"]],
  ["assert x, y\ndel z", ["x", "y", "z"]],
  ["print(__name__, __file__, type, NotImplemented)", []],
])("%s", (answer, expected) => expect(namesIn(answer)).toEqual(expected));

test.each([
  [
    "a function sees what the module defines later",
    lines("def f():", "    return g()", "def g(): return 1", "f()"),
    [],
  ],
  ["the module does not", lines("g()", "def g(): return 1"), ["g later"]],
  ["a loop may have defined it", lines("for i in [1, 2]:", "    if i > 1: print(last)", "    last = i"), []],
  ["a local variable before its value", lines("def f():", "    print(n)", "    n = 1"), ["n later"]],
  ["a counter of the module", lines("n = 0", "def f():", "    n += 1"), ["n later"]],
  ["a global counter", lines("n = 0", "def f():", "    global n", "    n += 1"), []],
  [
    "a global that only a function sets",
    lines("def f():", "    global n", "    n = 1", "f()", "print(n)"),
    [],
  ],
  [
    "a nonlocal one",
    lines("def f():", "    n = 0", "    def g():", "        nonlocal n", "        n += 1", "    return g"),
    [],
  ],
  ["one branch may have defined it", lines("if input(): x = 1", "print(x)"), []],
  ["a method does not see the class", lines("class A:", "    k = 1", "    def f(self): return k"), ["k"]],
  ["the class body does", lines("class A:", "    k = 1", "    m = [k for _ in 'ab']", "    n = k"), []],
  ["a caught NameError", lines("try:", "    unicode", "except NameError:", "    unicode = str"), []],
  ["anything caught", lines("try:", "    print(x)", "except:", "    pass"), []],
  ["another error caught", lines("try:", "    print(x)", "except ValueError:", "    pass"), ["x"]],
  ["a parameter", lines("def f(x, *a, k=1, **kw): return x, a, k, kw"), []],
  ["its own value", lines("def f():", "    x = x + 1", "    return x"), ["x later"]],
  ["a recursive inner function", lines("def f(n):", "    def g(m): return g(m - 1)", "    return g(n)"), []],
  ["a name of an inner scope", lines("def f():", "    def g(): t = 1", "    return t"), ["t"]],
])("%s", (_, answer, expected) => expect(namesIn(answer)).toEqual(expected));

test("each name is said once, with its line", () => {
  const { undefinedNames } = readCode({
    question: "",
    answer: "a = 1\n\nprint(math.pi)  # pi\nprint(math.e)",
  });
  expect(undefinedNames).toEqual([{ name: "math", text: "print(math.pi)  # pi", line: 2, defined: "never" }]);
});

test("what the question's code imports and defines counts as defined", () => {
  const question = lines(
    "from typing import List, Optional as Maybe",
    "import numpy as np",
    "# class Node:",
    "LIMIT = 3",
    "def helper(x):",
    "    return x",
    "def wanted(x):",
  );
  const answer = lines(
    "def wanted(x: List) -> Maybe:",
    "    return np.array([helper(x), Node, LIMIT, other])",
  );
  expect(namesIn(answer, question)).toEqual(["other"]);
});
