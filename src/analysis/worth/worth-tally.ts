import { SEARCH, finalActionOf } from "../../model/action-types.ts";
import type { Episode, Outcome } from "../../model/episode.ts";
import {
  WORTH_KINDS,
  WORTH_VALUES,
  type ChangeWorth,
  type GroupWorth,
  type Separated,
  type WorthKind,
  type WorthValue,
} from "../../model/worth.ts";
import { timeSlices } from "../../model/time-slices.ts";
import type { PlacedEpisode } from "../../trace/placed-episodes.ts";
import type { RecordedJudgement } from "../judge.ts";
import { stepKey } from "../step-key.ts";
import { contentQuery } from "./content-query.ts";
import { evidenceIn, evidenceOf, type Evidence } from "./evidence.ts";
import { contextsIn, firstChange, type Change } from "./first-change.ts";
import { compareQueries, measureChange, type StepLabel } from "./measure.ts";
import { searchResults, type SearchedCorpus, type SearchResults } from "./search-results.ts";
import { drawQuestions, separationOf, type Draws, type SeparatedEpisode } from "./separation.ts";

export interface WorthSources {
  /** The corpus in which changed searches of a run are compared; undefined: they are compared by what the records hold. */
  readonly corpusOf?: (run: string) => SearchedCorpus | undefined;
  /** The label that a person put on a step. */
  readonly labelAt?: (run: string, episodeId: string, t: number) => StepLabel | undefined;
}

/** One episode of a backtest, without its steps. */
interface Kept {
  readonly question: number;
  readonly outcome: Outcome;
  readonly asked: ReadonlySet<string>;
  readonly contexts: readonly string[];
  readonly change: Change | undefined;
  /** Measures the change, once all records are known. */
  readonly measure: () => Promise<ChangeWorth | undefined>;
  /** The measure searches a corpus, which takes its time. */
  readonly searches: boolean;
  /** An answer was proposed, so a random trigger can hold it back. */
  readonly answers: boolean;
  /** The worth of a random change of a search; undefined where it is not worked out. */
  readonly randomSearch: (() => Promise<WorthValue>) | undefined;
}

/** As `Kept`, measured. */
interface Settled extends Kept {
  readonly worth: ChangeWorth | undefined;
  readonly randomValue: WorthValue | undefined;
}

/** The worth of each skill and of the library, and of each change by its place (`stepKey`). */
export interface MeasuredWorth {
  readonly library: GroupWorth;
  readonly ofSkill: (skillId: string) => GroupWorth;
  readonly changes: ReadonlyMap<string, ChangeWorth & { readonly skillIds: readonly string[] }>;
}

/** Questions in which changes of searches at random are worked out: a longer query takes as long as the backtest of an episode. */
const MOST_SAMPLED = 128;

const isJudged = ({ outcome }: Kept): boolean => outcome === "wrong" || outcome === "correct";

/** It helps or could help a wrong episode, or harms a right one. */
function isHit(outcome: Outcome, value: WorthValue | undefined): boolean {
  if (outcome === "wrong") return value === "helped" || value === "could_help";
  return outcome === "correct" && value === "harmed";
}

function seenBefore({ steps }: Episode, t: number, evidence: Evidence): ReadonlySet<string> {
  return new Set(steps.slice(0, t).flatMap(({ observation }) => [...evidenceIn(observation, evidence)]));
}

/** Counts what changes were worth; `add` once per episode, `settle` at the end. */
export class WorthTally {
  private readonly kept: (Kept & { readonly place: string | undefined })[] = [];
  private readonly questions = new Map<string, number>();
  private readonly sampled = new Set<string>();
  private readonly results = searchResults();
  private readonly sources: WorthSources;

  constructor(sources: WorthSources) {
    this.sources = sources;
  }

  add(
    { episode, run, index }: PlacedEpisode,
    judged: readonly RecordedJudgement[],
    asked: Iterable<string>,
  ): void {
    const question = this.numberOf(episode.question);
    const corpus = this.sources.corpusOf?.(run);
    const gold = episode.gold ?? [];
    const evidence = evidenceOf(gold, corpus?.pagesFor(episode.question));
    // A run without a corpus knows no pages.
    this.results.note(episode, evidenceOf(gold));
    const change = firstChange(episode, judged);
    const { outcome } = episode;
    this.kept.push({
      question,
      outcome,
      asked: new Set(asked),
      contexts: contextsIn(episode, judged),
      change,
      place: change && stepKey(run, index, change.t),
      searches: corpus !== undefined && change !== undefined && change.kind !== "answer",
      measure: this.measureOf(episode, run, change, evidence),
      answers: episode.steps.some(({ proposals }) =>
        proposals.some(({ action }) => action.type === finalActionOf(episode.facts)),
      ),
      randomSearch: this.randomSearchOf(episode, run, question, evidence),
    });
  }

  private numberOf(question: string): number {
    const key = question.trim();
    const known = this.questions.get(key) ?? this.questions.size;
    this.questions.set(key, known);
    return known;
  }

  private resultsOf(run: string): SearchResults {
    return this.results.of(this.sources.corpusOf?.(run));
  }

  private measureOf(
    episode: Episode,
    run: string,
    change: Change | undefined,
    evidence: Evidence,
  ): Kept["measure"] {
    if (change === undefined) return async () => undefined;
    const results = this.resultsOf(run);
    const { answer, outcome, gold, question, facts } = episode;
    const seen = seenBefore(episode, change.t, evidence);
    const label = this.sources.labelAt?.(run, episode.id, change.t);
    const about = { answer, outcome, gold, question, facts };
    return () => measureChange({ episode: about, change, evidence, seen, label }, results);
  }

  /** At one step of one wrong and of one right episode of a question: more would cost more than the backtest. */
  private randomSearchOf(
    episode: Episode,
    run: string,
    number: number,
    evidence: Evidence,
  ): Kept["randomSearch"] {
    const { outcome, question, steps } = episode;
    const key = `${number} ${outcome}`;
    if ((outcome !== "wrong" && outcome !== "correct") || this.sampled.has(key)) return undefined;
    this.sampled.add(key);
    // The records hold no result of a query that nobody made: a change at random could only be found to harm.
    if (this.sources.corpusOf?.(run) === undefined) return async () => "not_measured";
    const searches = steps.filter(({ proposals }) => proposals[0]?.action.type === SEARCH);
    const step = searches[number % Math.max(1, searches.length)];
    const before = step?.proposals[0]?.action.arg;
    if (step === undefined || before === undefined) return async () => "same";
    const seen = seenBefore(episode, step.t, evidence);
    const after = contentQuery(question);
    const results = this.resultsOf(run);
    return async () => (await compareQueries({ question, evidence, seen, before, after }, results)).value;
  }

  /** After an abort no corpus is searched any more: such changes are not measured. */
  async settle(signal?: AbortSignal): Promise<MeasuredWorth> {
    const pause = timeSlices();
    const changes = new Map<string, ChangeWorth & { readonly skillIds: readonly string[] }>();
    const settled: Settled[] = [];
    const searched = this.kept.some(({ change }) => change?.kind === "search");
    const stride = Math.ceil(this.questions.size / MOST_SAMPLED);
    for (const one of this.kept) {
      await pause();
      const isOver = signal?.aborted === true;
      const worth = isOver && one.searches ? notMeasured(one) : await one.measure();
      const isSampled = searched && !isOver && one.question % stride === 0;
      const randomValue = isSampled ? await one.randomSearch?.() : undefined;
      settled.push({ ...one, worth, randomValue });
      if (one.place !== undefined && worth !== undefined && one.change !== undefined)
        changes.set(one.place, { ...worth, skillIds: one.change.skillIds });
    }
    const draws = drawQuestions(this.questions.size);
    return {
      changes,
      library: groupWorth(settled, () => true, draws),
      ofSkill: (skillId) =>
        groupWorth(
          settled.filter(({ asked }) => asked.has(skillId)),
          (id) => id === skillId,
          draws,
        ),
    };
  }
}

function notMeasured({ change }: Kept): ChangeWorth | undefined {
  const why = "The backtest was cancelled before it was measured.";
  return change && { kind: change.kind, value: "not_measured", why };
}

function emptyCounts(): Record<Outcome, Record<WorthKind, Record<WorthValue, number>>> {
  const values = () =>
    Object.fromEntries(WORTH_VALUES.map((value) => [value, 0])) as Record<WorthValue, number>;
  const kinds = () =>
    Object.fromEntries(WORTH_KINDS.map((kind) => [kind, values()])) as Record<
      WorthKind,
      Record<WorthValue, number>
    >;
  return { correct: kinds(), wrong: kinds(), halted: kinds(), unjudged: kinds() };
}

/** The worth of the changes that one of these skills made or took part in. */
export function groupWorth(
  settled: readonly Settled[],
  isOf: (skillId: string) => boolean,
  draws: Draws,
): GroupWorth {
  const counts = emptyCounts();
  const worths = settled.map(({ change, worth }) =>
    worth !== undefined && change?.skillIds.some(isOf) === true ? worth : undefined,
  );
  for (const [i, worth] of worths.entries()) {
    const outcome = settled[i]?.outcome;
    if (worth !== undefined && outcome !== undefined) counts[outcome][worth.kind][worth.value] += 1;
  }
  const separated = (of: Separated): GroupWorth["separation"][Separated] =>
    separate(settled, worths, of, draws);
  return {
    counts,
    contexts: settled.reduce((sum, { contexts }) => sum + contexts.filter(isOf).length, 0),
    separation: { all: separated("all"), answer: separated("answer"), search: separated("search") },
  };
}

/** The chance that a trigger which fires at random at these rates makes a hit at an episode. */
function randomHit(one: Settled, rates: Readonly<Record<"answer" | "search", number>>): number | undefined {
  const answer = one.answers ? rates.answer : 0;
  if (rates.search === 0) return answer;
  if (one.randomValue === undefined) return undefined;
  return answer + (isHit(one.outcome, one.randomValue) ? rates.search : 0);
}

function separate(
  settled: readonly Settled[],
  worths: readonly (ChangeWorth | undefined)[],
  of: Separated,
  draws: Draws,
): GroupWorth["separation"][Separated] {
  const rows = settled.flatMap((one, i) => (isJudged(one) ? [{ one, worth: worths[i] }] : []));
  const counted = (kind: WorthKind): boolean => of === "all" || of === kind;
  const changed = rows.filter(({ worth }) => worth !== undefined && counted(worth.kind));
  if (changed.length === 0) return undefined;
  const rateOf = (kind: "answer" | "search", eligible: number): number =>
    counted(kind) && eligible > 0 ? changed.filter(({ worth }) => worth?.kind === kind).length / eligible : 0;
  const rates = {
    answer: rateOf("answer", rows.filter(({ one }) => one.answers).length),
    // An episode without a search counts, too: a random change there is never a hit.
    search: rateOf("search", rows.length),
  };
  const episodes: SeparatedEpisode[] = rows.map(({ one, worth }) => ({
    question: one.question,
    isWrong: one.outcome === "wrong",
    isHit: worth !== undefined && counted(worth.kind) && isHit(one.outcome, worth.value),
    randomHit: randomHit(one, rates),
  }));
  return separationOf(episodes, draws);
}
