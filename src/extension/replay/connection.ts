import type * as vscode from "vscode";
import { connect, type Connection } from "../../protocol/connection.ts";
import type { ReplayHost, ReplayView } from "../../protocol/replay.ts";

export type ViewConnection = Connection<ReplayView, ReplayHost>;

/** The contract over one webview's messages; ends with the webview. */
export function connectView(webview: vscode.Webview): ViewConnection {
  const post = webview.postMessage.bind(webview);
  return connect<ReplayView, ReplayHost>({
    // A webview that is gone refuses the message; nobody waits for the answer then.
    post: (message) => void post(message),
    onMessage: (listener) => void webview.onDidReceiveMessage(listener),
  });
}
