import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { execa } from "execa";
import { afterAll, beforeAll, expect } from "vitest";

import { ROOT, vsixPath } from "../../scripts/lib/paths.mts";
import { LOADED } from "./support/authoring.ts";
import { pick, runAsking, runCommand } from "./support/palette.ts";
import { judged, OPENED, replay } from "./support/replay.ts";
import { story } from "./support/story.ts";
import { openWorkbench, resize, screenshot, webview, type Workbench } from "./support/workbench.ts";

/** A folder of links to what .vscodeignore allows: vsce holds each of its patterns against each file that is there. */
function linked(folder: string): string {
  const allowed = readFileSync(join(ROOT, ".vscodeignore"), "utf8").matchAll(/^!([^/\n]+)/gm);
  mkdirSync(folder);
  for (const name of new Set([".vscodeignore", ...Array.from(allowed, ([, top = ""]) => top)]))
    symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

/** The package of what the build made: that of `npm run package` where it came after the build, else one that is made here. */
async function packed(folder: string): Promise<string> {
  const made = vsixPath();
  if (existsSync(made) && statSync(made).mtimeMs > statSync(join(ROOT, "dist/hasp.cjs")).mtimeMs) return made;
  const vsix = join(folder, "hasp.vsix");
  const vsce = join(ROOT, "node_modules/@vscode/vsce/vsce");
  // `npm run package` looks for secrets, for a quarter of a minute.
  const options = ["--no-dependencies", "--follow-symlinks", "--allow-package-all-secrets", "--out", vsix];
  await execa(process.execPath, [vsce, "package", ...options], { cwd: linked(join(folder, "linked")) });
  return vsix;
}

story("A person who has just installed the package", (chapter) => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-vsix-"));
  let workbench: Workbench;
  beforeAll(async () => {
    const vsix = await packed(folder);
    const size = { width: 1400, height: 900 };
    workbench = await openWorkbench({ workspace: null, vsix, size, workspaceTrust: true });
  }, 300_000);
  afterAll(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  chapter("finds the walkthrough open, and its explanations in a narrow window", async () => {
    const { page } = workbench;
    const step = page.locator(".getting-started-step", { hasText: "Open a failed episode" });
    await step.getByText("An episode is one question").waitFor({ timeout: LOADED });
    await screenshot(workbench, "first-minute-walkthrough");
    await resize(workbench, { width: 1000, height: 700 });
    await step.getByText("An episode is one question").waitFor();
    await screenshot(workbench, "first-minute-walkthrough-1000");
    await resize(workbench, { width: 1400, height: 900 });
  });

  chapter("looks at a failed episode after one click", async () => {
    await workbench.page
      .locator(".getting-started-step.expanded .monaco-button", { hasText: "Open Sample" })
      .click();
    const shown = webview(workbench);
    await shown.getByText("Bruce Walton").first().waitFor({ timeout: LOADED });
    await shown.getByText("wrong").first().waitFor();
    expect(await workbench.page.locator(".monaco-dialog-box").count()).toBe(0);
    await screenshot(workbench, "first-minute-episode");
  });

  chapter("opens the folder of the sample, and the run comes back in it", async () => {
    const { page } = workbench;
    await runAsking(workbench, "HASP: Open Sample Folder", "Copy of the sample");
    // A view that has just loaded takes the focus: the question stays.
    await webview(workbench).getByText("Bruce Walton").first().click();
    await pick(workbench, "Copy of the sample", "Open the copy");
    const trust = page.locator(".monaco-dialog-box", { hasText: "trust" });
    const folderShown = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "hasp.yaml" });
    await trust.or(folderShown).first().waitFor({ timeout: LOADED });
    await webview(workbench).getByText("Bruce Walton").first().waitFor({ timeout: LOADED });
    await screenshot(workbench, "first-minute-folder");
  });

  chapter("sees what was recorded there, and why nothing is judged", async () => {
    await replay(workbench).getByText("Not judged:").first().waitFor({ timeout: OPENED });
  });

  chapter("sees the decisions of today's library after the yes", async () => {
    const { page } = workbench;
    await runCommand(workbench, "Workspaces: Manage Workspace Trust");
    const trust = page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ });
    await trust.first().click({ timeout: OPENED });
    await page.getByText("You trust this folder").waitFor();
    await page.keyboard.press("Escape");
    const verdict = replay(workbench).locator(".programs .verdict:not(.pending)").first();
    await verdict.waitFor({ timeout: OPENED });
    await judged(workbench);
    expect(await verdict.innerText()).toMatch(/^Today's library/);
    await screenshot(workbench, "late-trust");
  });

  return { name: "first-minute", workbench: () => workbench };
});
