/**
 * The replay view inside VS Code. The page that the extension writes needs, in this order:
 *
 *   <link rel="stylesheet" href="{dist/webview/replay.css}">   font-face of the codicons, page margins
 *   <body><hasp-replay></hasp-replay>
 *   <script nonce="{nonce}" src="{dist/webview/replay.js}"></script>   at the end of the body
 *
 * with `codicon.ttf` beside `replay.css` (which is webview/replay/replay.css, copied), and the policy
 *
 *   default-src 'none'; script-src 'nonce-{nonce}'; style-src {cspSource}; style-src-attr 'unsafe-inline'; font-src {cspSource}
 *
 * Styles of components are adopted style sheets, which no policy touches; `style` attributes carry counts and clamps.
 */
import { vscodeHost } from "../shared/vscode-host.ts";
import { startReplay } from "./start.ts";

startReplay(vscodeHost());
