import type { Position, Range } from "../../model/diagnostic.ts";
import { phaseNameSchema } from "../../model/skill.ts";
import { proposalsIn, type Proposal } from "./complete-yaml.ts";
import type { LanguageFacts } from "./facts.ts";
import { SKILL_SPECS } from "./skill-specs.ts";
import { yamlCursor } from "./yaml-cursor.ts";

/** What a fix and a completion let the teacher be asked. */
const QUESTION = "Does what was read support the proposed answer?";

/** The line of the closing fence; undefined without frontmatter, the number of lines where it is not closed. */
export function fenceOf(lines: readonly string[]): number | undefined {
  if (!/^\uFEFF?---\s*$/.test(lines[0] ?? "")) return undefined;
  const close = lines.findIndex((line, i) => i > 0 && /^---\s*$/.test(line));
  return close === -1 ? lines.length : close;
}

const HANDLER_HEADING = /^##\s+Handler\s*$/im;

function inFrontmatter(
  lines: readonly string[],
  position: Position,
  facts: LanguageFacts,
): readonly Proposal[] {
  const end = fenceOf(lines) ?? 0;
  // Blank in place of the fence: it is no key.
  const front = ["", ...lines.slice(1, end)];
  const cursor = yamlCursor(front, position);
  if (cursor === undefined) return [];
  const found = proposalsIn(SKILL_SPECS, cursor, facts);
  if (cursor.path.at(-1) !== "handler" || HANDLER_HEADING.test(lines.slice(end).join("\n"))) return found;
  const append = `\n## Handler\n\n${QUESTION}\n`;
  return found.map((one) => (one.label === "llm" ? { ...one, append } : one));
}

/** Whether a line stands in a fenced block of code. */
function isInFence(lines: readonly string[], at: number): boolean {
  return lines.slice(0, at).filter((line) => /^\s*(```|~~~)/.test(line)).length % 2 === 1;
}

function headings(lines: readonly string[], { line: at, character }: Position): readonly Proposal[] {
  const line = lines[at] ?? "";
  const end = fenceOf(lines) ?? 0;
  if (!/^#{1,2}(?!#)[^`]*$/.test(line.slice(0, character)) || isInFence(lines.slice(end), at - end))
    return [];
  const range: Range = { start: { line: at, character: 0 }, end: { line: at, character: line.length } };
  const front = lines.slice(0, end).join("\n");
  const others = [...lines.slice(end, at), ...lines.slice(at + 1)].join("\n");
  const has = (heading: string): boolean => new RegExp(String.raw`^##\s+${heading}\s*$`, "im").test(others);
  const phases = phaseNameSchema.options.filter(
    (name) => new RegExp(String.raw`(?:^|[\s{,])${name}\s*:`, "m").test(front) && !has(`Phase:\\s*${name}`),
  );
  const heading = (label: string, text: string, about: string): Proposal => ({
    kind: "heading",
    label,
    insert: `${label}\n\n\${1:${text}}\n`,
    range,
    detail: "HASP",
    about,
  });
  const asksTeacher = /(?:^|[\s{,])handler\s*:\s*["']?llm\b/m.test(front) && !has("Handler");
  return [
    ...phases.map((name) =>
      heading(
        `## Phase: ${name}`,
        "Say here what to do.",
        "The text of the reminder, where the phase has no `text`.",
      ),
    ),
    ...(asksTeacher ? [heading("## Handler", QUESTION, "What the teacher is asked about each answer.")] : []),
  ];
}

/** What may be written at a position of a SKILL.md: HASP's keys, their values, and headings that HASP reads. Never throws. */
export function completeSkill(text: string, position: Position, facts: LanguageFacts): readonly Proposal[] {
  const lines = text.split(/\r?\n/);
  const end = fenceOf(lines);
  if (end === undefined) return [];
  if (position.line > 0 && position.line < end) return inFrontmatter(lines, position, facts);
  return position.line > end ? headings(lines, position) : [];
}
