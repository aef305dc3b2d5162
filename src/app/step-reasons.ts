import { explain, judgeRecorded, type Asked, type RecordedJudgement } from "../analysis/judge.ts";
import type { ActiveSkill, Library } from "../analysis/library.ts";
import { sameAction } from "../model/action.ts";
import type { Episode } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { JudgedEpisode } from "../protocol/judged-pool.ts";
import type { JudgedPf, JudgedStep, StepMarks } from "../protocol/replay.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { Compiler } from "../skill/compiler.ts";

/** Marks of a judgement on the timeline. */
export function marksOf({ t, events, injected, diverged }: RecordedJudgement): StepMarks {
  const modified = events.some((e) => e.status === "applied" && e.intervention?.type === "MODIFY_ACTION");
  const error = events.some((e) => e.status === "error");
  return { t, modified, injected: injected.length > 0, error, diverged };
}

/** The same source is instrumented once, however many steps ask why. */
export function rememberInstrumented(compiler: Pick<Compiler, "instrument">): Pick<Compiler, "instrument"> {
  const known = new Map<string, ReturnType<Compiler["instrument"]>>();
  return {
    instrument(file, source) {
      const found = known.get(source) ?? compiler.instrument(file, source);
      known.set(source, found);
      return found;
    },
  };
}

/** Ports that judge and explain a whole episode; the library is loaded in the host. */
export interface JudgingBench {
  readonly library: Library;
  readonly host: PfHost;
  /** `rememberInstrumented` of a compiler, where more than one step is judged. */
  readonly compiler: Pick<Compiler, "instrument">;
}

/** The question that an event answers; undefined of a second proposal, which nothing explains. */
function questionOf({ proposal, pass }: PfEvent, { first, ran }: RecordedJudgement): Asked | undefined {
  if (pass === "post") return ran;
  return proposal === 0 && pass === undefined ? first : undefined;
}

async function explanationOf(
  event: PfEvent,
  judgement: RecordedJudgement,
  active: ActiveSkill | undefined,
  { compiler, host }: JudgingBench,
): Promise<Explanation | undefined> {
  const asked = questionOf(event, judgement);
  const state = asked?.states.get(event.skillId);
  if (asked === undefined || state === undefined || active === undefined) return undefined;
  return explain(active, state, asked.question, compiler, host);
}

function reasonOf({ status, reason }: PfEvent, explanation: Explanation | undefined): string {
  if (explanation === undefined) return reason;
  const isCondition = status === "skipped" && !explanation.activated;
  return isCondition || reason === "" ? explanation.sentence : reason;
}

/** What each PF does at a step, and why: the one reason that every view, command and assistant shows. */
export async function reasonsAt(judgement: RecordedJudgement, bench: JudgingBench): Promise<JudgedPf[]> {
  const active = new Map(bench.library.active.map((one) => [one.skill.skillId, one]));
  const judged: JudgedPf[] = [];
  for (const event of [...judgement.events, ...judgement.notAsked]) {
    const explanation = await explanationOf(event, judgement, active.get(event.skillId), bench);
    judged.push({ event, reason: reasonOf(event, explanation), explanation });
  }
  return judged;
}

/** A step of an episode as it is shown. RangeError where there is none. */
export async function judgedStep(
  episode: Episode,
  judged: readonly RecordedJudgement[],
  t: number,
  bench: JudgingBench,
): Promise<JudgedStep> {
  const judgement = judged[t];
  const proposed = episode.steps[t]?.proposals[0]?.action;
  if (judgement === undefined || proposed === undefined)
    throw new RangeError(`The episode has no step ${t + 1}.`);
  const { executed, injected, diverged } = judgement;
  const pfs = await reasonsAt(judgement, bench);
  return { t, pfs, executed: sameAction(executed, proposed) ? undefined : executed, injected, diverged };
}

/** Every step of an episode as it is shown, for a page that cannot ask later. */
export async function judgeWholeEpisode(episode: Episode, bench: JudgingBench): Promise<JudgedEpisode> {
  const judged = await judgeRecorded(episode, bench.library, bench.host);
  const steps: JudgedStep[] = [];
  for (const { t } of judged) steps.push(await judgedStep(episode, judged, t, bench));
  return { marks: judged.map(marksOf), steps };
}
