import { hasFired, type PfEvent } from "../model/intervention.ts";
import type { Episode, Outcome } from "../model/episode.ts";
import { domainOf } from "../domains/registry.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { Library } from "./library.ts";
import { judgeRecorded } from "./judge.ts";

/** An episode with its place, so that a result can lead back to it. */
export interface PlacedEpisode {
  readonly run: string;
  /** Position in `episodes.jsonl`. */
  readonly index: number;
  readonly episode: Episode;
}

/** A step on which a PF fired, was limited or failed. */
export interface BacktestHit {
  readonly run: string;
  readonly index: number;
  readonly episodeId: string;
  readonly outcome: Outcome;
  /** 0-based. */
  readonly t: number;
  readonly status: PfEvent["status"];
  readonly reason: string;
  /** An earlier step of the episode was modified, so this step might never have come (counted apart). */
  readonly diverged: boolean;
}

/** Numbers of episodes, but for `steps`. Diverged steps are not in it. */
export interface BacktestCounts {
  /** Episodes on which the PF was asked. */
  retrieved: number;
  fired: number;
  applied: number;
  /** Steps on which it fired. */
  steps: number;
}

export interface SkillBacktest {
  readonly skillId: string;
  readonly counts: Record<Outcome, BacktestCounts>;
  /** Steps on which it fired after the episode had diverged. */
  divergedSteps: number;
  errors: number;
  readonly hits: BacktestHit[];
}

export interface BacktestReport {
  readonly skills: readonly SkillBacktest[];
  readonly episodes: Record<Outcome, number>;
  /** Episodes in which any PF of the library was applied, by outcome. */
  readonly touched: Record<Outcome, number>;
  /** Episodes of a domain that nobody here knows; they are in no other number. */
  readonly foreign: number;
  /** PF evaluations: PFs × steps. */
  readonly evaluations: number;
}

const perOutcome = <T>(make: () => T): Record<Outcome, T> => ({
  correct: make(),
  wrong: make(),
  halted: make(),
  unjudged: make(),
});

function emptySkill(skillId: string): SkillBacktest {
  const counts = perOutcome(() => ({ retrieved: 0, fired: 0, applied: 0, steps: 0 }));
  return { skillId, counts, divergedSteps: 0, errors: 0, hits: [] };
}

function isHit(event: PfEvent): boolean {
  return event.status !== "skipped";
}

function countSkill(skill: SkillBacktest, outcome: Outcome, hits: readonly BacktestHit[]): void {
  const counts = skill.counts[outcome];
  const onPath = hits.filter((hit) => !hit.diverged);
  const fired = onPath.filter((hit) => hasFired(hit.status));
  counts.retrieved += 1;
  counts.steps += fired.length;
  if (fired.length > 0) counts.fired += 1;
  if (onPath.some((hit) => hit.status === "applied")) counts.applied += 1;
  skill.divergedSteps += hits.filter((hit) => hit.diverged && hasFired(hit.status)).length;
  skill.errors += hits.filter((hit) => hit.status === "error").length;
  skill.hits.push(...hits);
}

/** Everything a backtest adds up; `add` once per episode, `report` at any time. */
class Tally {
  private readonly skills: ReadonlyMap<string, SkillBacktest>;
  private readonly episodes = perOutcome(() => 0);
  private readonly touched = perOutcome(() => 0);
  private evaluations = 0;
  private foreign = 0;

  constructor(skillIds: readonly string[]) {
    this.skills = new Map(skillIds.map((id) => [id, emptySkill(id)]));
  }

  async add(placed: PlacedEpisode, library: Library, host: PfHost): Promise<void> {
    const { episode, run, index } = placed;
    const domain = domainOf(episode.facts.domain);
    if (domain === undefined) {
      this.foreign += 1;
      return;
    }
    const { outcome, id: episodeId } = episode;
    const judged = await judgeRecorded(episode, library, host, domain.contextRules);
    const hits = judged.flatMap(({ t, diverged, events }) =>
      events.filter(isHit).map((event) => ({
        run,
        index,
        episodeId,
        outcome,
        t,
        status: event.status,
        reason: event.reason,
        diverged,
        skillId: event.skillId,
      })),
    );
    for (const [skillId, skill] of this.skills) {
      const own = hits.filter((hit) => hit.skillId === skillId).map(({ skillId: _, ...hit }) => hit);
      countSkill(skill, outcome, own);
    }
    this.episodes[outcome] += 1;
    if (hits.some((hit) => hit.status === "applied" && !hit.diverged)) this.touched[outcome] += 1;
    this.evaluations += this.skills.size * episode.steps.length;
  }

  report(): BacktestReport {
    return {
      skills: [...this.skills.values()],
      episodes: this.episodes,
      touched: this.touched,
      foreign: this.foreign,
      evaluations: this.evaluations,
    };
  }
}

export interface BacktestOptions {
  /** Called after each episode with the number done. */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Folds a library over recorded episodes: where would each PF have fired, and in which kind of episode? No model is
 * called; needs_teacher PFs take their code path. An aborted backtest gives the report of what was done so far.
 */
export async function backtest(
  library: Library,
  episodes: AsyncIterable<PlacedEpisode>,
  host: PfHost,
  options: BacktestOptions = {},
): Promise<BacktestReport> {
  const tally = new Tally(library.active.map(({ skill }) => skill.skillId));
  let done = 0;
  for await (const placed of episodes) {
    if (options.signal?.aborted === true) break;
    await tally.add(placed, library, host);
    options.onProgress?.(++done);
  }
  return tally.report();
}
