import { START_OF_FILE, type Checked, type Diagnostic } from "../../model/diagnostic.ts";
import { z } from "../../model/zod.ts";
import { jsonEntries, type JsonEntry } from "../../trace/json-entries.ts";
import { diagnosticLog, lineDiagnostic } from "../../trace/line-diagnostics.ts";
import type { Passage } from "../environment.ts";

export { parseJson } from "../../model/read-json.ts";

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

/** The passages of one JSON value: a passage, a question with its paragraphs, or titles with their sentences; undefined where it is none. */
export function passagesOf(value: unknown): readonly Passage[] | undefined {
  const passage = passageSchema.safeParse(value);
  if (passage.success) {
    const { title, id, text } = passage.data;
    return [{ title: title ?? id ?? text.slice(0, 60), text }];
  }
  const hotpot = hotpotSchema.safeParse(value);
  if (hotpot.success) return fromContext(hotpot.data.context);
  const musique = musiqueSchema.safeParse(value);
  if (musique.success)
    return musique.data.paragraphs.map(({ title, paragraph_text: text }) => ({ title, text }));
  const pooled = pooledSchema.safeParse(value);
  if (!pooled.success) return undefined;
  const entries = Object.entries(pooled.data);
  return entries.length === 0 ? undefined : entries.map(([title, texts]) => ({ title, text: joined(texts) }));
}

const NEXT =
  "Give one JSON object a line with `title` and `text`, questions with their paragraphs, or one JSON array of such objects.";

function noPassage(file: string, { line, name, problem }: JsonEntry): Diagnostic {
  const what = name === undefined ? "there is no passage here" : `${name} holds no passage`;
  return lineDiagnostic({
    code: "HASP545",
    file,
    line,
    message: `${what}: ${problem ?? "it has no `text`, no `context` and no `paragraphs`"}.`,
    next: NEXT,
  });
}

function noPassages(file: string): Diagnostic {
  const message = "The file holds no passages to search.";
  return { code: "HASP546", severity: "error", message, next: NEXT, file, range: START_OF_FILE };
}

/** Pools passages: questions share paragraphs, and each is kept once, the first where it stood. Blank ones are left out. */
export interface PassagePool {
  add(passages: readonly Passage[]): void;
  list(): readonly Passage[];
}

export function passagePool(): PassagePool {
  const known = new Map<string, Passage>();
  return {
    add(passages) {
      for (const passage of passages) {
        const key = `${passage.title}\n${passage.text}`;
        if (passage.text.trim() !== "" && !known.has(key)) known.set(key, passage);
      }
    },
    list: () => [...known.values()],
  };
}

/** Takes the entries of a corpus file one by one, for a caller that has other work between them. */
export function corpusReader(file: string) {
  const log = diagnosticLog(file);
  const pool = passagePool();
  return {
    add(entry: JsonEntry): void {
      const found = entry.value === undefined ? undefined : passagesOf(entry.value);
      if (found === undefined) log.add(() => noPassage(file, entry));
      else pool.add(found);
    },
    result(): Checked<readonly Passage[]> {
      const passages = pool.list();
      if (passages.length > 0) return { value: passages, diagnostics: log.list() };
      return { value: undefined, diagnostics: [...log.list(), noPassages(file)] };
    },
  };
}

/**
 * The passages of a corpus file: JSONL or one JSON array of passages (`title`, `text`) or of questions with their paragraphs (pooled),
 * or an object from titles to sentences. What cannot be read is reported; a file with no passage at all has no value. `file` names the
 * place in diagnostics.
 */
export function parseCorpus(text: string, file: string): Checked<readonly Passage[]> {
  const reader = corpusReader(file);
  for (const entry of jsonEntries(text)) reader.add(entry);
  return reader.result();
}
