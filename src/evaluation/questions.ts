import { isLeftOut, type DatasetEntry } from "../domains/dataset-entry.ts";
import { allDatasets } from "../domains/registry.ts";
import type { Question } from "../harness/question.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { z } from "../model/zod.ts";
import type { JsonEntry } from "../trace/json-entries.ts";
import { diagnosticLog, lineDiagnostic, type DiagnosticLog } from "../trace/line-diagnostics.ts";
import { hashText } from "../trace/hash.ts";
import { detectDataset, metaOf, nearestDataset, plainRow, rowsOf } from "./dataset-rows.ts";

/** What HotpotQA's own files call the id. */
const HOTPOT_ID = "_id";

/** A longer whole number has lost digits when it was read. */
const keepsDigits = (answer: string | number): boolean =>
  typeof answer === "string" || !Number.isInteger(answer) || Number.isSafeInteger(answer);
const answer = z.union([z.string(), z.number()]);
const answers = z
  .union([answer, z.array(answer)])
  .refine((given) => [given].flat().every(keepsDigits), "write a whole number of so many digits as a text")
  .transform((given) => [given].flat().map(String));
const rowSchema = z.object({
  id: z.union([z.string().min(1), z.number()]).optional(),
  [HOTPOT_ID]: z.string().min(1).optional(),
  question: z.string().trim().min(1),
  gold: answers.optional(),
  answer: answers.optional(),
  answer_aliases: z.array(z.string()).optional(),
  answerable: z.boolean().optional(),
  dataset: z.string().optional(),
  material: z.string().optional(),
});
type Row = z.infer<typeof rowSchema>;

const NEXT =
  "Give one JSON object a line with `id`, `question` and `gold` (a text or a list); the other lines are not affected.";

/** The accepted answers; test sets are published without any, as no answer or an empty one. */
function goldOf({ gold, answer, answer_aliases: aliases }: Row): readonly string[] | undefined {
  const accepted = [...(gold ?? answer ?? []), ...(aliases ?? [])].filter((text) => text.trim() !== "");
  return accepted.length === 0 ? undefined : [...new Set(accepted)];
}

/** Characters of an id as the name of a file, where every foreign one counts three; file systems take 255. */
const LONGEST_ID = 200;

/** A row without an id, or with one that no file can have as its name, gets one from the text: the same in every run. */
function idOf(row: Row): string {
  const given = String(row.id ?? row[HOTPOT_ID] ?? "")
    .toWellFormed()
    .trim();
  const named = given === "" ? `q-${hashText(row.question)}` : given;
  return encodeURIComponent(named).length > LONGEST_ID ? `q-${hashText(named)}` : named;
}

function questionOf(row: Row, entry: JsonEntry, detected: DatasetEntry | undefined): Question {
  const dataset = detected?.name ?? row.dataset;
  const meta = metaOf(entry, detected);
  return {
    id: idOf(row),
    question: row.question,
    gold: goldOf(row),
    ...(dataset !== undefined && { dataset }),
    ...(meta !== undefined && { meta }),
    ...(row.material !== undefined && { material: row.material }),
  };
}

type Place = Pick<JsonEntry, "line" | "name">;

const orHere = (name: string | undefined, nothing: string): string =>
  name === undefined ? `there is no ${nothing} here` : `${name} is no ${nothing}`;

function badRow(file: string, { line, name }: Place, problem: string): Diagnostic {
  const message = `${orHere(name, "question")}: ${problem}.`;
  return lineDiagnostic({ code: "HASP540", file, line, message, next: NEXT });
}

function repeated(file: string, { line, name }: Place, id: string): Diagnostic {
  const where = name === undefined ? "" : `${name}: `;
  return lineDiagnostic({
    code: "HASP541",
    file,
    line,
    message: `${where}the id ${JSON.stringify(id)} was used before in this file, so the question is left out.`,
    next: "Give each question an id of its own: it names the question's episode.",
  });
}

function problemOf(issues: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  const path = issue?.path.map(String).join(".") ?? "";
  return path === "" ? "it is no object" : `\`${path}\`: ${issue?.message}`;
}

/** The questions of one file as its entries come in. */
export interface QuestionCollector {
  /** The question of an entry; undefined where it has none that is kept, and the log says why. */
  take(entry: JsonEntry, dataset: DatasetEntry | undefined): Question | undefined;
  /** The kept questions in the order of the file. */
  questions(): readonly Question[];
  /** Rows that say of themselves that their paragraphs do not hold the answer. They are not kept. */
  unanswerable(): number;
  /** The finding about those, where there are any. */
  notices(): readonly Diagnostic[];
}

/** Whether a judge can read an accepted answer; undefined: nobody has said that it cannot. */
export type ReadsGold = (accepted: string) => boolean;

/** A warning for a question whose accepted answers its judge cannot read. */
function unreadGold(file: string, { line, name }: Place, gold: string): Diagnostic {
  const where = name === undefined ? "" : `${name}: `;
  const shown = JSON.stringify(gold.length > LONGEST_GOLD ? `${gold.slice(0, LONGEST_GOLD)}…` : gold);
  return lineDiagnostic({
    code: "HASP569",
    severity: "warning",
    file,
    line,
    message: `${where}the judge cannot read the accepted answer ${shown}. An answer with the same text is right; one that equals no accepted answer stays unjudged.`,
    next: "Correct the accepted answer, or let a model decide afterwards: `hasp judge <run> --judge openai:<model>`.",
  });
}

/** Characters of an accepted answer that a finding shows. */
const LONGEST_GOLD = 80;

export function collectQuestions(
  file: string,
  log: DiagnosticLog,
  readsGold: ReadsGold = () => true,
): QuestionCollector {
  const questions = new Map<string, Question>();
  let unanswerable = 0;
  let firstLine = 0;
  return {
    take(entry, dataset) {
      const row = rowSchema.safeParse(plainRow(entry, dataset));
      if (!row.success) {
        log.add(() => badRow(file, entry, entry.problem ?? problemOf(row.error.issues)));
        return undefined;
      }
      if (row.data.answerable === false) {
        if (unanswerable++ === 0) firstLine = entry.line;
        return undefined;
      }
      const question = questionOf(row.data, entry, dataset);
      if (questions.has(question.id)) {
        log.add(() => repeated(file, entry, question.id));
        return undefined;
      }
      questions.set(question.id, question);
      const unread = question.gold?.find((accepted) => !readsGold(accepted));
      if (unread !== undefined) log.add(() => unreadGold(file, entry, unread));
      return question;
    },
    questions: () => [...questions.values()],
    unanswerable: () => unanswerable,
    notices: () => (unanswerable === 0 ? [] : [leftOut(file, firstLine, unanswerable)]),
  };
}

function leftOut(file: string, line: number, count: number): Diagnostic {
  const rows = count === 1 ? "this row is" : `from here on ${count} rows are`;
  return lineDiagnostic({
    code: "HASP561",
    severity: "warning",
    file,
    line,
    message: `${rows} marked as unanswerable (\`answerable: false\`) and left out: no answer to them could be right.`,
    next: "Nothing is to be done; take the data set's answerable edition to have none of them.",
  });
}

/** The finding on a file without any question: with the data set that its rows come nearest to. */
export function noQuestions(file: string, text: string, datasets: readonly DatasetEntry[]): Diagnostic {
  const nearest = nearestDataset(text, datasets);
  const message = ["The file holds no questions.", ...(nearest === undefined ? [] : [nearest])].join(" ");
  return { code: "HASP542", severity: "error", message, next: NEXT, file, range: START_OF_FILE };
}

/**
 * The questions of a file: JSONL with `id`, `question` or `query`, `gold` or `answer`, and `material`, rows of these data sets (by default of
 * all; `docs/datasets.md`), or one JSON array of either. A bad row is reported and left out, and so is an unanswerable one. A file without
 * any question has no value. `file` names the place in diagnostics; accepted answers that `readsGold` refuses are warned of (HASP569).
 */
export function parseQuestions(
  text: string,
  file: string,
  datasets: readonly DatasetEntry[] = allDatasets(),
  readsGold?: ReadsGold,
): Checked<readonly Question[]> {
  const log = diagnosticLog(file);
  const collector = collectQuestions(file, log, readsGold);
  const { entries, layout } = rowsOf(text, file, { datasets });
  for (const entry of entries()) {
    const dataset = layout ?? detectDataset(entry.value, file, datasets);
    if (!isLeftOut(entry.value, dataset)) collector.take(entry, dataset);
  }
  const questions = collector.questions();
  const diagnostics = [...log.list(), ...collector.notices()];
  if (questions.length > 0) return { value: questions, diagnostics };
  return { value: undefined, diagnostics: [...diagnostics, noQuestions(file, text, datasets)] };
}
