import { afterAll, describe, expect, it } from "vitest";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import { FRESH_STATE, type PfVerdict } from "../../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { pfFrom, question } from "../../support/pf-fixtures.ts";

const host = createPfHost(createSandbox(threadCpuNow));
afterAll(() => host.close());

const pf = (body: string, top = "", fields = ""): string =>
  `import * as hasp from "hasp";
const { ProgramFunction, injectContext, noop } = hasp;
${top}
export default class Made extends ProgramFunction {
  ${fields}
  shouldActivate() { return true; }
  intervene(ctx, type, arg, teacher) { ${body} }
}`;

async function verdictsOf(
  codes: Readonly<Record<string, string>>,
  ask = false,
): Promise<readonly PfVerdict[]> {
  const loaded = await host.load(Object.entries(codes).map(([id, code]) => pfFrom(id, code)));
  expect(loaded.filter((one) => !one.ok)).toEqual([]);
  const states = new Map(Object.keys(codes).map((id) => [id, FRESH_STATE]));
  return host.step(states, question("SEARCH", "x"), ask ? async () => ({ reply: "yes" }) : undefined);
}

/** Every object that a PF can reach from these, and that is not frozen. */
const WALK = `
const caught = (work) => { try { work(); } catch (error) { return error; } };
const nested = () => nested();
function loose(roots, own) {
  const seen = new Set(own);
  const found = [];
  const visit = (value, path) => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
    seen.add(value);
    if (!Object.isFrozen(value)) found.push(path);
    visit(Reflect.getPrototypeOf(value), path + ".__proto__");
    for (const key of Reflect.ownKeys(value)) {
      const property = Reflect.getOwnPropertyDescriptor(value, key);
      for (const part of ["value", "get", "set"]) visit(property[part], path + "." + String(key));
    }
  };
  for (const [name, root] of Object.entries(roots)) {
    if (root !== undefined && own.includes(root)) visit(Reflect.getPrototypeOf(root), name + ".__proto__");
    visit(root, name);
  }
  return found;
}
const generator = function* () {}; const asyncFunction = async () => {}; const asyncGenerator = async function* () {};
const kinds = () => ({
  globalThis, generator, made: generator(), asyncFunction, asyncGenerator, asyncMade: asyncGenerator(), promise: asyncFunction(),
  list: [].values(), map: new Map().values(), set: new Set().values(), text: ""[Symbol.iterator](), match: "".matchAll(/a/g), pattern: /a/,
  wrapped: Iterator.from({ next() {} }), helper: [].values().map((x) => x), lazy: [].values().flatMap((x) => [x]),
  bound: asyncFunction.bind(1), proxy: Proxy.revocable({}, {}).revoke, resolvers: Promise.withResolvers?.().resolve, symbol: Object(Symbol()),
  big: Object(1n), arguments: (function () { return arguments; })(), template: ((parts) => parts)\`a\`,
});
`;

describe("the guest is frozen before a PF is loaded", () => {
  it("all that a PF can reach is, but what it makes itself", async () => {
    const body = `
      const errors = {
        code: caught(() => [].constructor.constructor("1")), code2: caught(() => generator.constructor("1")),
        deep: caught(nested), type: caught(() => null.x), memory: caught(() => { hasp.refuse(1); }),
        asked: caught(() => teacher.ask()),
      };
      const made = { ...kinds(), ...errors, asking: teacher.ask("a") };
      const { globalThis: _, ...fresh } = made;
      const handed = { hasp: { ...hasp }, ctx, teacher, pf: this, ...made };
      return injectContext(loose(handed, [...Object.values(fresh), generator.prototype, asyncGenerator.prototype, ctx.memory, handed.hasp]).join("\\n") || "all frozen", "");`;
    const [verdict] = await verdictsOf({ walks: pf(body, WALK, "needsTeacher = true;") }, true);
    expect(verdict).toMatchObject({ kind: "fired", intervention: { contextText: "all frozen" } });
  });

  it("and so is what it finds while its module is loaded", async () => {
    const top = `${WALK} const found = loose({ ...kinds() }, Object.values({ ...kinds() }));
      const early = loose({ globalThis, hasp: { ...hasp }, mistake: caught(() => [].constructor.constructor("1")) }, []);`;
    const [verdict] = await verdictsOf({
      walks: pf(
        'return injectContext(early.filter((path) => path !== "hasp" && path !== "mistake").join("\\n") || "all frozen", "");',
        top,
      ),
    });
    expect(verdict).toMatchObject({ kind: "fired", intervention: { contextText: "all frozen" } });
  });
});

/** What a PF could do to the errors of the guest and of the language, to speak for another one. */
const FORGERIES: Readonly<Record<string, string>> = {
  "instanceof of the guest's error":
    "Object.defineProperty(mistake.constructor, Symbol.hasInstance, { value: () => true });",
  "the name of the guest's error": 'Object.getPrototypeOf(mistake).name = "forged";',
  "the message of the guest's error":
    'Object.defineProperty(Object.getPrototypeOf(mistake), "message", { get: () => "forged" });',
  "the stack of the guest's error":
    'Object.defineProperty(Object.getPrototypeOf(mistake), "stack", { get: () => "pf:victim:99:1" });',
  "the prototype of the guest's error":
    "Object.setPrototypeOf(Object.getPrototypeOf(mistake), { name: 'forged' });",
  "the name of all errors": 'Error.prototype.name = "forged";',
  "the text of all errors": 'Error.prototype.toString = () => "forged";',
  "the errors of the limits":
    'try { (function f() { f(); })(); } catch (error) { Object.getPrototypeOf(error).message = "forged"; }',
  "stack traces": "Error.prepareStackTrace = () => 'forged'; Error.stackTraceLimit = 0;",
  "the tests of texts": "String.prototype.slice = () => 'forged'; RegExp.prototype.exec = () => ['9'];",
};

describe("a PF cannot speak for another one", () => {
  it.each(Object.entries(FORGERIES))("by %s", async (_what, forge) => {
    const forges =
      pf(`const mistake = (() => { try { [].constructor.constructor("1"); } catch (error) { return error; } })();
      try { ${forge} } catch {}
      return noop("");`);
    const victims = {
      returns: pf("return 1;"),
      throws: pf('throw new TypeError("my own words");'),
      locked: pf("new (class {}).constructor.constructor('1');"),
      recurses: pf("return this.intervene(ctx, type, arg, teacher);"),
    };
    const alone = await verdictsOf(victims);
    const [, ...beside] = await verdictsOf({ forges, ...victims });
    expect(beside).toEqual(alone);
    expect(JSON.stringify(alone)).toContain("TypeError: my own words");
  });

  it("by an error of the sandbox that it catches and changes: what it throws is its own", async () => {
    const changes = pf(
      `try { (function f() { f(); })(); } catch (error) { error.message = "another PF did it"; throw error; }`,
    );
    const [verdict] = await verdictsOf({ changes });
    expect(verdict).toMatchObject({ skillId: "changes", kind: "error", cause: "threw" });
  });

  it("by words of the sandbox in an error of its own: only what the sandbox threw met a limit", async () => {
    const says = pf('throw new Error("interrupted");');
    const hoards = pf('throw new RangeError("out of memory");');
    const verdicts = await verdictsOf({ says, hoards });
    expect(verdicts).toMatchObject([
      { kind: "error", cause: "threw" },
      { kind: "error", cause: "threw" },
    ]);
  });
});

describe("what ordinary code assigns to its own objects works all the same", () => {
  it.each([
    [
      "the message of an error without one",
      'const e = new Error(); e.message = "mine"; return noop(e.message);',
    ],
    ["the name of an error", 'const e = new Error("x"); e.name = "mine"; return noop(e.name);'],
    [
      "the name of an error class",
      'class Mine extends TypeError { constructor() { super(); this.name = "mine"; } } return noop(new Mine().name);',
    ],
    ["toString of an object", 'const o = {}; o.toString = () => "mine"; return noop(`${o}`);'],
    [
      "toString of an error",
      'const e = new RangeError("x"); e.toString = () => "mine"; return noop(String(e));',
    ],
    ["valueOf of an object", 'const o = {}; o.valueOf = () => "mine"; return noop("" + o);'],
    ["constructor of an object", 'const o = {}; o.constructor = "mine"; return noop(o.constructor);'],
    [
      "a table of words that are names of methods",
      'const o = {}; for (const w of ["toString", "constructor", "hasOwnProperty"]) o[w] = (typeof o[w] === "number" ? o[w] : 0) + 1; return noop(Object.keys(o).length === 3 ? "mine" : "");',
    ],
    [
      "the prototype of an old class",
      'function Mine() {} Mine.prototype.toString = () => "mine"; return noop(String(new Mine()));',
    ],
    ["Object.assign", 'return noop(String(Object.assign({}, { toString: () => "mine" })));'],
    ["methods of a list", 'const l = []; l.toString = () => "mine"; return noop(String(l));'],
    ["toString of a function", 'const f = () => 1; f.toString = () => "mine"; return noop(String(f));'],
  ])("%s", async (_what, body) => {
    const [verdict] = await verdictsOf({ ordinary: pf(body) });
    expect(verdict).toMatchObject({ kind: "fired", intervention: { reason: "mine" } });
  });

  it("but not to those that all share", async () => {
    const body = `const tries = [() => { Object.prototype.toString = 1; }, () => { Error.prototype.name = 1; }, () => { Array.prototype.push = 1; },
        () => { Object.freeze({}).toString = 1; }, () => { Reflect.set(Object.prototype, "toString", 1) || null.x; }];
      return noop(String(tries.filter((go) => { try { go(); return true; } catch { return false; } }).length));`;
    const [verdict] = await verdictsOf({ shared: pf(body) });
    expect(verdict).toMatchObject({ kind: "fired", intervention: { reason: "0" } });
  });
});
