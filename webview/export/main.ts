/** The script of an exported page (src/trace/export-html.ts): the replay view over what the page itself holds. */
import { startReplay } from "../replay/start.ts";
import { exportHost } from "./host.ts";
import { embeddedPage } from "./page-data.ts";
import { followAddress } from "./place.ts";
import { followTheme } from "./theme.ts";

followTheme();
const { host, extension } = exportHost(embeddedPage(document));
followAddress(extension);
startReplay(host);
