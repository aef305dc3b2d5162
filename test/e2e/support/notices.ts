import { setTimeout as delay } from "node:timers/promises";

import type { Locator } from "playwright-core";

import { runCommand } from "./palette.ts";
import type { Workbench } from "./workbench.ts";

/** How long one look at the notifications waits before it looks whether they are still open. */
const LOOK_AGAIN = 500;

/**
 * The notification with this text, once it is there. VS Code's smoke-test driver shows no toasts, so a person's look at
 * the list of notifications stands for them.
 */
export async function notice({ page }: Workbench, text: string | RegExp, timeout = 15_000): Promise<Locator> {
  const list = page.locator(".notifications-center");
  const found = list.locator(".notification-list-item", { hasText: text }).first();
  const end = Date.now() + timeout;
  for (;;) {
    if (!(await list.isVisible())) await page.locator('[id="status.notifications"]').click();
    const isThere = await found.waitFor({ timeout: LOOK_AGAIN }).then(
      () => true,
      () => false,
    );
    if (isThere) return found;
    if (Date.now() > end) throw new Error(`No notification "${String(text)}" within ${timeout / 1000} s`);
  }
}

/** Empties the list of notifications and closes it. */
export async function clearNotices(workbench: Workbench): Promise<void> {
  await runCommand(workbench, "Notifications: Clear All Notifications");
  // The list gives the focus back as it goes, which would close a palette that is opened meanwhile.
  await workbench.page.locator(".notifications-center").waitFor({ state: "hidden" });
  await workbench.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  await delay(LOOK_AGAIN);
}
