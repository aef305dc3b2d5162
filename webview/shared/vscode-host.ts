import type { Channel } from "../../src/protocol/connection.ts";
import type { Memory } from "./host.ts";

interface VsCodeApi {
  postMessage(this: void, message: unknown): void;
  getState(this: void): unknown;
  setState(this: void, state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The extension on the other side of the webview's `postMessage`. May be called once per page, as VS Code demands. */
export function vscodeChannel(): { readonly channel: Channel; readonly memory: Memory } {
  const { postMessage, getState, setState } = acquireVsCodeApi();
  return {
    channel: {
      post: (message) => postMessage(message),
      onMessage: (listener) => window.addEventListener("message", (event) => listener(event.data)),
    },
    memory: { read: () => getState(), write: (state) => setState(state) },
  };
}
