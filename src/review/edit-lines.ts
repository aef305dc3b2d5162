/** An edit as a reply writes it, before anybody has looked whether it fits the files. */
export interface SaidEdit {
  /** As it was written; perhaps no file of a skill. */
  readonly file: string;
  readonly first: number;
  readonly last: number;
  readonly why: string;
  /** The quoted first line; undefined where it was not quoted. */
  readonly was: string | undefined;
  /** The lines between the fences, joined by \n; undefined where there is no such block, or where it does not end. */
  readonly replacement: string | undefined;
  /** 0-based line of the reply. */
  readonly line: number;
}

/** A reply without its edits. */
export interface WithoutEdits {
  /** Lines of edits are empty, so that the numbers of the others stay. */
  readonly lines: readonly string[];
  readonly edits: readonly SaidEdit[];
  /** 0-based line of the block that does not end, which takes all that follows. */
  readonly open: number | undefined;
}

/** `EDIT pf.ts 12-14: why`, with Markdown around it or without. A quotation is somebody else's word. */
const HEAD =
  /^[\s#*+-]*EDIT[:*]{0,3}\s+[`*]{0,3}([^\s`*:,]{1,80})[`*]{0,3},?\s+(?:[Ll]ines?\s+)?(\d{1,6})(?:\s?[-–]\s?(\d{1,6}))?[*`]{0,3}\s?(?:[:–—-]|$)[*\s]{0,4}(.*)$/;
const WAS = /^[\s*+-]*WAS[:*]{1,3}(.*)$/;
const FENCE = /^(\s{0,8})(`{3,}|~{3,})[^`]*$/;
/** Longer lines are no head of an edit. */
const LONGEST_HEAD = 4000;

/**
 * Takes the edits out of a reply: a head, the quoted line, and a fenced block. Whatever stands in a block is text of a file and
 * is never read as a part of the review. A block that does not end takes the rest of the reply.
 */
export function takeEdits(reply: string): WithoutEdits {
  const lines = reply.split("\n");
  const left = [...lines];
  const edits: SaidEdit[] = [];
  let open: number | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const head = headAt(lines, at);
    if (head === undefined) continue;
    const was = wasAt(lines, at + 1);
    const block = blockAt(lines, was?.next ?? at + 1);
    edits.push({ ...head, was: was?.text, replacement: block?.text, line: at });
    const end = block?.next ?? was?.next ?? at + 1;
    if (block !== undefined && block.text === undefined) open = at;
    left.fill("", at, end);
    at = end - 1;
  }
  return { lines: left, edits, open };
}

function headAt(lines: readonly string[], at: number) {
  const line = lines[at] ?? "";
  const match = line.length > LONGEST_HEAD ? null : HEAD.exec(line);
  if (match === null) return undefined;
  const [, file = "", first = "", last = first, why = ""] = match;
  return { file, first: Number(first), last: Number(last), why: why.trim() };
}

function skipBlank(lines: readonly string[], at: number): number {
  let next = at;
  while (next < lines.length && lines[next]?.trim() === "") next += 1;
  return next;
}

function wasAt(lines: readonly string[], from: number): { text: string; next: number } | undefined {
  const at = skipBlank(lines, from);
  const match = WAS.exec(lines[at] ?? "");
  return match === null ? undefined : { text: match[1] ?? "", next: at + 1 };
}

/** The fenced block there; without a text where it does not end. A fence that is longer may hold shorter ones. */
function blockAt(
  lines: readonly string[],
  from: number,
): { text: string | undefined; next: number } | undefined {
  const at = skipBlank(lines, from);
  const [, indent = "", fence = ""] = FENCE.exec(lines[at] ?? "") ?? [];
  if (fence === "") return undefined;
  const isEnd = (line: string): boolean => {
    const trimmed = line.trim();
    return trimmed.length >= fence.length && trimmed === (fence[0] ?? "").repeat(trimmed.length);
  };
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? "")) end++;
  if (end === lines.length) return { text: undefined, next: end };
  const inside = lines.slice(at + 1, end);
  // A block in an item of a list is indented as a whole.
  const text = inside.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join("\n");
  return { text, next: end + 1 };
}
