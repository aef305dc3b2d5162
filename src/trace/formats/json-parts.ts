/** One of several JSON objects that stand one after the other in a text, each over many lines. */
export interface JsonPart {
  readonly text: string;
  /** 0-based line of the whole text in which it begins. */
  readonly line: number;
  /** Lines before it that are no JSON: what a program printed between two objects. */
  readonly foreign: number;
}

/** Begins a line of JSON itself: an object that goes on. */
const GOES_ON = /^[\s"\]},]/;

/**
 * The objects of a text, as console exporters print them: a line `}` ends one, and the next line that begins with `{` begins another.
 * Within a JSON document no line `}` is followed by such a line, so it is one part.
 */
export function jsonParts(text: string): readonly JsonPart[] {
  const parts: JsonPart[] = [];
  const lines = lineCounter(text);
  let from = 0;
  let foreign = 0;
  for (let end = text.indexOf("\n}"); end !== -1; end = text.indexOf("\n}", end + 1)) {
    const next = nextObject(text, end + 2);
    if (next === undefined) continue;
    parts.push({ text: text.slice(from, end + 2), line: lines(from), foreign });
    ({ at: from, foreign } = next);
  }
  if (from < text.length || parts.length === 0 || foreign > 0)
    parts.push({ text: text.slice(from), line: lines(from), foreign });
  return parts;
}

/** Where the object after this place begins, if nothing but whole lines of no JSON stand before it. */
function nextObject(
  text: string,
  after: number,
): { readonly at: number; readonly foreign: number } | undefined {
  let at = after;
  let foreign = -1;
  for (;;) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? text.length : end).trimEnd();
    // Behind the `}` itself nothing may stand.
    if (foreign === -1 ? line !== "" : GOES_ON.test(line)) return undefined;
    if (foreign >= 0 && line.startsWith("{")) return { at, foreign };
    if (end === -1) return foreign > 0 ? { at: text.length, foreign } : undefined;
    if (foreign === -1 || line !== "") foreign++;
    at = end + 1;
  }
}

/** The 0-based line of a position; asked with growing ones. */
function lineCounter(text: string): (position: number) => number {
  let line = 0;
  let counted = 0;
  return (position) => {
    for (let at = text.indexOf("\n", counted); at !== -1 && at < position; at = text.indexOf("\n", counted)) {
      line++;
      counted = at + 1;
    }
    return line;
  };
}
