/** A PF with something at its top and in its trigger. */
export function hostilePf(top: string, trigger = 'return arg === "";'): string {
  return `import { noop, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";
${top}
export default class Hostile extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    ${trigger}
  }
  intervene(_ctx: StepContext, _type: ActionType, _arg: string): Intervention {
    return noop("nothing");
  }
}
`;
}

const times = (text: string, count: number): string => text.repeat(count);
const each = (count: number, text: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => text(i));

const LETTERS = [..."ABCDEFGHIJKLMNOP"].map((letter) => `"${letter.repeat(16)}"`).join(" | ");
const DIGITS = each(10, (i) => `"${i}"`).join(" | ");

/** Each exceeds the time, the memory or the stack that one file may take, or would without our limits. */
export const HOSTILE_TYPESCRIPT: Readonly<Record<string, string>> = {
  "a chain of 3,000 else if": hostilePf(
    "",
    `if (arg === "x") return true;\n${each(3_000, (i) => `else if (arg === "k${i}") { return ctx.stepCount > ${i}; }`).join("\n")}\nreturn false;`,
  ),
  "four unions in a mapped type": hostilePf(
    `type U = ${LETTERS};
type M = { [K in \`\${U}\${U}\${U}\${U}\`]: K };
type N = { [K in keyof M]: { [L in keyof M]: K | L } };
declare const m: N;
const n: { [K in keyof N]: N[K][keyof N[K]] } = m;
const o: { [K in keyof N as N[K][keyof N[K]]]: K } = n;`,
  ),
  "a sum of 20,000 numbers": hostilePf("", `const n = ${each(20_000, () => "1").join("+")};\nreturn n > 3;`),
  "deep parentheses": hostilePf("", `return ${times("(", 20_000)}true${times(")", 20_000)};`),
  "deep arrays": hostilePf(`const a = ${times("[", 20_000)}${times("]", 20_000)};`),
  "deep objects": hostilePf(`const a = ${times("{a:", 20_000)}1${times("}", 20_000)};`),
  "deep types": hostilePf(`type A = ${times("{a:", 20_000)}1${times("}", 20_000)};`),
  "deep calls": hostilePf("", `return ${times("noop(", 20_000)}""${times(")", 20_000)} === undefined;`),
  "deep type arguments": hostilePf(`const a: ${times("A<", 18_000)}1${times(">", 18_000)};`),
  "deep arrow functions": hostilePf(
    `const x = ${times("<T,>(a: T) => ", 4_000)}1;\nconst y = ${times("a<", 8_000)}1;`,
  ),
  "something like JSX": hostilePf(`const x = ${times("<a b={", 2_000)}1${times("}/>", 2_000)};`),
  "a chain of 10,000 conditions": hostilePf(
    "",
    `return ${each(10_000, (i) => `arg === "${i}" ? true : `).join("")}false;`,
  ),
  "a recursive union": hostilePf(
    `type F<T, D extends 0[]> = D["length"] extends 22 ? T : F<[T, 1], [...D, 0]> | F<[T, 2], [...D, 0]>;
const x: F<0, []> = 5;`,
  ),
  "a recursive conditional type": hostilePf(
    `type R<N extends number, T extends unknown[] = []> = T["length"] extends N ? T : R<N, [...T, { [K in keyof T]: T[K] | N }]>;
type D<T> = { [K in keyof T]: D<T> & { x: K } };
declare const a: D<R<900>>;
const b: D<D<R<900>>>[number][number][number] = a;`,
  ),
  "unions of string literals": hostilePf(
    `type U = ${each(18_000, (i) => `"k${i}"`).join("|")};
type V = ${each(18_000, (i) => `"v${i}"`).join("|")};
type W = { [K in U]: { [L in V]: \`\${K}\${L}\` }[V] }[U];
const w: W = "x";`,
  ),
  "template literal types": hostilePf(
    `type D = ${DIGITS};
type Z = \`\${D}\${D}\${D}\${D}\`;
type Y<T> = T extends \`\${infer A}\${infer B}\` ? (B extends Z ? A : Z extends \`\${B}\${infer C}\` ? C | Y<B> : never) : never;
declare const y: Y<Z>;
const z: { [K in Z]: { [L in Z]: K extends L ? Y<K> : Y<L> }[Z] } = y;`,
  ),
};

/** Answered in time, by a code of its own. */
export const REFUSED_TYPESCRIPT: Readonly<Record<string, readonly [code: string, source: string]>> = {
  "five megabytes": ["HASP215", hostilePf(times("const aaaaaaaaaa = 1;\n", 240_000))],
  "imports in a circle": [
    "HASP207",
    hostilePf('import other from "../imports-in-a-circle/pf";\nimport secret from "../../../../etc/passwd";'),
  ],
  "tuples spread into tuples": [
    "TS2799",
    hostilePf(
      `type T0 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];\n${each(5, (i) => `type T${i + 1} = [${each(10, () => `...T${i}`).join(", ")}];`).join("\n")}\nconst t: T5 = [];`,
    ),
  ],
  "a deep regular expression": [
    "TS2322",
    hostilePf(`const r: string = /${times("(", 9_000)}a${times(")", 9_000)}/;`),
  ],
};
