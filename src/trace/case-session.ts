import type { CaseSession } from "../model/case.ts";
import type { Episode } from "../model/episode.ts";
import type { ContextRules } from "./context-at.ts";

/** Characters of one answer that a case keeps: half from its beginning, half from its end, where verdicts stand. */
const KEPT = 1_000;

function clipped(text: string): string {
  return text.length <= KEPT
    ? text
    : `${text.slice(0, KEPT / 2)}\n…\n${text.slice(-KEPT / 2)}`.toWellFormed();
}

/**
 * The episode up to step `t` (0-based), with the pass `post` through it, as a case tells it, for domains whose contexts are folded from a case's steps; undefined for
 * others. Long answers are cut.
 */
export function caseSessionOf(
  episode: Episode,
  t: number,
  rules: ContextRules,
  pass?: "post",
): CaseSession | undefined {
  if (rules.own?.fromSession !== true) return undefined;
  const { steps, question, facts } = episode;
  const world = steps[t]?.proposals[0]?.world;
  return {
    steps: steps.slice(0, pass === "post" ? t + 1 : t).map(({ executed, observation, result }) => ({
      executed,
      observation: clipped(observation),
      ...(result === undefined ? {} : { result }),
    })),
    prompts: [question, ...steps.slice(0, t + 1).flatMap(({ prompts = [] }) => prompts)],
    project: facts.project ?? [],
    ...(facts.cwd === undefined ? {} : { cwd: facts.cwd }),
    ...(world === undefined ? {} : { world }),
  };
}
