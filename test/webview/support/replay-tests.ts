import type { Page } from "playwright-core";
import { afterEach, expect } from "vitest";
import { openFixture, type OpenedPage } from "./browser.ts";
import { shows } from "./eventually.ts";
import { fixturePage, type FixturePage } from "./fixture-page.ts";
import { replayPage, type ReplayPage } from "./replay-page.ts";

/** The page of the test that runs, and what becomes of it. */
export interface ReplayTests {
  /** Opens the fixture page without waiting for what it shows. */
  load(query?: string, width?: number): Promise<ReplayPage>;
  /** Opens the fixture page, and waits until it shows the first step of its first episode. */
  open(query?: string, width?: number): Promise<ReplayPage>;
  /** Throws before the test has opened it. */
  readonly page: Page;
  /** The other side of the page's connection. */
  readonly host: FixturePage;
  /** The parameters of each request of a method, in their order. */
  asked(method: string): Promise<unknown[]>;
}

/** After the test, or when another page is opened, the page must have complained of nothing and asked for nothing but its own files. */
export function replayTests(): ReplayTests {
  let opened: OpenedPage | undefined;
  const end = (): void => {
    const last = opened;
    opened = undefined;
    expect(last?.complaints ?? []).toEqual([]);
    expect(last?.strays() ?? []).toEqual([]);
  };
  afterEach(end);
  const page = (): Page => {
    if (opened === undefined) throw new Error("The test has not opened a page yet.");
    return opened.page;
  };
  const load = async (query = "", width = 1600): Promise<ReplayPage> => {
    end();
    opened = await openFixture(query, { width, height: 900 });
    return replayPage(opened.page);
  };
  return {
    load,
    async open(query, width) {
      const replay = await load(query, width);
      await shows(replay.stepCount, "Step 1 of");
      return replay;
    },
    get page() {
      return page();
    },
    get host() {
      return fixturePage(page());
    },
    async asked(method) {
      const { requests } = await fixturePage(page()).log();
      return requests.flatMap((request) => (request.method === method ? [request.params] : []));
    },
  };
}
