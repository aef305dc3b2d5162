import type * as vscode from "vscode";
import { type Connection, connect, type Contract } from "../../protocol/connection.ts";
import type { ReplayHost, ReplayView } from "../../protocol/replay.ts";

export type ViewConnection = Connection<ReplayView, ReplayHost>;

/** The contract over one webview's messages; ends with the webview. */
export function connectWebview<View extends Contract, Host extends Contract>(
  webview: vscode.Webview,
): Connection<View, Host> {
  const post = webview.postMessage.bind(webview);
  return connect<View, Host>({
    // A webview that is gone refuses the message; nobody waits for the answer then.
    post: (message) => void post(message),
    onMessage: (listener) => void webview.onDidReceiveMessage(listener),
  });
}
