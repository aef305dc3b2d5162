import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import {
  behind,
  type CommittedSamples,
  committedSamples,
  FOLDER,
  hoverWord,
  line,
  LOADED,
  offered,
  onDisk,
  rowsOf,
  take,
} from "./support/authoring.ts";
import { save, waitForSquiggles } from "./support/editor.ts";
import { pick, quickInput, runCommand, screenshotInBoth } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

const CASE = "the same search again";

furtherStory("A person writes a skill as in a typed language", (chapter) => {
  let samples: CommittedSamples;
  let workbench: Workbench;
  const tests = (): Locator => workbench.page.locator(".test-explorer");

  beforeAll(async () => {
    samples = committedSamples();
    // An editor that was looked at stays open, so that its tab tells whether its file is saved.
    const settings = { "files.autoSave": "off", "workbench.editor.enablePreview": false };
    workbench = await openWorkbench({ workspace: samples.folder, theme: "dark", settings });
  });
  afterAll(async () => {
    await workbench.close();
    samples.remove();
  });

  chapter("completes a key, a value and a condition of SKILL.md as they are typed", async () => {
    const { page } = workbench;
    await behind(workbench, "SKILL.md", "priority: 0.6");
    await page.keyboard.press("Enter");
    await page.keyboard.type("handl");
    await offered(workbench, "handler");
    await screenshot(workbench, "authoring-key");
    await take(workbench, "handler");
    await take(workbench, "inline");
    await page.keyboard.press("Enter");
    await page.keyboard.type("phas");
    await take(workbench, "phases");
    await page.keyboard.press("Tab");
    await page.keyboard.type("no_re");
    await offered(workbench, "no_read_yet");
    await screenshot(workbench, "authoring-condition");
    await take(workbench, "no_read_yet");
    await page.keyboard.press("Escape");
    await save(workbench);
    expect(await onDisk(workbench, "SKILL.md")).toContain(
      "    handler: inline\n    phases:\n      post_search:\n        conditions: [no_read_yet]\n",
    );
    await waitForSquiggles(workbench, "error", 0);
  });

  chapter("says of a key what it is, what holds without it, and its rule", async () => {
    const text = await hoverWord(workbench, "priority", "asked first");
    expect(text).toMatch(/Without it: 0\.5/);
    expect(text).toContain("HASP115");
    await screenshot(workbench, "authoring-hover");
  });

  chapter("writes a case by completion, which runs when it is saved", async () => {
    const { page } = workbench;
    await behind(workbench, "cases.yaml", "{ type: READ, arg: doc_0 }\n    expect:\n      fires: false");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Home");
    await page.keyboard.type("  ne");
    await take(workbench, "new case");
    // No word of the file begins like its last one: Tab would take what VS Code offers for it, and not go on.
    await page.keyboard.type("an answer is okay");
    await page.keyboard.press("Tab");
    await page.keyboard.type("FIN");
    await take(workbench, "FINAL");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("fal");
    await take(workbench, "false");
    await save(workbench);
    expect(await onDisk(workbench, "cases.yaml")).toMatch(
      /- name: an answer is okay\n +proposed: \{ type: FINAL, .+\n +expect: \{ fires: false \}/,
    );
    await page.locator(".codicon-testing-passed-icon").last().waitFor({ timeout: LOADED });
    await screenshot(workbench, "authoring-case");
  });

  chapter("completes an intervention in pf.ts, with its import", async () => {
    const { page } = workbench;
    await behind(workbench, "pf.ts", "intervene(): Intervention {");
    await page.keyboard.press("Enter");
    await page.keyboard.type("hasp");
    await offered(workbench, "hasp: change nothing");
    await screenshot(workbench, "authoring-snippet");
    await take(workbench, "hasp: change nothing");
    await line(workbench, "import { noop, injectContext").waitFor();
    await page.keyboard.press("Escape");
    await runCommand(workbench, "File: Revert File");
    await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
  });

  chapter(
    "goes from its id to its class by F12, and lists its references with the recorded steps",
    async () => {
      const { page } = workbench;
      await behind(workbench, "SKILL.md", "skill_id: repeated_query");
      await page.keyboard.press("F12");
      await page.locator(".tab.active", { hasText: "pf.ts" }).waitFor({ timeout: LOADED });
      await page.keyboard.press("Shift+F12");
      const list = page.locator(".reference-zone-widget .ref-tree");
      await list.filter({ hasText: "recorded steps" }).waitFor({ timeout: LOADED });
      await list.filter({ hasText: "SKILL.md" }).waitFor();
      await screenshot(workbench, "authoring-references");
      await page.keyboard.press("Escape");
    },
  );

  chapter("renames it everywhere by F2, and one undo takes that back", async () => {
    const { page } = workbench;
    const explorer = page.locator(".explorer-folders-view .monaco-list-row");
    const unsaved = page.locator(".tab.dirty");
    const renamed = (name: string): Promise<string> =>
      onDisk(workbench, name, "skills/web-search/asked-before");
    await behind(workbench, "pf.ts", "class RepeatedQuery");
    await behind(workbench, "SKILL.md", "skill_id: repeated_query");
    await page.keyboard.press("F2");
    const field = page.locator(".rename-box input");
    await field.fill("asked_before", { timeout: LOADED });
    await page.keyboard.press("Enter");
    await explorer.filter({ hasText: "asked-before" }).first().waitFor({ timeout: LOADED });
    await line(workbench, "name: asked-before").waitFor();
    await line(workbench, "skill_id: asked_before").waitFor();
    // VS Code saves what a refactoring changed. An undo in the few milliseconds of that save moves the folder back with the new texts.
    await expect.poll(() => renamed("SKILL.md"), { timeout: LOADED }).toContain("skill_id: asked_before");
    await expect.poll(() => renamed("pf.ts"), { timeout: LOADED }).toContain("class AskedBefore");
    await expect.poll(() => unsaved.count()).toBe(0);
    await screenshot(workbench, "authoring-renamed");
    // The editor of the moved file has to be the one that the key goes to.
    await line(workbench, "skill_id: asked_before").click();
    await page.locator(".editor-group-container.active .monaco-editor.focused").first().waitFor();
    await page.keyboard.press("ControlOrMeta+z");
    await explorer.filter({ hasText: "repeated-query" }).first().waitFor({ timeout: LOADED });
    await line(workbench, "skill_id: repeated_query").waitFor();
    // The texts come back unsaved, one after the other.
    for (const name of ["SKILL.md", "pf.ts"]) await unsaved.filter({ hasText: name }).waitFor();
    await runCommand(workbench, "File: Save All Files");
    await expect.poll(() => unsaved.count(), { timeout: LOADED }).toBe(0);
    expect(await onDisk(workbench, "pf.ts")).toContain("class RepeatedQuery");
    expect(await onDisk(workbench, "SKILL.md")).toContain("skill_id: repeated_query");
    expect(existsSync(join(workbench.folder, FOLDER, "../asked-before"))).toBe(false);
  });

  chapter("shows a failed case as expected against actual, and green once pf.ts is fixed", async () => {
    const { page } = workbench;
    await behind(workbench, "pf.ts", "timesSent(ctx, arg) > 0");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("1");
    await save(workbench);
    await runCommand(workbench, "Testing: Focus on Test Explorer View");
    await tests().filter({ hasText: "4/7" }).waitFor({ timeout: LOADED });
    const row = (text: string): Locator => tests().locator(".monaco-list-row", { hasText: text }).first();
    await row("web-search").locator(".monaco-tl-twistie").click();
    await row("repeated_query").locator(".monaco-tl-twistie").click();
    await row(CASE).click();
    const peek = page.locator(".test-output-peek, .zone-widget");
    await peek.filter({ hasText: "Expected: fires" }).first().waitFor({ timeout: LOADED });
    await screenshotInBoth(workbench, "authoring-tests");
    await behind(workbench, "pf.ts", "timesSent(ctx, arg) > 1");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("0");
    await save(workbench);
    await tests().filter({ hasText: "7/7" }).waitFor({ timeout: LOADED });
    await screenshot(workbench, "authoring-mended");
  });

  chapter("stops a case at a breakpoint of pf.ts, with the context of the case, in one editor", async () => {
    const { page } = workbench;
    await behind(workbench, "pf.ts", "timesSent(ctx, arg) > 0");
    await page.keyboard.press("F9");
    await page.locator(".codicon-debug-breakpoint").first().waitFor();
    const row = tests().locator(".monaco-list-row", { hasText: CASE }).first();
    await row.hover();
    await row.locator("[class*=testing-debug-icon]").first().click();
    await pick(workbench, "outside of the sandbox", "Debug Once");
    const stopped = page.locator(".debug-top-stack-frame-line").first();
    await stopped.waitFor({ state: "attached", timeout: LOADED });
    const variables = rowsOf(workbench, "Variables");
    await variables.filter({ hasText: "Local: shouldActivate" }).click();
    await variables.filter({ hasText: /arg.*Alice Walton death date/ }).waitFor();
    expect(await page.locator(".tab", { hasText: "pf.ts" }).count()).toBe(1);
    await screenshot(workbench, "authoring-breakpoint");
    await page.keyboard.press("F5");
    await stopped.waitFor({ state: "detached" });
    await page.locator(".repl", { hasText: "INJECT_CONTEXT" }).first().waitFor({ timeout: LOADED });
    await page.keyboard.press("ControlOrMeta+j");
  });

  chapter("finds a skill by words of its description", async () => {
    const { page } = workbench;
    await runCommand(workbench, "HASP: Find Skill");
    await page.locator(".quick-input-title", { hasText: "Find Skill" }).waitFor({ timeout: LOADED });
    await quickInput(workbench).fill("already sent in the same");
    await page.locator(".quick-input-list", { hasText: "repeated_query" }).waitFor();
    await screenshot(workbench, "authoring-find");
    await page.keyboard.press("Escape");
  });

  return { name: "authoring", workbench: () => workbench };
});
