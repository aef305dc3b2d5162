/** The view of training data and signals inside VS Code; its page is that of every view (src/extension/webview-page.ts). */
import { connect } from "../../src/protocol/connection.ts";
import type { TrainingHost, TrainingView } from "../../src/protocol/training.ts";
import { vscodeChannel } from "../shared/vscode-host.ts";
import { startTraining } from "./start.ts";

startTraining(connect<TrainingHost, TrainingView>(vscodeChannel().channel));
