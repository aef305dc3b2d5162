import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** The folder of the built views, the only one that their pages may read. */
export function viewFolder(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, "dist", "webview");
}

/** The element of a view and the script that defines it. */
export interface ViewPage {
  readonly title: string;
  /** Name of the custom element. */
  readonly element: string;
  /** File in `viewFolder`. */
  readonly script: string;
}

/** Shows a view in a webview. */
export function showView(webview: vscode.Webview, extension: vscode.Uri, page: ViewPage): void {
  webview.options = { enableScripts: true, localResourceRoots: [viewFolder(extension)] };
  webview.html = webviewPage(webview, extension, page);
}

/**
 * The page that holds a view. Scripts and styles run by nonce only. Lit's styleMap writes style attributes and
 * cannot carry a nonce, so those alone are open (DESIGN.md, "What runs what"). No network, no frames, no forms.
 */
function webviewPage(
  webview: vscode.Webview,
  extension: vscode.Uri,
  { title, element, script }: ViewPage,
): string {
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
  <title>${title}</title>
  <style nonce="${nonce}">
    @font-face { font-family: codicon; font-display: block; src: url("${at("codicon.ttf")}") format("truetype"); }
    html, body { height: 100%; margin: 0; }
    body { padding: 0; overflow: hidden; }
    ${element} { display: block; height: 100%; }
  </style>
</head>
<body>
  <${element}></${element}>
  <script nonce="${nonce}" src="${at(script)}"></script>
</body>
</html>`;
}
