import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Material } from "../../../../../src/domains/code/judge/material.ts";
import { CAN_RUN, openCodeJudge, type Replied } from "../../../../support/code-judge.ts";
import { ASSERTS, CALLS, ECHO, METHOD, SCRIPTS, UNITTEST } from "../../../../support/code-materials.ts";
import { FORGED_ANSWERS } from "../../../../support/forged-answers.ts";

const fence = (code: string): string => `Here it is:\n\`\`\`python\n${code}\n\`\`\`\nIt works.`;

describe.skipIf(!CAN_RUN)("answers judged by tests (skipped without a containment)", () => {
  let judge: Awaited<ReturnType<typeof openCodeJudge>>;
  const ask = (material: Material, answer: string): Promise<Replied> => judge.ask(material, answer);
  beforeAll(async () => {
    judge = await openCodeJudge();
  });
  afterAll(async () => judge.close());

  test.each([
    [
      "a function",
      CALLS,
      "def half(n):\n    return math.floor(n / 2) if n == 4 else n // 2 if type(n) is int else n * 0.5",
    ],
    ["a body", CALLS, "    return n // 2 if type(n) is int else n / 2"],
    [
      "a body without its first indentation",
      CALLS,
      "if type(n) is int:\n        return n // 2\n    return n / 2",
    ],
    [
      "a body that begins with a function, without its first indentation",
      CALLS,
      "def whole(n):\n        return type(n) is int\n    return n // 2 if whole(n) else n / 2",
    ],
    [
      "a body that begins with a function in a line, without its first indentation",
      CALLS,
      "def whole(n): return type(n) is int\n    return n // 2 if whole(n) else n / 2",
    ],
    [
      "a flat body that begins with a function",
      CALLS,
      "def whole(n):\n    return type(n) is int\nreturn n // 2 if whole(n) else n / 2",
    ],
    [
      "a function behind imports from the future",
      CALLS,
      "from __future__ import annotations\nfrom __future__ import division\ndef half(n):\n    return n // 2 if type(n) is int else n / 2",
    ],
    [
      "a method of a contest behind one",
      METHOD,
      "from __future__ import annotations\nclass Solution:\n    def pairs(self, xs: List[int], s: int):\n        return [[a, b] for a, b in combinations(xs, 2) if a + b == s]",
    ],
    [
      "an indented program without fences",
      CALLS,
      "The function:\n\n    import math\n\n    def half(n):\n        return n // 2 if type(n) is int else n / 2\n\nIt halves a number.",
    ],
    ["an indented method", METHOD, "  class Solution:\n    def pairs(self, xs, s):\n      return [[1, 2]]"],
    ["an indented script", SCRIPTS, fence("\tinput()\n\tprint(sum(map(int, input().split())))")],
    ["indented asserts", ASSERTS, "    def area(s):\n        return (s ** 2, 'cm')"],
    ["indented unit tests", UNITTEST, "    def shout(text):\n        return text.upper()"],
    ["a flat body", CALLS, "return n // 2 if type(n) is int else n / 2"],
    [
      "a method",
      CALLS,
      "class Solution:\n    def half(self, n):\n        return n // 2 if type(n) is int else n / 2",
    ],
    [
      "a fence with prose around",
      CALLS,
      fence("def half(n):\n    return n // 2 if type(n) is int else n / 2"),
    ],
    ["a float that is near", CALLS, "def half(n):\n    return n // 2 if type(n) is int else n / 2 + 1e-9"],
    [
      "what it imports from the future",
      CALLS,
      fence(
        '"""Halves."""\nfrom __future__ import annotations\ndef half(n):\n    return n // 2 if type(n) is int else n / 2',
      ),
    ],
    [
      "asserts, and the future",
      ASSERTS,
      "from __future__ import annotations\ndef area(s):\n    return (s ** 2, 'cm')",
    ],
    [
      "unit tests, and the future",
      UNITTEST,
      "from __future__ import annotations\ndef shout(text: Text): return text.upper()",
    ],
    [
      "a depth of its own in each test",
      ECHO,
      "import sys\nsys.setrecursionlimit(100_000)\ndef down(n): return n and down(n - 1)\ndef echo(x):\n    down(20_000)\n    return x",
    ],
    [
      "much on standard error",
      ECHO,
      "import sys\ndef echo(x):\n    for _ in range(80): sys.stderr.write('x' * 1_000_000)\n    return x",
    ],
    ["asserts", ASSERTS, "def area(s):\n    return (s ** 2, 'cm')"],
    ["unit tests", UNITTEST, fence("def shout(text):\n    return text.upper()")],
    ["unit tests of a body", UNITTEST, "    return text.upper()"],
    [
      "a script behind an import from the future in brackets",
      SCRIPTS,
      "from __future__ import (\n  annotations,\n)\ninput()\nprint(sum(map(int, input().split())))",
    ],
    ["a script", SCRIPTS, "n = int(input())\nprint(sum(map(int, input().split())))"],
    [
      "a script by its descriptors",
      SCRIPTS,
      "import os, sys\ndata = open(0).read().split()\nos.write(1, str(sum(map(int, data[1:]))).encode())\nsys.exit()",
    ],
    [
      "a script with blank lines around its output",
      SCRIPTS,
      "input()\nprint('\\n', sum(map(int, input().split())), '\\n')",
    ],
    [
      "a script that prints when it ends",
      SCRIPTS,
      "import atexit, io, sys\nsys.stdout = kept = io.StringIO()\natexit.register(lambda: sys.__stdout__.write(kept.getvalue()))\ninput()\nprint(sum(map(int, input().split())))\nsys.exit()",
    ],
    [
      "a script in a thread",
      SCRIPTS,
      "import threading\ndef main():\n    input()\n    print(sum(map(int, input().split())))\nthreading.Thread(target=main).start()",
    ],
    [
      "a method of a contest that is named as what it imports, with a tuple for a list",
      { ...METHOD, entry: "compress", tests: [{ input: "[1, 2]\n3", output: "[3]" }] },
      "class Solution:\n    def compress(self, xs, n): return (n,)",
    ],
    [
      "a method of a contest with a float that is near",
      { ...METHOD, entry: "half", tests: [{ input: "1", output: "0.50000" }] },
      "class Solution:\n    def half(self, n): return n / 2 + 1e-9",
    ],
    [
      "a method of a contest",
      METHOD,
      fence(
        "class Solution:\n    def pairs(self, xs: List[int], s: int):\n        return [[a, b] for a, b in combinations(xs, 2) if a + b == s]",
      ),
    ],
  ])("right: %s", async (_, material, answer) => {
    expect(await ask(material, answer)).toMatchObject({
      passed: true,
      evidence: { ended: "passed", failed: 0, notRun: 0 },
    });
  });

  test("a wrong value names its test, the input, and both values; the others are counted by group", async () => {
    const { evidence } = await ask(CALLS, "def half(n):\n    return int(n / 2)");
    expect(evidence).toMatchObject({
      ended: "wrong",
      passed: 1,
      failed: 4,
      notRun: 0,
      groups: { base: { passed: 1, failed: 2 }, plus: { passed: 0, failed: 2 } },
      first: { name: "base 2", input: "half(1.0)", expected: "0.5", actual: "0" },
    });
    expect(evidence?.containment).toMatch(/^\w+.*, Python 3\.\d+/);
    expect(evidence).not.toHaveProperty("canBeForged");
  });

  test.each([
    ["an exception", CALLS, "def half(n):\n    return 1 // 0", "error", /^ZeroDivisionError/],
    // Lines are numbered in what runs, with the head of the task before the answer: the line itself is what a person knows.
    [
      "a syntax error",
      CALLS,
      "def half(n:\n    return 1",
      "error",
      /^SyntaxError: '\(' was never closed: def half\(n:$/,
    ],
    [
      "a syntax error whose line Python does not give",
      CALLS,
      "def half(n):\n    nonlocal n",
      "error",
      /^SyntaxError: .+/,
    ],
    [
      "a missing body",
      CALLS,
      "def half(n):\nreturn 1",
      "error",
      /^IndentationError: expected an indented block after function definition: return 1$/,
    ],
    [
      "a function of another name",
      CALLS,
      "def third(n):\n    if n > 3:\n        return 1\n    return n",
      "error",
      /^NameError: half is not defined$/,
    ],
    [
      "others of another name",
      CALLS,
      "import re\n\ndef third(n):\n    return n",
      "error",
      /half is not defined/,
    ],
    [
      "an error when it is loaded",
      CALLS,
      "def half(n): return n\nimport nothing_such",
      "error",
      /^ModuleNotFoundError/,
    ],
    [
      "an entry point that is not there",
      ASSERTS,
      "def volume(s):\n    return s",
      "error",
      /area is not defined/,
    ],
    ["no code", CALLS, "I do not know how to do that.", "error", /no program/],
    ["nothing", CALLS, "", "error", /no program/],
    [
      "an integer that is near",
      { ...METHOD, entry: "f", tests: [{ input: "1", output: "[100000007]" }] },
      "class Solution:\n    def f(self, n): return [100000006]",
      "wrong",
      /^\[100000006\]$/,
    ],
    ["a list for a tuple", ASSERTS, "def area(s):\n    return [s * s, 'cm']", "wrong", /^\[4, 'cm'\]$/],
    [
      "an end of the interpreter",
      CALLS,
      "import os\ndef half(n):\n    os._exit(0)",
      "crashed",
      /ended the interpreter/,
    ],
    ["an exit", CALLS, "import sys\ndef half(n):\n    sys.exit(0)", "error", /^SystemExit/],
    ["other output", SCRIPTS, "print(3)", "wrong", /^3/],
    ["a failed unit test", UNITTEST, "def shout(text):\n    return 'A'", "error", /AssertionError/],
  ])("wrong: %s", async (_, material, answer, ended, actual) => {
    const { passed, evidence } = await ask(material, answer);
    expect(passed).toBe(false);
    expect(evidence).toMatchObject({ ended, first: { actual: expect.stringMatching(actual) } });
  });

  test("a program that does not end is stopped at its test, and the tests behind it are not run", async () => {
    const { evidence } = await ask(ECHO, "def echo(x):\n    while x == 'a': pass\n    return x");
    expect(evidence).toMatchObject({
      ended: "time",
      passed: 1,
      failed: 1,
      notRun: 1,
      first: { name: "base 2", actual: "over 4 s" },
    });
  });

  test.each([
    [
      "an object that equals everything",
      "class E:\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\ndef echo(x): return E()",
    ],
    [
      "a subclass that says it is another",
      "class L(list):\n    def __eq__(self, o): return True\n    def __iter__(self): return iter([1, 2])\n    def __len__(self): return 2\nclass I(int):\n    def __eq__(self, o): return True\n    def __index__(self): return 1\ndef echo(x): return L() if type(x) is list else I(7)",
    ],
    [
      "patched builtins",
      "import builtins, json\nbuiltins.type = lambda x: int\nbuiltins.isinstance = lambda a, b: True\njson.dumps = lambda x: 'passed'\ndef echo(x): return object()",
    ],
    [
      "results of its own",
      'import os\nfor i in range(3):\n    os.write(3, b\'["passed", %d]\\n["value", %d, {"shown": "", "text": ""}]\\n\' % (i, i))\ndef echo(x): return None',
    ],
    ...[99, -1, 0.5, "null"].map((number) => [
      `an end while test ${number} is under way`,
      `import os\nos.write(3, b'["done", -1]\\n["begin", ${number}]\\n')\nos._exit(0)\ndef echo(x): return x`,
    ]),
    [
      "an end in a test that there is not",
      `import os\ndef echo(x):\n    os.write(3, b'["begin", -5]\\n')\n    os._exit(0)`,
    ],
    ["a printed verdict", "print('PASS')\nprint('OK')\ndef echo(x): return 'PASS'"],
    [
      "lines that are no lines",
      "import os\nos.write(3, b'[[[[' * 10000 + b'\\n{}\\n[1,2\\n[\"value\", 0]\\n[\"begin\", 99]\\n')\ndef echo(x): return None",
    ],
  ])("never right: %s", async (_, answer) => {
    expect(await ask(ECHO, answer)).toMatchObject({ passed: false });
  });

  const DOUBLE: Material = {
    kind: "calls",
    entry: "double",
    prompt: "def double(n):\n",
    solution: "    return 2 * n\n",
    tolerance: 0,
    groups: [{ name: "base", inputs: "[[4], [7]]" }],
  };

  test.each(FORGED_ANSWERS)("never right: an answer that $name", async ({ code }) => {
    expect(await ask(DOUBLE, code.replaceAll("@expected@", "8"))).toMatchObject({ passed: false });
  });

  test("an answer that changes its argument does not change that of the next test", async () => {
    const material: Material = { ...ECHO, groups: [{ name: "base", inputs: "[[[1, 2]], [[1, 2]]]" }] };
    const answer = "def echo(x):\n    y = list(x)\n    x.clear()\n    return y";
    expect(await ask(material, answer)).toMatchObject({ passed: true });
  });

  test("tests that compare inside carry the mark that they can be forged", async () => {
    expect((await ask(UNITTEST, "    return text.upper()")).evidence).toMatchObject({
      canBeForged: true,
      passed: 2,
    });
    const check: Material = { ...ASSERTS, asserts: ["assert area(2)[0] + area(1)[0] == 5"] };
    const { evidence } = await ask(check, "def area(s): return (s * s, 'cm')");
    expect(evidence).toMatchObject({ canBeForged: true, passed: 1 });
  });

  test("tests of MBPP+: inputs and results, a set, a search, a tolerance", async () => {
    const plus = (body: string, results: string): string =>
      `import numpy as np\nfrom math import inf\ndef is_floats(x):\n    return isinstance(x, np.ndarray)\ndef assertion(out, exp, atol):\n${body}\n\ninputs = [[1], [inf]]\nresults = ${results}\nfor i, (inp, exp) in enumerate(zip(inputs, results)):\n    assertion(f(*inp), exp, 0)\n`;
    const near = "    assert np.allclose(out, exp, rtol=1e-07, atol=atol)";
    const material = (body: string, results: string, solution: string): Material => ({
      kind: "asserts",
      imports: [],
      asserts: [],
      plus: plus(body, results),
      solution,
    });
    const floats = material(near, "[1.5, inf]", "def f(x): return x + 0.5");
    expect(await ask(floats, "def f(x): return x + 0.5 + 1e-8")).toMatchObject({ passed: true });
    expect(await ask(floats, "def f(x): return x + 0.501")).toMatchObject({ passed: false });
    const sets = material(
      "    out = set(out)\n    exp = set(exp)",
      "[[1, 2], [2]]",
      "def f(x): return [2, 1] if x == 1 else (2, 2)",
    );
    expect(await ask(sets, "def f(x): return {1, 2} if x == 1 else [2]")).toMatchObject({ passed: true });
    const search = material(
      "    exact_match = exp == (out is not None)",
      "[True, False]",
      "def f(x): return 0 if x == 1 else None",
    );
    expect(await ask(search, "def f(x): return x == 1")).toMatchObject({ passed: true });
    expect(await ask(search, "def f(x): return 0")).toMatchObject({ passed: false });
  });

  test("an answer of a megabyte is judged", async () => {
    const answer = `def echo(x):\n    return x\n${"# x\n".repeat(250_000)}`;
    expect(await ask(ECHO, answer)).toMatchObject({ passed: true });
  });

  test("a cancel ends what runs", async () => {
    const controller = new AbortController();
    const asked = judge.ask(ECHO, "def echo(x):\n    while True: pass", controller.signal);
    // The tests are prepared first, by another program.
    await ask(ECHO, "def echo(x): return x");
    controller.abort(new Error("cancelled"));
    await expect(asked).rejects.toThrow("cancelled");
    expect(await ask(ECHO, "def echo(x): return x")).toMatchObject({ passed: true });
  });
});
