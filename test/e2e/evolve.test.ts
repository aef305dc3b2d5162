import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import { ROOT } from "../../scripts/lib/paths.mts";
import { AUTHOR_REPLIES, writeEvolvable } from "../support/evolution.ts";
import { loopbackModel, type LoopbackModel } from "../support/loopback-model.ts";
import { configureModel } from "./support/configure-model.ts";
import { clearNotices, notice } from "./support/notices.ts";
import { accept, answer, fromMenu, pick, runCommand, screenshotInBoth } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

/** Slow enough that a phase is seen at work. Milliseconds. */
const THINKS = 2_500;
const ENDS = 120_000;
const MODELS = JSON.stringify({ object: "list", data: [{ id: "author" }] });

furtherStory("A person lets the library evolve from a recorded run", (chapter) => {
  let workbench: Workbench;
  let author: LoopbackModel;
  let workspace: string;

  beforeAll(async () => {
    let call = 0;
    author = await loopbackModel(({ url }) =>
      url === "/v1/models"
        ? { kind: "raw", type: "application/json", body: MODELS }
        : { kind: "text", text: AUTHOR_REPLIES[call++] ?? "I have no skill for this.", wait: THINKS },
    );
    workspace = mkdtempSync(join(tmpdir(), "hasp-evolve-"));
    cpSync(join(ROOT, "samples"), workspace, { recursive: true });
    writeEvolvable(workspace);
    workbench = await openWorkbench({
      workspace,
      theme: "dark",
      size: { width: 1500, height: 950 },
    });
  });
  afterAll(async () => {
    await workbench.close();
    await author.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  const row = (text: string | RegExp): Locator =>
    workbench.page
      .locator(".pane", { has: workbench.page.locator('.pane-header[aria-label^="Evolutions"]') })
      .locator(".monaco-list-row", { hasText: text })
      .first();
  const folder = (...path: string[]): string =>
    join(workbench.folder, ".hasp/evolutions/evolution-1", ...path);

  /** Calls that ask for a skill. */
  const asked = (): number => author.calls.filter(({ url }) => url !== "/v1/models").length;

  chapter("configures the model that is to write skills", async () => {
    await configureModel(workbench, { role: "Policy", url: author.url, price: "0.15/0.60" });
  });

  chapter(
    "chooses runs, models, mode and gate, and sees what it can cost before anything is sent",
    async () => {
      await runCommand(workbench, "HASP: Evolve Library");
      await accept(workbench, "Episodes to learn from");
      // The newest run is ticked; a list of ticks has no highlighted row.
      await answer(workbench, "Runs whose failures the author learns from", "");
      await accept(workbench, "Author: the model that writes skills");
      await accept(workbench, "Teacher: summarises failures");
      await accept(workbench, "Mode");
      await workbench.page.locator('.quick-input-widget input[placeholder^="Gate:"]').waitFor();
      const rows = workbench.page.locator(".quick-input-list .monaco-list-row .label-name");
      const offered = (await rows.allInnerTexts()).filter((text) => /^[a-z-]+$/.test(text));
      expect(offered).toEqual(["exec-only", "audit", "none"]);
      await screenshot(workbench, "evolve-gates-dark");
      await accept(workbench, "Gate:");
      await pick(workbench, "Worth on held-out questions", "Does not decide");
      await accept(workbench, "Epochs");
      await answer(workbench, "Budget in US dollars", "2.50");
      await accept(workbench, "Name of the evolution");
      await workbench.page.locator(".quick-input-list .monaco-list-row", { hasText: "Start" }).waitFor();
      await screenshot(workbench, "evolve-preview-dark");
      expect(asked()).toBe(0);
      await accept(workbench, "Start the evolution");
    },
  );

  /** Makes room for the view of evolutions. */
  async function collapseOthers(): Promise<void> {
    for (const name of ["Skills", "Runs", "Failures", "Backtest"]) {
      const header = workbench.page.locator(`.pane-header[aria-label^="${name}"]`);
      await header.waitFor();
      if ((await header.getAttribute("aria-expanded")) === "true") await header.click();
    }
  }

  chapter("watches it at work, and stops it after the phase", async () => {
    await collapseOthers();
    await row("C Propose skills").filter({ hasText: "running" }).waitFor({ timeout: ENDS });
    await row("C Propose skills").filter({ hasText: "of 4" }).waitFor({ timeout: ENDS });
    await screenshot(workbench, "evolve-running-dark");
    await fromMenu(workbench, row("evolution-1"), "Stop Evolution");
    await row("evolution-1").filter({ hasText: "stops after this phase" }).waitFor();
    await notice(workbench, /Stopped after a phase/, ENDS);
    await row("evolution-1").filter({ hasText: "not finished" }).waitFor();
    await clearNotices(workbench);
    await screenshotInBoth(workbench, "evolve-stopped");
    expect(existsSync(folder("epoch_1/proposals.json"))).toBe(true);
    expect(existsSync(folder("epoch_1/checks.json"))).toBe(false);
  });

  chapter("resumes it with the budget that it had, and sees the decisions", async () => {
    const before = asked();
    await fromMenu(workbench, row("evolution-1"), "Resume Evolution");
    await accept(workbench, "Budget in US dollars, earlier sittings included");
    await notice(workbench, /1 epoch done/, ENDS);
    await clearNotices(workbench);
    expect(asked()).toBe(before);
    await row("unread_answer v1").filter({ hasText: "admitted" }).waitFor();
    await row("hasty_answer v1").filter({ hasText: "rejected" }).waitFor();
    await screenshotInBoth(workbench, "evolve-decided");
  });

  chapter("opens a rejected candidate, and accepts it with a reason", async () => {
    await row("hasty_answer v1").click();
    await workbench.page.locator(".tab", { hasText: "pf.ts" }).first().waitFor();
    await workbench.page.locator(".tab", { hasText: "SKILL.md" }).first().waitFor();
    await screenshotInBoth(workbench, "evolve-candidate");
    await fromMenu(workbench, row("hasty_answer v1"), "Accept Candidate");
    await workbench.page.locator(".quick-input-message", { hasText: "Why hasty_answer" }).waitFor();
    await screenshot(workbench, "evolve-accept-dark");
    await answer(workbench, "Why hasty_answer", "It is wanted for other answers.");
    await row("hasty_answer v1").filter({ hasText: "admitted by a person" }).waitFor();
    const history = readFileSync(
      join(workbench.folder, "skills/web-search/generated/library_history.json"),
      "utf8",
    );
    expect(history).toContain("It is wanted for other answers.");
    await clearNotices(workbench);
  });

  chapter("reads the report", async () => {
    await runCommand(workbench, "HASP: Show Evolution Report");
    await workbench.page.locator(".tab", { hasText: "report.md" }).first().waitFor();
    const page = workbench.page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
    await page.locator("h1", { hasText: "Evolution evolution-1" }).waitFor();
    await screenshotInBoth(workbench, "evolve-report");
  });

  return { name: "evolve", workbench: () => workbench };
});
