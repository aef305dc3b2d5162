import { hostOver, type Host } from "./host.ts";

interface VsCodeApi {
  postMessage(this: void, message: unknown): void;
  getState(this: void): unknown;
  setState(this: void, state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The extension on the other side of the webview's `postMessage`. May be called once per page, as VS Code demands. */
export function vscodeHost(): Host {
  const { postMessage, getState, setState } = acquireVsCodeApi();
  const channel = {
    post: (message: unknown) => postMessage(message),
    onMessage: (listener: (message: unknown) => void) =>
      window.addEventListener("message", (event) => listener(event.data)),
  };
  return hostOver(channel, { read: () => getState(), write: (state) => setState(state) });
}
