import { decisionLines, eventWords } from "../../app/decision-lines.ts";
import { explainSkill, type ExplainedStep } from "../../app/explain.ts";
import { formatAction } from "../../model/action.ts";
import { answer, oneLine } from "./answer.ts";
import { findEpisode, findRun } from "./find-run.ts";
import { findSkill } from "./find-skill.ts";
import type { ExplainInput } from "./inputs.ts";
import { cancellable, need, type AssistAnswer, type AssistCall, type AssistWorld } from "./world.ts";

function told(found: ExplainedStep, world: AssistWorld): string[] {
  const { recorded, diverged } = found;
  return [
    ...decisionLines(found, (file) => world.shown(file)).map((line) => line.replace(/^ {2}/, "- ")),
    ...(recorded === undefined ? [] : [eventWords("recorded", recorded, recorded.reason)]),
    ...(diverged
      ? ["The episode had diverged before: with today's skill this step might never have come."]
      : []),
  ].map((line) => oneLine(line, 600));
}

/** Why the skill did or did not act on a recorded step, read off its own code. */
export async function explainStep(
  world: AssistWorld,
  { skill, run, episode: wanted, step }: ExplainInput,
  call: AssistCall,
): Promise<AssistAnswer> {
  const folder = await findSkill(world, skill);
  const episode = await findEpisode(world, await findRun(world, run, call), wanted);
  call.onProgress(1, 2, "judging the episode");
  const order = { skills: [folder], skill: folder.skill?.skillId ?? skill, episode, t: step - 1 };
  const found = need(await cancellable(world, call, (judging) => explainSkill(order, judging)));
  const { explanation, event, reason, recorded, diverged, proposed, notice } = found;
  return answer(
    [
      `Step ${step} of ${episode.steps.length} of episode ${oneLine(episode.id, 100)} (${episode.outcome}).`,
      `Question: ${oneLine(episode.question, 400)}`,
      `Proposed: ${oneLine(formatAction(proposed), 400)}`,
      ...(notice === undefined ? [] : [oneLine(notice, 200)]),
      ...told(found, world),
    ],
    {
      episode: episode.id,
      outcome: episode.outcome,
      step,
      proposed: { type: proposed.type, arg: proposed.arg },
      status: event.status,
      reason,
      recorded: recorded && { status: recorded.status, reason: recorded.reason },
      diverged,
      notice,
      explanation: explanation && { ...explanation, file: world.shown(explanation.file) },
    },
  );
}
