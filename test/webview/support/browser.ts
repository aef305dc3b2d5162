import { chromium, type Browser, type Page } from "playwright-core";
import { inject, onTestFailed } from "vitest";

export interface ShownPage {
  readonly page: Page;
  /** CSP violations and uncaught errors since it was shown, as the browser reports them. */
  readonly complaints: string[];
  /** Addresses that it asked for since then. */
  readonly requests: string[];
}

export interface OpenedPage extends ShownPage {
  /** Requests besides its own files. */
  readonly strays: () => string[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Fixture pages: the replay, the reviews of a skill, training data and signals, curves of trainings. */
type FixtureView = "index" | "review" | "training" | "dashboard";

let connected: Promise<Browser> | undefined;
let shared: Promise<ShownPage> | undefined;
let shown = 0;

async function newPage(): Promise<ShownPage> {
  // The Chromium of all files (setup.ts), which also ends the connection.
  connected ??= chromium.connect(inject("chromium"));
  // Without it, the strict policy of the page would also bind the tests' own evaluate().
  const page = await (await connected).newPage({ bypassCSP: false });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("request", (request) => requests.push(request.url()));
  return { page, complaints, requests };
}

/** The page after this one has a context of its own, without the clock, permissions or failure of this one. */
export async function renewPage(): Promise<void> {
  const last = shared;
  shared = undefined;
  await (await last)?.page.close();
}

/** Shows an address in the one page of all tests: a page for each test takes three times as long. */
export async function showPage(
  url: string,
  size: Size,
  colorScheme: "light" | "dark" = "light",
): Promise<ShownPage> {
  onTestFailed(renewPage);
  shared ??= newPage();
  const { page, complaints, requests } = await shared;
  // Left where it is, the pointer would hover over the new document.
  await page.mouse.move(-1, -1);
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
  await page.goto("about:blank");
  complaints.length = 0;
  requests.length = 0;
  await page.goto(url);
  return { page, complaints, requests };
}

/** Begins a view anew in the document that is shown: a sixth of the processor time of loading the document. */
async function showAnew(last: ShownPage, size: Size, search: string): Promise<ShownPage> {
  const { page, complaints, requests } = last;
  onTestFailed(renewPage);
  await page.mouse.move(-1, -1);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  if (width !== size.width || height !== size.height) await page.setViewportSize(size);
  complaints.length = 0;
  requests.length = 0;
  await page.evaluate(`haspStart(${JSON.stringify(search)})`);
  return last;
}

/**
 * Opens the fixture page of a view, e.g. with `count=5000`; the replay at its first step unless `at=` says otherwise.
 * A test that changes the document, which the next one may share, renews the page when it ends.
 */
export async function openFixture(
  query = "",
  size: Size = { width: 1600, height: 900 },
  view: FixtureView = "index",
): Promise<OpenedPage> {
  const origin = inject("origin");
  const address = `${origin}/webview/fixture/${view}.html`;
  // A page's memory is that of its address (webview/fixture/fixture-host.ts): the number makes it empty.
  const search = `?${query}&at=0.0&shown=${shown++}`;
  const last = await shared;
  const page =
    last?.page.url().startsWith(`${address}?`) === true
      ? await showAnew(last, size, search)
      : await showPage(`${address}${search}`, size);
  const strays = (): string[] =>
    page.requests.filter((asked) => !asked.startsWith(`${origin}/`) && asked !== "data:,");
  return { ...page, strays };
}
