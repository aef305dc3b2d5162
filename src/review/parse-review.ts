import { splitReasoning } from "../llm/reasoning.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { DIMENSIONS, type Dimension, type Review, type Said, type Scores } from "../model/review.ts";
import { takeEdits, type SaidEdit } from "./edit-lines.ts";
import { plain, readDecisionLine, readScoreLine, type ScoreLine } from "./review-lines.ts";

/** What a teacher's reply says, once it could be read. */
export interface ReadReview {
  readonly scores: Scores;
  readonly said: Said | undefined;
  readonly comments: Review["comments"];
  readonly suggestions: readonly string[];
  /** As they were written: nobody has looked yet whether they fit the files. */
  readonly edits: readonly SaidEdit[];
}

const LONGEST_COMMENT = 4000;
const MOST_SUGGESTIONS = 50;

type Section = Dimension | "suggestions" | "none";

/** Everything that is found while the lines go by. */
interface Found {
  readonly scores: Map<Dimension, number>;
  /** Where something stood in the place of a score, readable or not. */
  readonly tried: Set<Dimension>;
  readonly texts: Map<Section, string[]>;
  readonly diagnostics: Diagnostic[];
  said: Said | undefined;
  section: Section;
  /** A heading has just named this; a bare number on the next line is its score. */
  heading: Dimension | "decision" | undefined;
}

/**
 * Reads a teacher's reply: five labelled scores, comments, suggestions, perhaps a DECISION line, and edits. Markdown around them does
 * not matter. There is a value only where every dimension has exactly one score in [0, 1], and a DECISION that is there
 * can be read: nothing is guessed or put right. Codes HASP701 (missing), 702 (no number in [0, 1]), 703 (said twice,
 * differently), 704 (DECISION without one of its words), 708 (the block of an edit does not end, and no DECISION comes before it).
 * Ranges are lines of the reply. Never throws.
 */
export function parseReview(reply: string): Checked<ReadReview> {
  const found: Found = {
    scores: new Map(),
    tried: new Set(),
    texts: new Map(),
    diagnostics: [],
    said: undefined,
    section: "none",
    heading: undefined,
  };
  const { lines, edits, open } = takeEdits(withoutThoughts(reply));
  lines.forEach((raw, line) => readLine(raw, line, found));
  const { scores, diagnostics, said, tried } = found;
  for (const name of DIMENSIONS) {
    if (!tried.has(name)) diagnostics.push(problem("HASP701", `${label(name)} has no score.`, 0));
  }
  if (open !== undefined && said === undefined)
    diagnostics.push(
      problem("HASP708", "The block of an EDIT does not end, and may hold the DECISION.", open),
    );
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  const value = {
    scores: Object.fromEntries(scores) as Scores,
    said,
    comments: commentsOf(found.texts),
    suggestions: suggestionsOf(found.texts.get("suggestions") ?? []),
    edits,
  };
  return { value, diagnostics: [] };
}

/** True where a text has lines in the form of a review: a skill whose text does may be addressing the teacher. */
export function looksLikeReview(text: string): boolean {
  return text.split("\n").some((raw) => {
    const kind = readScoreLine(raw)?.kind;
    return kind === "score" || kind === "unreadable" || readDecisionLine(raw)?.word !== undefined;
  });
}

const label = (name: Dimension): string => name.toUpperCase();

function problem(code: string, message: string, line: number): Diagnostic {
  const at = { line, character: 0 };
  const next = "Review again, perhaps with another teacher.";
  return {
    code,
    severity: "error",
    message,
    next,
    file: "the teacher's reply",
    range: { start: at, end: at },
  };
}

/** What a reasoning model thinks before it answers is no answer. Line numbers stay. */
function withoutThoughts(reply: string): string {
  const whole = reply.replace(/\r\n?/g, "\n");
  const { text } = splitReasoning(whole);
  return whole.slice(0, whole.length - text.length).replace(/[^\n]/g, "") + text;
}

function readLine(raw: string, line: number, found: Found): void {
  // A quotation is somebody else's word, and in the suggestions `- Trigger: 1` would be one.
  const quoted = /^\s*>/.test(raw);
  const item = found.section === "suggestions" && /^\s*(?:[-*+]|\d{1,2}[.)])\s/.test(raw);
  if (!quoted && (readDecision(raw, line, found) || (!item && readScore(raw, line, found)))) return;
  const suggestions = quoted ? undefined : /^suggestions? ?(?:$|: ?(.*)$)/i.exec(plain(raw));
  if (!quoted && /^edits ?:?(?: ?none[.]?)?$/i.test(plain(raw))) {
    found.section = "none";
    found.heading = undefined;
    return;
  }
  if (suggestions === undefined || suggestions === null) return keep(raw, found);
  found.section = "suggestions";
  found.heading = undefined;
  keep(suggestions[1] ?? "", found);
}

function keep(text: string, found: Found): void {
  if (text.trim() === "" || /^\s*```/.test(text)) return;
  found.heading = undefined;
  const texts = found.texts.get(found.section) ?? [];
  texts.push(text.trim());
  found.texts.set(found.section, texts);
}

function readDecision(raw: string, line: number, found: Found): boolean {
  const decision = readDecisionLine(raw, found.heading === "decision");
  if (decision === undefined) return false;
  found.section = "none";
  found.heading = decision.kind === "heading" ? "decision" : undefined;
  if (decision.kind === "heading") return true;
  if (decision.word === undefined) {
    found.diagnostics.push(problem("HASP704", "DECISION must be one word of ACCEPT, REVISE, REJECT.", line));
  } else if (found.said !== undefined && found.said !== decision.word) {
    found.diagnostics.push(
      problem("HASP703", `DECISION is said twice: ${found.said} and ${decision.word}.`, line),
    );
  } else found.said = decision.word;
  return true;
}

function readScore(raw: string, line: number, found: Found): boolean {
  const after = found.heading === "decision" ? undefined : found.heading;
  const read = readScoreLine(raw, after);
  if (read === undefined) return false;
  found.section = read.dimension;
  found.heading = read.kind === "heading" ? read.dimension : undefined;
  if (read.kind === "score" || read.kind === "unreadable") found.tried.add(read.dimension);
  if (read.kind === "score") keepScore(read, line, found);
  if (read.kind === "unreadable") {
    const message = `${label(read.dimension)} must be one number from 0 to 1, and not ${JSON.stringify(read.text.slice(0, 40))}.`;
    found.diagnostics.push(problem("HASP702", message, line));
  }
  if (read.kind === "score" || read.kind === "comment") keep(read.text, found);
  return true;
}

function keepScore(read: ScoreLine & { kind: "score" }, line: number, found: Found): void {
  const { dimension, score } = read;
  const before = found.scores.get(dimension);
  if (before !== undefined && before !== score) {
    const message = `${label(dimension)} is scored twice: ${before} and ${score}.`;
    found.diagnostics.push(problem("HASP703", message, line));
  } else found.scores.set(dimension, score);
}

function commentsOf(texts: ReadonlyMap<Section, readonly string[]>): Review["comments"] {
  const given = DIMENSIONS.flatMap((name) => {
    const text = (texts.get(name) ?? []).join("\n").slice(0, LONGEST_COMMENT);
    return text === "" ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}

/** One for each list item; a line that is none goes on with the item before it. */
function suggestionsOf(lines: readonly string[]): readonly string[] {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^(?:[-*+]|\d{1,2}[.)])\s+(.*)$/.exec(line)?.[1];
    const last = items.length - 1;
    if (item !== undefined || last < 0) items.push(item ?? line);
    else items[last] = `${items[last] ?? ""} ${line}`;
  }
  const said = items.filter((item) => !/^(none|nothing|n\/a|-)[.!]?$/i.test(item));
  return said.slice(0, MOST_SUGGESTIONS).map((item) => item.slice(0, LONGEST_COMMENT));
}
