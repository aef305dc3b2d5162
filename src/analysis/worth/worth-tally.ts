import type { OpenContainment } from "../../scoring/containment.ts";
import { SEARCH, finalActionOf } from "../../model/action-types.ts";
import type { Episode, StandingOutcome } from "../../model/episode.ts";
import type { ChangeWorth, GroupWorth, WorthValue } from "../../model/worth.ts";
import { timeSlices } from "../../model/time-slices.ts";
import type { StandingEpisode } from "../../trace/placed-episodes.ts";
import type { RecordedJudgement } from "../judge.ts";
import { stepKey } from "../step-key.ts";
import { AnswerJudges, draftVerdicts, type MaterialOf } from "./answer-judges.ts";
import { changesOf, contextsIn, type Change } from "./changes.ts";
import { contentQuery } from "./content-query.ts";
import { evidenceIn, evidenceOf, type Evidence } from "./evidence.ts";
import { deedOf, groupWorth, type Deed, type Settled } from "./group-worth.ts";
import { compareQueries, measureChange, type StepLabel } from "./measure.ts";
import { searchResults, type SearchedCorpus } from "./search-results.ts";
import { drawQuestions } from "./separation.ts";
import { strataOf, type EpisodeShape } from "./strata.ts";

export interface WorthSources {
  /** For judges that run an answer without a recorded verdict. */
  readonly openContainment: OpenContainment;
  /** The corpus in which changed searches of a run are compared; undefined: they are not measured. */
  readonly corpusOf?: (run: string) => SearchedCorpus | undefined;
  /** Finds the materials of a run's questions. */
  readonly materialsOf?: (run: string) => MaterialOf | undefined;
  /** The label that a person put on a step. */
  readonly labelAt?: (run: string, episodeId: string, t: number) => StepLabel | undefined;
}

/** A random change of a search, or of an answer into a search. */
type RandomDeed = Exclude<Deed, "hold">;

/** One episode of a backtest, without its steps. */
interface Kept {
  readonly question: number;
  readonly outcome: StandingOutcome;
  readonly shape: EpisodeShape;
  readonly asked: ReadonlySet<string>;
  readonly contexts: readonly string[];
  readonly changes: readonly Change[];
  /** Where each change is. */
  readonly placeOf: (change: Change) => string;
  readonly measure: (change: Change) => Promise<ChangeWorth>;
  /** A change of a search is measured in a corpus, which takes its time. */
  readonly searches: boolean;
  /** An answer was proposed, so a random trigger can change it. */
  readonly answers: boolean;
  /** The worth of a random change; undefined where it is not worked out. */
  readonly randomWorth: ((deed: RandomDeed) => Promise<WorthValue>) | undefined;
}

/** The worth of each skill and of the library, and of each change by its place (`stepKey`). */
export interface MeasuredWorth {
  readonly library: GroupWorth;
  readonly ofSkill: (skillId: string) => GroupWorth;
  readonly changes: ReadonlyMap<string, ChangeWorth & { readonly skillIds: readonly string[] }>;
}

/** Questions in which changes of searches at random are worked out: a longer query takes as long as the backtest of an episode. */
const MOST_SAMPLED = 128;

function seenBefore({ steps }: Episode, t: number, evidence: Evidence): ReadonlySet<string> {
  return new Set(steps.slice(0, t).flatMap(({ observation }) => [...evidenceIn(observation, evidence)]));
}

/** Counts what changes were worth; `add` once per episode, `settle` at the end. */
export class WorthTally {
  private readonly kept: Kept[] = [];
  private readonly questions = new Map<string, number>();
  private readonly sampled = new Set<string>();
  private readonly resultsOf = searchResults();
  private readonly judges: AnswerJudges;
  private readonly sources: WorthSources;

  constructor(sources: WorthSources) {
    this.sources = sources;
    this.judges = new AnswerJudges(sources.openContainment);
  }

  add(
    { episode, run, index }: StandingEpisode,
    judged: readonly RecordedJudgement[],
    asked: Iterable<string>,
  ): void {
    const { outcome, steps } = episode;
    const question = this.numberOf(episode.question);
    const corpus = this.sources.corpusOf?.(run);
    const evidence = evidenceOf(episode.gold ?? [], corpus?.pagesFor(episode.question));
    const changes = changesOf(episode, judged);
    const finalAction = finalActionOf(episode.facts);
    this.kept.push({
      question,
      outcome,
      shape: { steps: steps.length, question: episode.question },
      asked: new Set(asked),
      contexts: contextsIn(episode, judged),
      changes,
      placeOf: ({ t }) => stepKey(run, index, t),
      measure: this.measureOf(episode, run, changes, evidence),
      searches: corpus !== undefined && changes.some((change) => deedOf(change) !== "hold"),
      answers: steps.some(({ proposals }) => proposals.some(({ action }) => action.type === finalAction)),
      randomWorth: this.randomWorthOf(episode, run, question, evidence),
    });
  }

  private numberOf(question: string): number {
    const key = question.trim();
    const known = this.questions.get(key) ?? this.questions.size;
    this.questions.set(key, known);
    return known;
  }

  private measureOf(
    episode: Episode,
    run: string,
    changes: readonly Change[],
    evidence: Evidence,
  ): Kept["measure"] {
    const { id, answer, outcome, gold, question, questionId, facts } = episode;
    const about = { answer, outcome, gold, question, questionId, facts, drafts: draftVerdicts(episode) };
    const materialOf = this.sources.materialsOf?.(run);
    const isRight = (said: string) => this.judges.isRight(said, about, materialOf);
    const results = this.resultsOf(this.sources.corpusOf?.(run));
    const seen = new Map(changes.map(({ t }) => [t, seenBefore(episode, t, evidence)]));
    return (change) => {
      const label = this.sources.labelAt?.(run, id, change.t);
      const before = seen.get(change.t) ?? new Set();
      return measureChange({ episode: about, isRight, change, evidence, seen: before, label }, results);
    };
  }

  /** At one step of one wrong and of one right episode of a question: more would cost more than the backtest. */
  private randomWorthOf(
    episode: Episode,
    run: string,
    number: number,
    evidence: Evidence,
  ): Kept["randomWorth"] {
    const { outcome, question, steps } = episode;
    const key = `${number} ${outcome}`;
    if ((outcome !== "wrong" && outcome !== "correct") || this.sampled.has(key)) return undefined;
    this.sampled.add(key);
    const results = this.resultsOf(this.sources.corpusOf?.(run));
    if (results === undefined) return async () => "not_measured";
    const searches = steps.filter(({ proposals }) => proposals[0]?.action.type === SEARCH);
    const searched = searches[number % Math.max(1, searches.length)];
    const after = contentQuery(question);
    const seenAt = (t: number): ReadonlySet<string> => seenBefore(episode, t, evidence);
    const [atSearch, atEnd] = [seenAt(searched?.t ?? 0), seenAt(steps.length - 1)];
    return async (deed) => {
      const before = deed === "search" ? searched?.proposals[0]?.action.arg : undefined;
      if (deed === "search" && before === undefined) return "same";
      const seen = deed === "search" ? atSearch : atEnd;
      return (await compareQueries({ question, evidence, seen, before, after }, results)).value;
    };
  }

  /** After an abort no corpus is searched any more: such changes are not measured. */
  async settle(signal?: AbortSignal): Promise<MeasuredWorth> {
    try {
      return await this.settleAll(signal);
    } finally {
      await this.judges.close();
    }
  }

  private async settleAll(signal?: AbortSignal): Promise<MeasuredWorth> {
    const pause = timeSlices();
    const deeds = new Set(this.kept.flatMap(({ changes }) => changes.map(deedOf)));
    const stride = Math.ceil(this.questions.size / MOST_SAMPLED);
    const strata = strataOf(this.kept.map(({ shape }) => shape));
    const changes = new Map<string, ChangeWorth & { readonly skillIds: readonly string[] }>();
    const settled: Settled[] = [];
    for (const [i, one] of this.kept.entries()) {
      await pause();
      const isOver = signal?.aborted === true;
      const worths = await measuredChanges(one, isOver && one.searches);
      const isSampled = !isOver && one.question % stride === 0;
      const random = async (deed: RandomDeed) =>
        isSampled && deeds.has(deed) ? one.randomWorth?.(deed) : undefined;
      const { question, outcome, asked, contexts, answers } = one;
      settled.push({
        question,
        outcome,
        asked,
        contexts,
        answers,
        stratum: strata[i] ?? 0,
        worths,
        random: { search: await random("search"), replace: await random("replace") },
      });
      for (const { change, worth } of worths)
        changes.set(one.placeOf(change), { ...worth, skillIds: change.skillIds });
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

const CANCELLED = "The backtest was cancelled before it was measured.";

/** The changes up to the first that matters: behind a search that brings what the replaced one brings, the episode goes on as it was recorded. */
async function measuredChanges({ changes, measure }: Kept, isCancelled: boolean): Promise<Settled["worths"]> {
  const measured: Settled["worths"][number][] = [];
  for (const change of changes) {
    const worth: ChangeWorth = isCancelled
      ? { kind: change.kind, value: "not_measured", why: CANCELLED }
      : await measure(change);
    measured.push({ change, worth });
    if (worth.value !== "same") break;
  }
  return measured;
}
