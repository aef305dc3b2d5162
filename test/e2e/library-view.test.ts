import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import { behind, type CommittedSamples, committedSamples, LOADED, rowsOf } from "./support/authoring.ts";
import { save } from "./support/editor.ts";
import { notice } from "./support/notices.ts";
import { fromMenu, pick, runCommand, screenshotInAll } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

furtherStory("A person looks after a library of skills", (chapter) => {
  let samples: CommittedSamples;
  let workbench: Workbench;
  const skill = (text: string | RegExp = "repeated_query"): Locator =>
    rowsOf(workbench, "Skills").filter({ hasText: text }).first();

  beforeAll(async () => {
    samples = committedSamples();
    const settings = { "files.autoSave": "off" };
    workbench = await openWorkbench({ workspace: samples.folder, theme: "dark", settings });
  });
  afterAll(async () => {
    await workbench.close();
    samples.remove();
  });

  chapter("sees what each skill is, and switches one off and on", async () => {
    await runCommand(workbench, "HASP: Focus on Skills View");
    await skill(/repeated_query.*fixed text/).waitFor({ timeout: LOADED });
    const rows = await rowsOf(workbench, "Skills").allInnerTexts();
    expect(rows.map((text) => /repeated_query|Built-in/.exec(text)?.[0])).toEqual([
      "repeated_query",
      "Built-in",
    ]);
    await fromMenu(workbench, skill(), "Disable Skill");
    await skill(/repeated_query.*off/).waitFor({ timeout: LOADED });
    await skill().click();
    await skill("Version 1, priority 0.6").waitFor({ timeout: LOADED });
    await screenshotInAll(workbench, "library");
    await fromMenu(workbench, skill(), "Enable Skill");
    await skill(/repeated_query.*off/).waitFor({ state: "detached", timeout: LOADED });
  });

  chapter("compares a skill with the latest commit", async () => {
    const { page } = workbench;
    await behind(workbench, "SKILL.md", "# ");
    await page.keyboard.type("Twice: ");
    await save(workbench);
    await fromMenu(workbench, skill(), "Compare Skill");
    await page.locator(".tab", { hasText: "HEAD" }).first().waitFor({ timeout: LOADED });
    const now = page.locator(".editor.modified .view-line", { hasText: "Twice: Do not ask" }).first();
    await now.waitFor({ timeout: LOADED });
    await screenshot(workbench, "library-compare");
  });

  chapter(
    "is asked before a skill is published: a no writes nothing, a yes says where the copy is",
    async () => {
      const { page } = workbench;
      await fromMenu(workbench, skill(), "Publish Skill");
      await pick(workbench, "Folder of the copy", ".github/skills");
      const copy = join(workbench.folder, ".github/skills/repeated-query");
      const asked = `Publish to .github/skills/repeated-query?`;
      await page.locator(`input[placeholder="${asked}"]`).waitFor({ timeout: LOADED });
      await screenshot(workbench, "library-publish");
      await pick(workbench, asked, "Leave everything as it is");
      expect(existsSync(copy)).toBe(false);
      await fromMenu(workbench, skill(), "Publish Skill");
      await pick(workbench, "Folder of the copy", ".github/skills");
      await pick(workbench, asked, "Publish");
      await notice(workbench, "Published to .github/skills/repeated-query");
      expect(existsSync(join(copy, "pf.ts"))).toBe(true);
    },
  );

  chapter("finds the first five minutes in the walkthrough", async () => {
    await runCommand(workbench, "HASP: Open Walkthrough");
    const step = workbench.page.locator(".getting-started-step", { hasText: "Write a skill" }).first();
    await step.click({ timeout: LOADED });
    await screenshot(workbench, "library-walkthrough");
  });

  return { name: "library", workbench: () => workbench };
});
