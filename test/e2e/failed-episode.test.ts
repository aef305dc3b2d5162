import { cp, mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { systemClock } from "../../src/platform/clock.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { pick, runCommand, setTheme } from "./support/palette.ts";
import {
  openWorkbench,
  resize,
  screenshot,
  type Theme,
  webview,
  type Workbench,
} from "./support/workbench.ts";

const THEMES: readonly Theme[] = ["light", "dark", "highContrast"];
const REAL = resolve(import.meta.dirname, "../../../shared/data/trajectories/reflexion-hotpotqa.jsonl");

const ABSENT = "../shared/data is not here, so there is no real run to open";

/** Reading a run and judging its first step starts two workers, seen at 8 s on two busy cores. */
const OPENED = 40_000;

/** VS Code writes an extension's workspace state within a second or two. */
const REMEMBERED = 3_000;

const replay = (workbench: Workbench): Locator => webview(workbench).locator("hasp-replay");

async function atStep(workbench: Workbench, text: string): Promise<void> {
  await replay(workbench).getByText(text).first().waitFor({ timeout: OPENED });
}

/** Opens the run in which `label` stands, and gives the keyboard to its first failed episode. */
async function openRun(workbench: Workbench, label: string): Promise<void> {
  await runCommand(workbench, "HASP: Open Run");
  await pick(workbench, "Run to open", label);
  await atStep(workbench, "Step 1 of");
}

describe("A person finds out why an episode failed", () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ workspace: "samples", theme: "dark" });
  });
  afterAll(async () => workbench.close());

  it("opens it and steps through it by keyboard", async () => {
    await openRun(workbench, "5 wrong");
    const { keyboard } = workbench.page;
    expect(await replay(workbench).getByText("wrong").count()).toBeGreaterThan(0);
    await keyboard.press("ArrowRight");
    await atStep(workbench, "Step 2 of 4");
    await keyboard.press("End");
    await atStep(workbench, "Step 4 of 4");
    await keyboard.press("ArrowLeft");
    await atStep(workbench, "Step 3 of 4");
  });

  it("reads which skill acted, which did not, and the deciding value", async () => {
    await workbench.page.keyboard.press("j");
    await atStep(workbench, "Step 1 of");
    await replay(workbench).getByText("actionType").first().waitFor({ timeout: OPENED });
    for (const theme of THEMES) {
      await setTheme(workbench, theme);
      await screenshot(workbench, `replay-${theme}`);
    }
    await resize(workbench, { width: 800, height: 1000 });
    await screenshot(workbench, "replay-800");
    await resize(workbench, { width: 1600, height: 1000 });
  });

  it("comes back to the same step after the window was reloaded", async () => {
    await replay(workbench).getByText("Thought").first().click();
    await workbench.page.keyboard.press("ArrowRight");
    await atStep(workbench, "Step 2 of");
    await delay(REMEMBERED);
    await workbench.page.reload();
    await atStep(workbench, "Step 2 of");
  });
});

describe("A person opens a run of 527 real episodes", () => {
  let workbench: Workbench | undefined;
  let workspace: string | undefined;

  beforeAll(async () => {
    if (!existsSync(REAL)) return;
    workspace = join(await mkdtemp(join(tmpdir(), "hasp-real-")), "real");
    await cp(resolve(import.meta.dirname, "../../samples"), workspace, { recursive: true });
    const folder = join(workspace, ".hasp/runs/reflexion");
    await importRun(nodeFiles(), systemClock, { format: "reflexion", sources: [REAL], folder });
    workbench = await openWorkbench({ workspace, theme: "light" });
  });
  afterAll(async () => {
    await workbench?.close();
    if (workspace !== undefined) await rm(resolve(workspace, ".."), { recursive: true });
  });

  it("steps through a failed one by keyboard", async ({ skip }) => {
    if (workbench === undefined) {
      skip(ABSENT);
      return;
    }
    await openRun(workbench, "342 wrong");
    await replay(workbench).locator("vscode-single-select[label=Outcome]").click();
    await replay(workbench).getByText("wrong (342)").last().click();
    await workbench.page.keyboard.press("j");
    await replay(workbench).locator(".main").getByText("wrong").first().waitFor();
    await workbench.page.keyboard.press("ArrowRight");
    await atStep(workbench, "Step 2 of");
    await replay(workbench)
      .getByText("Asking the library")
      .first()
      .waitFor({ state: "hidden", timeout: OPENED });
    await screenshot(workbench, "replay-real");
  });

  it("backtests the whole library on it in seconds", async ({ skip }) => {
    if (workbench === undefined) {
      skip(ABSENT);
      return;
    }
    await runCommand(workbench, "HASP: Backtest Skill");
    await pickAll(workbench, "Skills to backtest");
    await pickAll(workbench, "Runs to backtest on");
    const message = workbench.page.locator(".pane", { hasText: "Backtest" }).last().getByText("539 episodes");
    await message.first().waitFor({ timeout: 120_000 });
    await screenshot(workbench, "backtest-real");
  });
});

/** Accepts a list with everything ticked. */
async function pickAll({ page }: Workbench, asking: string): Promise<void> {
  await page.locator(`.quick-input-widget input[placeholder*="${asking}"]`).waitFor();
  await page.keyboard.press("Enter");
}
