/** A PF that does not come to an end, or takes more than it may. Its source is a pf.ts that type-checks. */
export interface Attack {
  readonly name: string;
  /** When it strikes: as its module is loaded, when it is asked, when it acts, or when its answer is read. */
  readonly at: "load" | "activate" | "intervene" | "answer";
  readonly source: string;
}

interface Parts {
  /** Before the class. */
  readonly top?: string;
  /** In the class. */
  readonly fields?: string;
  readonly activate?: string;
  readonly intervene?: string;
}

/** The PFs act on arguments with this word alone, so that a condition hides what they do. */
export const TRIGGER = "rm";

const pf = ({ top = "", fields = "", activate = "", intervene = "" }: Parts): string =>
  `import { ProgramFunction, noop, type ActionType, type Intervention, type StepContext } from "hasp";
${top}
export default class Attack extends ProgramFunction {
  ${fields}
  shouldActivate(_ctx: StepContext, _type: ActionType, arg: string): boolean {
    if (!arg.includes("${TRIGGER}")) return false;
    ${activate}
    return true;
  }
  intervene(ctx: StepContext, _type: ActionType, _arg: string): Intervention {
    ctx.memory;
    ${intervene}
    return noop("nothing");
  }
}
`;

const SPARSE = "const list: number[] = []; list.length = 4294967295;";
const ENDLESS = "Number.MAX_SAFE_INTEGER";

/** Statements that do not end, by where they stand. */
const STATEMENTS: Readonly<Record<"load" | "activate" | "intervene", Readonly<Record<string, string>>>> = {
  load: {
    loop: "for (;;) {}",
    "native-index-of": `${SPARSE} list.indexOf(1);`,
    "native-fill": `Array.prototype.fill.call({ length: ${ENDLESS} }, 1);`,
    regex: '/^(a+)+$/.test("a".repeat(40) + "!");',
    "bigint-growth": "let n = 3n; for (;;) n *= n;",
    "map-growth":
      'const map = new Map<number, string>(); for (let i = 0; ; i++) map.set(i, "x".repeat(1000) + i);',
    recursion: "const down = (n: number): number => down(n + 1) + 1; down(0);",
    microtasks: "const go = (): Promise<void> => Promise.resolve().then(go); void go();",
    "async-loop": "void (async () => { for (;;) await null; })();",
    "endless-await": "await new Promise(() => {});",
    "endless-iterator": "[...(function* () { for (;;) yield 1; })()];",
    "proxy-keys": "Reflect.ownKeys(new Proxy({}, { ownKeys() { for (;;) {} } }));",
  },
  activate: {
    "caught-loop": "for (;;) { try { for (;;) {} } catch { continue; } }",
    "loop-in-finally": "try { for (;;) {} } finally { for (;;) {} }",
    "native-includes": `Array.prototype.includes.call({ length: ${ENDLESS} }, 1);`,
    "native-last-index-of": `Array.prototype.lastIndexOf.call({ length: ${ENDLESS} }, 1);`,
    "native-reverse": `Array.prototype.reverse.call({ length: ${ENDLESS} });`,
    "native-copy-within": `Array.prototype.copyWithin.call({ length: ${ENDLESS} }, 0, 1);`,
    "native-concat": `for (;;) [].concat({ length: ${ENDLESS}, [Symbol.isConcatSpreadable]: true } as never);`,
    "native-pop": `for (;;) Array.prototype.shift.call({ length: ${ENDLESS} });`,
    "regex-of-lines": '/(.*)*x/.test("a".repeat(2 ** 20));',
    "regex-replace": '"a".repeat(2 ** 20).replace(/(a*)*b/g, "");',
    "long-text": 'let text = "x"; for (;;) text += text + text.length;',
    "long-list": "const all: number[][] = []; for (;;) all.push(new Array<number>(100_000).fill(1));",
    "promise-growth": "for (;;) void Promise.resolve().then(() => 1);",
    "symbol-growth": 'for (let i = 0; ; i++) Symbol.for("x".repeat(1000) + i);',
    "getter-loop": "({ get x(): number { for (;;) {} } }).x;",
    "sort-loop": "[3, 1, 2].sort(() => { for (;;) {} });",
  },
  intervene: {
    "native-join": `for (;;) { try { Array.prototype.join.call({ length: ${ENDLESS} }); } catch { continue; } }`,
    "native-raw": `String.raw({ raw: { length: ${ENDLESS} } as never });`,
    "native-sort": `${SPARSE} list.sort();`,
    "bigint-text": "let n = 3n; for (;;) { n *= 3n ** 9999n; String(n); }",
    "deep-json": 'JSON.parse("[".repeat(2 ** 22));',
    "to-json": "JSON.stringify({ toJSON() { for (;;) {} } });",
    "nested-objects": "let box: object = {}; for (;;) box = { box };",
    "text-of-itself": "const o = { toString(): string { return `${o}`; } }; String(o);",
    "split-text": 'const all: string[][] = []; for (;;) all.push("x".repeat(2 ** 20).split(""));',
    "microtasks-late": "const go = (): Promise<void> => Promise.resolve().then(go); void go();",
    "memory-growth":
      'const kept = ctx.memory as Record<string, unknown>; for (let i = 0; ; i++) kept[`k${i}`] = "x".repeat(1000);',
  },
};

/** What the sandbox would run as it reads the answer, or what was thrown. */
const ANSWERS: Readonly<Record<string, Parts>> = {
  "getter-of-the-answer": { intervene: "return { get type(): never { for (;;) {} }, reason: '' } as never;" },
  "proxy-as-answer": { intervene: "return new Proxy({}, { get() { for (;;) {} } }) as never;" },
  "promise-of-loops": { intervene: "return (async () => { await null; for (;;) {} })() as never;" },
  "endless-promise": { intervene: "return new Promise(() => {}) as never;" },
  "thenable-in-promise": { intervene: "return Promise.resolve({ then() { for (;;) {} } }) as never;" },
  "thrown-getter": {
    intervene: 'throw Object.defineProperty(new Error("x"), "message", { get() { for (;;) {} } });',
  },
  "thrown-text": { activate: "throw { toString() { for (;;) {} } };" },
  "proxy-in-memory": {
    intervene: "(ctx.memory as Record<string, unknown>)['x'] = new Proxy({}, { ownKeys() { for (;;) {} } });",
  },
  "field-loop": { fields: "#n = (() => { for (;;) {} })();" },
  "static-block": { fields: "static { for (;;) {} }" },
  "constructor-loop": { fields: "constructor() { super(); for (;;) {} }" },
};

const AT_LOAD = new Set(["field-loop", "static-block", "constructor-loop"]);

const partsOf = {
  load: (code: string): Parts => ({ top: code }),
  activate: (code: string): Parts => ({ activate: code }),
  intervene: (code: string): Parts => ({ intervene: code }),
};

export const ATTACKS: readonly Attack[] = [
  ...(["load", "activate", "intervene"] as const).flatMap((at) =>
    Object.entries(STATEMENTS[at]).map(([name, code]) => ({ name, at, source: pf(partsOf[at](code)) })),
  ),
  ...Object.entries(ANSWERS).map(([name, parts]) => ({
    name,
    at: AT_LOAD.has(name) ? ("load" as const) : ("answer" as const),
    source: pf(parts),
  })),
];

/** The one of that name. */
export function attack(name: string): Attack {
  const found = ATTACKS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no attack ${name}.`);
  return found;
}
