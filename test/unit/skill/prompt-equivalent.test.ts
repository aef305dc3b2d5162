import { expect, test } from "vitest";
import { promptEquivalence } from "../../../src/skill/prompt-equivalent.ts";

const HEAD =
  'import { injectContext, modifyAction, noop, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";\n' +
  'const HINT = "Read it again.";\nconst OTHER = `Search for something else.`;\n';

interface Parts {
  readonly head?: string;
  readonly top?: string;
  readonly fields?: string;
}

function pf(intervene: string, { head = HEAD, top = "", fields = "" }: Parts = {}): string {
  return `${head}${top}
export default class Sample extends ProgramFunction {
  ${fields}
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean { return true; }
  intervene(ctx: StepContext, actionType: ActionType, arg: string): Intervention { ${intervene} }
}
`;
}

/** "A+B", or what speaks against it. */
function found(source: string): string {
  const { canModify, buildsText, promptEquivalent } = promptEquivalence("pf.ts", source);
  const against = [canModify ? "modifies" : "", buildsText ? "builds" : ""].filter((word) => word !== "");
  expect(promptEquivalent).toBe(against.length === 0);
  return against.join(" and ") || "A+B";
}

test.each([
  ["a constant of the module", 'return injectContext(HINT, "why");'],
  ["a literal", 'return injectContext("Read it again.", "why");'],
  ["constants put together", 'return injectContext(HINT + " " + OTHER, "why");'],
  ["a template of constants", 'return injectContext(`${HINT} ${OTHER}`, "why");'],
  ["joined lines", 'return injectContext([HINT, OTHER].join(" "), "why");'],
  ["a choice between constants", 'return injectContext(ctx.hasRead ? HINT : OTHER, "why");'],
  [
    "a choice kept in a constant",
    'const text = ctx.hasRead ? HINT : OTHER; return injectContext(text, "why");',
  ],
  ["a NOOP only", 'return noop("not now");'],
  [
    "a reason that is built, which no policy reads",
    "return injectContext(HINT, `${ctx.searchCount} searches`);",
  ],
  ["a literal intervention", 'return { type: "INJECT_CONTEXT", contextText: HINT, reason: arg };'],
  ["several ways out", 'if (ctx.hasRead) return noop("read"); return injectContext(HINT, "why");'],
  ["an intervention kept in a constant", 'const hint = injectContext(HINT, "why"); return hint;'],
  ["a satisfied type", 'return injectContext(HINT satisfies string, "why") as Intervention;'],
])("prompt-equivalent: %s", (_name, intervene) => {
  expect(found(pf(intervene))).toBe("A+B");
});

test.each([
  ["modifies", 'return modifyAction({ arg: "x", reason: "why" });'],
  ["modifies", 'return ctx.hasRead ? noop("no") : modifyAction({ arg: "x", reason: "why" });'],
  ["modifies", 'return { type: "MODIFY_ACTION", newActionArg: arg, reason: "why" };'],
  ["builds", 'return injectContext(`${HINT} ${ctx.question}`, "why");'],
  ["builds", 'return injectContext(HINT + ctx.searchCount, "why");'],
  ["builds", 'return injectContext(arg, "why");'],
  ["builds", 'return injectContext(ctx.memory.hint as string, "why");'],
  ["builds", 'return injectContext(ctx.hasRead ? HINT : arg, "why");'],
  ["builds", 'let text = HINT; if (ctx.hasRead) text = ctx.question; return injectContext(text, "why");'],
  ["builds", 'const HINT = arg; return injectContext(HINT, "why");'],
  ["builds", 'const parts = [HINT]; parts.push(arg); return injectContext(parts.join(" "), "why");'],
  ["builds", 'const parts = [HINT]; parts[0] = arg; return injectContext(parts.join(" "), "why");'],
  ["builds", 'const parts = [HINT]; [parts[0]] = [arg]; return injectContext(parts.join(" "), "why");'],
  ["builds", 'return injectContext([HINT, ...ctx.allReadContents].join(" "), "why");'],
  ["builds", 'return injectContext([HINT, OTHER].join(arg), "why");'],
  ["builds", 'return injectContext(...([arg, "why"] as const));'],
  ["builds", 'return injectContext(HINT.replace("it", arg), "why");'],
  [
    "builds",
    'for (const text of ctx.allReadContents) return injectContext(text, "why"); return noop("none");',
  ],
  ["builds", 'return { type: "INJECT_CONTEXT", contextText: arg, reason: "why" };'],
])("not prompt-equivalent, it %s: %s", (expected, intervene) => {
  expect(found(pf(intervene))).toBe(expected);
});

test.each([
  [
    "a type that is computed",
    'return { type: ["MODIFY", "ACTION"].join("_"), newActionArg: arg, reason: "" } as never;',
  ],
  ["a type out of memory", 'return { type: ctx.memory.type, contextText: HINT, reason: "" } as never;'],
  ["a spread literal", 'return { ...injectContext(HINT, "why"), ...(ctx.memory.more as object) } as never;'],
  ["a computed key", 'return { type: "NOOP", ["ty" + "pe"]: "MODIFY_ACTION", reason: "" } as never;'],
  ["parsed JSON", "return JSON.parse(arg) as Intervention;"],
  [
    "a re-assigned intervention",
    'let hint: Intervention = noop("no"); hint = modifyAction({ arg, reason: "" }); return hint;',
  ],
  [
    "an intervention that is changed",
    'const hint = injectContext(HINT, "") as { contextText: string }; hint.contextText = arg; return hint as never;',
  ],
  ["an intervention handed on", 'const hint = injectContext(HINT, ""); spoil(hint); return hint;'],
  ["Object.assign", 'return Object.assign(noop(""), { type: "MODIFY_ACTION" }) as never;'],
  ["an unknown function", "return elsewhere(ctx);"],
  ["an aliased parameter", "return ((make: typeof noop) => make(arg))(modifyAction as never);"],
])("what cannot be followed may do anything: %s", (_name, intervene) => {
  expect(found(pf(intervene))).toBe("modifies and builds");
});

test("an import under another name is the same function", () => {
  const head = (names: string): string =>
    `import { ${names}, ProgramFunction } from "hasp";\nconst HINT = "x";\n`;
  expect(found(pf('return say(HINT, "");', { head: head("injectContext as say") }))).toBe("A+B");
  expect(found(pf("return say({ arg, reason: arg });", { head: head("modifyAction as say") }))).toBe(
    "modifies",
  );
  expect(
    found(pf("return injectContext({ arg, reason: arg });", { head: head("modifyAction as injectContext") })),
  ).toBe("modifies");
  const all = 'import * as hasp from "hasp";\nconst HINT = "x";\nconst { ProgramFunction } = hasp;\n';
  expect(found(pf('return hasp.injectContext(HINT, "");', { head: all }))).toBe("A+B");
  expect(found(pf('return hasp["modifyAction"]({ arg, reason: "" });', { head: all }))).toBe("modifies");
  const foreign = 'import { injectContext } from "./elsewhere";\nconst HINT = "x";\n';
  expect(found(pf('return injectContext(HINT, "");', { head: foreign }))).toBe("modifies and builds");
});

test("a constant that holds an imported function is followed", () => {
  expect(found(pf('return act({ arg, reason: "" });', { top: "const act = modifyAction;" }))).toBe(
    "modifies",
  );
  expect(found(pf('return say(HINT, "");', { top: "const say = injectContext;" }))).toBe("A+B");
});

test("helpers of the file are followed, for interventions and for texts", () => {
  const top = `
function hint(): Intervention { return injectContext(HINT, "why"); }
const act = (arg: string): Intervention => modifyAction({ arg, reason: "why" });
function choose(many: boolean): string { if (many) return HINT; return OTHER; }
function build(question: string): string { return HINT + question; }
function round(n: number): Intervention { return n > 0 ? round(n - 1) : hint(); }
function grow(n: number): string { return n > 0 ? grow(n - 1) : HINT; }`;
  expect(found(pf("return hint();", { top }))).toBe("A+B");
  expect(found(pf("return act(arg);", { top }))).toBe("modifies");
  expect(found(pf('return injectContext(choose(ctx.hasRead), "");', { top }))).toBe("A+B");
  expect(found(pf('return injectContext(build(ctx.question), "");', { top }))).toBe("builds");
  expect(found(pf("return round(3);", { top }))).toBe("A+B");
  expect(found(pf('return injectContext(grow(3), "");', { top }))).toBe("builds");
});

test("methods, fields and tables of constants are followed", () => {
  const fields =
    'private readonly hint = "x"; private readonly made = HINT; private loose = "x"; private say(): Intervention { return injectContext(this.hint, ""); }';
  expect(found(pf("return this.say();", { fields }))).toBe("A+B");
  expect(found(pf('return injectContext(this.made, "");', { fields }))).toBe("A+B");
  expect(found(pf('return injectContext(this.loose, "");', { fields }))).toBe("builds");
  const top =
    "const TABLE: Record<string, string> = { SEARCH: HINT, FINAL: OTHER };\nconst LINES = [HINT, OTHER];";
  expect(found(pf('return injectContext(TABLE[actionType] ?? HINT, "");', { top }))).toBe("A+B");
  expect(found(pf('return injectContext(LINES.join("\\n"), "");', { top }))).toBe("A+B");
  const spoilt = `${top}\nfunction spoil(text: string): void { TABLE.SEARCH = text; }`;
  expect(found(pf('return injectContext(TABLE[actionType] ?? HINT, "");', { top: spoilt }))).toBe("builds");
});

test("an async intervene and a promise are followed", () => {
  const source = pf('return injectContext(HINT, "");').replace("  intervene(", "  async intervene(");
  expect(found(source)).toBe("A+B");
  expect(found(pf('return Promise.resolve(injectContext(HINT, "")) as never;'))).toBe("A+B");
  expect(found(pf("return Promise.resolve(modifyAction({ arg, reason: arg })) as never;"))).toBe("modifies");
});

test("an arrow function in a field is an intervene, and a class that is rewired is not trusted", () => {
  const base = pf("return noop(arg);").replace(/ {2}intervene\(.*\n/, "");
  expect(
    found(base.replace("\n}\n", '\n  intervene = (): Intervention => injectContext(HINT, "");\n}\n')),
  ).toBe("A+B");
  expect(found(`${pf('return noop("");')}\nSample.prototype.intervene = (() => 1) as never;`)).toBe(
    "modifies and builds",
  );
  expect(
    found(
      pf('return noop("");', {
        fields: 'constructor() { super(); (this as any)["inter" + "vene"] = () => 1; }',
      }),
    ),
  ).toBe("modifies and builds");
  expect(found(pf('return noop("");', { fields: '["inter" + "vene"]() { return 1; }' }))).toBe(
    "modifies and builds",
  );
});

test.each([
  [
    "a constructor that returns another PF",
    "constructor() { super(); return { intervene: modifyAction } as never; }",
  ],
  ["a PF that is handed to other code", "constructor() { super(); rig(this, 'inter' + 'vene'); }"],
  ["a member that is there twice", 'intervene(): Intervention { return noop(""); }'],
])("what may replace intervene is not trusted: %s", (_name, fields) => {
  expect(found(pf('return injectContext(HINT, "");', { fields }))).toBe("modifies and builds");
});

test.each([
  ["nothing", ""],
  ["prose", "this is no program at all"],
  ["no class", "export default 3;"],
  ["no intervene", "export default class A { shouldActivate() { return true; } }"],
  ["a generator", pf('return noop("");').replace("  intervene(", "  *intervene(")],
  ["a bare return", pf("return;")],
  ["a line that breaks off", pf('return injectContext(HINT, "");').replace('"Read it again."', '"Read it')],
  ["an abyss", `${HEAD}const x = ${"(".repeat(20_000)}1${")".repeat(20_000)};`],
  ["a NUL", "export default class A { intervene() { } }\0"],
])("a source that cannot be read is not prompt-equivalent: %s", (_name, source) => {
  expect(found(source)).toBe("modifies and builds");
});
