import * as vscode from "vscode";
import { registerCommand } from "./commands.ts";
import { COMMANDS, WALKTHROUGH } from "./contributions.ts";
import { refreshLauncher } from "./enforce/launcher.ts";
import { onDidShowFailure, showFailure } from "./failure.ts";
import { registerFeatures } from "./features.ts";
import { registerHelp } from "./help/command.ts";
import { openLog, openServices } from "./open-services.ts";
import { showWalkthroughOnce } from "./sample/first-window.ts";
import { settled } from "./pending-work.ts";

/** The interface for other code of the extension host, such as its tests. */
export interface ExtensionApi {
  /** Resolves once no diagnostic of ours is still to come for what the extension has heard of. Never rejects. */
  settled(): Promise<void>;
  /** Calls the listener with the message of each failure as it is shown to the person. */
  readonly onDidShowFailure: typeof onDidShowFailure;
}

/** Composition root 1: opens the services that features share, registers each feature, and leaves. No worker starts here. */
export function activate(context: vscode.ExtensionContext): ExtensionApi {
  const safe = openLog();
  const { log } = safe;
  const warn = (what: string) => (error: unknown) => log.warn(`${what}: ${String(error)}`);
  context.subscriptions.push(
    log,
    registerCommand(log, COMMANDS.openLog, async () => log.show()),
    registerCommand(log, COMMANDS.openWalkthrough, async () => {
      const page = `${context.extension.id}#${WALKTHROUGH}`;
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", page, false);
    }),
    registerHelp(log, context.extensionUri),
  );
  try {
    context.subscriptions.push(...registerFeatures(openServices(context, safe)));
  } catch (error) {
    showFailure(log, "HASP Studio did not start", error);
    throw error;
  }
  refreshLauncher(context).catch(warn("The file that hooks start is old"));
  showWalkthroughOnce(context).catch(warn("The walkthrough did not open"));
  return { settled, onDidShowFailure };
}
