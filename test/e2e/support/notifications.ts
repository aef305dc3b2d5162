import type { Locator } from "playwright-core";

import { runCommand } from "./palette.ts";
import type { Workbench } from "./workbench.ts";

const shown = ({ page }: Workbench): Locator => page.locator(".notifications-center .notification-list-item");

/**
 * Opens the notification center and waits for the notification that shows `text`. (Under the smoke-test switch VS Code keeps
 * notifications there and shows no toast.)
 */
export async function findNotification(workbench: Workbench, text: string): Promise<Locator> {
  const found = shown(workbench).filter({ hasText: text }).first();
  const center = workbench.page.locator(".notifications-center");
  if (!(await center.isVisible())) await runCommand(workbench, "Notifications: Show Notifications");
  await found.waitFor();
  return found;
}

/** Presses a button of the notification that shows `text`. */
export async function pressInNotification(workbench: Workbench, text: string, button: string): Promise<void> {
  const found = await findNotification(workbench, text);
  await found.hover(); // a folded notification shows its buttons under the mouse
  await found.getByRole("button", { name: button }).click();
}
