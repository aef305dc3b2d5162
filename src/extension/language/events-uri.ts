import * as vscode from "vscode";

/** A page of the steps on which a skill fired: `hasp-events:/recorded steps/<skill_id>.md`. Lists of references show the folder, too. */
export const EVENTS_SCHEME = "hasp-events";

export function eventsUri(skillId: string): vscode.Uri {
  return vscode.Uri.from({ scheme: EVENTS_SCHEME, path: `/recorded steps/${skillId}.md` });
}
