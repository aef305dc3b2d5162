import * as vscode from "vscode";
import type { HelpPlace } from "../../model/help-page.ts";
import type { ArrivalChecks } from "../../protocol/check.ts";
import { type Connection, connect } from "../../protocol/connection.ts";
import type { Contract } from "../../protocol/contract.ts";
import type { ReplayHost, ReplayView } from "../../protocol/replay.ts";
import { COMMANDS } from "../contributions.ts";

export type ViewConnection = Connection<ReplayView, ReplayHost>;

/** The contract over one webview's messages, each checked as it arrives; ends with the webview. */
export function connectWebview<View extends Contract, Host extends Contract>(
  webview: vscode.Webview,
  checks: ArrivalChecks<View, Host>,
  log: Pick<vscode.LogOutputChannel, "warn">,
): Connection<View, Host> {
  const post = webview.postMessage.bind(webview);
  const channel = {
    // A webview that is gone refuses the message; nobody waits for the answer then.
    post: (message: unknown) => void post(message),
    onMessage: (listener: (message: unknown) => void) => void webview.onDidReceiveMessage(listener),
  };
  return connect<View, Host>(channel, { checks, onRefused: (problem) => log.warn(problem) });
}

/** The requests that every view has. */
interface CommonRequests {
  handle(method: "openLog", handler: () => Promise<null>): void;
  handle(method: "openHelp", handler: (place: HelpPlace) => Promise<null>): void;
}

/** Answers what every view asks: to open the log, and a page of help. */
export function answerCommon(connection: CommonRequests): void {
  connection.handle("openLog", async () => {
    await vscode.commands.executeCommand(COMMANDS.openLog.id);
    return null;
  });
  connection.handle("openHelp", async (place) => {
    await vscode.commands.executeCommand(COMMANDS.help.id, place);
    return null;
  });
}
