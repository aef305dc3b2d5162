import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** Where the built view lives; the only folder its page may read. */
export function viewFolder(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, "dist", "webview");
}

/**
 * The page that holds `<hasp-replay>`. Scripts and styles run by nonce only. Lit's styleMap writes style attributes and
 * cannot carry a nonce, so those alone are open (DESIGN.md, "What runs what"). No network, no frames, no forms.
 */
export function replayPage(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64");
  const at = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(viewFolder(extension), file)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${webview.cspSource}`,
    "style-src-attr 'unsafe-inline'",
    `font-src ${webview.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Replay</title>
  <style nonce="${nonce}">
    @font-face { font-family: codicon; font-display: block; src: url("${at("codicon.ttf")}") format("truetype"); }
    html, body { height: 100%; margin: 0; }
    body { padding: 0; overflow: hidden; }
    hasp-replay { display: block; height: 100%; }
  </style>
</head>
<body>
  <hasp-replay></hasp-replay>
  <script nonce="${nonce}" src="${at("replay.js")}"></script>
</body>
</html>`;
}
