import * as vscode from "vscode";
import { COMMANDS } from "../contributions.ts";

/** True in the workspace's state where a person has said yes for good. */
const ALLOWED = "hasp.debugAllowed";

interface Answer extends vscode.QuickPickItem {
  readonly allows: boolean;
  readonly forGood?: boolean;
}

/**
 * A debugger runs code outside of the sandbox, so a person says yes to that first. A list that waits for its answer: a notification
 * slides away, and the command seems to do nothing.
 */
export async function askConsent(memory: vscode.Memento, skillId: string): Promise<boolean> {
  if (memory.get<boolean>(ALLOWED) === true) return true;
  const answers: readonly Answer[] = [
    {
      label: "$(debug-alt) Debug Once",
      description: skillId,
      detail: "pf.ts runs in Node with your rights: it can read files and use the network.",
      allows: true,
    },
    {
      label: "$(check-all) Always Debug in This Workspace",
      detail: "Does not ask again for any Program Function of this workspace.",
      allows: true,
      forGood: true,
    },
    { label: "$(close) Do Not Debug", allows: false },
  ];
  const title = `HASP: ${COMMANDS.debugPf.title}`;
  const placeHolder = "Debugging runs the code outside of the sandbox";
  const answer = await vscode.window.showQuickPick(answers, { title, placeHolder, ignoreFocusOut: true });
  if (answer?.forGood === true) await memory.update(ALLOWED, true);
  return answer?.allows === true;
}
