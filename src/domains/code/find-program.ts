import { isProse, opensProgram } from "./python-lines.ts";

/** The program in an answer. */
export interface FoundProgram {
  /** Its lines, without fences and prose; the indentation of the first line stays. */
  readonly text: string;
  /** Its range in the answer, fences included. */
  readonly from: number;
  readonly to: number;
  /** It stands between fences that are both there. */
  readonly isFenced: boolean;
}

interface Line {
  readonly text: string;
  readonly from: number;
  /** Behind its newline. */
  readonly to: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  // Behind a byte order mark.
  for (let from = text.startsWith("\u{feff}") ? 1 : 0; from < text.length;) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline + 1;
    lines.push({ text: text.slice(from, newline < 0 ? to : newline).replace(/\r$/, ""), from, to });
    from = to;
  }
  return lines;
}

/** An opening fence may name a language, and say more of it; a closing one is bare. */
const FENCE =
  /^([ \t]{0,12})(`{3,8}|~{3,8})[ \t]{0,4}([\w+#.-]{0,20}(?:(?:[ \t]{1,8}|\{)[^`\s][^`]{0,200})?)[ \t]{0,8}$/;
/** An opening fence at the end of a line of prose, of which a program never has one. */
function fenceBehindProse(text: string): { readonly column: number; readonly language: string } | undefined {
  const column = text.lastIndexOf("```");
  const language = text.slice(column + 3).trimEnd();
  return column > 0 && /^(?:python|py)3?$/i.test(language) ? { column, language } : undefined;
}

/** A fence that is further in than its opening one does not close it, as in Markdown: it stands in a docstring. */
const FURTHER_IN = 4;
const PYTHON = /^(?:python\d?(?:\.\d+)?|py\d?|python-repl|ipython|)$/i;

function programOf(lines: readonly Line[], indent: string): string {
  const texts = lines.map(({ text }) => (text.startsWith(indent) ? text.slice(indent.length) : text));
  const first = texts.findIndex((text) => text.trim() !== "");
  const last = texts.findLastIndex((text) => text.trim() !== "");
  return first < 0 ? "" : texts.slice(first, last + 1).join("\n");
}

interface Block extends FoundProgram {
  readonly isPython: boolean;
}

const blockOf = (
  inside: readonly Line[],
  { from, to, indent }: { readonly from: number; readonly to: number; readonly indent: string },
): Omit<Block, "isFenced" | "isPython"> => ({ text: programOf(inside, indent), from, to });

/** The blocks between fences. A last block that is not closed goes to the end of the text. */
function fencedBlocks(lines: readonly Line[]): readonly Block[] {
  const blocks: Block[] = [];
  let open:
    | {
        readonly at: number;
        readonly from: number;
        readonly indent: string;
        readonly mark: string;
        readonly language: string;
      }
    | undefined;
  const close = (end: number, isFenced: boolean): void => {
    if (open === undefined) return;
    const { from } = open;
    const to = (isFenced ? lines[end] : lines[end - 1])?.to ?? from;
    const block = blockOf(lines.slice(open.at + 1, end), { from, to, indent: open.indent });
    blocks.push({ ...block, isFenced, isPython: PYTHON.test(/^[\w+#.-]*/.exec(open.language)?.[0] ?? "") });
    open = undefined;
  };
  let isProgram = false;
  let quote: string | undefined;
  for (const [at, { text, from }] of lines.entries()) {
    const [, indent = "", mark = "", language = ""] = FENCE.exec(text) ?? [];
    if (open === undefined) {
      isProgram ||= opensProgram(text);
      quote = quoteAfter(text, quote);
    }
    const behind = open === undefined && !isProgram && mark === "" ? fenceBehindProse(text) : undefined;
    if (behind !== undefined) {
      open = { at, from: from + behind.column, indent: "", mark: "```", language: behind.language };
      continue;
    }
    // A docstring of a program without fences may show some.
    if (mark === "" || (isProgram && quote !== undefined)) continue;
    if (open === undefined) open = { at, from, indent, mark, language };
    else if (language === "" && mark.startsWith(open.mark) && indent.length < open.indent.length + FURTHER_IN)
      close(at, true);
  }
  close(lines.length, false);
  return blocks;
}

/** A text of which only the closing fence is there: a program that a prompt had opened the fence of. */
function beforeLoneFence(lines: readonly Line[]): readonly Block[] | undefined {
  const fences = lines.flatMap(({ text }, at) => (FENCE.test(text) ? [at] : []));
  const [only] = fences;
  if (only === undefined || fences.length > 1) return undefined;
  const before = lines.slice(0, only);
  const isCode = before.some(({ text }) => opensProgram(text)) && !before.some(({ text }) => isProse(text));
  if (!isCode) return undefined;
  const block = blockOf(before, { from: 0, to: lines[only]?.to ?? 0, indent: "" });
  return [{ ...block, isFenced: false, isPython: true }];
}

/** Runs of lines between lines of prose. A docstring may hold prose, so that its lines are never looked at. */
function runsOfCode(lines: readonly Line[]): readonly Block[] {
  const blocks: Block[] = [];
  let run: Line[] = [];
  let quote: string | undefined;
  const end = (): void => {
    const [first] = run;
    const text = programOf(run, "");
    if (first !== undefined && text !== "") {
      const to = run.findLast((line) => line.text.trim() !== "")?.to ?? first.to;
      blocks.push({
        text,
        from: first.from,
        to,
        isFenced: false,
        isPython: run.some((one) => opensProgram(one.text)),
      });
    }
    run = [];
  };
  for (const line of lines) {
    const isInside = quote !== undefined;
    quote = quoteAfter(line.text, quote);
    if (!isInside && isProse(line.text)) end();
    else if (run.length > 0 || line.text.trim() !== "") run.push(line);
  }
  end();
  return blocks;
}

/** The triple quote that is open after a line. */
function quoteAfter(line: string, before: string | undefined): string | undefined {
  let open = before;
  for (const [mark] of line.matchAll(/"""|'''/g)) {
    if (open === undefined) open = mark;
    else if (open === mark) open = undefined;
  }
  return open;
}

const NAME = /^[A-Za-z_]\w{0,200}$/;

/** Whether a program defines a name at its top: a function, a class, or a variable. */
export function defines(program: string, name: string): boolean {
  if (!NAME.test(name)) return false;
  const start = `^(?:(?:(?:async[ \\t]+)?def|class)[ \\t]+${name}[ \\t]*[(:[]`;
  return new RegExp(`${start}|${name}[ \\t]*(?::|=(?!=)))`, "m").test(program);
}

/**
 * A program without the indentation that it has as a whole, as Markdown shows code without fences. What does not define `entry` stays as it
 * is: it may be a body.
 */
export function atMargin(program: string, entry: string | undefined): string {
  const [indent = ""] = /^[ \t]+/.exec(program) ?? [];
  const lines = program.split("\n");
  if (indent === "" || !lines.every((line) => line.startsWith(indent) || line.trim() === "")) return program;
  const flat = lines.map((line) => line.slice(indent.length)).join("\n");
  const isWhole = entry === undefined || defines(flat, entry) || /^class[ \t]+Solution\b/m.test(flat);
  return isWhole ? flat : program;
}

const TOP_LEVEL = /^(?:async[ \t]+def|def|class)[ \t]+(\w+)/gm;
const namesOf = (program: string): readonly string[] =>
  [...program.matchAll(TOP_LEVEL)].map(([, name = ""]) => name);

/** Of a function without its body, as an explanation quotes it. */
const isHead = (program: string): boolean => program.trimEnd().endsWith(":");

/** More than a head, and more than a call or a test of what another block defines. */
function isWhole(program: string): boolean {
  if (isHead(program)) return false;
  if (/^[ \t]*(?:from|import)[ \t]+(?:unittest|pytest)\b/m.test(program)) return false;
  const named = program.matchAll(/^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)/gm);
  const definesMore = [...named].some(([, name = ""]) => !/^(?:test_|Test)/.test(name));
  return definesMore || /\binput[ \t]*\(|\bstdin\b|\bopen[ \t]*\([ \t]*0\b/.test(program);
}

/** Without the blocks that call what an earlier one defines: these show its use, and are no program by themselves. */
function withoutUses(blocks: readonly Block[]): readonly Block[] {
  const before = new Set<string>();
  return blocks.filter(({ text }) => {
    const own = namesOf(text);
    const called = text.replaceAll(/#.*/g, "").matchAll(/(?<![\w.])(\w{1,200})\(/g);
    const isUse = [...called].some(([, name = ""]) => before.has(name) && !own.includes(name));
    for (const name of own) before.add(name);
    return !isUse;
  });
}

/** The last block that defines the entry: as a function or class, else as a variable. */
function definingBlock(blocks: readonly Block[], entry: string): Block | undefined {
  const defining = blocks.filter(({ text }) => !isHead(text));
  return (
    defining.findLast(({ text }) => namesOf(text).includes(entry)) ??
    defining.findLast(({ text }) => defines(text, entry))
  );
}

/**
 * Finds the program in an answer: the block between fences, or the lines of code where there is none, with prose around them or a body
 * alone. Of several it is the last that defines `entry`, else the last that is more than a call or a test, and shows no use of an earlier
 * one, else the last with a line of code, else the last. Undefined where there is no code. Linear in the answer's length.
 */
export function findProgram(answer: string, entry?: string): FoundProgram | undefined {
  const lines = linesOf(answer);
  const fenced = beforeLoneFence(lines) ?? fencedBlocks(lines);
  const found = (fenced.length > 0 ? fenced : runsOfCode(lines)).filter(({ text }) => text !== "");
  const python = found.filter(({ isPython }) => isPython);
  const blocks = python.length > 0 || fenced.length === 0 ? python : found;
  const chosen =
    (entry === undefined ? undefined : definingBlock(blocks, entry)) ??
    withoutUses(blocks).findLast(({ text }) => isWhole(text)) ??
    blocks.findLast(({ text }) => text.split("\n").some(opensProgram)) ??
    blocks.at(-1);
  if (chosen === undefined) return undefined;
  const { text, from, to, isFenced } = chosen;
  return { text, from, to, isFenced };
}
