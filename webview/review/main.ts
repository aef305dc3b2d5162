/** The view of a skill's reviews inside VS Code; its page is that of every view (src/extension/webview-page.ts). */
import { connect } from "../../src/protocol/connection.ts";
import type { ReviewHost, ReviewView } from "../../src/protocol/review.ts";
import { vscodeChannel } from "../shared/vscode-host.ts";
import { startReview } from "./start.ts";

startReview(connect<ReviewHost, ReviewView>(vscodeChannel().channel));
