import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";
import { browserBundle } from "../../scripts/lib/browser-bundle.mts";
import { serve } from "../webview/support/server.ts";
import { median, percentile, type BenchRow } from "./measure.mts";
import { startBrowser } from "./replay-page.mts";

const FIXTURE = "webview/fixture/dashboard.html";
/** An empty page with the same policy. */
const EMPTY = "empty.html";
/** Events of a gesture: a person at it for two seconds. */
const EVENTS = 120;
const LONG_MS = 50;

/**
 * Runs in the page from its first moment: durations of frames and of what kept the page busy for over 50 ms, as the browser
 * reports it.
 */
const WATCH = `
window.haspBench = { longTasks: [], frames: [] };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) haspBench.longTasks.push(entry.duration);
}).observe({ type: "longtask" });
let last = performance.now();
const tick = (now) => {
  haspBench.frames.push(now - last);
  last = now;
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
`;

const forget = (page: Page): Promise<void> =>
  page.evaluate("void Object.assign(haspBench, { longTasks: [], frames: [] })");

interface Watched {
  readonly longTasks: readonly number[];
  /** Milliseconds between frames. */
  readonly frames: readonly number[];
  /** Processor time of the page's tasks for one event, in milliseconds. */
  readonly work: number;
}

/** Milliseconds of processor time of the page's tasks since it was opened. */
async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
}

async function watched(page: Page, gesture: () => Promise<void>): Promise<Watched> {
  const session = await page.context().newCDPSession(page);
  // Other programs take time from a task, but no processor time.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await taskTime(session);
  await forget(page);
  await gesture();
  const after = await taskTime(session);
  await session.detach();
  const seen = await page.evaluate<Omit<Watched, "work">>("haspBench");
  return { ...seen, work: (after - before) / EVENTS };
}

/** Waits for a frame after each event, as the events of a mouse come at most once a frame. */
async function everyFrame(page: Page, event: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < EVENTS; i++) {
    await event(i);
    await page.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go)))");
  }
}

/** In to a tenth around a wandering pointer, and out again. */
async function zoom(page: Page, place: { readonly x: number; readonly y: number; readonly width: number }) {
  await everyFrame(page, async (i) => {
    await page.mouse.move(place.x + place.width * (0.3 + 0.4 * (i / EVENTS)), place.y + 60);
    await page.mouse.wheel(0, i < EVENTS / 2 ? -30 : 30);
  });
}

/** To the right and back, half zoomed in. */
async function pan(page: Page): Promise<void> {
  await page.keyboard.press("0");
  for (let i = 0; i < 3; i++) await page.keyboard.press("+");
  await everyFrame(page, (i) => page.keyboard.press(i % 40 < 20 ? "ArrowRight" : "ArrowLeft"));
}

async function pointer(
  page: Page,
  place: { readonly x: number; readonly y: number; readonly width: number },
) {
  await everyFrame(page, (i) => page.mouse.move(place.x + (place.width * i) / EVENTS, place.y + 60));
}

const longOnes = ({ longTasks }: Watched): string =>
  longTasks.length === 0
    ? "none"
    : `${longTasks.length}, the longest ${Math.max(...longTasks).toFixed(0)} ms`;

function row(name: string, seen: Watched, empty: Watched): BenchRow {
  const { frames, work } = seen;
  return {
    name: `dashboard, ${name}`,
    ours: median(frames),
    baseline: median(empty.frames),
    unit: "ms a frame",
    method: `100,000 points in six runs, six charts, ${EVENTS} events in Chromium; processor time of the page per event: ${work.toFixed(1)} ms (empty page: ${empty.work.toFixed(1)} ms); 95 of 100 frames under ${percentile(frames, 95).toFixed(1)} ms; tasks over ${LONG_MS} ms: ${longOnes(seen)} (empty page: ${longOnes(empty)}); aim: none; baseline: a frame of an empty page`,
  };
}

async function open(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  await page.addInitScript(WATCH);
  await page.goto(address);
  return page;
}

async function measure(browser: Browser, origin: string): Promise<BenchRow[]> {
  const blank = await open(browser, `${origin}/${EMPTY}`);
  const empty = await watched(blank, () => everyFrame(blank, () => blank.mouse.move(10, 10)));
  await blank.close();
  const page = await open(browser, `${origin}/${FIXTURE}?state=large`);
  const over = page.locator(".plot[data-curve=loss] .u-over");
  await over.waitFor();
  await page.waitForFunction(
    `document.querySelector("hasp-dashboard").curves()?.shown.every(({ points }) => points?.length > 16_000)`,
  );
  const place = await over.boundingBox();
  if (place === null) throw new Error("No chart to measure");
  await zoom(page, place);
  const rows = [
    row("zoom", await watched(page, () => zoom(page, place)), empty),
    row("pan", await watched(page, () => pan(page)), empty),
    row("cursor", await watched(page, () => pointer(page, place)), empty),
  ];
  await page.close();
  return rows;
}

/** Frames and long tasks while curves of 100,000 points are zoomed and panned. */
export async function benchDashboard(root: string): Promise<BenchRow[]> {
  const file = (name: string): Promise<Uint8Array> => readFile(path.join(root, name));
  const site = new Map([
    [`/${EMPTY}`, new TextEncoder().encode("<!doctype html><title>Empty</title>")],
    [`/${FIXTURE}`, await file(FIXTURE)],
    ["/webview/fixture/themes.css", await file("webview/fixture/themes.css")],
    ["/webview/fixture/page.css", await file("webview/fixture/page.css")],
    ["/dist/webview/codicon.ttf", await file("node_modules/@vscode/codicons/dist/codicon.ttf")],
    ["/dist/webview/dashboard-fixture.js", await browserBundle("webview/fixture/dashboard.ts", root)],
  ]);
  const server = await serve(site);
  const browser = await startBrowser();
  try {
    return await measure(browser, server.origin);
  } finally {
    await browser.close();
    await server.close();
  }
}
