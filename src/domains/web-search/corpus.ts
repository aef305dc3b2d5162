import { START_OF_FILE, type Checked, type Diagnostic } from "../../model/diagnostic.ts";
import { z } from "../../model/zod.ts";
import { diagnosticLog, lineDiagnostic, type DiagnosticLog } from "../../trace/line-diagnostics.ts";

/** A text that a search can find. */
export interface Passage {
  readonly title: string;
  readonly text: string;
}

/** A title with its sentences, as HotpotQA lists them. */
const pair = z.tuple([z.string(), z.array(z.string())]);
const contextSchema = z.union([
  z.array(pair),
  z.object({ title: z.array(z.string()), sentences: z.array(z.array(z.string())) }),
]);
const passageSchema = z.object({ title: z.string().optional(), id: z.string().optional(), text: z.string() });
const hotpotSchema = z.object({ context: contextSchema });
const musiqueSchema = z.object({
  paragraphs: z.array(z.object({ title: z.string(), paragraph_text: z.string() })),
});
const pooledSchema = z.record(z.string(), z.array(z.string()));

/** HotpotQA's sentences bring their own blanks. */
const joined = (sentences: readonly string[]): string => sentences.join("").trim();

function fromContext(context: z.infer<typeof contextSchema>): Passage[] {
  if (Array.isArray(context))
    return context.map(([title, sentences]) => ({ title, text: joined(sentences) }));
  return context.title.map((title, i) => ({ title, text: joined(context.sentences[i] ?? []) }));
}

/** The passages of one JSON value: a passage, or a question with its paragraphs; undefined where it is neither. */
export function passagesOf(value: unknown): readonly Passage[] | undefined {
  const passage = passageSchema.safeParse(value);
  if (passage.success) {
    const { title, id, text } = passage.data;
    return [{ title: title ?? id ?? text.slice(0, 60), text }];
  }
  const hotpot = hotpotSchema.safeParse(value);
  if (hotpot.success) return fromContext(hotpot.data.context);
  const musique = musiqueSchema.safeParse(value);
  if (!musique.success) return undefined;
  return musique.data.paragraphs.map(({ title, paragraph_text: text }) => ({ title, text }));
}

const NEXT =
  "Give one JSON object a line with `title` and `text`, HotpotQA or MuSiQue questions with their paragraphs, or one JSON array of such objects.";

function fileError(file: string, message: string): Diagnostic {
  return { code: "HASP546", severity: "error", message, next: NEXT, file, range: START_OF_FILE };
}

function noPassage(file: string, line: number, why: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP545",
    file,
    line,
    message: `there is no passage here: ${why}.`,
    next: NEXT,
  });
}

/** A whole file that is one JSON value: an array of passages or questions, or an object from titles to sentences. */
function parseWhole(value: unknown, file: string, log: DiagnosticLog): Passage[] {
  const pooled = pooledSchema.safeParse(value);
  if (pooled.success)
    return Object.entries(pooled.data).map(([title, sentences]) => ({ title, text: joined(sentences) }));
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.flatMap((entry, i) => {
    const found = passagesOf(entry);
    if (found === undefined) log.add(() => fileError(file, `Entry ${i + 1} of the array holds no passage.`));
    return found ?? [];
  });
}

function parseLines(text: string, file: string, log: DiagnosticLog): Passage[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const value = parseJson(line);
    const found = value === undefined ? undefined : passagesOf(value);
    if (found === undefined)
      log.add(() =>
        noPassage(
          file,
          at,
          value === undefined
            ? "it is not complete JSON"
            : "it has no `text`, no `context` and no `paragraphs`",
        ),
      );
    return found ?? [];
  });
}

/** Undefined where the text is no JSON; JSON itself has no `undefined`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Questions share paragraphs: each is kept once, the first where it stood. */
function withoutRepeats(passages: readonly Passage[]): Passage[] {
  const known = new Set<string>();
  return passages.filter(({ title, text }) => {
    const key = `${title}\n${text}`;
    return text.trim() !== "" && !known.has(key) && known.add(key);
  });
}

/**
 * The passages of a corpus file: JSONL or JSON of passages (`title`, `text`), of HotpotQA questions (their contexts, pooled) or
 * of MuSiQue questions, or an object from titles to sentences. What cannot be read is reported; a file with no passage at all
 * has no value. `file` names the place in diagnostics.
 */
export function parseCorpus(text: string, file: string): Checked<readonly Passage[]> {
  const log = diagnosticLog(file);
  const whole =
    /^\s*\[/.test(text) || !text.trim().includes("\n") || /^\s*\{\s*\n/.test(text)
      ? parseJson(text)
      : undefined;
  const passages = withoutRepeats(
    whole === undefined ? parseLines(text, file, log) : parseWhole(whole, file, log),
  );
  if (passages.length > 0) return { value: passages, diagnostics: log.list() };
  return {
    value: undefined,
    diagnostics: [...log.list(), fileError(file, "The file holds no passages to search.")],
  };
}
