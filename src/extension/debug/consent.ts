import type * as vscode from "vscode";
import { choose } from "../choose.ts";
import { COMMANDS } from "../contributions.ts";

/** True in the workspace's state where a person has said yes for good. */
const ALLOWED = "hasp.debugAllowed";

/**
 * A debugger runs code outside of the sandbox, so a person says yes to that first. A list that waits for its answer: a notification
 * slides away, and the command seems to do nothing.
 */
export async function askConsent(memory: vscode.Memento, skillId: string): Promise<boolean> {
  if (memory.get<boolean>(ALLOWED) === true) return true;
  const answers = [
    {
      label: "$(debug-alt) Debug Once",
      description: skillId,
      detail: "pf.ts runs in Node with your rights: it can read files and use the network.",
      value: "once",
    },
    {
      label: "$(check-all) Always Debug in This Workspace",
      detail: "Does not ask again for any Program Function of this workspace.",
      value: "always",
    },
    { label: "$(close) Do Not Debug", value: "no" },
  ] as const;
  const title = `HASP: ${COMMANDS.debugPf.title}`;
  const placeHolder = "Debugging runs the code outside of the sandbox";
  const answer = await choose(title, placeHolder, answers, { ignoreFocusOut: true });
  if (answer === "always") await memory.update(ALLOWED, true);
  return answer === "once" || answer === "always";
}
