import { sameAction, type Action } from "../model/action.ts";
import type { Episode } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { JudgedEpisode } from "../protocol/judged-pool.ts";
import type { JudgedStep, StepMarks } from "../protocol/replay.ts";
import type { PfHost, PfQuestion } from "../sandbox/pf-host.ts";
import type { Compiler } from "../skill/compiler.ts";
import {
  explainStep,
  judgeRecorded,
  recordedQuestionAt,
  recordedQuestions,
  type RecordedJudgement,
} from "./judge.ts";
import type { Library } from "./library.ts";

/** What the timeline shows of a judgement. */
export function marksOf({ t, events, injected, diverged }: RecordedJudgement): StepMarks {
  const modified = events.some((e) => e.status === "applied" && e.intervention?.type === "MODIFY_ACTION");
  const error = events.some((e) => e.status === "error");
  return { t, modified, injected: injected.length > 0, error, diverged };
}

/** Of a second proposal nothing is explained. */
function explanationOf(
  { skillId, proposal, pass }: PfEvent,
  reasons: ReadonlyMap<string, Explanation>,
): Explanation | undefined {
  const found = reasons.get(skillId);
  return found?.pass === pass && (pass === "post" || proposal === 0) ? found : undefined;
}

/** What the cards of a step show. `proposed` is the step's first proposal; `reasons` are by skill id (`explainStep`). */
export function judgedStepOf(
  { t, events, notAsked, executed, injected, diverged }: RecordedJudgement,
  proposed: Action,
  reasons: ReadonlyMap<string, Explanation>,
): JudgedStep {
  const pfs = [...events, ...notAsked].map((event) => ({
    event,
    explanation: explanationOf(event, reasons),
  }));
  return { t, pfs, executed: sameAction(executed, proposed) ? undefined : executed, injected, diverged };
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

/** What a whole episode is judged and explained with; the library is loaded in the host. */
export interface JudgingBench {
  readonly library: Library;
  readonly host: PfHost;
  /** `rememberInstrumented` of a compiler, where more than one step is judged. */
  readonly compiler: Pick<Compiler, "instrument">;
}

/** A step of an episode as the replay shows it. RangeError where there is none. */
export async function judgeStepOf(
  episode: Episode,
  judged: readonly RecordedJudgement[],
  t: number,
  bench: JudgingBench,
): Promise<JudgedStep> {
  const question = recordedQuestionAt(episode, t);
  return stepWith(judged[t], question, t, bench);
}

async function stepWith(
  judgement: RecordedJudgement | undefined,
  question: PfQuestion | undefined,
  t: number,
  { library, host, compiler }: JudgingBench,
): Promise<JudgedStep> {
  if (judgement === undefined || question === undefined)
    throw new RangeError(`The episode has no step ${t + 1}.`);
  const reasons = await explainStep(library, judgement, question, compiler, host);
  return judgedStepOf(judgement, question.proposed, reasons);
}

/** Every step of an episode as the replay shows it, for a page that cannot ask later. */
export async function judgeWholeEpisode(episode: Episode, bench: JudgingBench): Promise<JudgedEpisode> {
  const judged = await judgeRecorded(episode, bench.library, bench.host);
  const questions = new Map(
    recordedQuestions(episode)
      .filter(({ proposal, pass }) => proposal === 0 && pass === undefined)
      .map((question) => [question.t, question]),
  );
  const steps: JudgedStep[] = [];
  for (const { t } of judged) steps.push(await stepWith(judged[t], questions.get(t), t, bench));
  return { marks: judged.map(marksOf), steps };
}
