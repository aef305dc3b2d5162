import { explain, judgeRecorded, recordedQuestionAt } from "../../analysis/judge.ts";
import { openLibrary } from "../../analysis/library.ts";
import { contextRulesOf } from "../../domains/registry.ts";
import { formatAction } from "../../model/action.ts";
import type { Episode } from "../../model/episode.ts";
import { explanationLines } from "../../model/explained-text.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { PfEvent } from "../../model/intervention.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { answer, oneLine } from "./answer.ts";
import { findEpisode, findRun } from "./find-run.ts";
import { findSkill } from "./find-skill.ts";
import type { ExplainInput } from "./inputs.ts";
import { AssistError, inSandbox, type AssistAnswer, type AssistCall, type AssistWorld } from "./world.ts";

interface Explained {
  readonly explanation: Explanation;
  readonly event: PfEvent | undefined;
  readonly diverged: boolean;
}

async function explained(
  folder: SkillFolder,
  episode: Episode,
  t: number,
  world: AssistWorld,
  host: PfHost,
): Promise<Explained> {
  const library = await openLibrary([folder], host);
  const [active] = library.active;
  const rules = contextRulesOf(episode.facts.domain);
  const judged = active && (await judgeRecorded(episode, library, host, rules))[t];
  const question = recordedQuestionAt(episode, t, rules);
  const state = active && judged?.statesBefore.get(active.skill.skillId);
  if (active === undefined || judged === undefined || question === undefined || state === undefined)
    throw new AssistError(
      active === undefined
        ? (library.diagnostics[0]?.message ?? "The skill has no Program Function.")
        : `A skill of another domain does not act in a ${oneLine(episode.facts.domain, 60)} episode.`,
      active === undefined ? "Call the validate tool on it." : "Choose an episode of the skill's own domain.",
    );
  const explanation = await explain(active, state, question, world.compiler, host);
  if (explanation === undefined)
    throw new AssistError("The Program Function cannot be read.", "Call the validate tool on it.");
  const event = judged.events.find(({ skillId }) => skillId === active.skill.skillId);
  return { explanation, event, diverged: judged.diverged };
}

function told({ explanation, event, diverged }: Explained, world: AssistWorld): string[] {
  const { deciding, file } = explanation;
  return [
    `${event?.status ?? (explanation.activated ? "fired" : "skipped")}: ${oneLine(explanation.sentence, 600)}`,
    ...(deciding === undefined
      ? []
      : [
          `Decided in ${oneLine(world.shown(file))}, line ${deciding.line}:`,
          ...explanationLines(explanation).map((line) => `- ${oneLine(line, 600)}`),
        ]),
    ...(event === undefined || event.reason === "" ? [] : [`Its reason: ${oneLine(event.reason, 400)}`]),
    ...(diverged
      ? ["The episode had diverged before: with today's skill this step might never have come."]
      : []),
  ];
}

/** Why the skill did or did not act on a recorded step, read off its own code. */
export async function explainStep(
  world: AssistWorld,
  { skill, run, episode: wanted, step }: ExplainInput,
  call: AssistCall,
): Promise<AssistAnswer> {
  const folder = await findSkill(world, skill);
  const episode = await findEpisode(world, await findRun(world, run, call), wanted);
  const t = step - 1;
  const proposed = episode.steps[t]?.proposals[0]?.action;
  if (proposed === undefined)
    throw new AssistError(
      `There is no step ${step}.`,
      `Steps are counted from 1; this episode has ${episode.steps.length}.`,
    );
  call.onProgress(1, 2, "judging the episode");
  const found = await inSandbox(world, call, (host) => explained(folder, episode, t, world, host));
  const { explanation, event, diverged } = found;
  return answer(
    [
      `Step ${step} of ${episode.steps.length} of episode ${oneLine(episode.id, 100)} (${episode.outcome}).`,
      `Question: ${oneLine(episode.question, 400)}`,
      `Proposed: ${oneLine(formatAction(proposed), 400)}`,
      ...told(found, world),
    ],
    {
      episode: episode.id,
      outcome: episode.outcome,
      step,
      proposed: { type: proposed.type, arg: proposed.arg },
      status: event?.status,
      reason: event?.reason,
      diverged,
      explanation: { ...explanation, file: world.shown(explanation.file) },
    },
  );
}
