import { hostOver, type Host } from "./host.ts";

declare function acquireVsCodeApi(): { postMessage: (message: unknown) => void };

/** The extension on the other side of the webview's `postMessage`. May be called once per page, as VS Code demands. */
export function vscodeHost(): Host {
  const { postMessage } = acquireVsCodeApi();
  return hostOver({
    post: (message) => postMessage(message),
    onMessage: (listener) => window.addEventListener("message", (event) => listener(event.data)),
  });
}
