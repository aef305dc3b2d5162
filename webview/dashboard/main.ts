/** The training dashboard inside VS Code; its page is that of every view (src/extension/webview-page.ts). */
import { connect } from "../../src/protocol/connection.ts";
import type { DashboardHost, DashboardView } from "../../src/protocol/dashboard.ts";
import { vscodeChannel } from "../shared/vscode-host.ts";
import { startDashboard } from "./start.ts";

const { channel, memory } = vscodeChannel();
startDashboard(connect<DashboardHost, DashboardView>(channel), memory);
