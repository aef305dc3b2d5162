import type * as vscode from "vscode";
import { contextAt } from "../../trace/context-at.ts";
import { isKindOfStep } from "../../skill/scaffold-kinds.ts";
import type { SkillOrigin } from "../../skill/scaffold-step.ts";
import { suggestDescription, suggestName } from "../../skill/step-trigger.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { openSkillDesk, type SkillDesk } from "../new-skill/command.ts";
import type { NewSkillAnswers } from "../new-skill/wizard.ts";
import { requireTrust } from "../workspace/trust.ts";
import { nameOfStep, recordedStep, type RecordedStep } from "./recorded-step.ts";
import type { Services } from "../services.ts";

function originOf(step: RecordedStep): SkillOrigin {
  const { episode, t, domain } = step;
  const proposed = step.step.proposals[0]?.action;
  if (proposed === undefined)
    throw new Unmet(`Step ${t + 1} has no proposal.`, "Choose a step where the policy proposed something.");
  const context = contextAt(episode, t, domain.contextRules);
  return { context, proposed, caseName: nameOfStep(step) };
}

type Suggested = Partial<Pick<NewSkillAnswers, "name" | "description" | "kind">>;

/** A new skill before the wizard asks for it. */
export interface SkillWish {
  /** Of the command. */
  readonly title: string;
  /** The argument of the command: a caller in code answers questions of the wizard. */
  readonly argument: unknown;
  /** In place of what the step suggests. */
  readonly suggested?: Suggested;
  /** Lines for SKILL.md about the failure that the skill is to prevent. */
  readonly notes?: readonly string[];
}

/** The answers of a caller in code to questions of the wizard. */
function givenIn(argument: unknown): Suggested {
  const { name, description, kind } = fieldsOf(argument);
  return {
    ...(typeof name === "string" && { name }),
    ...(typeof description === "string" && { description }),
    ...(isKindOfStep(kind) && { kind }),
  };
}

/** Asks by the wizard, filled in from the step, and writes the skill; undefined when the person leaves. */
export async function writeSkillFromStep(
  desk: SkillDesk,
  step: RecordedStep,
  { title, argument, suggested = {}, notes = [] }: SkillWish,
): Promise<vscode.Uri | undefined> {
  const origin = originOf(step);
  const { name: domain } = step.domain;
  const given = givenIn(argument);
  const first = {
    domain,
    name: given.name ?? desk.freeName(domain, suggested.name ?? suggestName(origin, step.domain)),
    description: given.description ?? suggested.description ?? suggestDescription(origin, step.domain),
    kind: given.kind ?? suggested.kind ?? "inject",
  };
  const answers =
    given.kind === undefined ? await desk.ask(first, `HASP: ${title}`) : desk.inFirstRoot(first);
  return answers === undefined ? undefined : desk.write({ ...answers, origin, notes });
}

/**
 * `HASP: New Skill from This Step`: New Skill with name, domain and description filled in; its trigger fires on the step, which is its
 * first case. `pf.ts` opens beside the replay.
 */
export function registerNewSkillFromStep({
  editorServices,
}: Pick<Services, "editorServices">): vscode.Disposable {
  const desk = openSkillDesk(editorServices);
  const { newSkillFromStep } = COMMANDS;
  async function newSkill(argument?: unknown): Promise<vscode.Uri | undefined> {
    requireTrust("Writing a skill into it");
    const step = await recordedStep(editorServices, argument);
    const folder = await writeSkillFromStep(desk, step, { title: newSkillFromStep.title, argument });
    if (folder !== undefined) await desk.showPf(folder);
    return folder;
  }
  return registerCommand(editorServices.log, newSkillFromStep, newSkill);
}
