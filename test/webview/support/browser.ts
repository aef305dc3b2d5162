import { chromium, type Browser, type Page } from "playwright-core";
import { inject } from "vitest";

export interface OpenedPage {
  readonly page: Page;
  /** CSP violations and uncaught errors, as the browser reports them. */
  readonly complaints: string[];
  /** Addresses the page asked for, besides its own files. */
  readonly strays: string[];
}

/** Fixture pages: the replay, the reviews of a skill, training data and signals, curves of trainings. */
type FixtureView = "index" | "review" | "training" | "dashboard";

export interface Workbench {
  /** Opens the fixture page of a view, e.g. with `count=5000`; the replay at its first step unless `at=` says otherwise. */
  open(query?: string, viewport?: { width: number; height: number }, view?: FixtureView): Promise<OpenedPage>;
  close(): Promise<void>;
}

async function newPage(browser: Browser, origin: string, width: number, height: number): Promise<OpenedPage> {
  // Without it, the strict policy of the page would also bind the tests' own evaluate().
  const page = await browser.newPage({ viewport: { width, height }, bypassCSP: false });
  const complaints: string[] = [];
  const strays: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && url !== "data:,") strays.push(url);
  });
  return { page, complaints, strays };
}

/** A talk with the Chromium of all files (setup.ts); closing it closes its own pages alone. */
export const connectBrowser = (): Promise<Browser> => chromium.connect(inject("chromium"));

/** The fixture pages, in a file's own contexts. */
export async function startWorkbench(): Promise<Workbench> {
  const origin = inject("origin");
  const browser = await connectBrowser();
  return {
    async open(query = "", viewport = { width: 1600, height: 900 }, view = "index") {
      const opened = await newPage(browser, origin, viewport.width, viewport.height);
      await opened.page.goto(`${origin}/webview/fixture/${view}.html?${query}&at=0.0`);
      return opened;
    },
    close: () => browser.close(),
  };
}
