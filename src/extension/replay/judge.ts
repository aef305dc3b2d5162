import { sameAction } from "../../model/action.ts";
import {
  explainStep,
  judgeRecorded,
  recordedQuestions,
  type RecordedJudgement,
} from "../../analysis/judge.ts";
import { type Library, openLibrary } from "../../analysis/library.ts";
import type { Episode } from "../../model/episode.ts";
import type { JudgedStep, StepMarks } from "../../protocol/replay.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import type { ContextRules } from "../../trace/context-at.ts";

/** Today's library, as it judges recorded episodes; made anew when the library changes. */
export interface Judge {
  /** Every step of the episode. */
  judged(episode: Episode, rules: ContextRules): Promise<readonly RecordedJudgement[]>;
  marks(episode: Episode, rules: ContextRules): Promise<readonly StepMarks[]>;
  /** RangeError where the episode has no step `t`. */
  step(episode: Episode, t: number, rules: ContextRules): Promise<JudgedStep>;
}

function marksOf({ t, events, injected, diverged }: RecordedJudgement): StepMarks {
  const modified = events.some((e) => e.status === "applied" && e.intervention?.type === "MODIFY_ACTION");
  const error = events.some((e) => e.status === "error");
  return { t, modified, injected: injected.length > 0, error, diverged };
}

/** The same source is instrumented once, however many steps ask why. */
function rememberInstrumented(compiler: Compiler): Pick<Compiler, "instrument"> {
  const known = new Map<string, ReturnType<Compiler["instrument"]>>();
  return {
    instrument(file, source) {
      const found = known.get(source) ?? compiler.instrument(file, source);
      known.set(source, found);
      return found;
    },
  };
}

/** Loads the skills into `host`, replacing what it held. */
export async function openJudge(
  skills: readonly SkillFolder[],
  host: PfHost,
  compiler: Compiler,
): Promise<Judge & { readonly library: Library }> {
  const library = await openLibrary(skills, host);
  const instrumenting = rememberInstrumented(compiler);
  let latest: { episode: Episode; judged: Promise<readonly RecordedJudgement[]> } | undefined;

  /** A person looks at one episode at a time: its judgement is kept while its steps are asked for. */
  function judge(episode: Episode, rules: ContextRules): Promise<readonly RecordedJudgement[]> {
    if (latest?.episode !== episode)
      latest = { episode, judged: judgeRecorded(episode, library, host, rules) };
    return latest.judged;
  }

  return {
    library,
    judged: judge,
    marks: async (episode, rules) => (await judge(episode, rules)).map(marksOf),
    async step(episode, t, rules) {
      const judgement = (await judge(episode, rules))[t];
      const question = recordedQuestions(episode, rules).find((asked) => asked.t === t);
      if (judgement === undefined || question === undefined)
        throw new RangeError(`The episode has no step ${t + 1}.`);
      const reasons = await explainStep(library, judgement, question, instrumenting, host);
      const pfs = judgement.events.map((event) => ({
        event,
        explanation: event.proposal === 0 ? reasons.get(event.skillId) : undefined,
      }));
      const { executed, injected, diverged } = judgement;
      const stands = sameAction(executed, question.proposed);
      return { t, pfs, executed: stands ? undefined : executed, injected, diverged };
    },
  };
}
