import { expect } from "vitest";
import type { Locator } from "playwright-core";

/** The page draws a moment after a key or click; the limit only ends a failing test, on cores that others share. */
const SOON = { timeout: 15_000, interval: 20 };

export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  await expect.poll(read, SOON).toEqual(expected);
}

interface Tree {
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<Tree>;
  readonly shadowRoot?: Tree | null;
  checkVisibility?(): boolean;
  getAttribute?(name: string): string | null;
}

/** Runs in the page: the visible text below a node, without icons, and into shadow roots, which `innerText` leaves out. */
function visibleText(node: Tree): string {
  const read = (at: Tree): string => {
    if (at.nodeType === 3) return at.nodeValue ?? "";
    if (at.checkVisibility?.() === false || at.getAttribute?.("aria-hidden") === "true") return "";
    const parts = [...(at.shadowRoot ?? at).childNodes].map(read);
    return parts.join(" ");
  };
  return read(node);
}

/** Waits until the element shows the text; runs of white space count as one. */
export async function shows(locator: Locator, text: string | RegExp): Promise<void> {
  const read = async (): Promise<string> => {
    const shown = await locator.evaluate(visibleText as (node: unknown) => string);
    // Pieces of a text are joined with spaces, and a colon follows its word.
    return shown.replaceAll(/\s+/g, " ").replaceAll(" : ", ": ").trim();
  };
  if (typeof text === "string") await expect.poll(read, SOON).toContain(text);
  else await expect.poll(read, SOON).toMatch(text);
}
