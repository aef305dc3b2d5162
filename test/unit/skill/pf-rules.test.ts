import { REGISTERED } from "../../../src/domains/registered.ts";
import { expect, test } from "vitest";
import { createChecker } from "../../../src/skill/checker.ts";
import { instrument } from "../../../src/skill/instrument.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { checkPf, checkPfRules } from "../../../src/skill/pf-rules.ts";
import { transpile } from "../../../src/skill/transpile.ts";

const HEAD =
  'import { modifyAction, noop, ProgramFunction, type ActionType, type Intervention, type StepContext, type Teacher } from "hasp";\n';

interface Parts {
  readonly top?: string;
  readonly fields?: string;
  readonly activate?: string;
  readonly intervene?: string;
  readonly teacher?: string;
}

/** A sound PF with a piece put in. */
function pf({
  top = "",
  fields = "",
  activate = "return arg.length > 3;",
  intervene = 'return noop("none");',
  teacher = "",
}: Parts): string {
  return `${HEAD}${top}
export default class Sample extends ProgramFunction {
  ${fields}
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean { ${activate} }
  ${teacher === "" ? "" : "async "}intervene(ctx: StepContext, actionType: ActionType, arg: string${teacher}): ${teacher === "" ? "Intervention" : "Promise<Intervention>"} { ${intervene} }
}
`;
}

/** `CODE@marked text` for each finding. */
/** Without hints, which are about traits that may be meant. */
function faults(file: string, source: string): readonly Diagnostic[] {
  return checkPfRules(file, source, REGISTERED).filter(({ severity }) => severity !== "hint");
}

function found(source: string): string[] {
  const lines = source.split("\n");
  return faults("pf.ts", source).map(({ code, range: { start, end } }) => {
    const line = lines[start.line] ?? "";
    return `${code}@${start.line === end.line ? line.slice(start.character, end.character) : line.slice(start.character)}`;
  });
}

test.each([
  [String.raw`return /(\s*\d+\s*)+=/.test(ctx.thought);`, String.raw`HASP223@/(\s*\d+\s*)+=/`],
  ['return new RegExp("(a+)+b", "i").test(arg);', 'HASP223@new RegExp("(a+)+b", "i")'],
  [
    String.raw`return /(?:\(?-?\d+\)?[-+*]?\s*)+=/u.test(arg);`,
    String.raw`HASP223@/(?:\(?-?\d+\)?[-+*]?\s*)+=/u`,
  ],
])("an expression that may not end: %s", (activate, wanted) => {
  expect(found(pf({ activate }))).toEqual([wanted]);
});

test.each([
  String.raw`return /(\d+,)+/.test(arg);`,
  String.raw`return /\s*\d+\s*$/.test(arg) && /(?:-?\d+(?:\.\d+)?\s*[-+*]\s*)+-?\d+\s*=/.test(ctx.thought);`,
  'return new RegExp(arg).test("a") || /(a+)+b/.source === arg.repeat(0) && false;'.replace(
    "/(a+)+b/",
    "/a+b/",
  ),
])("an expression that ends: %s", (activate) => {
  expect(found(pf({ activate }))).toEqual([]);
});

test("a sound PF has nothing to hear", () => {
  expect(found(pf({}))).toEqual([]);
});

test.each([
  ["return Date.now() > 3;", "HASP202@Date"],
  ["return new Date().getTime() > 3;", "HASP202@Date"],
  ["return Math.random() > 0.5;", "HASP203@Math.random"],
  ['return Math["random"]() > 0.5;', 'HASP203@Math["random"]'],
  ["const { random } = Math; return random() > 1;", "HASP203@random"],
  ["setTimeout(() => 1, 2); return true;", "HASP204@setTimeout"],
  ["return process.env.X === arg;", "HASP204@process"],
  ["fetch(arg); return true;", "HASP204@fetch"],
  ["console.log(arg); return true;", "HASP204@console"],
  ['require("fs"); return true;', "HASP207@require"],
  ['import("fs"); return true;', 'HASP207@import("fs")'],
  ["return globalThis === undefined;", "HASP205@globalThis"],
  ["return eval(arg);", "HASP205@eval"],
  ["return new Function(arg)();", "HASP205@Function"],
  ['return [].constructor.constructor("return this")();', "HASP205@[].constructor.constructor"],
  ['return (() => 1).constructor("x")();', 'HASP205@(() => 1).constructor("x")'],
  ["new WeakRef(ctx); return true;", "HASP206@WeakRef"],
  ["Array.prototype.map = () => []; return true;", "HASP212@Array.prototype.map"],
  ['Object.defineProperty(String.prototype, "x", {}); return true;', "HASP212@String.prototype"],
  ["const o = {}; o.__proto__ = ctx; return true;", "HASP212@o.__proto__"],
  ["this.count = 1; return true;", "HASP209@this.count = 1"],
  ["this.count++; return true;", "HASP209@this.count++"],
])("shouldActivate with `%s` is refused", (activate, expected) => {
  expect(found(pf({ activate }))).toEqual([expected]);
});

test.each([
  ["let seen = 0;", "return seen > 0;", ["HASP208@let"]],
  ["var seen = 0;", "return seen > 0;", ["HASP208@var"]],
  ["const SEEN: string[] = [];", "SEEN.push(arg); return true;", ["HASP208@SEEN.push(arg)"]],
  ["const SEEN = new Map<string, number>();", "SEEN.set(arg, 1); return true;", ["HASP208@SEEN.set(arg, 1)"]],
  ["const STATE = { n: 0 };", "STATE.n += 1; return true;", ["HASP208@STATE.n += 1"]],
  ["const STATE = { list: [1] };", "STATE.list.sort(); return true;", ["HASP208@STATE.list.sort()"]],
  ["const ITEM = /x/g;", "return ITEM.test(arg);", ["HASP208@ITEM.test(arg)"]],
  ["class Box { static n = 0; }", "Box.n++; return true;", ["HASP208@Box.n++"]],
])("module state: %s", (top, activate, expected) => {
  expect(found(pf({ top, activate }))).toEqual(expected);
});

test.each([
  { top: "const WORDS = ['a', 'b'] as const;", activate: "return WORDS.includes(arg as 'a');" },
  {
    top: "const T = new Map([['a', 1]]);",
    activate: "const T2 = new Map(T); T2.set('b', 2); return T2.size > 1;",
  },
  { top: "const ITEM = /x/;", activate: "return ITEM.test(arg);" },
  { top: "const L = ['b', 'a'];", activate: "return [...L].sort()[0] === arg;" },
  { top: "const L = ['b', 'a'];", activate: "const L2 = L.slice(); L2.push(arg); return L2.length > 1;" },
  {
    top: "const math = { add(a: number, b: number): number { return a + b; } };",
    activate: "return math.add(1, arg.length) > 1;",
  },
  {
    top: "class Counter { n = 0; add(): void { this.n++; } }",
    activate: "const c = new Counter(); c.add(); return c.n > 0;",
  },
  { activate: "let n = 0; for (const w of arg) n++; return n > 3;" },
  { activate: "const seen = new Set<string>(); seen.add(arg); return seen.size > 0;" },
  { activate: "ctx.memory['fired'] = true; return true;" },
  { activate: "const process = arg.trim(); return process === 'x';" },
  { activate: "const o = { Date: 1, fetch: 2 }; return o.Date > o.fetch;" },
  { activate: "const { memory: { console } } = ctx; return console === 1;" },
  { top: "interface Date { x: number } type F = typeof globalThis;", activate: "return arg === 'x';" },
  { fields: "readonly limit = 3; constructor() { super(); this.limit = 4; }" },
  { top: "declare const enum Kind { A }" },
  {
    top: "function isDate(text: string): boolean { return text === 'Date'; }",
    activate: "return isDate(arg);",
  },
])("no false alarm: %j", (parts) => {
  expect(found(pf(parts))).toEqual([]);
});

test("the shape of the default export", () => {
  expect(found("export const a = 1;")).toEqual(["HASP200@"]);
  expect(found("export default class A {}")).toEqual(["HASP200@A"]);
  expect(found("export default function f() {}")).toEqual(["HASP200@"]);
  expect(
    found(`${HEAD}export default class A extends ProgramFunction { shouldActivate() { return true; } }`),
  ).toEqual(["HASP201@A"]);
  expect(
    found(
      `${HEAD}class A extends ProgramFunction { shouldActivate = () => true; intervene() { return noop(""); } }\nexport { A as default };`,
    ),
  ).toEqual([]);
  expect(
    found(
      `import { ProgramFunction as P } from "hasp";\nabstract class B extends P { intervene() { return null; } }\nclass A extends B { shouldActivate() { return true; } }\nexport default A;`,
    ),
  ).toEqual([]);
  expect(found("")).toEqual(["HASP215@"]);
  expect(found("a\0b")).toEqual(["HASP215@\0"]);
});

test("imports from elsewhere", () => {
  expect(found(`import fs from "node:fs";\n${pf({})}`)).toEqual(['HASP207@"node:fs"']);
  expect(found(`${pf({})}export * from "./other.ts";`)).toEqual(['HASP207@"./other.ts"']);
});

test("TypeScript that cannot be erased", () => {
  expect(found(pf({ top: "enum Kind { A }" }))).toEqual(["HASP213@Kind"]);
  expect(found(pf({ top: "namespace N { export const a = 1; }" }))).toEqual(["HASP213@N"]);
  expect(found(pf({ fields: "constructor(private readonly n: number) { super(); }" }))).toEqual([
    "HASP213@private readonly n: number",
  ]);
});

test("an action that cannot be run, or a change of nothing", () => {
  expect(found(pf({ intervene: 'return modifyAction({ type: "SERCH", arg, reason: "r" });' }))).toEqual([
    'HASP214@"SERCH"',
  ]);
  expect(found(pf({ intervene: 'return modifyAction({ reason: "r" });' }))).toEqual([
    'HASP214@{ reason: "r" }',
  ]);
  expect(
    found(pf({ intervene: 'return { type: "MODIFY_ACTION", newActionType: "other", reason: "r" };' })),
  ).toEqual(['HASP214@"other"']);
  expect(found(pf({ intervene: 'return modifyAction({ type: "READ", arg, reason: "r" });' }))).toEqual([]);
  expect(
    found(pf({ intervene: 'const change = { arg }; return modifyAction({ ...change, reason: "r" });' })),
  ).toEqual([]);
});

test("the teacher is asked only in intervene, and only when there is one", () => {
  const ask = "const t = await teacher.ask(arg, { maxTokens: 9, temperature: 0 }); return noop(t);";
  const fields = "override needsTeacher = true;";
  const teacher = ", teacher?: Teacher";
  expect(found(pf({ fields, teacher, intervene: ask }))).toEqual(["HASP211@teacher"]);
  expect(found(pf({ teacher, intervene: `if (!teacher) return noop("none"); ${ask}` }))).toEqual([
    "HASP211@teacher",
  ]);
  for (const check of [
    "if (!teacher) return noop('');",
    "if (teacher === undefined) return noop('');",
    "const has = teacher ?? null; if (has === null) return noop('');",
  ]) {
    expect(found(pf({ fields, teacher, intervene: check + ask }))).toEqual([]);
  }
  expect(found(pf({ fields, teacher, intervene: `try { ${ask} } catch { return noop(""); }` }))).toEqual([]);
  expect(
    found(
      pf({
        fields,
        teacher,
        intervene: 'return noop((await teacher?.ask(arg, { maxTokens: 9, temperature: 0 })) ?? "");',
      }),
    ),
  ).toEqual([]);
  const slow = pf({}).replace("shouldActivate(", "async shouldActivate(");
  expect(found(slow)).toEqual(["HASP210@async"]);
  expect(found(pf({}).replace("arg: string): boolean", "arg: string, teacher: Teacher): boolean"))).toEqual([
    "HASP210@teacher: Teacher",
  ]);
});

test("every finding says what to do next", () => {
  const bad = pf({ top: "let a = 1; enum E { A }", activate: "this.x = Date.now(); return eval(arg);" });
  for (const d of checkPfRules("pf.ts", bad, REGISTERED))
    expect(d).toMatchObject({ severity: "error", file: "pf.ts", next: expect.stringMatching(/\S/) });
});

test("a broken file does not make the rules throw", () => {
  const whole = pf({ top: "const A = [1];", activate: "A.push(1); this.x = Date.now(); return true;" });
  for (let cut = 0; cut < whole.length; cut += 7) checkPfRules("pf.ts", whole.slice(0, cut), REGISTERED);
});

test("ten thousand brackets are a fault of the file, for every reader of it", () => {
  const deep = pf({ activate: `return ${"(".repeat(20_000)}arg${")".repeat(20_000)} === "";` });
  expect(checkPfRules("pf.ts", deep, REGISTERED).map((d) => d.code)).toEqual(["HASP220"]);
  expect(transpile(deep, "pf.ts").diagnostics.map((d) => d.code)).toEqual(["HASP220"]);
  expect(instrument(deep, "pf.ts").diagnostics.map((d) => d.code)).toEqual(["HASP220"]);
});

test("types and rules together complain once per place", () => {
  const checker = createChecker(REGISTERED);
  const findings = checkPf(checker, "pf.ts", pf({ activate: "return Date.now() > arg.lenght;" }), REGISTERED);
  expect(findings.map((d) => d.code)).toEqual(["HASP202", "TS2551"]);
  checker.dispose();
});

test("an action of another domain is refused where the path names the domain", () => {
  const source = `import { modifyAction, ProgramFunction, type Intervention } from "hasp";
export default class Sent extends ProgramFunction {
  shouldActivate(): boolean {
    return true;
  }
  intervene(): Intervention {
    return modifyAction({ type: "SEARCH", arg: "x", reason: "y" });
  }
}
`;
  const codesIn = (file: string): string[] => faults(file, source).map(({ code }) => code);
  expect(codesIn("skills/coding-agent/sent/pf.ts")).toEqual(["HASP214"]);
  expect(codesIn("skills/web-search/sent/pf.ts")).toEqual([]);
  expect(codesIn("pf.ts")).toEqual([]);
});

test("no action is changed in a domain whose skills change none", () => {
  const changed = pf({ intervene: 'return modifyAction({ arg: arg.trim(), reason: "r" });' });
  const says = faults("skills/code/a/pf.ts", changed).map(({ code, message }) => `${code} ${message}`);
  expect(says).toEqual(["HASP214 No action is changed in code: the policy revises its answer itself."]);
  expect(faults("skills/math/a/pf.ts", changed)).toEqual([]);
});

test("traits that may be meant are hints", () => {
  const hints = (file: string, source: string): string[] =>
    checkPfRules(file, source, REGISTERED).flatMap(({ code, severity }) =>
      severity === "hint" ? [code] : [],
    );
  const endless = pf({
    activate: 'return actionType === "FINAL";',
    intervene: 'return modifyAction({ arg: "x", reason: "r" });',
  });
  expect(hints("skills/web-search/a/pf.ts", endless)).toEqual(["HASP216"]);
  expect(hints("skills/coding-agent/a/pf.ts", endless)).toEqual([]);
  expect(hints("pf.ts", endless.replace("actionType ===", "ctx.stepCount < 9 && actionType ==="))).toEqual(
    [],
  );
  expect(hints("pf.ts", pf({ activate: "return true;" }))).toEqual(["HASP218"]);
});
