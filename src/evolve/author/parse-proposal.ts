import { REASONING_BEGINS, splitReasoning } from "../../llm/reasoning.ts";
import { START_OF_FILE, type Diagnostic } from "../../model/diagnostic.ts";
import { REVIEWED_FILES, type ReviewedFile } from "../../model/review.ts";

/** The files that a reply holds, and all that is wrong with its form. */
export interface ParsedProposal {
  readonly files: Readonly<Partial<Record<ReviewedFile, string>>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** A block of a reply that is one of our files. */
interface FoundFile {
  readonly name: ReviewedFile;
  readonly text: string;
  readonly closed: boolean;
}

interface Fence {
  readonly char: string;
  readonly length: number;
  readonly info: string;
}

/** A heading, a bold line, an entry of a list or plain words that name one of the files and little else. */
const HEADING =
  /^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+)*[*_`"']*(?:file(?:name)?:?\s+)?[*_`"']*(?:[\w.-]+\/)*(SKILL\.md|pf\.ts|cases\.ya?ml)[*_`"']*\s*(?:\([^)]*\))?\s*:?[*_`]*\s*$/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;
const NAME_IN_INFO = /(?:^|[\s=:"'/{])(SKILL\.md|pf\.ts|cases\.ya?ml)\b/i;
/** Lines between a heading and its block. */
const MOST_WORDS_BETWEEN = 4;
/** Longer lines are no heading: the pattern has blanks and marks side by side, and takes the square of a long run of them. */
const LONGEST_HEADING = 300;
/** Characters of a reply that are read. A skill has some thousand. */
const READ_CHARS = 2_000_000;

/** The file that a heading names, as it is written there. */
const headingOf = (line: string): string | undefined =>
  line.length > LONGEST_HEADING ? undefined : HEADING.exec(line)?.[1];

const named = (text: string): ReviewedFile =>
  /^s/i.test(text) ? "SKILL.md" : /^p/i.test(text) ? "pf.ts" : "cases.yaml";

/**
 * Reads the files out of an author's reply: blocks under headings with their names. Words around them do not matter; reasoning is dropped; of
 * two blocks for one file the last counts. What is longer than any reply is cut off. Takes time in proportion to the reply, which a stranger's server
 * may have made for us. Never throws. Findings: HASP645 a file that is missing, HASP646 no cases, HASP647 a block without an end.
 */
export function parseProposal(whole: string, isCutOff = false): ParsedProposal {
  const reply = withoutReasoning(whole.slice(0, READ_CHARS).replaceAll(/\r\n?/g, "\n"));
  const cutOff = isCutOff || whole.length > READ_CHARS;
  const found = filesIn(reply);
  const files = Object.fromEntries(found.map(({ name, text }) => [name, text]));
  const latest = new Map(found.map((file) => [file.name, file]));
  const diagnostics = [
    ...REVIEWED_FILES.filter((name) => !latest.has(name)).map((name) => missing(name, cutOff)),
    ...[...latest.values()].filter(({ closed }) => !closed).map(({ name }) => notClosed(name, cutOff)),
  ];
  return { files, diagnostics };
}

/** Without the thoughts that a reasoning model writes before its reply. Some servers send only the end of it. */
export function withoutReasoning(reply: string): string {
  const { reasoning, text } = splitReasoning(reply);
  // A file of the reply may hold the mark of an end.
  const isFile = reasoning.split("\n").some((line) => headingOf(line) !== undefined);
  return isFile && !REASONING_BEGINS.test(reply) ? reply : text;
}

function missing(name: ReviewedFile, cutOff: boolean): Diagnostic {
  const why = cutOff ? " It was cut off at its longest allowed length." : "";
  const isNeeded = name !== "cases.yaml";
  return {
    code: isNeeded ? "HASP645" : "HASP646",
    severity: isNeeded ? "error" : "warning",
    message: `The reply has no ${name}.${why}`,
    next: `Write a fenced block under a heading \`### ${name}\`.`,
    range: START_OF_FILE,
  };
}

function notClosed(name: ReviewedFile, cutOff: boolean): Diagnostic {
  return {
    code: "HASP647",
    severity: cutOff ? "error" : "warning",
    message: cutOff
      ? `The reply was cut off at its longest allowed length within ${name}.`
      : `The block of ${name} has no closing fence.`,
    next: cutOff ? "Write less." : "Close the block.",
    range: START_OF_FILE,
  };
}

function fenceOf(line: string): Fence | undefined {
  const found = FENCE.exec(line);
  const [, marks = "", rest = ""] = found ?? [];
  const info = rest.trim();
  // A line such as "```js``` is code" opens nothing.
  if (found === null || (marks.startsWith("`") && info.includes("`"))) return undefined;
  return { char: marks.charAt(0), length: marks.length, info };
}

const closes = (line: string, open: Fence): boolean => {
  const fence = fenceOf(line);
  return fence !== undefined && fence.info === "" && fence.char === open.char && fence.length >= open.length;
};

function filesIn(reply: string): FoundFile[] {
  const lines = reply.split("\n");
  const next = nextFiles(lines);
  const found: FoundFile[] = [];
  let heading: { readonly name: ReviewedFile; readonly line: number } | undefined;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const headed = headingOf(line);
    if (headed !== undefined) heading = { name: named(headed), line: i };
    const fence = fenceOf(line);
    if (fence === undefined) continue;
    const pending =
      heading !== undefined && i - heading.line <= MOST_WORDS_BETWEEN + 1 ? heading.name : undefined;
    const told = toldName(fence, pending);
    const name = told ?? guessedName(fence, lines[i + 1] ?? "");
    const until = fence.length === 3 ? (next[i + 1] ?? lines.length) : lines.length;
    const end = endOf(lines, { from: i + 1, until }, fence, told === "SKILL.md");
    heading = undefined;
    if (name !== undefined) {
      const text = lines.slice(i + 1, end.line).join("\n");
      found.push({ name, text: text.endsWith("\n") || text === "" ? text : `${text}\n`, closed: end.closed });
    }
    i = end.closed ? end.line : end.line - 1;
  }
  return found;
}

/** The file that a block holds, by its info string or by the heading before it. */
function toldName({ info }: Fence, pending: ReviewedFile | undefined): ReviewedFile | undefined {
  const inInfo = NAME_IN_INFO.exec(info)?.[1];
  return inInfo === undefined ? pending : named(inInfo);
}

/** The file that a block without a name holds, by its language. */
function guessedName({ info }: Fence, first: string): ReviewedFile | undefined {
  const language = info.toLowerCase();
  if (/^(?:md|markdown)\b/.test(language) && first.trim() === "---") return "SKILL.md";
  if (/^(?:ts|typescript)\b/.test(language)) return "pf.ts";
  return /^ya?ml\b/.test(language) && first.startsWith("cases:") ? "cases.yaml" : undefined;
}

/**
 * The line that closes a block; where none does before `until`, that line. A block of a SKILL.md may hold blocks in the same fence: there the
 * last closing line counts.
 */
function endOf(
  lines: readonly string[],
  { from, until }: { readonly from: number; readonly until: number },
  open: Fence,
  isSkillMd: boolean,
): { readonly line: number; readonly closed: boolean } {
  const mayNest = isSkillMd && open.length === 3;
  let last: number | undefined;
  for (let i = from; i < until; i++) {
    if (!closes(lines[i] ?? "", open)) continue;
    last = i;
    if (!mayNest) break;
  }
  return last === undefined ? { line: until, closed: false } : { line: last, closed: true };
}

/** Whether a line begins another file: its heading, with a block soon after, or a block whose info string names it. */
function beginsFile(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (NAME_IN_INFO.test(fenceOf(line)?.info ?? "")) return true;
  return headingOf(line) !== undefined && opensSoon(lines, at);
}

/** For each line the next one, itself included, that begins a file: there ends a fence of three, whether or not it was closed. */
function nextFiles(lines: readonly string[]): readonly number[] {
  const next = Array.from(lines, () => lines.length);
  for (let at = lines.length - 1; at >= 0; at--)
    next[at] = beginsFile(lines, at) ? at : (next[at + 1] ?? lines.length);
  return next;
}

function opensSoon(lines: readonly string[], heading: number): boolean {
  const after = lines.slice(heading + 1, heading + 2 + MOST_WORDS_BETWEEN);
  return after.some((line) => (fenceOf(line)?.info ?? "") !== "");
}

const LANGUAGES: Readonly<Record<ReviewedFile, string>> = {
  "SKILL.md": "markdown",
  "pf.ts": "ts",
  "cases.yaml": "yaml",
};

/** The files as an author is asked to write them; `parseProposal` reads the same files back. */
export function renderProposal(files: Readonly<Partial<Record<ReviewedFile, string>>>): string {
  return REVIEWED_FILES.flatMap((name) => {
    const text = files[name];
    if (text === undefined) return [];
    const longest = Math.max(
      2,
      ...[...text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)].map(([, marks = ""]) => marks.length),
    );
    const fence = "`".repeat(Math.max(name === "SKILL.md" ? 4 : 3, longest + 1));
    const end = text === "" || text.endsWith("\n") ? "" : "\n";
    return [`### ${name}\n\n${fence}${LANGUAGES[name]}\n${text}${end}${fence}\n`];
  }).join("\n");
}
