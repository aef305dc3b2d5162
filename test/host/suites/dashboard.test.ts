import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { FollowedRun } from "../../../src/extension/dashboard/feed.ts";
import { activated, eventually, root } from "./support.ts";

const FOLDER = ".hasp/jobs/suite-training";

const at = (...path: readonly string[]): vscode.Uri => vscode.Uri.joinPath(root(), FOLDER, ...path);

const write = async (name: string, text: string): Promise<void> =>
  vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text));

const row = (step: number): string =>
  `${JSON.stringify({ step, iteration: 1, loss: 1 / step, num_tokens: step * 100 })}\n`;

const JOB = {
  schema: "hasp.job/1",
  id: "suite-training",
  title: "A training of the suite",
  cwd: ".",
  commands: [{ program: "python", args: ["-m", "hasp_trainer"], about: "Train" }],
  env: {},
  passEnv: [],
  metrics: "metrics.jsonl",
};

/** Opens the dashboard, or brings it to the front; the runs that its view follows, with the points that it has. */
const call = (argument?: unknown): Thenable<readonly FollowedRun[] | undefined> =>
  vscode.commands.executeCommand<readonly FollowedRun[] | undefined>("hasp.openDashboard", argument);

const tabs = (): string[] =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes("hasp.dashboard"),
    )
    .map(({ label }) => label);

/** Waits until the view has so many points of the training. */
async function points(count: number): Promise<void> {
  await eventually(`${count} points in the dashboard`, async () => {
    const followed = await call();
    return followed?.some(({ id, points: had }) => id === at().toString() && had === count);
  });
}

describe("HASP: Open Dashboard", () => {
  before(activated);
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(at(), { recursive: true });
  });

  it("opens one panel, whose view follows the newest training", async () => {
    await call();
    await eventually("the tab of the dashboard", () => tabs().length > 0);
    await call();
    deepEqual(tabs(), ["Training dashboard"]);
  });

  it("shows a training that begins while it is open, and its points as the file grows", async () => {
    await write("job.json", JSON.stringify(JOB));
    await write("metrics.jsonl", row(10) + row(20));
    await eventually("the training in the dashboard", async () => {
      // The argument of an inline action of its row.
      const followed = await call(at());
      return followed?.some(({ id }) => id === at().toString());
    });
    await points(2);
    await write("metrics.jsonl", row(10) + row(20) + row(30));
    await points(3);
    // It resumed at step 10.
    await write("metrics.jsonl", row(10) + row(15));
    await points(2);
  });

  it("sends the points again to a view that was loaded anew, which has kept its runs", async () => {
    await write("metrics.jsonl", row(10) + row(15) + row(20) + row(25));
    await points(4);
    const kept = await call();
    await vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction");
    await eventually("the same runs and points", async () => {
      const now = await call();
      return JSON.stringify(now) === JSON.stringify(kept);
    });
    await write("metrics.jsonl", row(10) + row(12));
    await points(2);
  });

  it("reads a training again that was shown in a panel that is closed", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await eventually("the tab to close", () => tabs().length === 0);
    equal((await call(at()))?.length, 0);
    await points(2);
    ok(tabs().length === 1);
  });
});
