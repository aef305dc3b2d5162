import { domainOfRecord } from "../domains/registry.ts";
import { sameAction, type Action } from "../model/action.ts";
import { finalActionOf } from "../model/action-types.ts";
import { budgetsOf, contextLimitsOf } from "../model/control.ts";
import type { Episode, Step } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { Compiler } from "../skill/compiler.ts";
import { explainRun } from "../skill/explain-run.ts";
import type { PfCall, PfHost, PfQuestion, PfState } from "../sandbox/pf-host.ts";
import { FRESH_STATE } from "../sandbox/pf-host.ts";
import { insteadOfRead, isRepair, isText } from "../harness/dispatch.ts";
import {
  recordedProposals,
  unaskedIn,
  type RecordedConditions,
  type RecordedQuestion,
  type Repairs,
} from "../harness/recorded-proposals.ts";
import { wasAsked, weigh, type Injected, type Weighed } from "../harness/weigh.ts";
import { askedIn, type AskedSkills } from "./asked-skills.ts";
import { foldEpisode, placeOf, verdictsAt, type Folded, type Limits } from "./fold-episode.ts";
import type { ActiveSkill, Library } from "./library.ts";
import { controlOf, hadTeacher } from "./recorded-control.ts";

/** What today's library decides on one recorded step. */
export interface RecordedJudgement {
  /** 0-based. */
  readonly t: number;
  /** Of the first proposal, then of the one that followed a held-back final action; as a run records them. */
  readonly events: readonly PfEvent[];
  /** `skipped`, with the reason, for each PF that is not asked: the episode's selection left it out. A run does not record these. */
  readonly notAsked: readonly PfEvent[];
  readonly executed: Action;
  readonly injected: readonly Injected[];
  /** Today another action would have run at an earlier step, so this step of the record might never have come. */
  readonly diverged: boolean;
  /** About the first proposal; undefined where no PF judges the step. */
  readonly first?: Asked | undefined;
  /** About the action that had run, to PFs that look `after` such an action; undefined where none looks. */
  readonly ran?: Asked | undefined;
}

/** A question, and what each PF that was asked it carried then. */
export interface Asked {
  readonly question: PfQuestion;
  readonly states: ReadonlyMap<string, PfState>;
}

function conditionsOf(episode: Episode): RecordedConditions {
  const { contextRules } = domainOfRecord(episode.facts);
  const control = controlOf(episode);
  const budgets = episode.settings?.control === undefined ? undefined : budgetsOf(control);
  const { maxModifyFires } = control;
  return { contextRules, maxModifyFires, budgets, hadTeacher: hadTeacher(episode) };
}

/** All recorded proposals of an episode, in order, with the questions that followed them (`recordedProposals`). */
export function recordedQuestions(
  episode: Episode,
  after?: ReadonlySet<string>,
  repairs?: Repairs,
): RecordedQuestion[] {
  return recordedProposals(episode, conditionsOf(episode), after, repairs);
}

/** The PFs that the question at a place was put to. */
function askedAt({ questions, verdicts, places }: Folded, place: string): Asked | undefined {
  const i = places.get(place);
  const question = i === undefined ? undefined : questions[i];
  if (i === undefined || question === undefined) return undefined;
  const states = [...verdicts].flatMap(([id, list]) => {
    const verdict = list[i];
    if (verdict === undefined || !wasAsked(verdict)) return [];
    return [[id, list[i - 1]?.state ?? FRESH_STATE] as const];
  });
  return { question, states: new Map(states) };
}

/** What Γ wanted of steps at which the host could not do it; what was done in its place stands as it was recorded. */
function degradedIn({ decisions = [] }: Episode): ReadonlyMap<number, unknown> {
  return new Map(
    decisions.flatMap(({ part, t, value }) =>
      part === "hook_degraded" && t !== undefined ? [[t, value] as const] : [],
    ),
  );
}

/** Steps whose final action the handlers turned into a search. */
function votedDownIn({ decisions = [] }: Episode): ReadonlySet<number> {
  return new Set(
    decisions.flatMap(({ part, value, t }) =>
      part === "handler_vote" && value === true && t !== undefined ? [t] : [],
    ),
  );
}

const asWanted = ({ type, arg }: Action): string => JSON.stringify({ type, arg });

const skippedBy = (reasons: ReadonlyMap<string, string>, proposal: number): PfEvent[] =>
  [...reasons].map(([skillId, reason]) => ({ skillId, proposal, status: "skipped", reason }));

/** Everything that one episode is judged with; all of it comes from the record, but for the verdicts. */
interface Bench extends Folded {
  readonly episode: Episode;
  /** Skills that take no part, and why. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly limits: Limits;
  readonly unasked: ReadonlyMap<number, string>;
  readonly degraded: ReadonlyMap<number, unknown>;
  readonly votedDown: ReadonlySet<number>;
}

type StepJudgement = Omit<RecordedJudgement, "t" | "diverged" | "ran">;

/** A proposal of a record, or the action that a PF read from it. */
interface Weighable {
  readonly t: number;
  readonly proposal: number;
  readonly proposed: Action;
  readonly injectedBefore: readonly Injected[];
}

function weighQuestion(one: Weighable, bench: Bench, pass?: "repaired"): Weighed {
  const { t, proposal, ...about } = one;
  const { limits, verdicts, questions, places } = bench;
  const i = places.get(placeOf(t, proposal, pass));
  const question = i === undefined ? undefined : questions[i];
  // Without a PF that is asked, the proposal itself runs.
  if (i === undefined || question === undefined || !sameAction(question.proposed, one.proposed))
    return { executed: one.proposed, injected: [], events: [], holdBack: false };
  return weigh(verdictsAt(verdicts, i), { ...about, ...limits, proposal, pass });
}

/** Γ on a proposal, and once more on the action that a PF reads from one that was none, as in a run. */
function weighRepaired(one: Weighable, bench: Bench): Weighed {
  const first = weighQuestion(one, bench);
  const { executed: proposed } = first;
  if (!isRepair(one.proposed, proposed)) return first;
  const injectedBefore = [...one.injectedBefore, ...first.injected];
  const second = weighQuestion({ ...one, proposed, injectedBefore }, bench, "repaired");
  return {
    ...second,
    events: [...first.events, ...second.events],
    injected: [...first.injected, ...second.injected],
  };
}

/** Γ on each proposal of a step. A second one counts only where its first is held back, or would stand, today. */
function weighStep({ t, proposals }: Step, bench: Bench): StepJudgement {
  const { limits, leftOut, questions, places, episode } = bench;
  const decided: Weighed[] = [];
  const notAsked: PfEvent[] = [];
  for (const [proposal, { action: proposed }] of proposals.entries()) {
    if (proposal > 0 && decided[0]?.executed.type !== limits.finalAction) continue;
    const injectedBefore = decided.flatMap(({ injected }) => injected);
    const weighed = weighRepaired({ t, proposal, proposed, injectedBefore }, bench);
    const context = questions[places.get(placeOf(t, proposal, undefined)) ?? -1]?.context;
    const { executed } = weighed;
    decided.push({
      ...weighed,
      executed: context === undefined ? executed : insteadOfRead(executed, proposed, episode.facts, context),
    });
    notAsked.push(...skippedBy(leftOut, proposal));
  }
  const last = decided.at(-1);
  if (last === undefined) throw new Error("A step without a proposal");
  return {
    events: decided.flatMap(({ events }) => events),
    notAsked,
    executed: last.executed,
    injected: decided.flatMap(({ injected }) => injected),
    first: askedAt(bench, placeOf(t, 0, undefined)),
  };
}

/**
 * Γ once the recorded action of a step has run. Where another one would run today, nobody knows its observation, so no PF is asked.
 */
function weighAfter(
  step: Step,
  judged: StepJudgement,
  ran: Action,
  bench: Bench,
): Pick<RecordedJudgement, "ran" | "events" | "injected"> | undefined {
  const { t, executed: proposed, proposals } = step;
  const { verdicts, places, limits } = bench;
  const proposal = proposals.length - 1;
  const place = placeOf(t, proposal, "post");
  const i = places.get(place);
  if (i === undefined || !sameAction(ran, proposed)) return undefined;
  const about = { proposed, proposal, injectedBefore: judged.injected, ...limits };
  const { events, injected } = weigh(verdictsAt(verdicts, i), { ...about, pass: "post" });
  return { events, injected, ran: askedAt(bench, place) };
}

/** A step that no PF was asked about. */
function unaskedStep({ executed }: Step, why: string, { verdicts, leftOut }: Bench): StepJudgement {
  const [asked, others] = [[...verdicts.keys()], [...leftOut.keys()]].map((ids) =>
    skippedBy(new Map(ids.map((id) => [id, why])), 0),
  );
  return { events: asked ?? [], notAsked: others ?? [], executed, injected: [] };
}

/**
 * What happened at the step in place of what Γ decides: handlers are not heard again, so a recorded vote stands on a final action, and what a
 * host did in place of what it cannot do.
 */
function keptAction(t: number, { executed }: StepJudgement, bench: Bench): boolean {
  const voted = bench.votedDown.has(t) && executed.type === bench.limits.finalAction;
  return voted || bench.degraded.get(t) === asWanted(executed);
}

/** Everything but the skills, of the record. */
interface Record {
  readonly episode: Episode;
  readonly unasked: ReadonlyMap<number, string>;
  readonly limits: Limits;
}

function recordOf(episode: Episode): Record {
  return {
    episode,
    unasked: unaskedIn(episode),
    limits: { finalAction: finalActionOf(episode.facts), ...contextLimitsOf(controlOf(episode)) },
  };
}

/** One crossing for these PFs: the state of one does not depend on the others. */
function foldRecord(
  { episode, unasked, limits }: Record,
  asked: readonly ActiveSkill[],
  host: Pick<PfHost, "fold">,
): Promise<Folded> {
  // A hook asks nobody once a call has run.
  const looking = episode.settings?.policy === "hook" ? [] : asked;
  const after = new Set(looking.flatMap(({ traits }) => traits.after));
  const ids = asked.map(({ skill }) => skill.skillId);
  return foldEpisode(
    (repairs) =>
      asked.length === 0 ? [] : recordedQuestions(episode, after, repairs).filter(({ t }) => !unasked.has(t)),
    (questions) => host.fold(ids, questions),
    limits,
  );
}

/** Γ on each step, by these verdicts. */
function weighEpisode(
  { episode, unasked, limits }: Record,
  folded: Folded,
  leftOut: ReadonlyMap<string, string>,
): readonly RecordedJudgement[] {
  const bench: Bench = {
    episode,
    ...folded,
    limits,
    leftOut,
    unasked,
    degraded: degradedIn(episode),
    votedDown: votedDownIn(episode),
  };
  let diverged = false;
  return episode.steps.map((step) => {
    const { t, executed } = step;
    const why = unasked.get(t);
    const judged = why === undefined ? weighStep(step, bench) : unaskedStep(step, why, bench);
    const ran = keptAction(t, judged, bench) ? executed : judged.executed;
    const later = why === undefined ? weighAfter(step, judged, ran, bench) : undefined;
    const judgement = {
      t,
      ...judged,
      events: [...judged.events, ...(later?.events ?? [])],
      injected: [...judged.injected, ...(later?.injected ?? [])],
      executed: ran,
      diverged,
      ran: later?.ran,
    };
    diverged ||= !sameAction(ran, executed);
    return judgement;
  });
}

/**
 * Folds Γ over the recorded proposals of an episode, each PF with its own memory and limits. A PF's state does not depend
 * on the other PFs, so one crossing folds them all; Γ then weighs each step. Control, domain and facts are those of the record.
 */
export async function judgeRecorded(
  episode: Episode,
  library: Library,
  host: PfHost,
  { asked, leftOut }: AskedSkills = askedIn(episode, library),
): Promise<readonly RecordedJudgement[]> {
  const record = recordOf(episode);
  return weighEpisode(record, await foldRecord(record, asked, host), leftOut);
}

const someProposalIsText = ({ steps }: Episode): boolean =>
  steps.some(({ proposals }) => proposals.some(({ action }) => isText(action)));

/**
 * Judges an episode by several groups of skills, each as if it were the library: as `judgeRecorded` for each of them, with one crossing
 * for all. The skills of all groups are loaded into the host.
 */
export async function judgeEach(
  episode: Episode,
  groups: readonly AskedSkills[],
  host: Pick<PfHost, "fold">,
): Promise<readonly (readonly RecordedJudgement[])[]> {
  const record = recordOf(episode);
  const judge = async (group: AskedSkills, folded: Folded) => weighEpisode(record, folded, group.leftOut);
  // An action that one group reads from text is no question to another one.
  if (someProposalIsText(episode)) {
    const judged: (readonly RecordedJudgement[])[] = [];
    for (const group of groups) judged.push(await judge(group, await foldRecord(record, group.asked, host)));
    return judged;
  }
  const asked = [...new Set(groups.flatMap((group) => group.asked))];
  const folded = await foldRecord(record, asked, host);
  return Promise.all(
    groups.map((group) => {
      const own = group.asked.flatMap(({ skill: { skillId } }) => {
        const verdicts = folded.verdicts.get(skillId);
        return verdicts === undefined ? [] : [[skillId, verdicts] as const];
      });
      return judge(group, { ...folded, verdicts: new Map(own) });
    }),
  );
}

/** Why a PF did or did not fire on one question; undefined when its code cannot be instrumented. */
export async function explain(
  active: ActiveSkill,
  state: PfState,
  question: PfCall,
  compiler: Pick<Compiler, "instrument">,
  host: PfHost,
): Promise<Explanation | undefined> {
  const { program, source, skill } = active;
  const { value } = await compiler.instrument(program.file, source);
  if (value === undefined) return undefined;
  const run = await host.probe({ ...program, code: value.code }, state, question);
  const explained = explainRun(value, run, { skillId: skill.skillId, file: program.file });
  return question.pass === "post" ? { ...explained, pass: "post" } : explained;
}
