import { withClosingFence, withFrontmatter } from "./frontmatter-fixes.ts";
import { firstCharacters } from "../model/characters.ts";
import type { Fix } from "../model/diagnostic.ts";
import type { Report } from "./report.ts";
import type { SourceText } from "./source-text.ts";

/** Where the parts of a SKILL.md stand, as offsets. */
export interface Fences {
  /** Of the opening `---`. */
  readonly open: number;
  /** After these three dashes. */
  readonly yaml: number;
  /** Of the closing `---`. */
  readonly close: number;
  readonly body: number;
}

const ADD_FENCES = "Begin the file with a line `---`, then `name:` and `description:`, then a line `---`.";
const FENCE = /^---[ \t]*$/;
/** What people and their editors write for three dashes. */
const NEARLY = /^[ \t]*(?:[-—–]{1,20}|\.{3})[ \t]*$/;
const KEY = /^["']?[\w.-]+["']?[ \t]*:(?:[ \t]|$)/;
/** A line that may stand among keys. */
const IN_KEYS = /^(?:\s|-\s|#|$)|^["']?[\w.-]+["']?\s*:/;
/** Lines above frontmatter that are looked at. */
const MOST_ABOVE = 50;

interface Line {
  readonly start: number;
  readonly text: string;
}

/** The lines from an offset on, at most so many. A carriage return alone ends none: for hosts, it does not. */
function* linesFrom(text: string, from: number, most = Number.POSITIVE_INFINITY): Generator<Line> {
  for (let [start, count] = [from, 0]; start <= text.length && count < most; count++) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    yield { start, text: text.slice(start, end).replace(/\r$/, "") };
    start = end + 1;
  }
}

/** Where the frontmatter is; reports what is wrong with its fences. `folder`: the name that a fix gives to a skill without one. */
export function findFences(source: SourceText, report: Report, folder: string): Fences | undefined {
  const { text } = source;
  const open = text.startsWith("\uFEFF") ? 1 : 0;
  const [{ text: first } = { text: "" }] = linesFrom(text, open, 1);
  if (FENCE.test(first)) return closed(source, open, report);
  if (/^---(?!-)/.test(first)) refuseLanguage(source, open, first, report);
  else notAtTheStart(source, open, first, report, folder);
  return undefined;
}

function closed(source: SourceText, open: number, report: Report): Fences | undefined {
  const yaml = open + 3;
  let nearly: Line | undefined;
  let isInKeys = true;
  for (const line of linesFrom(source.text, source.text.indexOf("\n", yaml) + 1 || source.text.length)) {
    if (FENCE.test(line.text)) {
      const feed = source.text.indexOf("\n", line.start);
      return { open, yaml, close: line.start, body: feed === -1 ? source.text.length : feed + 1 };
    }
    if (isInKeys && NEARLY.test(line.text)) nearly ??= line;
    isInKeys &&= IN_KEYS.test(line.text);
  }
  if (nearly === undefined)
    report.error(
      "HASP105",
      source.range(open, yaml),
      "The frontmatter is never closed.",
      "Add a line `---` after the last key.",
      withClosingFence(source, yaml),
    );
  else {
    const range = source.range(nearly.start, nearly.start + nearly.text.trimEnd().length);
    report.error(
      "HASP105",
      range,
      `The frontmatter is never closed: \`${nearly.text.trim()}\` does not end it.`,
      "Write exactly `---`, at the start of the line.",
      [{ title: "Write `---`", edits: [{ range, newText: "---" }] }],
    );
  }
  return undefined;
}

function refuseLanguage(source: SourceText, open: number, line: string, report: Report): void {
  const language = line.slice(3).trim();
  const range = source.range(open + 3, open + line.length);
  report.error(
    "HASP104",
    range,
    `Frontmatter in "${firstCharacters(language, 40)}" is refused: only YAML behind a bare \`---\` is read, and no code is ever run.`,
    "Make the first line exactly `---` and write the keys as YAML.",
    [
      {
        title: "Make the fence a bare `---`",
        edits: [{ range, newText: "" }],
        ...(!/^ya?ml$/i.test(language) && { byHand: true as const }),
      },
    ],
  );
}

/** The first line of dashes with a key below it. */
function lineAbove(
  text: string,
  from: number,
): { readonly fence: Line; readonly isExact: boolean } | undefined {
  const lines = [...linesFrom(text, from, MOST_ABOVE)];
  const at = lines.findIndex(
    (line, i) =>
      NEARLY.test(line.text) &&
      lines
        .slice(i + 1)
        .find(({ text }) => text.trim() !== "")
        ?.text.match(KEY),
  );
  const fence = lines[at];
  return fence === undefined ? undefined : { fence, isExact: FENCE.test(fence.text.trimStart()) };
}

function notAtTheStart(
  source: SourceText,
  open: number,
  first: string,
  report: Report,
  folder: string,
): void {
  const above = lineAbove(source.text, open);
  const dashes = above === undefined ? undefined : above.fence.start + above.fence.text.search(/\S/);
  if (above === undefined || dashes === undefined) {
    report.error(
      "HASP103",
      source.firstLine(),
      "The file does not begin with frontmatter.",
      ADD_FENCES,
      withFrontmatter(source, folder),
    );
  } else if (!above.isExact && above.fence.text === first) {
    const range = source.range(open, open + first.trimEnd().length);
    const edits = [{ range, newText: "---" }];
    const message = `\`${first.trim()}\` does not begin frontmatter.`;
    report.error("HASP103", range, message, "Make the first line exactly `---`.", [
      { title: "Write `---`", edits },
    ]);
  } else {
    const before = source.text.slice(open, dashes);
    const isBlank = before.trim() === "";
    report.error(
      "HASP103",
      source.range(open, isBlank ? dashes : open + before.trimEnd().length),
      isBlank
        ? "The file does not begin with `---`: a blank line or blanks stand before it, and hosts find no frontmatter."
        : "The file does not begin with `---`: a text stands before it, and hosts find no frontmatter.",
      isBlank ? "Delete what stands before `---`." : "Move the text below the frontmatter.",
      above.isExact ? movedBelow(source, open, dashes) : [],
    );
  }
}

/** Takes what stands before the frontmatter away; a text begins the body instead. */
function movedBelow(source: SourceText, open: number, dashes: number): readonly Fix[] {
  const { text } = source;
  const before = text.slice(open, dashes).trim();
  const removed = { range: source.range(open, dashes), newText: "" };
  if (before === "") return [{ title: "Delete what stands before `---`", edits: [removed] }];
  const [, ...below] = linesFrom(text, dashes);
  const close = below.find((line) => FENCE.test(line.text));
  if (close === undefined) return [];
  const feed = text.indexOf("\n", close.start);
  const at = feed === -1 ? text.length : feed + 1;
  const moved = { range: source.range(at, at), newText: `${feed === -1 ? "\n" : ""}\n${before}\n` };
  return [{ title: "Move the text below the frontmatter", edits: [removed, moved] }];
}
