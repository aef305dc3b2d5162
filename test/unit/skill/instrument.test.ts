import fc from "fast-check";
import { expect, test } from "vitest";
import { explainRun } from "../../../src/skill/explain-run.ts";
import { instrument } from "../../../src/skill/instrument.ts";
import { transpile } from "../../../src/skill/transpile.ts";
import { judge, MIDDLE } from "./run-in-node.ts";

/** `note` leaves the order of evaluation in NOTES, so that a changed order shows. */
const atom = fc.constantFrom(
  "note(1, ctx.hasRead)",
  "note(2, ctx.readCount > 1)",
  'note(3, actionType === "SEARCH")',
  "note(4, arg.length) >= 3",
  "helper(arg)",
  "this.method(ctx.readCount)",
  "arrow(arg as string)",
  "!ctx.emptyResults",
  "local",
  "(note(5, arg), ctx.hasRead)",
  'arg?.includes("a")',
  "ctx.readCount! != 2",
  "true",
  "false",
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc
      .tuple(tie("expression"), fc.constantFrom("&&", "||", "??", "===", "<"), tie("expression"))
      .map(([a, op, b]) => `(${a}) ${op} (${b})`),
    tie("expression").map((e) => `!(${e})`),
    fc
      .tuple(tie("expression"), tie("expression"), tie("expression"))
      .map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`),
  ),
}));

const { body } = fc.letrec<{ body: string }>((tie) => ({
  body: fc.oneof(
    { maxDepth: 3 },
    expression.map((e) => `return Boolean(${e});`),
    expression.map((e) => `return (${e}) as boolean\n`),
    fc.tuple(expression, tie("body"), tie("body")).map(([e, a, b]) => `if (${e}) { ${a} }\n${b}`),
    fc
      .tuple(expression, tie("body"), tie("body"))
      .map(([e, a, b]) => `if (${e}) { ${a} } else { ${b} }\nreturn false;`),
    fc
      .tuple(expression, tie("body"))
      .map(([e, b]) => `for (const w of [arg, "x"]) { if (${e}) return true; }\n${b}`),
    fc
      .tuple(expression, tie("body"), tie("body"))
      .map(
        ([e, a, b]) =>
          `switch (actionType) { case "SEARCH": ${a} break; default: if (${e}) { return false; } }\n${b}`,
      ),
    fc
      .tuple(expression, tie("body"))
      .map(([e, b]) => `try { if (${e}) throw new Error("x"); } catch { return helper(arg); }\n${b}`),
    fc
      .tuple(expression, tie("body"))
      .map(([e, b]) => `{ const inner = ${e}; if (inner) return !inner }\n${b}`),
  ),
}));

function program(main: string, helper: string, method: string, local: string): string {
  return `import { ProgramFunction, type ActionType, type StepContext } from "hasp";
declare const NOTES: unknown[];
function note<T>(n: number, value: T): T { NOTES.push(n, value); return value; }
export default class Sample extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    const local = ${local};
    const answer = this.inner(ctx, actionType, arg);
    if (answer) return true;
    return answer
  }
  inner(ctx: StepContext, actionType: ActionType, arg: string): boolean { const local = ${local}; ${main} }
  method(n: number): boolean { const ctx: any = { readCount: n }, arg = "ab", actionType: string = "READ", local = false; ${method} }
}
function helper(arg: string): boolean { if (arg.length > 6) { return true; } const ctx: any = {}, actionType: string = "READ", local = true; return Boolean(${helper}); }
const arrow = (arg: string): boolean => arg.length > 2 && note(9, arg !== "abc");
`;
}

const simple = fc.constantFrom(
  'arg === "abc"',
  "note(7, arg.length > 3)",
  'arg.includes("b") || arrow(arg)',
  "local && !arrow(arg)",
);

test("an instrumented PF gives the same answer, in the same order of evaluation, as the plain one", () => {
  const source = fc
    .tuple(
      body,
      simple,
      simple.map((s) => `return ${s};`),
      expression,
    )
    .map((parts) => program(...parts));
  const context = fc.record({ readCount: fc.nat(3), hasRead: fc.boolean(), emptyResults: fc.boolean() });
  const type = fc.constantFrom("SEARCH", "READ", "FINAL");
  const arg = fc.constantFrom("", "ab", "abc", "abcd", "a long text");
  fc.assert(
    fc.property(source, context, type, arg, (text, overrides, actionType, argument) => {
      const plain = transpile(text, "pf.ts").value;
      const probed = instrument(text, "pf.ts").value;
      if (plain === undefined || probed === undefined) throw new Error("not compiled");
      const a = judge(plain, { ...MIDDLE, ...overrides }, actionType, argument);
      const b = judge(probed.code, { ...MIDDLE, ...overrides }, actionType, argument);
      expect([b.activated, b.error, b.order]).toEqual([a.activated, a.error, a.order]);
      expect(probed.code.split("\n")).toHaveLength(text.split("\n").length);
      const why = explainRun(probed, b, { skillId: "s", file: "pf.ts" });
      expect(why.sentence.length).toBeGreaterThan(0);
      expect(JSON.parse(JSON.stringify(why))).toEqual(why);
    }),
    { numRuns: 120 },
  );
});

test("each span names its place in the source", () => {
  const { value } = instrument(program("return arg.length > 1;", "true", "return true;", "true"), "pf.ts");
  const span = value?.spans.find((s) => s.text === "arg.length > 1");
  expect(span).toMatchObject({ line: 11, role: "return" });
});

test("a source that does not compile, or has no shouldActivate, says so", () => {
  expect(instrument("const a = ;", "pf.ts")).toMatchObject({
    value: undefined,
    diagnostics: [{ code: "TS1109" }],
  });
  expect(instrument("export const a = 1;", "pf.ts")).toMatchObject({
    value: undefined,
    diagnostics: [{ code: "HASP201" }],
  });
});

test("a file with hundreds of returns is instrumented at once", () => {
  const many = Array.from({ length: 400 }, (_, i) => `if (arg === "${i}") return ${i % 2 === 0};`).join("\n");
  const { value } = instrument(program(`${many}\nreturn false;`, "true", "return true;", "true"), "pf.ts");
  expect(value?.functions.length).toBeGreaterThan(1);
});
