import type {
  ComparedEpisode,
  QuestionPair,
  QuestionVerdict,
  RunComparison,
  RunMeasure,
} from "../model/comparison.ts";
import { outcomeSchema, type EpisodeHead, type Outcome } from "../model/episode.ts";
import { textKey } from "../harness/recorded-policy.ts";
import { MEASURE, mcNemar, spreadOf } from "./compare-measures.ts";

/** What a comparison knows of one question of a run. */
export interface RunQuestion extends Pick<EpisodeHead, "questionId" | "question"> {
  readonly episode: ComparedEpisode;
}

const VERDICT_ORDER: readonly QuestionVerdict[] = [
  "lost",
  "won",
  "both_wrong",
  "both_right",
  "unjudged",
  "only_a",
  "only_b",
];

interface Matched<Q> {
  readonly a?: Q;
  readonly b?: Q;
}

/** Of a question without a letter or digit, which is nobody's partner by text. */
const NO_TEXT = textKey("");

/**
 * Two runs by question. Questions are the same by id, else by their text where on either side exactly one question that found no
 * partner has it. Each side holds one episode a question (`questionsOf`, `readTrials`).
 */
export function compareRuns(a: readonly RunQuestion[], b: readonly RunQuestion[]): RunComparison {
  const { matched, byText } = matchQuestions(a, b);
  const pairs = matched.map(pairOf);
  const sorted = VERDICT_ORDER.flatMap((verdict) => pairs.filter((pair) => pair.verdict === verdict));
  const count = (verdict: QuestionVerdict): number => pairs.filter((pair) => pair.verdict === verdict).length;
  return {
    verdicts: record(VERDICT_ORDER, count),
    outcomes: crossTable(pairs),
    pairs: sorted,
    pValue: mcNemar(count("won"), count("lost")),
    measures: measuresOf(pairs),
    byText,
  };
}

function record<K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
}

/** What names a question. */
type Named = Pick<EpisodeHead, "questionId" | "question">;

/**
 * Of these questions, those that are the one asked: of its id, else of its text, since ids are made by whoever wrote the run.
 */
export function sameQuestions<Q extends Named>(asked: Named, among: readonly Q[]): readonly Q[] {
  const byId = among.filter(({ questionId }) => questionId === asked.questionId);
  const key = textKey(asked.question);
  if (byId.length > 0 || key === NO_TEXT) return byId;
  return among.filter(({ question }) => textKey(question) === key);
}

/** How many questions two runs share, and how many of those by text alone, as `compareRuns` pairs them. */
export function sharedQuestions(
  a: readonly Named[],
  b: readonly Named[],
): { readonly shared: number; readonly byText: number } {
  const { matched, byText } = matchQuestions(oncePerId(a), oncePerId(b));
  return { shared: matched.filter((pair) => pair.a !== undefined && pair.b !== undefined).length, byText };
}

function oncePerId(questions: readonly Named[]): Named[] {
  const first = new Map<string, Named>();
  for (const one of questions) if (!first.has(one.questionId)) first.set(one.questionId, one);
  return [...first.values()];
}

function matchQuestions<Q extends Named>(
  a: readonly Q[],
  b: readonly Q[],
): { matched: Matched<Q>[]; byText: number } {
  const ofB = new Map(b.map((question) => [question.questionId, question]));
  const inA = new Set(a.map(({ questionId }) => questionId));
  const textsA = uniqueTexts(a.filter(({ questionId }) => !ofB.has(questionId)));
  const textsB = uniqueTexts(b.filter(({ questionId }) => !inA.has(questionId)));
  const taken = new Set<Q>();
  let byText = 0;
  const matched = a.map((one): Matched<Q> => {
    const key = textKey(one.question);
    const sameText = textsA.get(key) === one ? textsB.get(key) : undefined;
    const other = ofB.get(one.questionId) ?? sameText;
    if (other === undefined) return { a: one };
    if (other.questionId !== one.questionId) byText++;
    taken.add(other);
    return { a: one, b: other };
  });
  return { matched: [...matched, ...b.filter((one) => !taken.has(one)).map((one) => ({ b: one }))], byText };
}

/** The questions whose text no other of them has. */
function uniqueTexts<Q extends Named>(questions: readonly Q[]): ReadonlyMap<string, Q> {
  const groups = Map.groupBy(questions, ({ question }) => textKey(question));
  return new Map(
    [...groups].flatMap(([key, [first, ...others]]) =>
      first === undefined || others.length > 0 || key === NO_TEXT ? [] : [[key, first] as const],
    ),
  );
}

function pairOf({ a, b }: Matched<RunQuestion>): QuestionPair {
  const known = a ?? b;
  return {
    questionId: known?.questionId ?? "",
    question: known?.question ?? "",
    verdict: verdictOf(a?.episode.outcome, b?.episode.outcome),
    ...(a === undefined ? {} : { a: a.episode }),
    ...(b === undefined ? {} : { b: b.episode }),
  };
}

function verdictOf(a: Outcome | undefined, b: Outcome | undefined): QuestionVerdict {
  if (b === undefined) return "only_a";
  if (a === undefined) return "only_b";
  if (a === "unjudged" || b === "unjudged") return "unjudged";
  const [rightA, rightB] = [a === "correct", b === "correct"];
  if (rightA === rightB) return rightA ? "both_right" : "both_wrong";
  return rightB ? "won" : "lost";
}

function crossTable(pairs: readonly QuestionPair[]): RunComparison["outcomes"] {
  const outcomes = outcomeSchema.options;
  const table = record(outcomes, () => record(outcomes, () => 0));
  for (const { a, b } of pairs) if (a !== undefined && b !== undefined) table[a.outcome][b.outcome] += 1;
  return table;
}

function measuresOf(pairs: readonly QuestionPair[]): RunComparison["measures"] {
  const both = pairs.flatMap(({ a, b }) => (a === undefined || b === undefined ? [] : [{ a, b }]));
  const steps = {
    a: spreadOf(both.map(({ a }) => a.steps)),
    b: spreadOf(both.map(({ b }) => b.steps)),
  };
  if (!both.some(({ a, b }) => a.measures !== undefined && b.measures !== undefined)) return { steps };
  const of = (side: ComparedEpisode, name: RunMeasure): number | undefined =>
    side.measures === undefined ? undefined : MEASURE[name](side.measures);
  return record(Object.keys(MEASURE) as RunMeasure[], (name) => ({
    a: spreadOf(both.map(({ a }) => of(a, name))),
    b: spreadOf(both.map(({ b }) => of(b, name))),
  }));
}
