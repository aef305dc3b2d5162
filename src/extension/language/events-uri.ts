import * as vscode from "vscode";

/** A page of the steps on which a skill fired: `hasp-events:/<skill_id>.md`. */
export const EVENTS_SCHEME = "hasp-events";

export function eventsUri(skillId: string): vscode.Uri {
  return vscode.Uri.from({ scheme: EVENTS_SCHEME, path: `/${skillId}.md` });
}
