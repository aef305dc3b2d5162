import { ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import { activated, eventually } from "./support.ts";

function previews(): string[] {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: open }) => open);
  const isPreview = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputWebview && input.viewType.includes("markdown.preview");
  return tabs.filter(isPreview).map(({ label }) => label);
}

describe("HASP: Help", () => {
  before(async () => {
    await activated();
  });

  it("opens a shipped page rendered, and another one in the same tab", async () => {
    await vscode.commands.executeCommand("hasp.help", { page: "replay", anchor: "overridden" });
    await eventually("the page on the replay", () => previews().some((label) => label.includes("replay.md")));
    await vscode.commands.executeCommand("hasp.help", { page: "settings" });
    await eventually("the page on settings", () => previews().some((label) => label.includes("settings.md")));
    ok(previews().length === 1, previews().join(", "));
  });

  it("opens the page of each view", async () => {
    for (const [command, page] of [
      ["hasp.helpOnSkills", "skills.md"],
      ["hasp.helpOnRuns", "replay.md"],
      ["hasp.helpOnFailures", "failures.md"],
      ["hasp.helpOnBacktest", "backtest.md"],
    ] as const) {
      await vscode.commands.executeCommand(command);
      await eventually(page, () => previews().some((label) => label.includes(page)));
    }
  });
});
