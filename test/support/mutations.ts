import { REGISTERED } from "../../src/domains/registered.ts";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkPf } from "../../src/skill/pf-rules.ts";
import type { Checker } from "../../src/skill/checker.ts";
import { instrument } from "../../src/skill/instrument.ts";
import { parseCases } from "../../src/skill/parse-cases.ts";
import { parseSkill } from "../../src/skill/parse-skill.ts";
import { fromPortable, toPortable } from "../../src/skill/portable.ts";
import { promptEquivalence } from "../../src/skill/prompt-equivalent.ts";
import { transpile } from "../../src/skill/transpile.ts";
import { ROOT } from "./core.ts";

export type SkillFileName = "SKILL.md" | "pf.ts" | "cases.yaml";

export interface Mutant {
  readonly name: SkillFileName;
  readonly file: string;
  readonly text: string;
}

type Random = () => number;

/** mulberry32: the same numbers for the same seed on every machine. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What breaks readers: punctuation of YAML, Markdown and TypeScript, odd characters, deep nesting, long runs. */
const NOISE = [
  "---\n",
  "\n\n",
  ":",
  "- ",
  "[",
  "{",
  "}",
  "]",
  "|",
  ">",
  "&a ",
  "*a",
  "!!js ",
  "? ",
  "#",
  "'",
  '"',
  "`",
  "${",
  "\t",
  "\r",
  "\0",
  "\uFEFF",
  "\u2028",
  "\u202e",
  "\ud800",
  "é",
  "👩‍👩‍👧",
  "__proto__: 1\n",
  "<<: *a\n",
  "1e999",
  ".inf",
  "-0",
  "0x",
  "1:30",
  "null",
  "~",
  "## Phase: ",
  "## Handler\n",
  "metadata:\n  hasp:\n",
  "  hasp_title: x\n",
  "async ",
  "await ",
  "class ",
  "extends ",
  "=>",
  "/*",
  "*/",
  "<any>",
  "as never",
  "import x from 'y';\n",
  "while(1);",
  "/(a+)+$/",
  "new Function('')",
  "export default ",
  "[".repeat(400),
  "{a: ".repeat(200),
  "(".repeat(300),
  "x".repeat(5_000),
  "!".repeat(200),
  "a.".repeat(300),
  "- ".repeat(300),
] as const;

function pick<T>(list: readonly T[], random: Random): T | undefined {
  return list[Math.floor(random() * list.length)];
}

function mutateOnce(text: string, other: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1));
  const length = Math.floor(random() ** 3 * 200);
  const lines = text.split("\n");
  const line = Math.floor(random() * lines.length);
  switch (Math.floor(random() * 8)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at) + (pick(NOISE, random) ?? "") + text.slice(at);
    case 2:
      return (
        text.slice(0, at) + text.slice(at, at + length).repeat(1 + Math.floor(random() * 4)) + text.slice(at)
      );
    case 3:
      return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 65_536)) + text.slice(at + 1);
    case 4:
      return lines.toSpliced(line, 1).join("\n");
    case 5:
      return lines.toSpliced(line, 0, lines[Math.floor(random() * lines.length)] ?? "").join("\n");
    case 6:
      return lines
        .with(line, " ".repeat(Math.floor(random() * 12)) + (lines[line] ?? "").trimStart())
        .join("\n");
    default:
      return text.slice(0, at) + other.slice(Math.floor(random() * other.length)).slice(0, 400);
  }
}

/** The files of every shipped skill, by name. */
export function shippedFiles(): ReadonlyMap<SkillFileName, readonly Mutant[]> {
  const all = readdirSync(path.join(ROOT, "skills"), { recursive: true, encoding: "utf8" }).toSorted();
  const named = (name: SkillFileName): Mutant[] =>
    all
      .filter((file) => path.basename(file) === name)
      .map((file) => ({
        name,
        file: `skills/${file}`,
        text: readFileSync(path.join(ROOT, "skills", file), "utf8"),
      }));
  return new Map((["SKILL.md", "pf.ts", "cases.yaml"] as const).map((name) => [name, named(name)]));
}

/** The `n`th mutant of a seed: a shipped file with one to six changes. Of ten five are a SKILL.md, four a cases.yaml and one a pf.ts, which costs as much as the others together. */
export function mutant(shipped: ReturnType<typeof shippedFiles>, seed: number, n: number): Mutant {
  const random = randomOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b));
  const name = n % 10 === 9 ? "pf.ts" : n % 2 === 0 ? "SKILL.md" : "cases.yaml";
  const from = pick(shipped.get(name) ?? [], random);
  const other = pick(shipped.get(name) ?? [], random);
  if (from === undefined || other === undefined) throw new Error(`No ${name} is shipped`);
  let text = from.text;
  for (let i = Math.floor(random() * 6); i >= 0; i--) text = mutateOnce(text, other.text, random);
  return { ...from, text };
}

/** All that the checker does with one file; the number of its findings. Throws where a reader does, which is a bug. */
export function checkMutant({ name, file, text }: Mutant, checker: Checker): number {
  const where = { file, folder: file.split("/").at(-2) ?? "" };
  if (name === "SKILL.md") {
    const found = parseSkill(text, where, REGISTERED).diagnostics;
    const portable = toPortable(text, where, REGISTERED).value;
    if (portable !== undefined) fromPortable(portable, file);
    return found.length;
  }
  if (name === "cases.yaml") return parseCases(text, file, REGISTERED).diagnostics.length;
  const found = checkPf(checker, file, text, REGISTERED);
  transpile(text, file);
  instrument(text, file);
  promptEquivalence(file, text);
  return found.length;
}
