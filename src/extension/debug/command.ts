import type * as vscode from "vscode";
import { contextAt } from "../../trace/context-at.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { judgingIn, pickSkill } from "../from-step/pick-skill.ts";
import {
  nameOfStep,
  recordedStep,
  type RecordedStep,
  type StepServices,
} from "../from-step/recorded-step.ts";
import { type SkillToday, todayOn, type TodayServices } from "../from-step/today.ts";
import { requireTrust } from "../workspace/trust.ts";
import { wayTo } from "../unmet.ts";
import { type DebugServices, launchDebug } from "./launch.ts";

interface Services extends StepServices, TodayServices, DebugServices {}

/** `HASP: Debug PF on This Step`: the PF judges the recorded step in Node, under VS Code's JavaScript debugger. */
export function registerDebugPf(services: Services): vscode.Disposable {
  const { log, library, memory } = services;

  async function choose(step: RecordedStep): Promise<SkillToday | undefined> {
    const skills = judgingIn(await library.list(), step.domain.name);
    if (skills.length === 0)
      throw new Unmet(
        `Today's library has no Program Function for ${step.domain.name}.`,
        "Make a skill of this step.",
        wayTo(COMMANDS.newSkillFromStep),
      );
    const placeHolder = `Program Function to debug on ${nameOfStep(step)}`;
    const title = `HASP: ${COMMANDS.debugPf.title}`;
    const { skillId } = step;
    return pickSkill(memory, await todayOn(services, step, skills), { title, placeHolder, skillId });
  }

  async function debug(argument?: unknown): Promise<boolean> {
    requireTrust("Debugging its code");
    const step = await recordedStep(services, argument);
    const chosen = await choose(step);
    if (chosen === undefined) return false;
    const proposed = step.step.proposals[0]?.action;
    if (proposed === undefined)
      throw new Unmet(
        `Step ${step.t + 1} has no proposal.`,
        "Choose a step where the policy proposed something.",
      );
    return launchDebug(services, {
      skill: chosen.skill,
      context: contextAt(step.episode, step.t, step.domain.contextRules),
      remembered: chosen.today?.memory ?? {},
      proposed,
      name: `HASP: ${chosen.skill.skillId} on step ${step.t + 1}`,
      place: step.run.file,
    });
  }

  return registerCommand(log, COMMANDS.debugPf, debug);
}
