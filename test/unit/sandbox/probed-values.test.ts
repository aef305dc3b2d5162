import { afterAll, expect, test } from "vitest";
import { FRESH_STATE } from "../../../src/sandbox/pf-host.ts";
import { openCore } from "../../support/core.ts";
import { MIDDLE } from "../skill/run-in-node.ts";

const { host, compiler } = openCore();
afterAll(() => Promise.all([host.close(), compiler.close()]));

/** What the sandbox shows of the value of an expression of a PF. */
async function shown(expression: string): Promise<unknown> {
  const code = `import { ProgramFunction, noop } from "hasp";
export default class Sample extends ProgramFunction {
  shouldActivate(ctx, actionType, arg) { __hasp_probe(0, ${expression}); return true; }
  intervene() { return noop("none"); }
}`;
  const program = { skillId: "sample", file: "pf.ts", code, priority: 0.5 };
  const call = { context: MIDDLE, proposed: { type: "SEARCH", arg: "a" }, actionTypes: ["SEARCH"] };
  const { probes, error } = await host.probe(program, FRESH_STATE, call);
  expect(error).toBeUndefined();
  return probes.at(-1)?.value;
}

test.each([
  ["undefined", "undefined"],
  ["null", "null"],
  ["[undefined, null]", "[undefined, null]"],
  ["({ a: undefined, 'b-c': 1 })", '{a: undefined, "b-c": 1}'],
  ["NaN", "NaN"],
  ["-Infinity", "-Infinity"],
  ["-0", "-0"],
  ["[-0, NaN]", "[-0, NaN]"],
  ["10n", "10n"],
  ["true", "true"],
  ["'undefined'", '"undefined"'],
  ["'a\\n\"b\"'", '"a\\n\\"b\\""'],
  ["'x'.repeat(300)", `"${"x".repeat(200)}…"`],
  ["Symbol('a')", 'Symbol("a")'],
  ["Symbol()", "Symbol()"],
  ["(() => 1)", "[function]"],
  ["class A {}", "[function]"],
  ["/a*b/gi", "/a*b/gi"],
  ["new Set([1, undefined])", "Set {1, undefined}"],
  ["new Map([['a', [1]]])", 'Map {"a" => [1]}'],
  ["new Error('no\\nway')", 'Error("no\\nway")'],
  ["[1,2,3,4,5,6,7,8,9,10,11,12]", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … 2 more]"],
  ["[[[[[1]]]]]", "[[[[…]]]]"],
  ["({ get a() { throw new Error('called'); } })", "{a: [getter]}"],
  ["Object.create(null)", "{}"],
  ["(() => { const a = []; a.push(a); return a; })()", "[[[[…]]]]"],
])("%s is shown as %s", async (expression, text) => {
  expect(await shown(expression)).toBe(text);
});

test("a value of many long texts is cut", async () => {
  const text = String(await shown("Array(10).fill(Array(10).fill('x'.repeat(200)))"));
  expect(text.length).toBeLessThan(2_100);
  expect(text.endsWith("…")).toBe(true);
});
