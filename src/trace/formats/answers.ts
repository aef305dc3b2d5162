import { namedFinal } from "../../model/action-types.ts";
import { EPISODE_SCHEMA, type Episode, type Proposal } from "../../model/episode.ts";
import type { Verdict } from "../../model/verdict.ts";
import { z } from "../../model/zod.ts";
import { firstIssue } from "../episode-head.ts";
import type { JsonEntry } from "../json-entries.ts";
import { joinFindings } from "./answer-joins.ts";
import {
  type FormatProblem,
  type FormatResult,
  type ReaderOptions,
  refuse,
  warning,
} from "./format-reader.ts";
import { asName, compact, isRecord, type JsonRecord, without } from "./records.ts";

/** A question as far as its file tells it. */
export interface KnownQuestion {
  readonly question: string;
  readonly gold?: readonly string[] | undefined;
  /** What the judge needs besides gold; opaque (`Question.material`, harness/question.ts). */
  readonly material?: string | undefined;
}

/** How recorded answers become episodes: the domain that they belong to, and what is known of their questions. */
export interface AnswerReading {
  /** Name of the domain: `facts.domain` of the episodes. */
  readonly domain: string;
  readonly actionTypes: readonly string[];
  readonly finalAction: string;
  /** The proposal that a whole solution is. Never fails. */
  parseReply(text: string): Pick<Proposal, "thought" | "action" | "lenient">;
  /** Equal for two texts of one question. */
  questionKey(text: string): string;
  /** By id; undefined where nobody named a file of questions. */
  readonly questions?: ReadonlyMap<string, KnownQuestion> | undefined;
}

/** Makes an episode of each row of a file, which comes in as an entry of it. Never throws. */
export interface AnswerReader {
  read(entry: JsonEntry): AnswerResult;
  /** After the last row: findings about several rows. */
  end(): FormatResult;
}

export interface AnswerResult extends FormatResult {
  /** What the judge needs of the row's question, by the question's id. */
  readonly materials?: ReadonlyMap<string, string>;
}

/** Judge of the verdicts that a file of answers brings. */
const RECORDED = "recorded";

const text = z.union([z.string(), z.number().transform(String)]);
const rowSchema = z.object({
  id: text.nullish(),
  question_id: text.nullish(),
  // EvalPlus names the question so.
  task_id: text.nullish(),
  model: z.string().nullish(),
  question: z.string().nullish(),
  gold: z.union([text, z.array(text)]).nullish(),
  solution: z.string().nullish(),
  // EvalPlus's name for a solution that begins where the text of its question ends.
  completion: z.string().nullish(),
  answer: text.nullish(),
  correct: z.boolean().nullish(),
  sample: z.number().int().nonnegative().nullish(),
});
type Row = z.infer<typeof rowSchema> & { readonly solution: string };

const KEYS = Object.keys(rowSchema.shape);
const NEXT =
  "Write one object with `question_id` and `solution` for each answer; the other rows are imported without it.";

/** A row of recorded answers, or a list of such rows. */
export function isAnswers(value: unknown): boolean {
  const row = firstRow(value);
  return row !== undefined && typeof solutionOf(row) === "string" && questionIdOf(row) !== "";
}

/** Whether the first row has no text of its question, so that a file of questions has to give it. */
export function lacksQuestion(value: unknown): boolean {
  const question = firstRow(value)?.["question"];
  return typeof question !== "string" || question.trim() === "";
}

function firstRow(value: unknown): JsonRecord | undefined {
  const row: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(row) ? row : undefined;
}

function solutionOf(row: JsonRecord): unknown {
  return row["solution"] ?? row["completion"];
}

function questionIdOf(row: JsonRecord): string {
  return asName(row["question_id"] ?? row["task_id"]).trim();
}

function goldOf({ gold }: Row): readonly string[] | undefined {
  const accepted = [gold ?? []].flat().filter((one) => one.trim() !== "");
  return accepted.length === 0 ? undefined : accepted;
}

/** The row, or what is wrong with it. */
function rowOf({ value, problem }: JsonEntry): Row | string {
  if (problem !== undefined) return problem;
  if (!isRecord(value)) return "an object is expected";
  const parsed = rowSchema.safeParse(value);
  if (!parsed.success) return firstIssue(parsed.error);
  const solution = parsed.data.solution ?? parsed.data.completion;
  if (solution === null || solution === undefined) return "it has no `solution`";
  return questionIdOf(value) === "" ? "it has no `question_id`" : { ...parsed.data, solution };
}

/** Reader of one file of recorded answers. */
export function answerReader({
  name,
  ledger,
  reading,
}: ReaderOptions & { readonly reading: AnswerReading }): AnswerReader {
  const { questions } = reading;
  const joins = joinFindings(questions !== undefined);
  const unnamed = new Map<string, number>();
  const samples = new Set<string>();

  /** Rows without an id are named by their file, their question and their number. */
  function idOf({ id }: Row, questionId: string): string {
    if (id !== undefined && id !== null && id.trim() !== "") return id;
    const number = (unnamed.get(questionId) ?? 0) + 1;
    unnamed.set(questionId, number);
    return `${name}-${questionId}#${number}`;
  }

  /** What the file of questions knows of the row's question; nothing where it has another text under that id. */
  function joined({ question }: Row, questionId: string, line: number): KnownQuestion | undefined {
    const known = questions?.get(questionId);
    if (questions === undefined) return undefined;
    if (known === undefined) {
      if (question?.trim()) joins.add("unknown", line, questionId);
      return undefined;
    }
    if (!question?.trim() || reading.questionKey(question) === reading.questionKey(known.question))
      return known;
    joins.add("reworded", line, questionId);
    return undefined;
  }

  function repeatedSample(
    { model, sample }: Row,
    questionId: string,
    line: number,
  ): readonly FormatProblem[] {
    if (typeof sample !== "number") return [];
    const key = JSON.stringify([questionId, model, sample]);
    if (!samples.has(key)) {
      samples.add(key);
      return [];
    }
    const message = `sample ${sample} of the question ${JSON.stringify(questionId.slice(0, 60))} was used before; this row is imported under the next free number.`;
    return [warning(line, message, "Check whether the row was given twice.")];
  }

  function read(entry: JsonEntry): AnswerResult {
    const { line, name: place } = entry;
    const row = rowOf(entry);
    if (typeof row === "string") {
      ledger.dropped("rows", "they are no answers");
      return refuse(line, `${place ?? "this"} is no recorded answer: ${row}.`, NEXT);
    }
    const value = entry.value as JsonRecord;
    const questionId = questionIdOf(value);
    const known = joined(row, questionId, line);
    const question = row.question?.trim() ? row.question : known?.question;
    if (question === undefined) {
      joins.add("textless", line, questionId);
      ledger.dropped("rows", "the text of their question is not known");
      return { episodes: [], problems: [] };
    }
    const extra = without(value, KEYS);
    for (const key of Object.keys(extra)) ledger.kept(key, "extra of the episode");
    ledger.mapped("rows", "episodes");
    ledger.mapped("questions of --questions", "question, gold, judging.jsonl", known === undefined ? 0 : 1);
    ledger.mapped("correct", "outcome, verdicts", typeof row.correct === "boolean" ? 1 : 0);
    const gold = goldOf(row) ?? known?.gold;
    const about = { id: idOf(row, questionId), questionId, question, gold, extra: compact(extra) };
    const material = known?.material;
    return {
      episodes: [{ episode: episodeOf(row, about, reading) }],
      problems: repeatedSample(row, questionId, line),
      ...(material !== undefined && { materials: new Map([[questionId, material]]) }),
    };
  }

  return { read, end: () => ({ episodes: [], problems: joins.problems() }) };
}

/** What the solution proposes. An answer that the row tells counts, whatever can be read in the solution. */
function proposalOf({ solution, answer }: Row, reading: AnswerReading): Proposal {
  const { finalAction } = reading;
  const completion = { text: solution, finish: "stop" as const };
  const said = reading.parseReply(solution);
  if (answer === undefined || answer === null) return { ...said, completion };
  const thought = said.action.type === finalAction ? said.thought : solution.trim();
  return { thought, action: { type: finalAction, arg: answer }, completion };
}

/** The verdict that the row brings, as an episode and its proposal hold it. */
function verdictsOf({ correct }: Row): { readonly verdicts?: Verdict[] } {
  if (typeof correct !== "boolean") return {};
  return { verdicts: [{ judge: RECORDED, score: correct ? 1 : 0, passed: correct }] };
}

function outcomeOf({ correct }: Row, isAnswer: boolean): Episode["outcome"] {
  if (typeof correct === "boolean") return correct ? "correct" : "wrong";
  return isAnswer ? "unjudged" : "halted";
}

interface About extends Pick<Episode, "id" | "questionId" | "question" | "extra"> {
  readonly gold: readonly string[] | undefined;
}

function episodeOf(row: Row, about: About, reading: AnswerReading): Episode {
  const { domain, actionTypes, finalAction } = reading;
  const proposal = proposalOf(row, reading);
  const { action } = proposal;
  const isAnswer = action.type === finalAction;
  const verdicts = verdictsOf(row);
  const { gold, extra } = about;
  return {
    schema: EPISODE_SCHEMA,
    id: about.id,
    questionId: about.questionId,
    sample: row.sample ?? 1,
    outcome: outcomeOf(row, isAnswer),
    length: 1,
    question: about.question,
    source: "answers",
    facts: {
      domain,
      actionTypes: [...actionTypes],
      ...namedFinal({ finalAction }),
      searchReturnsText: false,
      maxSteps: 1,
    },
    ...(row.model ? { settings: { model: row.model } } : {}),
    library: [],
    steps: [
      {
        t: 0,
        proposals: [isAnswer ? { ...proposal, ...verdicts } : proposal],
        events: [],
        executed: action,
        injected: [],
        observation: "",
      },
    ],
    ...(isAnswer && { answer: action.arg }),
    ...(gold !== undefined && { gold: [...gold] }),
    ...verdicts,
    stopReason: isAnswer ? "final" : "max_steps",
    ...(extra !== undefined && { extra }),
  };
}
