import { expect } from "vitest";
import type { Locator } from "playwright-core";

/** The page draws a moment after a key or click; a few seconds are plenty on a slow core. */
const SOON = { timeout: 5_000, interval: 20 };

export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  await expect.poll(read, SOON).toEqual(expected);
}

/** The visible text of an element, with runs of white space as one. */
export async function shows(locator: Locator, text: string | RegExp): Promise<void> {
  const read = async (): Promise<string> => (await locator.innerText()).replaceAll(/\s+/g, " ").trim();
  if (typeof text === "string") await expect.poll(read, SOON).toContain(text);
  else await expect.poll(read, SOON).toMatch(text);
}
