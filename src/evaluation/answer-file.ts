import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import type { Outcome } from "../model/episode.ts";
import { z } from "../model/zod.ts";
import type { Answered } from "../scoring/score-answers.ts";
import { firstIssue } from "../trace/episode-head.ts";
import { hashText } from "../trace/hash.ts";
import { jsonEntries, type JsonEntry } from "../trace/json-entries.ts";
import { diagnosticLog, lineDiagnostic } from "../trace/line-diagnostics.ts";

const rowSchema = z.object({
  id: z.union([z.string().min(1), z.number()]).optional(),
  question: z.string(),
  sample: z.number().int().nonnegative().optional(),
  pred: z.string().nullable(),
  gold: z.union([z.string(), z.array(z.string())]).nullish(),
  status: z.enum(["correct", "incorrect", "wrong", "halted"]).nullish(),
});
type Row = z.infer<typeof rowSchema>;

const NEXT =
  "Give one JSON object a line with `question`, `pred` (null for none), `gold`, and perhaps `id`, `sample` and `status`.";

const OUTCOMES: Readonly<Record<NonNullable<Row["status"]>, Outcome>> = {
  correct: "correct",
  incorrect: "wrong",
  wrong: "wrong",
  halted: "halted",
};

/** `nth` counts the answers to this question in the file, from 1. */
function answeredOf({ id, question, sample, pred, gold, status }: Row, nth: number): Answered {
  const accepted = gold === undefined || gold === null ? undefined : [gold].flat();
  return {
    id: String(id ?? "").trim() || `q-${hashText(question)}`,
    questionId: `q-${hashText(question)}`,
    sample: sample ?? nth,
    question,
    answer: pred ?? undefined,
    gold: accepted === undefined || accepted.length === 0 ? undefined : accepted,
    recorded: status === undefined || status === null ? undefined : OUTCOMES[status],
  };
}

function badRow(file: string, { line, name }: JsonEntry, problem: string): Diagnostic {
  const what = name === undefined ? "there is no answer here" : `${name} is no answer`;
  return lineDiagnostic({ code: "HASP567", file, line, message: `${what}: ${problem}.`, next: NEXT });
}

/**
 * Answers that another program recorded, as it wrote them: JSONL or one JSON array of `question`, `pred`, `gold`, and where known `id`,
 * `sample` and `status`. Answers with one text of a question are samples of it. The public trajectory files are such files. A row that is none is reported and left out; without any there is no value.
 */
export function parseAnswers(text: string, file: string): Checked<readonly Answered[]> {
  const log = diagnosticLog(file);
  const answers: Answered[] = [];
  const seen = new Map<string, number>();
  for (const entry of jsonEntries(text)) {
    const row = rowSchema.safeParse(entry.value);
    if (row.success) {
      const { question } = row.data;
      const nth = (seen.get(question) ?? 0) + 1;
      seen.set(question, nth);
      answers.push(answeredOf(row.data, nth));
    } else log.add(() => badRow(file, entry, entry.problem ?? firstIssue(row.error)));
  }
  if (answers.length > 0) return { value: answers, diagnostics: log.list() };
  const message = "The file holds no answers.";
  const none = {
    code: "HASP568",
    severity: "error",
    message,
    next: NEXT,
    file,
    range: START_OF_FILE,
  } as const;
  return { value: undefined, diagnostics: [...log.list(), none] };
}
