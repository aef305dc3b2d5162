import type { Locator } from "playwright-core";

import { pick, runCommand } from "./palette.ts";
import { webview, type Workbench } from "./workbench.ts";

/** Reading a run and judging its first step starts two workers, seen at 8 s on two busy cores. */
export const OPENED = 60_000;

export const replay = (workbench: Workbench): Locator => webview(workbench).locator("hasp-replay");

/** Waits until the run editor says it is at a step, such as `Step 2 of`. */
export async function atStep(workbench: Workbench, text: string): Promise<void> {
  await replay(workbench).locator(".step-count").filter({ hasText: text }).waitFor({ timeout: OPENED });
}

/** Opens the run in which `label` stands; it has the keyboard then. */
export async function openRun(workbench: Workbench, label: string): Promise<void> {
  await runCommand(workbench, "HASP: Open Run");
  await pick(workbench, "Run to open", label);
  await replay(workbench).locator(".step-count").waitFor({ timeout: OPENED });
  await workbench.page.keyboard.press("Home");
  await atStep(workbench, "Step 1 of");
}

/** Waits until no answer of the library is under way. */
export async function judged(workbench: Workbench): Promise<void> {
  const asking = replay(workbench).getByText("Asking today's library").first();
  await asking.waitFor({ state: "hidden", timeout: OPENED });
}
