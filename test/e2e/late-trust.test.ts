import { afterAll, beforeAll, expect } from "vitest";

import { SAMPLES } from "../../scripts/lib/paths.mts";
import { pick, runCommand } from "./support/palette.ts";
import { judged, OPENED, replay } from "./support/replay.ts";
import { story } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

story("A person who trusts the folder once a run is open in it", (chapter) => {
  let workbench: Workbench;
  beforeAll(async () => {
    const size = { width: 1400, height: 900 };
    workbench = await openWorkbench({ workspace: SAMPLES, workspaceTrust: true, size });
  });
  afterAll(async () => await workbench.close());

  chapter("sees what was recorded, and why nothing is judged", async () => {
    await runCommand(workbench, "HASP: Open Run");
    await pick(workbench, "Run to open", "First look");
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

  return { name: "late-trust", workbench: () => workbench };
});
