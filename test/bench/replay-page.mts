import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { SWITCHES } from "../../scripts/lib/browser.mts";
import { findChromium } from "../../scripts/lib/system-packages.mts";

/**
 * Runs in the page from its first moment. `paint`: milliseconds from the navigation to the frame that shows the list and
 * the first step. `longTasks`: what kept the page busy for over 50 ms, as the browser reports it.
 */
const WATCH = `
let painted, failed;
window.haspBench = { paint: new Promise((done, fail) => { painted = done; failed = fail; }), longTasks: [] };
const complaints = [];
addEventListener("error", ({ message }) => complaints.push(message));
addEventListener("unhandledrejection", ({ reason }) => complaints.push(String(reason)));
setTimeout(() => failed(new Error("Nothing to see after 60 s: " + complaints.join("; "))), 60_000);
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) haspBench.longTasks.push(entry.duration);
}).observe({ type: "longtask" });
const seek = () => {
  const view = document.querySelector("hasp-replay")?.shadowRoot;
  const rows = view?.querySelector("hasp-episode-list")?.shadowRoot?.querySelector(".row");
  if (!rows || !view.querySelector(".step-count")) return void requestAnimationFrame(seek);
  requestAnimationFrame(() => setTimeout(() => painted(performance.now())));
};
requestAnimationFrame(seek);
`;

/**
 * Presses a key and waits until the page has laid out the step, of another episode once that was read ("drawn"), then until
 * the host's answers about it, the context and today's decisions, are laid out too ("answered").
 */
const STEPS = `async ({ keys, timeout }) => {
  const view = document.querySelector("hasp-replay");
  const root = view.shadowRoot;
  const laidOut = async () => {
    do await view.updateComplete; while (view.isUpdatePending);
    const clamps = [...root.querySelectorAll("hasp-clamp")];
    // Drawn, then looked at, then drawn with the button that opens them.
    for (let i = 0; i < 2; i++) await Promise.all(clamps.map((clamp) => clamp.updateComplete)).then(() => undefined);
    document.body.offsetHeight;
  };
  const waiting = () => root.querySelector(".pending") !== null || root.textContent.includes("Rebuilding the context");
  const times = [];
  for (const key of keys) {
    const before = root.querySelector(".step-count")?.textContent;
    const start = performance.now();
    window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await laidOut();
    while (root.querySelector(".loading") !== null) {
      await new Promise((go) => setTimeout(go));
      await laidOut();
    }
    const drawn = performance.now() - start;
    while (waiting() && performance.now() - start < timeout) await new Promise((go) => setTimeout(go));
    await laidOut();
    const answered = performance.now() - start;
    if (root.querySelector(".step-count")?.textContent !== before) times.push({ key, drawn, answered });
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  }
  return times;
}`;

/** Milliseconds after a key. */
export interface StepTime {
  readonly key: string;
  readonly drawn: number;
  readonly answered: number;
}

/** The replay in a Chromium, as a person has it in front. */
export interface BenchPage {
  readonly page: Page;
  /** Milliseconds from the navigation to the frame with the list and the first step. */
  firstPaint(): Promise<number>;
  /** One time for each key that changed the step; the host's answers are waited for up to `timeout` ms. */
  steps(keys: readonly string[], timeout?: number): Promise<readonly StepTime[]>;
  /** Forgets the long tasks so far. */
  forgetLongTasks(): Promise<void>;
  longTasks(): Promise<readonly number[]>;
  /** Megabytes of JavaScript heap after a collection. */
  heap(): Promise<number>;
  close(): Promise<void>;
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}

export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("No Chromium found: run `npm run setup`.");
  return chromium.launch({ executablePath, args: SWITCHES });
}

/** Opens what the engine was told to open, and waits for its first paint. */
export async function openPage(browser: Browser, origin: string): Promise<BenchPage> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  await page.addInitScript(WATCH);
  await page.goto(`${origin}/webview/fixture/index.html`);
  await page.evaluate("haspBench.paint");
  const session = await page.context().newCDPSession(page);
  return {
    page,
    firstPaint: () => page.evaluate("haspBench.paint"),
    steps: (keys, timeout = 5_000) => page.evaluate(`(${STEPS})(${JSON.stringify({ keys, timeout })})`),
    forgetLongTasks: () => page.evaluate("void (haspBench.longTasks = [])"),
    longTasks: () => page.evaluate("haspBench.longTasks"),
    heap: () => heapOf(session),
    close: () => page.close(),
  };
}
