import type { ShellCommand } from "../../model/coding-context.ts";
import { readBash } from "./bash.ts";
import { readPowerShell } from "./powershell.ts";
import { startReading, topScope, type Dialect, type Reading } from "./shell-reading.ts";
import { condensed } from "./shell-source.ts";

/** UTF-16 code units of a command line that are read; agents write scripts of a few thousand. */
const MAX_SOURCE = 100_000;
/** Of one that is mostly comments, quoted text and here-documents, which cost little. */
const MAX_WHOLE = 400_000;
/** Of a longer one, as many at its end are read piece by piece. */
const MAX_END = 20_000;
/** Texts within texts, as `bash -c "bash -c …"`: deeper than any person goes. */
const MAX_DEPTH = 12;

/**
 * The programs that a command line could run, wherever they stand in it: pipes, lists, subshells, substitutions, functions, branches,
 * loops, and the texts that shells, `eval` and `ssh` are given. Quoted text, comments and heredocs that are data hold none. Never
 * throws; what could not be read is in `errors`, in words for a person.
 */
export function parseShell(source: string, dialect: Dialect): ShellCommand {
  const reading = startReading((text, inner, scope) => {
    if (scope.depth >= MAX_DEPTH) {
      reading.errors.add(`Commands within commands, ${MAX_DEPTH} deep: what is deeper was not read.`);
      reading.unread = true;
      return [];
    }
    const done = new Set([...scope.done, ...text.substitutions]);
    return READERS[inner](text.text, { ...scope, depth: scope.depth + 1, ranged: false, done }, reading);
  });
  const { text, rest } = readable(source, dialect);
  if (isTooDeep(text) || !readWhole(text, dialect, reading, text === source)) {
    reading.errors.add("Nested too deeply to be read whole: its parts were read one by one.");
    reading.unread = true;
    readFlat(text, dialect, reading);
  }
  if (rest !== "") {
    reading.errors.add(
      `Longer than ${MAX_SOURCE} characters: of what lies between them and its end, nothing was read.`,
    );
    reading.unread = true;
    readFlat(rest.slice(-MAX_END), dialect, reading);
  }
  if (CUT.test(source.slice(-MAX_MARK))) {
    reading.errors.add("Its end was cut off before it was read.");
    reading.unread = true;
  }
  const { calls, errors, unread } = reading;
  return { source, dialect, calls, errors: [...errors], ...(unread ? { unread } : {}) };
}

/** The mark that agents/hook/clip.ts leaves where it cuts a command. */
const CUT = /\n… \d+ characters left out …\n$/;
const MAX_MARK = 60;

/** As much of a command line as is read whole, and the rest. */
function readable(source: string, dialect: Dialect): { readonly text: string; readonly rest: string } {
  if (source.length <= MAX_SOURCE) return { text: source, rest: "" };
  const { text, code } = dialect === "bash" ? condensed(source) : { text: source, code: source.length };
  if (code <= MAX_SOURCE && text.length <= MAX_WHOLE) return { text, rest: "" };
  return { text: text.slice(0, MAX_SOURCE), rest: text.slice(MAX_SOURCE) };
}

/** Brackets within brackets, or branches and loops within each other: more than any person writes, and more than a parser's stack holds. */
const MAX_NESTING = 200;
const BRACKETS = { opening: /[({[]/g, closing: /[)}\]]/g } as const;
const WORDS = { opening: /\b(?:if|case|while|until|for)\b/g, closing: /\b(?:fi|esac|done)\b/g } as const;

function isNested(text: string, { opening, closing }: typeof BRACKETS | typeof WORDS): boolean {
  if ((text.match(opening)?.length ?? 0) <= MAX_NESTING) return false;
  let depth = 0;
  for (const [mark] of text.matchAll(new RegExp(`${opening.source}|${closing.source}`, "g"))) {
    depth += mark.search(closing) === 0 ? -1 : 1;
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

const isTooDeep = (text: string): boolean => isNested(text, BRACKETS) || isNested(text, WORDS);

/** False where the parser's stack did not hold it. */
function readWhole(text: string, dialect: Dialect, reading: Reading, ranged = true): boolean {
  try {
    READERS[dialect](text, { ...topScope(), ranged }, reading);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Pieces that a flat reading looks at, and characters of one. */
const MAX_PIECES = 2_000;
const MAX_PIECE = 4_000;

/** Reads a text piece by piece as if nothing were nested: what it could run is in the calls all the same. */
function readFlat(text: string, dialect: Dialect, reading: Reading): void {
  const pieces = new Set(
    text.split(/[;&|()`{}\n]+/).map((piece) => withoutOpening(piece.slice(0, MAX_PIECE))),
  );
  for (const piece of [...pieces].slice(0, MAX_PIECES))
    if (piece !== "") readWhole(piece, dialect, { ...reading, readText: () => [] }, false);
}

/** The command behind the words that open a branch or a loop. */
const withoutOpening = (piece: string): string =>
  piece.trim().replace(/^(?:\s|\$|\b(?:if|then|else|elif|while|until|do|case|in|time|for)\b)+/, "");

const READERS = { bash: readBash, powershell: readPowerShell } as const;
