import type { Clock, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { renewPage } from "./browser.ts";

/** Playwright stops a clock at a time that is still to come. */
const SOON_MS = 60_000;

/** Stops the timers and frames of a page: they come as far as the test lets them run, however busy the cores are. */
export async function stoppedClock(page: Page): Promise<Clock> {
  onTestFinished(renewPage);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + SOON_MS);
  return page.clock;
}
