import type * as vscode from "vscode";
import { contextAt } from "../../trace/context-at.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { pickSkillOn } from "../from-step/pick-skill.ts";
import { recordedStep } from "../from-step/recorded-step.ts";
import { requireTrust } from "../workspace/trust.ts";
import { launchDebug } from "./launch.ts";
import type { Services } from "../services.ts";

/** `HASP: Debug PF on This Step`: the PF judges the recorded step in Node, under VS Code's JavaScript debugger. */
export function registerDebugPf({
  editorServices,
  judging,
}: Pick<Services, "editorServices" | "judging">): vscode.Disposable {
  async function debug(argument?: unknown): Promise<boolean> {
    requireTrust("Debugging its code");
    const step = await recordedStep(editorServices, argument);
    const question = { title: `HASP: ${COMMANDS.debugPf.title}`, purpose: "Program Function to debug on" };
    const chosen = await pickSkillOn(step, editorServices, judging, question);
    if (chosen === undefined) return false;
    const proposed = step.step.proposals[0]?.action;
    if (proposed === undefined)
      throw new Unmet(
        `Step ${step.t + 1} has no proposal.`,
        "Choose a step where the policy proposed something.",
      );
    const session = await launchDebug(
      { ...editorServices, compiler: judging.compiler },
      {
        skill: chosen.skill,
        context: contextAt(step.episode, step.t, step.domain.contextRules),
        remembered: chosen.today?.memory ?? {},
        proposed,
        name: `HASP: ${chosen.skill.skillId} on step ${step.t + 1}`,
        place: step.run.file,
      },
    );
    return session !== undefined;
  }

  return registerCommand(editorServices.log, COMMANDS.debugPf, debug);
}
