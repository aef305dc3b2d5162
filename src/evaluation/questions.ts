import type { Question } from "../harness/question.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { z } from "../model/zod.ts";
import { diagnosticLog, lineDiagnostic } from "../trace/line-diagnostics.ts";
import { hashText } from "../trace/hash.ts";

/** What HotpotQA's own files call the id. */
const HOTPOT_ID = "_id";

const answers = z.union([z.string(), z.array(z.string())]);
const rowSchema = z.object({
  id: z.union([z.string().min(1), z.number()]).optional(),
  [HOTPOT_ID]: z.string().min(1).optional(),
  question: z.string().trim().min(1),
  gold: answers.optional(),
  answer: answers.optional(),
  answer_aliases: z.array(z.string()).optional(),
});
type Row = z.infer<typeof rowSchema>;

const NEXT =
  "Give one JSON object a line with `id`, `question` and `gold` (a text or a list); the other lines are not affected.";

const listOf = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? [given] : given;

/** The accepted answers; test sets are published without any, as no answer or an empty one. */
function goldOf({ gold, answer, answer_aliases: aliases }: Row): readonly string[] | undefined {
  const accepted = [...listOf(gold ?? answer), ...listOf(aliases)].filter((text) => text.trim() !== "");
  return accepted.length === 0 ? undefined : [...new Set(accepted)];
}

/** Characters of an id as the name of a file, where every foreign one counts three; file systems take 255. */
const LONGEST_ID = 200;

/** A row without an id, or with one that no file can have as its name, gets one from the text: the same in every run. */
function idOf(row: Row): string {
  const given = String(row.id ?? row[HOTPOT_ID] ?? "").toWellFormed();
  const named = given === "" ? `q-${hashText(row.question)}` : given;
  return encodeURIComponent(named).length > LONGEST_ID ? `q-${hashText(named)}` : named;
}

function questionOf(row: Row): Question {
  return { id: idOf(row), question: row.question, gold: goldOf(row) };
}

interface Entry {
  /** 0-based. */
  readonly line: number;
  readonly value: unknown;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The lines of the file, or the entries of a file that is one JSON array; an entry's line is then its place in the array. */
function entriesOf(text: string): Entry[] {
  const whole = /^\s*\[/.test(text) ? parseJson(text) : undefined;
  if (Array.isArray(whole)) return whole.map((value: unknown, line) => ({ line, value }));
  return text
    .split("\n")
    .flatMap((source, line) => (source.trim() === "" ? [] : [{ line, value: parseJson(source) }]));
}

function badRow(file: string, line: number, problem: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP540",
    file,
    line,
    message: `there is no question here: ${problem}.`,
    next: NEXT,
  });
}

function repeated(file: string, line: number, id: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP541",
    file,
    line,
    message: `the id ${JSON.stringify(id)} was used before in this file, so the question is left out.`,
    next: "Give each question an id of its own: it names the question's episode.",
  });
}

function problemOf(
  value: unknown,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): string {
  if (value === undefined) return "it is not complete JSON";
  const [issue] = issues;
  const path = issue?.path.map(String).join(".") ?? "";
  return path === "" ? "it is no object" : `\`${path}\`: ${issue?.message}`;
}

/**
 * The questions of a file: JSONL with `id`, `question`, `gold` or `answer`, HotpotQA rows, or one JSON array of either. A bad row is
 * reported and left out. A file without any question has no value. `file` names the place in diagnostics.
 */
export function parseQuestions(text: string, file: string): Checked<readonly Question[]> {
  const log = diagnosticLog(file);
  const questions = new Map<string, Question>();
  for (const { line, value } of entriesOf(text.replace(/^\uFEFF/, ""))) {
    const row = rowSchema.safeParse(value);
    if (!row.success) {
      log.add(() => badRow(file, line, problemOf(value, row.error.issues)));
      continue;
    }
    const question = questionOf(row.data);
    if (questions.has(question.id)) log.add(() => repeated(file, line, question.id));
    else questions.set(question.id, question);
  }
  if (questions.size > 0) return { value: [...questions.values()], diagnostics: log.list() };
  const none: Diagnostic = {
    code: "HASP542",
    severity: "error",
    message: "The file holds no questions.",
    next: NEXT,
    file,
    range: START_OF_FILE,
  };
  return { value: undefined, diagnostics: [...log.list(), none] };
}
