import { judgeRecorded, type RecordedJudgement } from "../analysis/judge.ts";
import type { ActiveSkill, Library } from "../analysis/library.ts";
import { foreignDomain } from "../domains/registry.ts";
import type { Action } from "../model/action.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { JudgedPf } from "../protocol/replay.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { inLibrary } from "./library.ts";
import type { Judging } from "./ports.ts";
import { failed } from "./refusal.ts";
import { reasonsAt } from "./step-reasons.ts";

export interface ExplainOrder {
  /** The library in which the skill is looked for. */
  readonly skills: readonly SkillFolder[];
  /** The id or the name of the skill to explain. */
  readonly skill: string;
  readonly episode: Episode;
  /** 0-based. */
  readonly t: number;
}

/** Why one skill, judging alone, did or did not act on the first proposal of a step, or once its action had run. */
export interface ExplainedStep extends JudgedPf {
  readonly proposed: Action;
  /** The recorded answer of the skill to the same question. */
  readonly recorded: PfEvent | undefined;
  /** Today an earlier step would have run another action, so this one might never have come. */
  readonly diverged: boolean;
  /** Says that the episode's domain is not registered, and which one it is read as. */
  readonly notice: string | undefined;
}

const refusal = (message: string, next: string): Checked<never> => failed("HASP591", message, next);

function notLoaded({ skills, skill: wanted }: ExplainOrder, library: Library): Checked<never> {
  const isHere = skills.some(({ skill }) => skill?.skillId === wanted || skill?.name === wanted);
  const loaded = library.active.map(({ skill }) => skill.skillId).join(", ");
  if (!isHere) return refusal(`No skill here is called ${wanted}.`, `Loaded: ${loaded || "none"}.`);
  const [first] = library.diagnostics;
  const why = first === undefined ? "It has no Program Function." : `${first.message} ${first.next ?? ""}`;
  return refusal(`The Program Function of ${wanted} cannot be asked.`, why.trim());
}

/** The decision of a skill that is asked only after the action has run is the later one. */
function decisionOf(
  pfs: readonly JudgedPf[],
  judged: RecordedJudgement,
  skillId: string,
): JudgedPf | undefined {
  const own = pfs.filter(({ event }) => event.skillId === skillId);
  const later = own.find(({ event }) => event.pass === "post");
  return judged.first?.states.has(skillId) === true ? own[0] : (later ?? own[0]);
}

async function explainActive(
  active: ActiveSkill,
  { episode, t }: ExplainOrder,
  library: Library,
  host: PfHost,
  compiler: Judging["compiler"],
): Promise<Checked<ExplainedStep>> {
  const { skillId } = active.skill;
  const bench = { library: { ...library, active: [active] }, host, compiler };
  const judged = (await judgeRecorded(episode, bench.library, host))[t];
  const proposed = episode.steps[t]?.proposals[0]?.action;
  if (judged === undefined || proposed === undefined)
    return refusal(
      `There is no step ${t + 1}.`,
      `Steps are counted from 1; this episode has ${episode.steps.length}.`,
    );
  const decision = decisionOf(await reasonsAt(judged, bench), judged, skillId);
  if (decision === undefined)
    return refusal(
      `${skillId} is of another domain, so that it does not act in a ${episode.facts.domain} episode.`,
      "Choose an episode of the skill's own domain.",
    );
  const { diverged } = judged;
  const { proposal, pass } = decision.event;
  const recorded = episode.steps[t]?.events.find(
    (event) => event.skillId === skillId && event.proposal === proposal && event.pass === pass,
  );
  const notice = foreignDomain(episode.facts.domain);
  const value = { ...decision, proposed, recorded, diverged, notice };
  return { value, diagnostics: library.diagnostics };
}

/** Explains from its own code why a skill did or did not act on a recorded step. */
export async function explainSkill(order: ExplainOrder, judging: Judging): Promise<Checked<ExplainedStep>> {
  return inLibrary(order.skills, judging, async (library, host) => {
    const active = library.active.find(
      ({ skill }) => skill.skillId === order.skill || skill.name === order.skill,
    );
    if (active === undefined) return notLoaded(order, library);
    return explainActive(active, order, library, host, judging.compiler);
  });
}
