import { judgeStepOf, marksOf, rememberInstrumented } from "../../analysis/judge-episode.ts";
import { judgeRecorded, type RecordedJudgement } from "../../analysis/judge.ts";
import { type Library, openLibrary } from "../../analysis/library.ts";
import type { Episode } from "../../model/episode.ts";
import type { JudgedStep, StepMarks } from "../../protocol/replay.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import type { ContextRules } from "../../trace/context-at.ts";

/** Today's library, as it judges recorded episodes; made anew when the library changes. */
export interface Judge {
  /** The same for the same SKILL.md and pf.ts of all skills. */
  readonly fingerprint: string;
  /** Every step of the episode. */
  judged(episode: Episode, rules: ContextRules): Promise<readonly RecordedJudgement[]>;
  marks(episode: Episode, rules: ContextRules): Promise<readonly StepMarks[]>;
  /** RangeError where the episode has no step `t`. */
  step(episode: Episode, t: number, rules: ContextRules): Promise<JudgedStep>;
}

/** Loads the skills into `host`, replacing what it held. */
export async function openJudge(
  skills: readonly SkillFolder[],
  host: PfHost,
  compiler: Compiler,
): Promise<Judge & { readonly library: Library }> {
  const library = await openLibrary(skills, host);
  const bench = { library, host, compiler: rememberInstrumented(compiler) };
  let latest: { episode: Episode; judged: Promise<readonly RecordedJudgement[]> } | undefined;

  /** A person looks at one episode at a time: its judgement is kept while its steps are asked for. */
  function judge(episode: Episode, rules: ContextRules): Promise<readonly RecordedJudgement[]> {
    if (latest?.episode !== episode)
      latest = { episode, judged: judgeRecorded(episode, library, host, rules) };
    return latest.judged;
  }

  return {
    library,
    fingerprint: JSON.stringify(skills.map(({ folder, skill, pfSource }) => [folder, skill, pfSource])),
    judged: judge,
    marks: async (episode, rules) => (await judge(episode, rules)).map(marksOf),
    step: async (episode, t, rules) => judgeStepOf(episode, await judge(episode, rules), t, rules, bench),
  };
}
