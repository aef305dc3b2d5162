import { expect, test } from "vitest";
import type { CodeDraft } from "../../../../src/domains/code/code-types.d.ts";
import { readCode } from "../../../../src/domains/code/read-code.ts";

const QUESTION = "Write a program.";

const read = (answer: string, question = QUESTION): CodeDraft => readCode({ question, answer });

const lines = (...all: string[]): string => all.join("\n");

/** The last function: what its paths return, and where a path ends without a value. */
function returnsOf(...body: string[]): string {
  const { functions } = read(lines("def f(a, b):", ...body.map((line) => `    ${line}`)));
  const { returns, endsAfter } = functions.at(-1) ?? {};
  return endsAfter === undefined ? `${returns}` : `${returns}: ${endsAfter.text}`;
}

test.each([
  ["every path", ["return a"]],
  ["no path", ["a.sort()"]],
  ["no path", ["return"]],
  ["every path", ["raise ValueError(a)", "return a"]],
  ["some paths: if a:", ["if a:", "    return b"]],
  ["every path", ["if a:", "    return b", "else:", "    raise ValueError"]],
  ["some paths: if a:", ["if a:", "    return b", "elif b:", "    return a"]],
  ["every path", ["if a > b:", "    return 1", "elif a <= b:", "    return 2"]],
  [
    "every path",
    ["if a < b:", "    return 1", "elif a == b:", "    return 2", "elif b < a:", "    return 3"],
  ],
  ["some paths: if a < b:", ["if a < b:", "    return 1", "elif a > b:", "    return 2"]],
  ["every path", ["if a % 2 == 0:", "    return 1", "elif a % 2 == 1:", "    return 2"]],
  ["every path", ["if a % 2 == 0:", "    return 1", "elif a % 2 != 0:", "    return 2"]],
  ["every path", ["if a in b:", "    return 1", "elif a not in b:", "    return 2"]],
  ["every path", ["if a:", "    return 1", "elif not a:", "    return 2"]],
  ["some paths: for x in a:", ["for x in a:", "    return x"]],
  ["every path", ["for x in a:", "    return x", "else:", "    return b"]],
  ["some paths: for x in a:", ["for x in a:", "    if x: break", "    return x", "else:", "    return b"]],
  ["every path", ["while True:", "    if a: return b"]],
  ["some paths: while True:", ["while True:", "    if a: return b", "    if b: break"]],
  ["every path", ["while True:", "    for x in a:", "        break", "    return b"]],
  ["some paths: while a:", ["while a:", "    return b"]],
  ["every path", ["for n in itertools.count(a):", "    if n > b:", "        return n"]],
  ["every path", ["try:", "    return a[b]", "except KeyError:", "    return None"]],
  ["some paths: try:", ["try:", "    return a[b]", "except KeyError:", "    print(b)"]],
  ["every path", ["try:", "    a[b]", "finally:", "    return b"]],
  ["every path", ["try:", "    c = a[b]", "except KeyError:", "    raise", "else:", "    return c"]],
  ["every path", ["with open(a) as file:", "    return file.read()"]],
  ["some paths: with suppress(KeyError):", ["with suppress(KeyError):", "    return a[b]"]],
  ["every path", ["match a:", "    case 1:", "        return b", "    case _:", "        return a"]],
  ["some paths: match a:", ["match a:", "    case 1:", "        return b"]],
  ["some paths: match a:", ["match a:", "    case 1: return b", "    case _ if b: return a"]],
  ["every path", ["if a:", "    return b", "sys.exit(1)"]],
  ["every path", ["if a: return b", "assert False, a"]],
  ["yields", ["yield a"]],
  ["yields", ["x = yield a", "return x"]],
  ["no path", ["g = lambda: 1", "print(a)"]],
])("paths: %s", (expected, body) => expect(returnsOf(...body)).toBe(expected));

test("a return of an inner function is none of the outer one", () => {
  const { functions } = read(lines("def f():", "    def g():", "        return 1", "    g()"));
  expect(
    functions.map(({ name, returns, isNested, isUsed }) => ({ name, returns, isNested, isUsed })),
  ).toEqual([
    { name: "f", returns: "no path", isNested: false, isUsed: false },
    { name: "g", returns: "every path", isNested: true, isUsed: false },
  ]);
});

test("a program that is indented as a whole is no body", () => {
  const question = 'def f(a):\n    """Give it back."""\n';
  const { source, entries } = read("    import math\n\n    def f(a):\n        return a", question);
  expect(source).toBe("import math\n\ndef f(a):\n    return a");
  expect(entries).toMatchObject([{ name: "f", isDefined: true }]);
});

test("a function that prints in place of a return is quoted", () => {
  const { functions } = read(lines("def f(x):", "    print(x)"));
  expect(functions).toMatchObject([{ returns: "no path", prints: { text: "print(x)", line: 1 } }]);
});

/** Whether the last function has a path that does not call it. */
const hasBase = (...body: string[]): boolean | undefined =>
  read(lines("def f(n):", ...body.map((line) => `    ${line}`))).functions.at(-1)?.hasBase;

test.each([
  [false, ["return f(n - 1)"]],
  [false, ["x = f(n - 1)", "if n == 0:", "    return 0", "return x"]],
  [false, ["if f(n - 1):", "    return 0", "return 1"]],
  [false, ["if n:", "    return f(n - 1)", "return n + f(n - 2)"]],
  [false, ["while True:", "    n = f(n)"]],
  [false, ["for x in f(n):", "    print(x)"]],
  [false, ["return 1 if f(n) else 0"]],
  [false, ["return f(n) and n"]],
  [true, ["if n == 0:", "    return 0", "return f(n - 1)"]],
  [true, ["if n > 0:", "    return f(n - 1)"]],
  [true, ["if n > 0:", "    return f(n - 1)", "elif f(n):", "    return 1"]],
  [true, ["return n and f(n - 1)"]],
  [true, ["return 0 if n == 0 else f(n - 1)"]],
  [true, ["for x in n:", "    f(x)"]],
  [true, ["return sum(f(x) for x in n)"]],
  [true, ["return [f(x) for x in n]"]],
  [true, ["g = lambda: f(n)", "return g"]],
  [true, ["while n:", "    n = f(n)"]],
  [true, ["try:", "    return f(n.next)", "except AttributeError:", "    return 0"]],
  [true, ["raise f"]],
  [true, ["yield n", "yield from f(n + 1)"]],
  [false, ["yield from f(n + 1)"]],
  [true, ["from other import f", "return f(n)"]],
  [true, ["global f", "f = n", "return f(n)"]],
])("recursion: a base is %s", (expected, body) => expect(hasBase(...body)).toBe(expected));

test("a static method does not call itself by its first parameter", () => {
  const program = lines(
    "class Pool:",
    "    @staticmethod",
    "    def start(kind, n):",
    "        return kind.start(n)",
    "    @staticmethod",
    "    def again(kind, n):",
    "        return Pool.again(kind, n)",
  );
  expect(read(program).functions.map(({ name, hasBase: isBased }) => [name, isBased])).toEqual([
    ["start", true],
    ["again", false],
  ]);
});

test("a method calls itself by self, a parameter of the name is another function", () => {
  const solution = lines(
    "class Solution:",
    "    def depth(self, n):",
    "        return 1 + self.depth(n.next)",
  );
  expect(read(solution).functions).toMatchObject([
    {
      name: "depth",
      owner: "Solution",
      params: ["self", "n"],
      hasBase: false,
      selfCalls: [{ text: "self.depth(n.next)" }],
    },
  ]);
  expect(read("def apply(apply, x):\n    return apply(x)").functions).toMatchObject([
    { hasBase: true, selfCalls: [] },
  ]);
});

const stub = (...body: string[]): boolean | undefined =>
  read(lines("def f():", ...body.map((line) => `    ${line}`))).functions[0]?.isStub;

test.each([
  [true, ["pass"]],
  [true, ["..."]],
  [true, ['"""Says something."""']],
  [true, ['"""Says something."""', "# TODO", "pass"]],
  [true, ["raise NotImplementedError"]],
  [true, ['raise NotImplementedError("later")']],
  [false, ["raise ValueError"]],
  [false, ["return None"]],
  [false, ["pass", "return 1"]],
])("a stub: %s", (expected, body) => expect(stub(...body)).toBe(expected));

test.each([
  ["marked", "class A(ABC):\n    @abc.abstractmethod\n    def size(self): pass"],
  ["of a protocol", "class A(Protocol):\n    def size(self) -> int: ..."],
  [
    "that another class writes",
    "class A:\n    def size(self): raise NotImplementedError\nclass B(A):\n    def size(self): return 1",
  ],
])("a method without a body is no stub: %s", (_, program) => {
  expect(read(program).functions.some(({ isStub }) => isStub)).toBe(false);
  expect(read("class A:\n    def size(self): pass").functions).toMatchObject([{ isStub: true }]);
});

test.each([
  [true, "print(f())"],
  [true, "x = await f()"],
  [true, "x = asyncio.run(f())"],
  [false, "f()"],
  [false, "await f()"],
  [false, "asyncio.run(f())"],
  [false, "sys.exit(f())"],
])("the value of a call is used: %s, %s", (expected, call) => {
  const program = lines("async def f(): return 1", "async def g():", `    ${call}`);
  expect(read(program).functions).toMatchObject([{ name: "f", isUsed: expected }, { name: "g" }]);
});

test("of two functions of one name the last counts", () => {
  const { functions } = read("def f():\n    pass\n\ndef f():\n    return 1\n");
  expect(functions).toMatchObject([{ name: "f", isStub: false, line: 3 }]);
});

test("loops know their depth, their outer loop, and whether their rounds are fixed", () => {
  const { loops } = read(
    lines(
      "for i in range(n):",
      "    while i < j:",
      "        for d in range(4):",
      "            pass",
      "    x = [a for a in b]",
      "def f():",
      "    for (a, b) in [(1, 2), (3, 4)]:",
      "        print(any(c for c in 'xyz'))",
    ),
  );
  expect(
    loops.map(({ text, kind, depth, over, isFixed, outer }) => [
      kind,
      text,
      depth,
      over,
      isFixed,
      outer?.text,
    ]),
  ).toEqual([
    ["for", "for i in range(n)", 1, "range(n)", false, undefined],
    ["while", "while i < j", 2, "i < j", false, "for i in range(n)"],
    ["for", "for d in range(4)", 3, "range(4)", true, "while i < j"],
    ["comprehension", "[a for a in b]", 2, "b", false, "for i in range(n)"],
    ["for", "for (a, b) in [(1, 2), (3, 4)]", 1, "[(1, 2), (3, 4)]", true, undefined],
    ["comprehension", "(c for c in 'xyz')", 2, "'xyz'", true, "for (a, b) in [(1, 2), (3, 4)]"],
  ]);
});

test("operations that move or search a list in a loop", () => {
  const { slowCalls } = read(
    lines(
      "seen = []",
      "queue = deque()",
      "other = {}",
      "seen.pop(0)",
      "for x in items:",
      "    if x in seen or x in other: continue",
      "    seen.index(x)",
      "    other.index(x)",
      "    queue.insert(0, x)",
      "    stack.pop()",
    ),
  );
  expect(slowCalls.map(({ text, of, kind, loop }) => [text, of, kind, loop.text])).toEqual([
    ["x in seen", "seen", "in a list", "for x in items"],
    ["seen.index(x)", "seen", "index", "for x in items"],
    ["queue.insert(0, x)", "queue", "insert(0)", "for x in items"],
  ]);
});

test.each([
  ["marks = ['.', '!', '?']", []],
  ["marks = list('.!?')", []],
  ["marks = ['.']\nmarks.append(given)", ["x in marks"]],
  ["marks = ['.']\nmarks += given", ["x in marks"]],
  ["marks = ['.', *given]", ["x in marks"]],
  ["marks = list(given)", ["x in marks"]],
  ["marks = []", ["x in marks"]],
])("a search in a list that is as short as its literal is not slow: %s", (start, expected) => {
  const { slowCalls } = read(lines(start, "for x in text:", "    if x in marks: print(x)"));
  expect(slowCalls.map(({ text }) => text)).toEqual(expected);
});

test("an operation in the few rounds of a fixed loop is not slow", () => {
  const inLoop = (loop: string): number => read(`${loop}\n    data.insert(0, x)`).slowCalls.length;
  expect([inLoop("for i in range(4):"), inLoop("for i in range(n):")]).toEqual([0, 1]);
});

test("imports of any length name what they define in whole", () => {
  const names = Array.from({ length: 60 }, (_, i) => `name_number_${i}`);
  const code = read(
    `from ..some.place import (  # all of them\n    ${names.join(",\n    ")},\n)\nfrom . import x`,
  );
  expect(code.imports.map(({ module, names: bound }) => [module, ...bound])).toEqual([
    ["..some.place", ...names],
    [".", "x"],
  ]);
});

test("imports, inputs, branches, bounds and floats", () => {
  const code = read(
    lines(
      "import os.path, numpy as np",
      "from math import (gcd,",
      "    sqrt as root)",
      "n = int(input())",
      "data = sys.stdin.read()",
      "text = open(0).read() + open('a').read()",
      "if n > 1 and text:",
      "    print(1)",
      "elif n:",
      "    print(x[i + 1] if n < 3 else len(x) - 1)",
      "for i in range(1, n): pass",
      "a = int(n / 2) + int(n ** (1/3)) + int(n ** 0.5)",
      "b = n / 2 == 4",
    ),
  );
  expect(code.imports.map(({ module, names }) => [module, ...names])).toEqual([
    ["os.path", "os"],
    ["numpy", "np"],
    ["math", "gcd", "root"],
  ]);
  expect(code.kind).toBe("script");
  expect(code.inputs.map(({ text }) => text)).toEqual(["input()", "sys.stdin", "open(0)"]);
  expect(code.branches.map(({ text }) => text)).toEqual(["n > 1 and text", "n", "n < 3"]);
  expect(code.bounds.map(({ text, kind }) => [text, kind])).toEqual([
    ["x[i + 1]", "next index"],
    ["len(x) - 1", "length - 1"],
    ["range(1, n)", "range from 1"],
  ]);
  expect(code.floats.map(({ text, kind }) => [text, kind])).toEqual([
    ["int(n / 2)", "int of a quotient"],
    ["int(n ** (1/3))", "int of a root"],
    ["n / 2 == 4", "compared quotient"],
  ]);
});

/** First and last items with whether something looks at the name. */
const ends = (...body: string[]): readonly string[] =>
  read(lines("def f(x, y):", ...body.map((line) => `    ${line}`))).ends.map(
    ({ text, isGuarded }) => `${text} ${isGuarded ? "guarded" : "bare"}`,
  );

test.each([
  [["return x[0] + x[-1]"], ["x[0] bare", "x[-1] bare"]],
  [["if not x: return 0", "return x[0]"], ["x[0] guarded"]],
  [["if len(x) > 1: return x[0]", "return 0"], ["x[0] guarded"]],
  [["return x[0] if x else 0"], ["x[0] guarded"]],
  [["return x and x[0]"], ["x[0] guarded"]],
  [["while x: print(x[0])"], ["x[0] guarded"]],
  [["for z in x: print(x[0])"], ["x[0] guarded"]],
  [["try:", "    return x[0]", "except IndexError:", "    return 0"], ["x[0] guarded"]],
  [["x = [1]", "return x[0]"], ["x[0] guarded"]],
  [["z = [1]", "return z[0]"], []],
  [["return x[1] + x[0:2]"], []],
  [["if y: return x[0]"], ["x[0] bare"]],
])("ends: %j", (body, expected) => expect(ends(...body)).toEqual(expected));

test.each([
  ["def f(:\n    pass", "def f(:"],
  ["x = (1,\n", "x = (1,"],
  ["print 'x'", "print 'x'"],
  ["def f():\nreturn 1", "return 1"],
  ["if x > 1\n    y = 2", "if x > 1"],
  ["with f() as g:\n    y = (2", "y = (2"],
])("a program that Python does not take: %s", (answer, text) => {
  const { problem, functions, undefinedNames } = read(`x = 1\n${answer}`);
  expect(problem?.text).toBe(text);
  expect([functions, undefinedNames]).toEqual([[], []]);
});

test.each([
  "x = 1. / 3 + [0., 1.][0]",
  "def f():\n    x = yield\n    print(x)",
  "with (open('a') as b, open('c') as d):\n    print(b, d)",
  "with open('a') as (b, c):\n    print(b, c)",
  'print(f"{1:>{2}} {x!r} {{no}}")',
  "match x:\n    case {'a': [1, *b]}: print(b)",
  "async def f():\n    async with g() as h:\n        return [i async for i in h]",
  "def f(a, /, b, *, c): return a",
  "x = 1\n\f\ny = 2\n\fdef f(x): return y",
  "with (\n    open('a') as b,\n    open('c') as d,\n):\n    print(b, d)",
  "with given(\n    'a',\n) as (b, c):\n    print(b, c)",
  "match x:\n    case {}: print(x)",
  "match x:\n    case kinds.Point(): print(x)",
  "print([a for a, *b in [x]], dict[*x], lambda a, /, b: a)",
  "print(rf'\\{{{x}}}')",
])("a program that Python takes has no problem: %s", (answer) =>
  expect(read(answer).problem).toBeUndefined(),
);
