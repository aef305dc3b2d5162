import { OUTCOMES, wasRight } from "../model/outcomes.ts";
import type {
  ComparedEpisode,
  ComparedSide,
  QuestionPair,
  QuestionVerdict,
  RunComparison,
  RunMeasure,
  ShareOfRight,
} from "../model/comparison.ts";
import type { EpisodeHead } from "../model/episode.ts";
import { addReplies, NO_REPLIES } from "../model/replies.ts";
import { textKey } from "../harness/recorded-policy.ts";
import { groupFigures, meanOf } from "../scoring/group-figures.ts";
import { meanInterval } from "../scoring/bootstrap.ts";
import { MEASURE, signTest, spreadOf } from "./compare-measures.ts";

/** What a comparison knows of one question of a run. */
export interface RunQuestion extends Pick<EpisodeHead, "questionId" | "question"> {
  /** By number, each once; at least one. */
  readonly samples: readonly ComparedEpisode[];
}

const VERDICT_ORDER: readonly QuestionVerdict[] = [
  "lost",
  "won",
  "tied",
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
 * partner has it. Samples are the same by their number; where a question shares none, the lowest of either side are. Figures are of
 * samples with a partner.
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
    samples: countSamples(pairs),
    pValue: signTest(count("won"), count("lost")),
    right: shareOfRight(pairs),
    measures: measuresOf(pairs),
    ...repliesOf(pairs),
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

/** The two sides of a question that both runs have. */
type Sides = readonly [a: ComparedSide, b: ComparedSide];

const sidesOf = (pairs: readonly QuestionPair[]): Sides[] =>
  pairs.flatMap(({ a, b }): Sides[] => (a === undefined || b === undefined ? [] : [[a, b]]));

type Couple = readonly [a: ComparedEpisode, b: ComparedEpisode];

/** The samples of one question, side by side. */
const couplesOf = ([a, b]: Sides): Couple[] =>
  a.episodes.flatMap((one, i): Couple[] => {
    const other = b.episodes[i];
    return other === undefined ? [] : [[one, other]];
  });

function pairOf({ a, b }: Matched<RunQuestion>): QuestionPair {
  const known = a ?? b;
  const named = { questionId: known?.questionId ?? "", question: known?.question ?? "" };
  if (a === undefined || b === undefined) {
    const alone = known?.samples ?? [];
    const side = sideOf(alone, alone, alone.length);
    return a === undefined
      ? { ...named, verdict: "only_b", b: side }
      : { ...named, verdict: "only_a", a: side };
  }
  const couples = coupled(a.samples, b.samples);
  const judged = couples.filter((couple) => couple.every(({ outcome }) => wasRight(outcome) !== undefined));
  const [sideA, sideB] = ([0, 1] as const).map((side) => {
    const of = (list: readonly Couple[]): ComparedEpisode[] => list.map((couple) => couple[side]);
    const all = (side === 0 ? a : b).samples.length;
    return sideOf(of(couples), of(judged), all - couples.length);
  }) as [ComparedSide, ComparedSide];
  return { ...named, verdict: verdictOf(sideA, sideB), a: sideA, b: sideB };
}

function coupled(a: readonly ComparedEpisode[], b: readonly ComparedEpisode[]): Couple[] {
  const ofB = new Map(b.map((one) => [one.sample, one]));
  const same = a.flatMap((one): Couple[] => {
    const other = ofB.get(one.sample);
    return other === undefined ? [] : [[one, other]];
  });
  const [first, other] = [a[0], b[0]];
  return same.length > 0 || first === undefined || other === undefined ? same : [[first, other]];
}

function sideOf(
  episodes: readonly ComparedEpisode[],
  judged: readonly ComparedEpisode[],
  unpaired: number,
): ComparedSide {
  const scored = judged.flatMap(({ outcome, score }) =>
    score === undefined ? [] : [{ right: outcome === "correct", score }],
  );
  const { samples, right, best, mean } = groupFigures(scored);
  return { episodes, unpaired, right, of: samples, best, mean };
}

function verdictOf(a: ComparedSide, b: ComparedSide): QuestionVerdict {
  if (a.of === 0) return "unjudged";
  if (a.right !== b.right) return b.right > a.right ? "won" : "lost";
  if (a.right === 0) return "both_wrong";
  return a.right === a.of ? "both_right" : "tied";
}

function countSamples(pairs: readonly QuestionPair[]): RunComparison["samples"] {
  const sides = sidesOf(pairs);
  const sum = (of: (sides: Sides) => number): number => sides.reduce((total, both) => total + of(both), 0);
  return {
    paired: sum(([a]) => a.episodes.length),
    onlyA: sum(([a]) => a.unpaired),
    onlyB: sum(([, b]) => b.unpaired),
  };
}

function shareOfRight(pairs: readonly QuestionPair[]): ShareOfRight | undefined {
  const judged = sidesOf(pairs).filter(([{ of }]) => of > 0);
  const [a, b] = ([0, 1] as const).map((side) =>
    judged.map((sides) => sides[side].right / sides[side].of),
  ) as [number[], number[]];
  const interval = meanInterval(b.map((share, i) => share - (a[i] ?? 0)));
  if (interval === undefined) return undefined;
  return { questions: judged.length, a: meanOf(a) ?? 0, b: meanOf(b) ?? 0, ...interval };
}

function crossTable(pairs: readonly QuestionPair[]): RunComparison["outcomes"] {
  const outcomes = OUTCOMES;
  const table = record(outcomes, () => record(outcomes, () => 0));
  for (const [a, b] of sidesOf(pairs).flatMap((sides) => couplesOf(sides))) table[a.outcome][b.outcome] += 1;
  return table;
}

/** Measures of actions that not every domain has. */
const OF_SOME_DOMAINS: ReadonlySet<RunMeasure> = new Set(["searches", "reads"]);

function measuresOf(pairs: readonly QuestionPair[]): RunComparison["measures"] {
  const both = sidesOf(pairs).flatMap((sides) => couplesOf(sides));
  const steps = {
    a: spreadOf(both.map(([a]) => a.steps)),
    b: spreadOf(both.map(([, b]) => b.steps)),
  };
  if (!both.some(([a, b]) => a.measures !== undefined && b.measures !== undefined)) return { steps };
  const of = (side: ComparedEpisode, name: RunMeasure): number | undefined =>
    side.measures === undefined ? undefined : MEASURE[name](side.measures);
  const names = (Object.keys(MEASURE) as RunMeasure[]).filter(
    (name) =>
      !OF_SOME_DOMAINS.has(name) || both.some((sides) => sides.some((one) => of(one, name) !== undefined)),
  );
  return record(names, (name) => ({
    a: spreadOf(both.map(([a]) => of(a, name))),
    b: spreadOf(both.map(([, b]) => of(b, name))),
  }));
}

/** The replies of the pairs that were read on both sides; nothing where none was. */
function repliesOf(pairs: readonly QuestionPair[]): Pick<RunComparison, "replies"> {
  const both = sidesOf(pairs)
    .flatMap((sides) => couplesOf(sides))
    .flatMap(([a, b]) =>
      a.measures && b.measures ? [{ a: a.measures.replies, b: b.measures.replies }] : [],
    );
  if (both.length === 0) return {};
  const sum = (side: "a" | "b") => both.reduce((all, one) => addReplies(all, one[side]), NO_REPLIES);
  return { replies: { a: sum("a"), b: sum("b") } };
}
