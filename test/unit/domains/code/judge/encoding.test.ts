import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agrees } from "../../../../../src/domains/code/judge/compare.ts";
import { runProgram, type ProgramRun } from "../../../../../src/domains/code/judge/run-program.ts";
import { openContainment } from "../../../../../src/platform/containment/open-containment.ts";
import { isContainment } from "../../../../../src/scoring/containment.ts";
import { CAN_RUN } from "../../../../support/code-judge.ts";

/** Values of Python as source; few of each kind, so that many pairs are equal. */
const ATOMS = [
  ..."0 1 -1 True False 1.0 0.0 -0.0 0.5 -0.5 1e300 10**300 2**53 2**53+1 float(2**53) 1e-9 0.1+0.2 0.3 None".split(
    " ",
  ),
  ..."float('inf') -float('inf') 1+0j 1j 0.5+0j '' 'a' '1' b'' b'a' range(0) range(3,3) range(3)".split(" "),
  ..."range(0,3,1) range(0,3,5) range(1) range(0,1,7) '\\ud800' 'é' '\\n' int str F(1,2) F(1,3) F(2,2) D('0.5') D('0.1')".split(
    " ",
  ),
];
/** Values that no set may hold. */
const UNHASHABLE = ["bytearray(b'a')", "{}.keys()", "{0:1}.keys()", "{0:1}.items()", "{0:1,'a':0}.keys()"];
const source = fc.letrec<{ value: string; hashable: string }>((tie) => {
  const atom = fc.constantFrom(...ATOMS);
  const any = fc.constantFrom(...ATOMS, ...UNHASHABLE);
  const list = (of: fc.Arbitrary<string>) => fc.array(of, { maxLength: 3 });
  return {
    hashable: fc.oneof(
      { maxDepth: 3 },
      atom,
      list(tie("hashable")).map((items) => `(${items.map((item) => `${item},`).join("")})`),
      list(tie("hashable")).map((items) => `frozenset([${items.join(",")}])`),
    ),
    value: fc.oneof(
      { maxDepth: 3 },
      any,
      list(tie("value")).map((items) => `[${items.join(",")}]`),
      list(tie("value")).map((items) => `(${items.map((item) => `${item},`).join("")})`),
      list(tie("hashable")).map((items) => `set([${items.join(",")}])`),
      list(tie("value")).map((items) => `deque([${items.join(",")}])`),
      fc.array(fc.tuple(tie("hashable"), tie("value")), { maxLength: 3 }).map((pairs) => {
        const items = pairs.map(([key, value]) => `${key}:${value}`);
        return `{${items.join(",")}}`;
      }),
    ),
  };
}).value;

/** What comes of these calls of a program. */
async function calls(program: string, texts: readonly string[]): Promise<ProgramRun> {
  const containment = await openContainment(1);
  if (!isContainment(containment)) throw new Error(containment.why);
  const { signal } = new AbortController();
  const list = texts.map((python) => ({ entry: "f", python, wraps: [] }));
  const limits = { limitOf: () => 20_000, wholeMs: 60_000 };
  const request = { do: "calls", source: program, calls: list } as const;
  try {
    return await runProgram(request, limits, { containment, signal });
  } finally {
    await containment.close();
  }
}

const valueAt = ({ reports }: ProgramRun, i: number) => {
  const one = reports.get(i);
  if (one?.kind !== "value") throw new Error(`No value ${i}: ${JSON.stringify(one)}`);
  return one.value;
};

const EQUAL = { kind: "near", absolute: 0 } as const;

describe.skipIf(!CAN_RUN)("values as texts (skipped without a containment)", () => {
  test("two values have one text where Python takes them for equal, and nowhere else", async () => {
    const texts = [...ATOMS, ...fc.sample(source, { numRuns: 260, seed: 24 })];
    const program = `from fractions import Fraction as F
from decimal import Decimal as D
from collections import deque
VALUES = [${texts.join(",\n")}]
def f(i, j=None):
    return VALUES[i] if j is None else "".join("1" if VALUES[i] == other else "0" for other in VALUES)
`;
    const run = await calls(
      program,
      [...texts.keys()].flatMap((i) => [String(i), `${i}, 0`]),
    );
    const values = texts.map((_, i) => valueAt(run, 2 * i));
    const different = texts.flatMap((text, i) => {
      const equal = JSON.parse((valueAt(run, 2 * i + 1).text ?? "").slice(1)) as string | undefined;
      const row = equal ?? "";
      return texts.flatMap((other, j) => {
        const [a, b] = [values[i], values[j]];
        const same = a !== undefined && b !== undefined && agrees(a, b, EQUAL);
        return same === (row[j] === "1") ? [] : [`${text} and ${other}: Python says ${row[j]}`];
      });
    });
    expect(different).toEqual([]);
  });

  test("no number, an object, and a value that holds one equal nothing; a subclass is what it derives from", async () => {
    const program = `from collections import Counter, OrderedDict, defaultdict, namedtuple
P = namedtuple("P", "x y")
VALUES = [float("nan"), [float("nan")], object(), {1: object()}, Counter("aab"), {"a": 2, "b": 1}, OrderedDict(a=2, b=1), P(1, 2), (1, 2)]
deep = []
for _ in range(1000): deep = [deep]
wide = []
for _ in range(60): wide = [wide, wide]
VALUES += [deep, wide]
def f(i): return VALUES[i]
`;
    const run = await calls(program, [...Array.from({ length: 11 }).keys()].map(String));
    const same = (i: number, j: number): boolean => agrees(valueAt(run, i), valueAt(run, j), EQUAL);
    expect([0, 1, 2, 3, 9, 10].map((i) => same(i, i))).toEqual([false, false, false, false, false, false]);
    expect([same(4, 5), same(6, 5), same(7, 8)]).toEqual([true, true, true]);
  });

  test("a long value is compared by its digest, and sent only where it holds floats", async () => {
    const program =
      "def f(i): return [list(range(10**6)), list(range(10**6 - 1)) + [0], [x / 3 for x in range(10**5)]][i]";
    const run = await calls(program, ["0", "0", "1", "2"]);
    const [one, again, other, floats] = [0, 1, 2, 3].map((i) => valueAt(run, i));
    if (one === undefined || again === undefined || other === undefined || floats === undefined)
      throw new Error("gone");
    expect([agrees(one, again, EQUAL), agrees(one, other, EQUAL)]).toEqual([true, false]);
    expect([one.text, floats.text?.length]).toEqual([undefined, expect.any(Number)]);
    expect(agrees(floats, { ...floats, digest: "other" }, { kind: "near", absolute: 1e-6 })).toBe(true);
  });
});

describe("comparison", () => {
  const value = (text: string) => ({ text, shown: "" });
  test.each([
    ["f0.5;", "f0.5000004;", 1e-6, true],
    ["f0.5;", "f0.50001;", 1e-6, false],
    ["i1;", "f1.0000001;", 1e-6, true],
    ["[f0.5;,i2;]", "[f0.5000004;,i2;]", 1e-6, true],
    ["(f0.5;,i2;)", "[f0.5000004;,i2;]", 1e-6, false],
    ["[f0.5;]", "[f0.5;,i2;]", 1e-6, false],
    ["[f0.5;,i2;]", "[f0.5;]", 1e-6, false],
    ["f+;", "f+;", 1e-6, true],
    ["f+;", "f-;", 1e-6, false],
    ["f+;", "i5;", 1e-6, false],
    ["n;", "n;", 1e-6, false],
    ["o", "o", 1e-6, false],
    ['s"n;"', 's"n;"', 1e-6, true],
    ['s"0.5"', "f0.5;", 1e-6, false],
    [`i${"f".repeat(100_000)};`, `i${"e".repeat(100_000)};`, 1e-6, false],
  ])("%.30s near %.30s within %d: %s", (given, expected, absolute, near) => {
    const isNumber = (text: string): boolean => !/^[no]/.test(text);
    const marked = (text: string) => (isNumber(text) ? value(text) : { ...value(text), isUnequal: true });
    expect(agrees(marked(given), marked(expected), { kind: "near", absolute })).toBe(near);
  });

  test("a long string is compared as others are", () => {
    const parts = [
      ["a", 30_000_000],
      ['\\"', 100_000],
      ["\\\\", 100_000],
    ] as const;
    for (const inside of parts.map(([part, times]) => part.repeat(times))) {
      const oracle = { kind: "near", absolute: 1e-6 } as const;
      expect(agrees(value(`[s"${inside}",f0.5;]`), value(`[s"${inside}",f0.50000001;]`), oracle)).toBe(true);
      expect(agrees(value(`s"${inside}`), value("f0.5;"), oracle)).toBe(false);
    }
  });

  test("what only looks as a number is near nothing", () => {
    const oracle = { kind: "isclose", relative: 0.001, absolute: 0 } as const;
    for (const text of ["izz;", "i;", "i-;", "i--1;", "fzz;", "", ";"])
      expect(agrees(value(text), value("i1;"), oracle)).toBe(false);
  });

  test("isclose", () => {
    const oracle = { kind: "isclose", relative: 0.001, absolute: 0 } as const;
    expect(agrees(value("f62.8;"), value("f62.83;"), oracle)).toBe(true);
    expect(agrees(value("f62.5;"), value("f62.83;"), oracle)).toBe(false);
    expect(agrees(value("i0;"), value("i0;"), oracle)).toBe(true);
    expect(agrees(value("[i0;]"), value("[i0;]"), oracle)).toBe(false);
  });
});
