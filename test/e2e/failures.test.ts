import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import {
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
  loopbackModel,
} from "../support/loopback-model.ts";
import { LOADED, rowsOf } from "./support/authoring.ts";
import { save } from "./support/editor.ts";
import { configureModel } from "./support/configure-model.ts";
import { clearNotices, notice } from "./support/notices.ts";
import {
  accept,
  fromMenu,
  pick,
  quickInput,
  runAsking,
  runCommand,
  screenshotInBoth,
} from "./support/palette.ts";
import { NO_REAL_RUN, realWorkspace, type RealWorkspace } from "./support/real-run.ts";
import { atStep, judged, OPENED } from "./support/replay.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, resize, screenshot, type Workbench } from "./support/workbench.ts";

/** Between two looks at the row that has the focus. Milliseconds. */
const LOOK_AGAIN = 100;

const CLUSTER = "repeated_search";

const KEY = "sk-e2e-0123456789abcdef";

const SUMMARY = {
  category: "stale_evidence",
  abstraction: "The agent answers from a source that is older than the question asks for.",
  trigger: "Two sources differ in their year, and an answer is proposed.",
  intervention_hint: "Remind the agent to compare the years of its sources.",
};

/** It names no models, so that the person types the name. */
function behave({ url }: LoopbackCall): Behaviour {
  if (url === "/v1/models") return { kind: "raw", type: "application/json", body: '{"data":[]}' };
  return { kind: "text", text: JSON.stringify(SUMMARY) };
}

furtherStory("A person finds out how a run fails", (chapter) => {
  let workspace: RealWorkspace | undefined;
  let opened: Workbench | undefined;
  let workbench: Workbench;
  let server: LoopbackModel;

  const pane = (): Locator =>
    workbench.page
      .locator(".pane")
      .filter({ has: workbench.page.getByRole("button", { name: "Failures Section" }) });
  const rows = (): Locator => pane().locator(".monaco-list-row");
  const cluster = (): Locator => rows().filter({ hasText: CLUSTER }).first();

  const chats = (): number => server.calls.filter(({ url }) => url !== "/v1/models").length;

  beforeAll(async () => {
    server = await loopbackModel(behave);
    workspace = await realWorkspace();
    if (workspace === undefined) return;
    opened = await openWorkbench({
      workspace: workspace.folder,
      theme: "dark",
      settings: { "files.autoSave": "off" },
    });
    workbench = opened;
  });
  afterAll(async () => {
    await opened?.close();
    await workspace?.remove();
    await server.close();
  });

  chapter("finds a view that says what belongs there, with the button", async () => {
    await runCommand(workbench, "HASP: Focus on Failures View");
    await rowsOf(workbench, "Runs").first().waitFor({ timeout: LOADED });
    await pane().locator(".monaco-button", { hasText: "Analyse Failures" }).waitFor();
    await screenshotInBoth(workbench, "failures-empty");
  });

  chapter("chooses a run, and sees its failures in clusters", async () => {
    await runAsking(workbench, "HASP: Analyse Failures", "Runs to look for failures in");
    await screenshot(workbench, "failures-runs");
    const { page } = workbench;
    const list = page.locator(".quick-input-list .monaco-list-row");
    for (const row of await list.all()) {
      const isReal = /342 wrong/.test(await row.innerText());
      const box = row.locator("input[type=checkbox], .monaco-checkbox, .quick-input-list-checkbox").first();
      const isTicked =
        (await box.getAttribute("aria-checked")) === "true" || (await box.isChecked().catch(() => false));
      if (isReal !== isTicked) await row.click();
    }
    await quickInput(workbench).press("Enter");
    await cluster().waitFor({ timeout: OPENED });
    expect(await cluster().innerText()).toContain("95 episodes");
    await screenshotInBoth(workbench, "failures-clusters");
  });

  chapter("opens a cluster and goes from an example to its step in the replay, by the keyboard", async () => {
    const { page } = workbench;
    await cluster().click();
    await rows().filter({ hasText: "Trigger: " }).waitFor();
    const focused = rows().and(page.locator(".focused"));
    // Below the cluster are its trigger and its hint.
    for (const text of ["Trigger: ", "Hint: ", /step \d+$/]) {
      await page.keyboard.press("ArrowDown");
      await focused.filter({ hasText: text }).waitFor();
    }
    const [, step = "?"] = /step (\d+)$/.exec(await focused.innerText()) ?? [];
    await page.keyboard.press("Enter");
    await atStep(workbench, `Step ${step} of`);
    await judged(workbench);
    // It stays in sight: the message above the rows leaves them their room.
    const [row, body] = [
      await rows().and(page.locator(".selected")).boundingBox(),
      await pane().boundingBox(),
    ];
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual((body?.y ?? 0) + (body?.height ?? 0));
    await screenshotInBoth(workbench, "failures-example");
  });

  chapter("reads the shares of the detectors", async () => {
    const { page } = workbench;
    await cluster().click();
    await page.keyboard.press("End");
    await rows().filter({ hasText: "Detectors" }).and(page.locator(".focused")).waitFor();
    await page.keyboard.press("ArrowRight");
    const row = rows().filter({ hasText: "excessive_steps_no_progress" }).and(page.locator(".focused"));
    // The rows below appear a moment after the node opens.
    for (let down = 0; down < 40 && (await row.count()) === 0; down++) {
      await page.keyboard.press("ArrowDown");
      await page.waitForTimeout(LOOK_AGAIN);
    }
    await row.waitFor();
    expect(await row.innerText()).toMatch(/5% · 80% · 0%/);
    await row.hover();
    await page.locator(".monaco-hover:visible", { hasText: "About the detectors" }).first().waitFor();
    await screenshot(workbench, "failures-detectors");
    await page.keyboard.press("Home");
    await cluster().waitFor();
  });

  chapter("makes a skill of a cluster, whose first case holds", async () => {
    const { page } = workbench;
    await cluster().hover();
    await cluster().getByRole("button", { name: "New Skill from This Cluster" }).click();
    await pick(workbench, "Domain", "web-search");
    await page.locator(".quick-input-message", { hasText: "Name of the skill" }).waitFor();
    expect(await quickInput(workbench).inputValue()).toBe("repeated-search");
    await quickInput(workbench).press("Enter");
    await page.locator(".quick-input-message", { hasText: "When is the skill to be used" }).waitFor();
    expect(await quickInput(workbench).inputValue()).toMatch(
      /^Use when the agent sends nearly the same query/,
    );
    await screenshot(workbench, "failures-skill-wizard");
    await quickInput(workbench).press("Enter");
    await accept(workbench, "Kind of skill");
    await page.locator(".tab.active", { hasText: "pf.ts" }).waitFor({ timeout: LOADED });
    await notice(workbench, /20 of 95 episodes of the cluster repeated_search are cases/);
    await clearNotices(workbench);
    await screenshotInBoth(workbench, "failures-skill");
    const folder = join(workbench.folder, "skills/web-search/repeated-search");
    expect(await readFile(join(folder, "SKILL.md"), "utf8")).toContain("## The failure that it is made from");
    expect((await readFile(join(folder, "cases.yaml"), "utf8")).match(/- name:/g)).toHaveLength(21);
    await save(workbench);
  });

  chapter("copies a cluster, refreshes, and clears the view", async () => {
    await runCommand(workbench, "HASP: Focus on Failures View");
    await fromMenu(workbench, cluster(), "Copy Cluster as Markdown");
    await notice(workbench, "Copied repeated_search");
    await clearNotices(workbench);
    await runCommand(workbench, "HASP: Refresh Failures");
    await cluster().waitFor({ timeout: OPENED });
    await resize(workbench, { width: 800, height: 700 });
    await screenshot(workbench, "failures-800");
    await resize(workbench, { width: 1600, height: 1000 });
    await runCommand(workbench, "HASP: Clear Failures");
    await cluster().waitFor({ state: "detached" });
  });

  chapter("has a teacher describe the failures of a small run, after seeing what it will cost", async () => {
    await configureModel(workbench, {
      role: "Teacher",
      url: server.url,
      key: KEY,
      model: "teacher",
      price: "2.5/10",
    });
    const run = rowsOf(workbench, "Runs").filter({ hasText: "5 wrong · 1 halted" });
    await fromMenu(workbench, run, "Analyse Failures");
    const { page } = workbench;
    const asked = page.locator(".quick-input-list .monaco-list-row", {
      hasText: "about 6 calls, about $0.03",
    });
    await asked.waitFor();
    await screenshot(workbench, "failures-teacher");
    expect(chats()).toBe(0);
    await pick(workbench, "Ways to find failures", "summaries of the teacher");
    const told = rows().filter({ hasText: "stale_evidence" });
    await told.waitFor({ timeout: OPENED });
    expect(await told.innerText()).toMatch(/6 episodes.*teacher/);
    expect(chats()).toBe(6);
    await told.hover();
    await page.locator(".monaco-hover:visible", { hasText: "told by the teacher" }).first().waitFor();
    await screenshot(workbench, "failures-told");
  });

  return {
    name: "failures",
    workbench: () => opened,
    skipped: () => (opened === undefined ? NO_REAL_RUN : undefined),
  };
});
