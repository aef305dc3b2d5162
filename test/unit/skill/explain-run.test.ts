import { describe, expect, test } from "vitest";
import type { Explanation } from "../../../src/model/explanation.ts";
import { annotated, eachValueOnce, explanationLines } from "../../../src/model/explained-text.ts";
import { explainRun } from "../../../src/skill/explain-run.ts";
import { instrument } from "../../../src/skill/instrument.ts";
import { judge, MIDDLE } from "./run-in-node.ts";

/** `body` is that of shouldActivate; `rest` stands below the class. */
function explain(body: string, type: string, arg: string, context: object = {}, rest = ""): Explanation {
  const source = `import { ProgramFunction, noop, type ActionType, type StepContext } from "hasp";
export default class Sample extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
${body}
  }
  intervene() { return noop("none"); }
  private isLong(text: string): boolean { return words(text).length > 15; }
}
function words(text: string): string[] { return text.split(/\\s+/); }
${rest}`;
  const { value, diagnostics } = instrument(source, "pf.ts");
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error("not instrumented");
  expect(value.code.split("\n")).toHaveLength(source.split("\n").length);
  const run = judge(value.code, { ...MIDDLE, ...context }, type, arg);
  return explainRun(value, run, { skillId: "sample", file: "pf.ts" });
}

const codeOf = ({ expressions }: Explanation): string[] => expressions.map(annotated);

const RETRIEVAL = `    return actionType === "SEARCH" && words(arg).length > 15;`;

test("a false first operand decides", () => {
  const e = explain(RETRIEVAL, "FINAL", "x");
  expect(e.sentence).toBe('actionType is "FINAL", not "SEARCH"');
  expect(e.deciding).toEqual({ expression: 'actionType === "SEARCH"', value: "false", line: 4 });
  expect(e.operands).toEqual([]);
  expect(codeOf(e)).toEqual(['actionType /* "FINAL" */ === "SEARCH"']);
});

test("a false second operand decides, with the number that was too small", () => {
  expect(explain(RETRIEVAL, "SEARCH", "one two three four").sentence).toBe(
    "words(arg).length is 4, not more than 15",
  );
});

test("an early return names its test", () => {
  const body = `    if (ctx.readCount > 0) return false;\n    return actionType === "FINAL";`;
  const e = explain(body, "FINAL", "x", { readCount: 2 });
  expect(e.sentence).toBe("ctx.readCount is 2, more than 0");
  expect(e.deciding?.line).toBe(4);
});

test("a PF that fired names every operand that held, those of passed early returns too", () => {
  const one = `    return actionType === "FINAL" && ctx.searchCount >= 1 && ctx.readCount === 0;`;
  expect(explain(one, "FINAL", "x").sentence).toBe(
    'ctx.readCount is 0 and ctx.searchCount is 2, at least 1 and actionType is "FINAL"',
  );
  const many = `    if (actionType !== "FINAL") return false;
    if (ctx.readCount > 0) return false;
    return ctx.searchCount >= 1;`;
  expect(explain(many, "FINAL", "x").sentence).toBe(
    'ctx.searchCount is 2, at least 1 and ctx.readCount is 0, not more than 0 and actionType is "FINAL"',
  );
});

test("alternatives that all failed are all named; the one that held stands alone", () => {
  const body = `    if (actionType !== "SEARCH") return false;
    if (count(arg, "a") >= 2) return true;
    return count(arg, "b") >= 2;`;
  const rest = `function count(text: string, letter: string): number { return text.split(letter).length - 1; }`;
  expect(explain(body, "SEARCH", "ab", {}, rest).sentence).toBe(
    'count(arg, "b") is 1, not at least 2 and count(arg, "a") is 1, not at least 2',
  );
  expect(explain(body, "SEARCH", "bb", {}, rest).sentence).toBe(
    'count(arg, "b") is 2, at least 2 and actionType is "SEARCH"',
  );
  expect(explain(body, "SEARCH", "aa", {}, rest).sentence).toBe(
    'count(arg, "a") is 2, at least 2 and actionType is "SEARCH"',
  );
});

test("a helper's deciding operand is named, with its line", () => {
  const method = explain(`    return this.isLong(arg);`, "SEARCH", "a b");
  expect(method.sentence).toBe("words(text).length is 2, not more than 15 (in isLong)");
  expect(method.deciding?.line).toBe(7);
  const arrow = explain(
    `    return !isShort(arg);`,
    "SEARCH",
    "a",
    {},
    `const isShort = (t: string): boolean => t.length < 5;`,
  );
  expect(arrow.sentence).toBe("t.length is 1, less than 5 (in isShort)");
  const nested = explain(
    `    return deep(arg);`,
    "SEARCH",
    "a",
    {},
    `function deep(a: string): boolean { if (flat(a)) return true; return false; }
function flat(b: string): boolean { return b === "z"; }`,
  );
  expect(nested.sentence).toBe('b is "a", not "z" (in flat)');
});

test("a local constant is followed to the operand that made it so", () => {
  const body = `    const long = words(arg).length > 15;\n    const isSearch = actionType === "SEARCH";\n    return isSearch && long;`;
  expect(explain(body, "SEARCH", "a").sentence).toBe("words(arg).length is 1, not more than 15");
});

test("switch, conditional, nullish, or, not, and nested ifs", () => {
  const onSwitch = `    switch (actionType) { case "SEARCH": return ctx.emptyResults; default: return false; }`;
  expect(explain(onSwitch, "READ", "x").sentence).toBe('actionType is "READ"');
  expect(explain(onSwitch, "SEARCH", "x").sentence).toBe("ctx.emptyResults is false");
  expect(
    explain(`    return actionType === "READ" ? ctx.hasRead : !ctx.hasRead;`, "READ", "x").sentence,
  ).toBe("ctx.hasRead is false");
  expect(explain(`    return ctx.hasRead || arg.includes("y");`, "READ", "x").sentence).toBe(
    'arg.includes("y") is false and ctx.hasRead is false',
  );
  expect(explain(`    return (arg.match(/y/)?.length ?? 0) > 0;`, "READ", "x").sentence).toBe(
    "arg.match(/y/)?.length ?? 0 is 0, not more than 0",
  );
  const nested = `    if (actionType === "READ") { if (ctx.stepCount < 5) { return false; } }\n    return true;`;
  expect(explain(nested, "READ", "x").sentence).toBe("ctx.stepCount is 2, less than 5");
  expect(explain(nested, "FINAL", "x").sentence).toBe('actionType is "FINAL", not "READ"');
});

test("a loop that found nothing says so, one that found names the test", () => {
  const body = `    for (const word of words(arg)) {\n      if (word === "who") return true;\n    }\n    return false;`;
  expect(explain(body, "SEARCH", "a b").sentence).toBe("the loop on line 4 ran to its end");
  expect(explain(body, "SEARCH", "a who b").sentence).toBe('word is "who"');
});

test("long values are cut", () => {
  const e = explain(`    return arg === "x";`, "SEARCH", "y".repeat(5000));
  expect(e.sentence.length).toBeLessThan(120);
  expect(String(e.expressions[0]?.values[0]?.value)).toHaveLength(203);
});

test("an answer that depends on nothing, and a failure, are told as such", () => {
  expect(explain(`    return false;`, "SEARCH", "x").sentence).toBe(
    "shouldActivate returned false on line 4, whatever the context",
  );
  expect(
    explain(`    return (ctx as unknown as { a: { b: boolean } }).a.b;`, "SEARCH", "x").sentence,
  ).toMatch(/^shouldActivate failed: /);
});

test("comparison against a named limit shows the limit's value", () => {
  const body = `    return ctx.stepCount + 1 < ctx.maxSteps && 3 < arg.length;`;
  expect(explain(body, "SEARCH", "abcdef").sentence).toBe(
    "arg.length is 6, more than 3 and ctx.stepCount + 1 is 3, less than ctx.maxSteps (15)",
  );
});

test("probes cut off in the middle still give an answer", () => {
  const { value } = instrument(
    `import { ProgramFunction } from "hasp";
export default class A extends ProgramFunction { shouldActivate(c: object, t: string) { return t === "SEARCH" && t.length > 2; } }`,
    "pf.ts",
  );
  if (value === undefined) throw new Error("not instrumented");
  const run = judge(value.code, MIDDLE, "SEARCH", "");
  for (let keep = 0; keep <= run.probes.length; keep++) {
    const e = explainRun(value, { ...run, probes: run.probes.slice(keep) }, { skillId: "a", file: "pf.ts" });
    expect(e.sentence).not.toBe("");
  }
});

describe("code with the values at its operands", () => {
  const code = (expression: string, context: object = {}, rest = ""): string[] =>
    codeOf(explain(`    return ${expression};`, "SEARCH", "a b", context, rest));

  test.each([
    ["ctx.readCount > 3", ["ctx.readCount /* 0 */ > 3"]],
    ["3 <   ctx.readCount", ["3 < ctx.readCount /* 0 */"]],
    ["ctx.stepCount + 1 < ctx.maxSteps", ["ctx.stepCount + 1 /* 3 */ < ctx.maxSteps /* 15 */"]],
    ["!ctx.hasRead", ["!ctx.hasRead /* false */"]],
    ["!(ctx.hasRead || ctx.readCount > 0)", ["!(ctx.hasRead /* false */ || ctx.readCount /* 0 */ > 0)"]],
    ["!!ctx.hasRead", ["!!ctx.hasRead /* false */"]],
    [
      'actionType === "READ" || ctx.hasRead',
      ["ctx.hasRead /* false */", 'actionType /* "SEARCH" */ === "READ"'],
    ],
    ['actionType === "READ" && ctx.hasRead', ['actionType /* "SEARCH" */ === "READ"']],
    ['arg.includes("y")', ['arg /* "a b" */.includes("y") /* false */']],
    ["/y/.test(arg)", ['/y/.test(arg /* "a b" */) /* false */']],
    ["PATTERN.test(arg)", ['PATTERN.test(arg /* "a b" */) /* false */']],
    ["words(arg).length > 15", ["words(arg).length /* 2 */ > 15"]],
    ['`${actionType}!` === "READ!"', ['`${actionType}!` /* "SEARCH!" */ === "READ!"']],
    [
      '(ctx.actionHistory.at(-1)?.type ?? "none") === "READ"',
      ['(ctx.actionHistory.at(-1)?.type ?? "none" /* "none" */) === "READ"'],
    ],
    ['actionType === "READ" ? true : ctx.hasRead', ["ctx.hasRead /* false */"]],
    ['ctx.hasRead\n      && arg === "x"', ["ctx.hasRead /* false */"]],
    ["ctx.readCount >= -1", ["ctx.readCount /* 0 */ >= -1"]],
    ["arg !== undefined", ['arg /* "a b" */ !== undefined']],
  ])("%s", (expression, shown) => {
    const lines = code(expression, { readCount: 0, hasRead: false }, "const PATTERN = /z/;");
    expect(lines).toEqual(shown);
  });

  test("early returns are each shown once, a switch by the comparison that shows its value", () => {
    const body = `    if (actionType !== "SEARCH") return false;
    switch (actionType) {
      case "SEARCH": {
        if (actionType !== "SEARCH") return false;
        return arg === "a b";
      }
      default: return false;
    }`;
    expect(codeOf(explain(body, "SEARCH", "a b"))).toEqual([
      'arg /* "a b" */ === "a b"',
      'actionType /* "SEARCH" */ !== "SEARCH"',
    ]);
  });

  test("a helper shows its own code; the values that it was called with come after, each once", () => {
    const e = explain(
      `    return isLong(arg) && isLong(arg);`,
      "SEARCH",
      "a b",
      {},
      "function isLong(text: string): boolean { return text.length > 15; }",
    );
    expect(codeOf(e)).toEqual(["text.length /* 3 */ > 15"]);
    expect(e.operands).toEqual([
      { expression: "isLong(arg)", value: "false", line: 4 },
      { expression: "arg", value: '"a b"', line: 4 },
    ]);
  });

  test("the same value is shown at its first operand only", () => {
    const body = `    const kind = arg;
    return kind !== "x" && kind.length > 1 && kind !== "y";`;
    const e = explain(body, "SEARCH", "person");
    expect(codeOf(e)).toEqual([
      'kind /* "person" */ !== "y"',
      "kind.length /* 6 */ > 1",
      'kind /* "person" */ !== "x"',
    ]);
    expect(eachValueOnce(e.expressions).map(annotated)).toEqual([
      'kind /* "person" */ !== "y"',
      "kind.length /* 6 */ > 1",
      'kind !== "x"',
    ]);
  });
});

describe("the truth of what was tested", () => {
  const lines = (body: string, context: object = {}, rest = ""): string[] =>
    explanationLines(explain(body, "SEARCH", "a b", context, rest));

  test("what decided comes first; a guard that was false says so", () => {
    const body = `    if (actionType !== "SEARCH") return false;
    if (ctx.readCount > 0) return false;
    return arg.length > 2;`;
    expect(lines(body)).toEqual([
      "✓ true: arg.length /* 3 */ > 2  (line 6)",
      "✗ false: ctx.readCount /* 0 */ > 0  (line 5)",
      '✗ false: actionType /* "SEARCH" */ !== "SEARCH"  (line 4)',
    ]);
    expect(lines(body, { readCount: 2 })).toEqual(["✓ true: ctx.readCount /* 2 */ > 0  (line 5)"]);
  });

  test("`return true` behind guards is what decided", () => {
    expect(lines(`    if (ctx.hasRead) return false;\n    return true;`)).toEqual([
      "✓ true: return true  (line 5)",
      "✗ false: ctx.hasRead /* false */  (line 4)",
    ]);
  });

  test("a negated helper is true where what was tested in it is false", () => {
    const rest = "const isShort = (text: string): boolean => text.length < 2;";
    expect(lines(`    return !isShort(arg);`, {}, rest)).toEqual([
      '✓ true: !isShort(arg /* "a b" */) /* false */  (line 4)',
      "✗ false: text.length /* 3 */ < 2  (line 10)",
    ]);
  });

  test("the value that a switch looks at is neither true nor false", () => {
    const body = `    switch (actionType) { case "SEARCH": return true; default: return false; }`;
    expect(lines(body)).toEqual(["✓ true: return true  (line 4)", 'actionType /* "SEARCH" */  (line 4)']);
  });

  test("undefined is undefined, and NaN is not true", () => {
    const rest = "const lossOf = (): string | undefined => undefined;";
    expect(lines(`    return lossOf() !== undefined;`, {}, rest)).toEqual([
      "✗ false: lossOf() /* undefined */ !== undefined  (line 4)",
    ]);
    expect(explain(`    return lossOf() !== undefined;`, "SEARCH", "a", {}, rest).sentence).toBe(
      "lossOf() is undefined",
    );
    expect(lines(`    return Boolean(Number(arg) || ctx.hasRead);`)).toHaveLength(1);
    expect(lines(`    return Number(arg) ? true : false;`)).toEqual([
      '✗ false: Number(arg /* "a b" */) /* NaN */  (line 4)',
    ]);
  });
});
