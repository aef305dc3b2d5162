import { describe, it } from "vitest";

import { THOROUGH } from "../../support/thorough.ts";
import { notice } from "./notices.ts";
import { screenshotAlways, type Workbench } from "./workbench.ts";

/** A story of five or six chapters took up to 100 s where eight processes wanted the two cores. Milliseconds. */
const WHOLE = 600_000;

/** Milliseconds for a look at the notifications of a window whose chapter has failed. */
const LOOK = 1_000;

/** What a person does next, and sees. */
export type Chapter = (title: string, work: () => Promise<void>) => void;

export interface StoryOptions {
  /** Names the screenshot of a failure: `test-output/<name>-failed.png`. */
  readonly name: string;
  /** The window that the story is told in, as far as it is open. */
  readonly workbench: () => Workbench | undefined;
  /** Why it cannot be told here; asked once the window is open. */
  readonly skipped?: () => string | undefined;
}

/**
 * One test of a person's whole way, in a workspace of its own: its chapters go on from each other, so the first one that
 * fails ends it and is named in the failure. `tell` may set up and clean up with `beforeAll` and `afterAll`.
 */
export function story(title: string, tell: (chapter: Chapter) => StoryOptions): void {
  tellWhere(true, title, tell);
}

/** A story for the thorough form. In the normal form other tests look at what it shows, each part by itself. */
export function furtherStory(title: string, tell: (chapter: Chapter) => StoryOptions): void {
  tellWhere(THOROUGH, title, tell);
}

/** Takes a screenshot of the window of a failed chapter; returns its rows and notifications in words, for the log of the test run. */
async function seenIn(shown: Workbench, name: string): Promise<string> {
  await screenshotAlways(shown, `${name}-failed`).catch(() => undefined);
  const textsOf = async (css: string): Promise<string> => {
    const texts = await shown.page.locator(css).allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, " ").trim()).join(" | ");
  };
  try {
    const rows = await textsOf(".sidebar .monaco-list-row");
    await notice(shown, "", LOOK).catch(() => undefined);
    return `\nRows of the sidebar: ${rows}\nNotifications: ${await textsOf(".notification-list-item")}`;
  } catch (error) {
    return `\nThe window can no longer be read: ${String(error)}`;
  }
}

function tellWhere(isWanted: boolean, title: string, tell: (chapter: Chapter) => StoryOptions): void {
  describe.runIf(isWanted)(title, () => {
    const chapters: { readonly title: string; readonly work: () => Promise<void> }[] = [];
    const { name, workbench, skipped } = tell(
      (chapter, work) => void chapters.push({ title: chapter, work }),
    );
    it(`is told to its end, in ${chapters.length} chapters`, { timeout: WHOLE }, async ({ skip }) => {
      const reason = skipped?.();
      skip(reason !== undefined, reason);
      for (const [i, { title: chapter, work }] of chapters.entries()) {
        try {
          await work();
        } catch (error) {
          const shown = workbench();
          const seen = shown === undefined ? "" : await seenIn(shown, name);
          if (error instanceof Error)
            error.message = `Chapter ${i + 1}, "${chapter}": ${error.message}${seen}`;
          throw error;
        }
      }
    });
  });
}
