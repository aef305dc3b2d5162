/**
 * The replay view inside VS Code. The page that the extension writes needs
 *
 *   a font-face named `codicon` (codicon.ttf), and html, body and hasp-replay at full height without padding
 *   (webview/fixture/page.css shows the rules),
 *   <hasp-replay></hasp-replay>, and after it <script nonce="…" src="…/replay.js"></script>,
 *
 * under the policy default-src 'none'; script-src 'nonce-…'; style-src for the rules above; style-src-attr
 * 'unsafe-inline'; font-src {cspSource}. Styles of components are adopted style sheets, which no policy touches; `style`
 * attributes carry counts and clamps.
 */
import { hostOver } from "../shared/host.ts";
import { vscodeChannel } from "../shared/vscode-host.ts";
import { startReplay } from "./start.ts";

const { channel, memory } = vscodeChannel();
startReplay(hostOver(channel, memory));
