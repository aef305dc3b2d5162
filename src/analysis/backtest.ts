import { isStanding, perOutcome } from "../model/outcomes.ts";
import type { Intervention, PfEvent } from "../model/intervention.ts";
import { hasFired } from "../model/pf-facet.ts";
import type { Episode, StandingOutcome } from "../model/episode.ts";
import { foreignDomain } from "../domains/registry.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { Compiler } from "../skill/compiler.ts";
import { timeSlices } from "../model/time-slices.ts";
import type { PlacedEpisode, StandingEpisode } from "../trace/placed-episodes.ts";
import { isInSplit, type QuestionSplit } from "../trace/question-split.ts";
import { askedIn, type AskedSkills } from "./asked-skills.ts";
import type { Revisions } from "../model/revisions.ts";
import type { Selection } from "../model/selection.ts";
import { separates, type ChangeWorth, type GroupWorth } from "../model/worth.ts";
import { judgeEach, type RecordedJudgement } from "./judge.ts";
import { judgeInOrder, type Folding } from "./judge-in-order.ts";
import type { Library } from "./library.ts";
import { stepKey } from "./step-key.ts";
import { revisedDrafts, type RevisedDraft } from "../model/revised-drafts.ts";
import { countRevisions } from "./worth/count-revisions.ts";
import { WorthTally, type MeasuredWorth, type WorthSources } from "./worth/worth-tally.ts";

/** A step on which a PF fired, was limited or failed. */
export interface BacktestHit {
  readonly run: string;
  readonly index: number;
  readonly episodeId: string;
  readonly outcome: StandingOutcome;
  /** 0-based. */
  readonly t: number;
  readonly status: PfEvent["status"];
  readonly reason: string;
  /** An earlier step of the episode was modified, so this step might never have come (counted apart). */
  readonly diverged: boolean;
  /** Present at the first change of the episode. */
  readonly worth?: ChangeWorth;
  /** The answer of the PF, if it gave one and the backtest was asked to keep it. */
  readonly intervention?: Intervention;
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
  readonly counts: Record<StandingOutcome, BacktestCounts>;
  /** Steps on which it was asked. */
  stepsAsked: number;
  /** Steps on which it fired after the episode had diverged. */
  divergedSteps: number;
  errors: number;
  hits: BacktestHit[];
  /** Of the answers that it held back when the episodes were recorded, alone or with others; absent where none has two verdicts. */
  revisions?: Revisions;
  /** Of the first changes that it made, alone or with others. */
  worth?: GroupWorth;
}

/** Episodes in which any PF of a group fired or was applied, before the episode had diverged. */
export interface GroupBacktest {
  readonly skillIds: readonly string[];
  readonly fired: Record<StandingOutcome, number>;
  readonly applied: Record<StandingOutcome, number>;
}

export interface BacktestReport {
  readonly skills: readonly SkillBacktest[];
  readonly episodes: Record<StandingOutcome, number>;
  readonly library: GroupBacktest;
  /** Of the answers that skills of the library held back when the episodes were recorded; absent where none has two verdicts. */
  readonly revisions?: Revisions;
  /** Worth of the first change of each episode; absent where it is not measured. */
  readonly worth?: GroupWorth;
  /** The PFs that can modify an action. */
  readonly modifiers: GroupBacktest;
  /** Skills with enough measured changes that are not shown to be worth more than those of a random trigger. */
  readonly notSeparating: readonly string[];
  /** Unregistered domains, each with the notice that its episodes are read as those of `agent`, and their number. */
  readonly foreign: readonly { readonly notice: string; readonly episodes: number }[];
  /** Episodes whose question the split leaves out; they are in no other number. */
  readonly leftOut: number;
  /** Numbers of episodes by the selection that decided which PFs were asked. */
  readonly selections: Readonly<Record<Selection, number>>;
  /** PF evaluations: PFs × steps. */
  readonly evaluations: number;
}

function emptySkill(skillId: string): SkillBacktest {
  const counts = perOutcome(() => ({ retrieved: 0, fired: 0, applied: 0, steps: 0 }));
  return { skillId, counts, stepsAsked: 0, divergedSteps: 0, errors: 0, hits: [] };
}

function isHit(event: PfEvent): boolean {
  return event.status !== "skipped";
}

function countSkill(skill: SkillBacktest, outcome: StandingOutcome, hits: readonly BacktestHit[]): void {
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

/** What one episode adds to the numbers of a group. */
interface Touch {
  readonly outcome: StandingOutcome;
  readonly fired: ReadonlySet<string>;
  readonly applied: ReadonlySet<string>;
}

function touchOf(
  outcome: StandingOutcome,
  hits: readonly (BacktestHit & { readonly skillId: string })[],
): Touch {
  const onPath = hits.filter((hit) => !hit.diverged);
  const idsOf = (some: typeof onPath): ReadonlySet<string> => new Set(some.map(({ skillId }) => skillId));
  return {
    outcome,
    fired: idsOf(onPath.filter((hit) => hasFired(hit.status))),
    applied: idsOf(onPath.filter((hit) => hit.status === "applied")),
  };
}

function groupOf(skillIds: readonly string[], touches: readonly Touch[]): GroupBacktest {
  const group = { skillIds, fired: perOutcome(() => 0), applied: perOutcome(() => 0) };
  for (const { outcome, fired, applied } of touches) {
    if (skillIds.some((id) => fired.has(id))) group.fired[outcome] += 1;
    if (skillIds.some((id) => applied.has(id))) group.applied[outcome] += 1;
  }
  return group;
}

/** Says what its changes were worth, in sum and at each step that was the first change of its episode. */
function addWorth(skill: SkillBacktest, { ofSkill, changes }: MeasuredWorth): void {
  skill.worth = ofSkill(skill.skillId);
  skill.hits = skill.hits.map((hit) => {
    const found = changes.get(stepKey(hit.run, hit.index, hit.t));
    if (hit.status !== "applied" || found?.skillIds.includes(skill.skillId) !== true) return hit;
    const { kind, value, why } = found;
    return { ...hit, worth: { kind, value, why } };
  });
}

async function addWorths(skills: readonly SkillBacktest[], measured: MeasuredWorth): Promise<void> {
  const pause = timeSlices();
  for (const skill of skills) {
    addWorth(skill, measured);
    await pause();
  }
}

/** Everything a backtest adds up; `add` once per episode, `report` at any time. */
class Tally {
  private readonly skills: ReadonlyMap<string, SkillBacktest>;
  private readonly episodes = perOutcome(() => 0);
  private readonly touches: Touch[] = [];
  private readonly revised: RevisedDraft[] = [];
  private evaluations = 0;
  private readonly foreign = new Map<string, number>();
  private leftOut = 0;
  private readonly selections: Record<Selection, number> = { recorded: 0, "by code": 0, "every PF": 0 };
  private readonly byCode: boolean;
  private readonly worth: WorthTally | undefined;
  private readonly interventions: boolean;

  constructor(skillIds: readonly string[], options: BacktestOptions) {
    const { selected = false, interventions = false, worth: sources } = options;
    this.byCode = selected;
    this.interventions = interventions;
    this.worth = sources && new WorthTally(sources);
    this.skills = new Map(skillIds.map((id) => [id, emptySkill(id)]));
  }

  /** An episode that the split leaves out. */
  leaveOut(): void {
    this.leftOut += 1;
  }

  /** The skills of the library that are asked about this episode. */
  askedIn(episode: Episode, library: Library): AskedSkills {
    return askedIn(episode, library, this.byCode);
  }

  add(placed: StandingEpisode, among: AskedSkills, judged: readonly RecordedJudgement[]): void {
    const { episode, run, index } = placed;
    const notice = foreignDomain(episode.facts.domain);
    if (notice !== undefined) this.foreign.set(notice, (this.foreign.get(notice) ?? 0) + 1);
    const { outcome, id: episodeId } = episode;
    this.selections[among.selection] += 1;
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
        ...(this.interventions && event.intervention && { intervention: event.intervention }),
        skillId: event.skillId,
      })),
    );
    const judging = new Set(among.asked.map(({ skill }) => skill.skillId));
    const asked = [...this.skills].filter(([skillId]) => judging.has(skillId));
    for (const [skillId, skill] of asked) {
      skill.stepsAsked += episode.steps.length;
      const own = hits.filter((hit) => hit.skillId === skillId).map(({ skillId: _, ...hit }) => hit);
      countSkill(skill, outcome, own);
    }
    this.worth?.add(
      placed,
      judged,
      asked.map(([skillId]) => skillId),
    );
    this.episodes[outcome] += 1;
    this.revised.push(...revisedDrafts(episode));
    this.touches.push(touchOf(outcome, hits));
    this.evaluations += asked.length * episode.steps.length;
  }

  private revisionsOf(skillIds: readonly string[]): { readonly revisions?: Revisions } {
    const own = this.revised.filter((one) => skillIds.some((id) => one.skillIds.includes(id)));
    const isMeasured = own.some(({ draft, revision }) => draft !== undefined && revision !== undefined);
    return isMeasured ? { revisions: countRevisions(own) } : {};
  }

  async report(modifiers: ReadonlySet<string>, signal?: AbortSignal): Promise<BacktestReport> {
    const skills = [...this.skills.values()];
    const measured = await this.worth?.settle(signal);
    if (measured !== undefined) await addWorths(skills, measured);
    const ids = skills.map(({ skillId }) => skillId);
    for (const skill of skills) Object.assign(skill, this.revisionsOf([skill.skillId]));
    return {
      skills,
      ...this.revisionsOf(ids),
      episodes: this.episodes,
      library: groupOf(ids, this.touches),
      ...(measured && { worth: measured.library }),
      modifiers: groupOf(
        ids.filter((id) => modifiers.has(id)),
        this.touches,
      ),
      notSeparating: skills
        .filter(({ worth }) => worth !== undefined && separates(worth) === false)
        .map(({ skillId }) => skillId),
      foreign: [...this.foreign].map(([notice, episodes]) => ({ notice, episodes })),
      leftOut: this.leftOut,
      selections: this.selections,
      evaluations: this.evaluations,
    };
  }
}

export interface BacktestOptions {
  /** Ids of the PFs whose code may change an action (`modifiersOf`); none without it. */
  readonly modifiers?: ReadonlySet<string>;
  /** Only episodes whose question falls into these parts: tune on some, report on the others. */
  readonly split?: QuestionSplit;
  /** An episode that records no selection is judged by the PFs that code selects for its question; else by every PF. */
  readonly selected?: boolean;
  /** The corpus and the labels by which worth is measured, `{}` where there is neither; without it no worth is measured, which saves time. */
  readonly worth?: WorthSources;
  /** Keep what each PF answered at each hit. */
  readonly interventions?: boolean;
  /** Called after each episode with the number done. */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** The PFs that may change an action, read from their code and not from what they did: see `promptEquivalence`. */
export async function modifiersOf(
  library: Library,
  compiler: Pick<Compiler, "promptEquivalence">,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { skill, program, source } of library.active) {
    const { canModify } = await compiler.promptEquivalence(program.file, source);
    if (canModify) found.add(skill.skillId);
  }
  return found;
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
  const [report] = await backtestEach([library], episodes, host, options);
  if (report === undefined) throw new Error("A library without a report");
  return report;
}

/** Nobody judges an abandoned branch. */
async function* standing(episodes: AsyncIterable<PlacedEpisode>): AsyncGenerator<StandingEpisode> {
  for await (const { episode, ...place } of episodes) if (isStanding(episode)) yield { ...place, episode };
}

/**
 * As `backtest` for each of these libraries, whose skills are all loaded into the host; the episodes are read and judged once, with further
 * hosts where the host offers some.
 */
export async function backtestEach(
  libraries: readonly Library[],
  episodes: AsyncIterable<PlacedEpisode>,
  host: PfHost,
  options: BacktestOptions = {},
): Promise<readonly BacktestReport[]> {
  const tallies = libraries.map((library) => {
    const ids = library.active.map(({ skill }) => skill.skillId);
    return { library, tally: new Tally(ids, options) };
  });
  const programs = libraries.flatMap(({ active }) => active.map(({ program }) => program));
  const loaded = { host, programs: [...new Set(programs)] };
  /** Undefined of an episode that the split leaves out. */
  async function judge({ episode }: StandingEpisode, sandbox: Folding) {
    if (options.split !== undefined && !isInSplit(episode.question, options.split)) return undefined;
    const groups = tallies.map(({ library, tally }) => tally.askedIn(episode, library));
    return { groups, judged: await judgeEach(episode, groups, sandbox) };
  }
  let done = 0;
  for await (const { item, result } of judgeInOrder(standing(episodes), judge, loaded, options.signal)) {
    for (const [i, { tally }] of tallies.entries()) {
      const [among, judgements] = [result?.groups[i], result?.judged[i]];
      if (result === undefined) tally.leaveOut();
      else if (among !== undefined && judgements !== undefined) tally.add(item, among, judgements);
    }
    options.onProgress?.(++done);
  }
  const reports: BacktestReport[] = [];
  for (const { tally } of tallies)
    reports.push(await tally.report(options.modifiers ?? new Set(), options.signal));
  return reports;
}
