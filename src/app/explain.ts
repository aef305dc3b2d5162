import { askedAt, explain, judgeRecorded, recordedQuestionAt } from "../analysis/judge.ts";
import type { ActiveSkill, Library } from "../analysis/library.ts";
import { foreignDomain } from "../domains/registry.ts";
import type { Action } from "../model/action.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { inLibrary } from "./library.ts";
import type { Judging } from "./ports.ts";
import { failed } from "./refusal.ts";

export interface ExplainOrder {
  /** The library in which the skill is looked for. */
  readonly skills: readonly SkillFolder[];
  /** The id or the name of the skill to explain. */
  readonly skill: string;
  readonly episode: Episode;
  /** 0-based. */
  readonly t: number;
}

/** Why one skill, judging alone, did or did not act on the first proposal of a step. */
export interface ExplainedStep {
  readonly skillId: string;
  readonly proposed: Action;
  /** Undefined where no PF was asked about the step. */
  readonly event: PfEvent | undefined;
  /** Today an earlier step would have run another action, so this one might never have come. */
  readonly diverged: boolean;
  readonly explanation: Explanation;
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

async function explainActive(
  active: ActiveSkill,
  { episode, t }: ExplainOrder,
  library: Library,
  host: PfHost,
  compiler: Judging["compiler"],
): Promise<Checked<ExplainedStep>> {
  const { skillId } = active.skill;
  const question = recordedQuestionAt(episode, t);
  if (question === undefined)
    return refusal(
      `There is no step ${t + 1}.`,
      `Steps are counted from 1; this episode has ${episode.steps.length}.`,
    );
  const judged = (await judgeRecorded(episode, { ...library, active: [active] }, host))[t];
  const asked = judged && askedAt(active, judged, question);
  if (judged?.statesBefore.has(skillId) === true && asked === undefined)
    return refusal(
      `${skillId} is asked after a ${question.proposed.type} has run, and this one did not run.`,
      "Choose a step whose action ran.",
    );
  if (judged === undefined || asked === undefined) {
    const why = judged?.notAsked.find((one) => one.skillId === skillId)?.reason;
    return refusal(
      why === undefined
        ? `${skillId} is of another domain, so that it does not act in a ${episode.facts.domain} episode.`
        : `${skillId} is not asked in this episode: ${why}`,
      why === undefined ? "Choose an episode of the skill's own domain." : "Choose another episode.",
    );
  }
  const explanation = await explain(active, asked.state, asked.question, compiler, host);
  if (explanation === undefined)
    return refusal(`${active.program.file} cannot be instrumented.`, "Validate the skill.");
  const event = judged.events.find(
    (one) =>
      one.skillId === skillId &&
      one.pass === asked.question.pass &&
      (one.pass === "post" || one.proposal === 0),
  );
  const { diverged } = judged;
  const notice = foreignDomain(episode.facts.domain);
  const value = { skillId, proposed: question.proposed, event, diverged, explanation, notice };
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
