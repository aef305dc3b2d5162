import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { median, percentile, type BenchRow } from "./measure.mts";
import { openPage, startBrowser, type BenchPage, type StepTime } from "./replay-page.mts";
import { buildPage, startEngine, type Engine } from "./replay-process.mts";
import { benchTranscript } from "./replay-transcript.mts";
import { makeBigRun, makeLongRun, makeRealRun } from "./replay-runs.mts";

const ROUNDS = 5;
const KEYS = 300;
/** Episodes that are walked through before memory is looked at. */
const WALK = 200;
/** Key presses of a held arrow key, and the milliseconds between two of them that keyboards have. */
const HELD = { presses: 240, everyMs: 33 };
const STEP_AIM = "; aim: under 16 ms";
const ms = (value: number): string => value.toFixed(1);

interface Bench {
  readonly script: string;
  readonly root: string;
  /** The page's script. */
  readonly page: string;
  readonly browser: Browser;
}

async function withEngine<T>(
  { script, root, page }: Bench,
  folder: string,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await startEngine(script, root, page);
  try {
    await engine.open(folder);
    return await work(engine);
  } finally {
    engine.stop();
  }
}

async function withPage<T>(
  bench: Bench,
  folder: string,
  work: (page: BenchPage, engine: Engine) => Promise<T>,
): Promise<T> {
  return withEngine(bench, folder, async (engine) => {
    const page = await openPage(bench.browser, engine.origin);
    try {
      return await work(page, engine);
    } finally {
      await page.close();
    }
  });
}

/** A fresh engine and a fresh page each time; only the sidecar is left from before. */
async function paints(bench: Bench, folder: string, before: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await before();
    times.push(await withPage(bench, folder, (page) => page.firstPaint()));
  }
  return times;
}

async function benchPaint(bench: Bench, big: string, real: string): Promise<BenchRow[]> {
  const cold = await paints(bench, big, () => rm(path.join(big, "episodes.index"), { force: true }));
  const warm = await paints(bench, big, async () => {});
  const baseline = median(await paints(bench, real, async () => {}));
  const row = (name: string, times: readonly number[], aim: string): BenchRow => ({
    name,
    ours: median(times),
    baseline,
    unit: "ms",
    method: `1 GB, 10,000 episodes, Chromium, from navigation to the frame with list and first step, median of ${ROUNDS}: ${times.map((time) => time.toFixed(0)).join(", ")}${aim}; baseline: the same with the real run`,
  });
  return [
    row("first paint of 1 GB, no sidecar", cold, ""),
    row("first paint of 1 GB, sidecar there", warm, "; aim: under 1,000 ms"),
  ];
}

function stepRow(name: string, times: readonly StepTime[], what: string, aim: string): BenchRow {
  const drawn = times.map((time) => time.drawn);
  const answered = times.map((time) => time.answered);
  const method = `${what}, ${times.length} steps, key to layout, median; 95 of 100 under ${ms(percentile(drawn, 95))}; with context and today's decisions laid out: median ${ms(median(answered))}, 95 of 100 under ${ms(percentile(answered, 95))}${aim}`;
  return { name, ours: median(drawn), baseline: undefined, unit: "ms", method };
}

/** To the right through episode after episode: at the end of one the key does nothing, and `j` goes on. */
const walkKeys = Array.from({ length: KEYS }, (_, i) => (i % 6 === 5 ? "j" : "ArrowRight"));

async function benchSteps(bench: Bench, real: string, what: string): Promise<BenchRow[]> {
  const times = await withPage(bench, real, async (page) => {
    await page.steps(["ArrowRight", "ArrowRight", "j"]);
    return page.steps(walkKeys);
  });
  const [episodes, steps] = [true, false].map((isNext) =>
    times.filter(({ key }) => (key === "j") === isNext),
  );
  return [
    stepRow(`step change, ${what}`, steps ?? [], "shipped library", STEP_AIM),
    stepRow(`next episode, ${what}`, episodes ?? [], "its reading included; shipped library", ""),
  ];
}

const longest = (tasks: readonly number[]): string =>
  tasks.length === 0 ? "none" : `${tasks.length}, the longest ${Math.max(...tasks).toFixed(0)} ms`;

async function hold({ page }: BenchPage): Promise<void> {
  for (let i = 0; i < HELD.presses; i++) {
    await page.keyboard.down("ArrowRight");
    await page.waitForTimeout(HELD.everyMs);
  }
  await page.keyboard.up("ArrowRight");
}

/** Along the strip of steps with the button down, there and half the way back. */
async function drag({ page }: BenchPage): Promise<void> {
  const strip = await page.locator(".cells").boundingBox();
  if (strip === null) throw new Error("No strip of steps");
  const y = strip.y + 10;
  await page.mouse.move(strip.x + 20, y);
  await page.mouse.down();
  for (let i = 0; i < HELD.presses; i++) {
    const way = i / HELD.presses;
    const part = way < 2 / 3 ? way * 1.5 : 1 - (way - 2 / 3) * 1.5;
    await page.mouse.move(strip.x + 20 + part * (strip.width - 40), y);
    await page.waitForTimeout(HELD.everyMs / 2);
  }
  await page.mouse.up();
}

async function scrub(
  bench: Bench,
  folder: string,
  name: string,
  move: (page: BenchPage) => Promise<void>,
): Promise<BenchRow> {
  const { tasks, steps } = await withPage(bench, folder, async (page) => {
    await page.page.waitForTimeout(1_000);
    await page.steps(["Home"], 0);
    await page.forgetLongTasks();
    await move(page);
    return { tasks: await page.longTasks(), steps: await page.page.locator(".step-count").innerText() };
  });
  const method = `5,000 steps, Chromium's longtask entries over 50 ms: ${longest(tasks)}; ended at ${steps}; aim: none`;
  return {
    name,
    ours: tasks.length === 0 ? 0 : Math.max(...tasks),
    baseline: undefined,
    unit: "ms longest",
    method,
  };
}

async function benchLong(bench: Bench, folder: string): Promise<BenchRow[]> {
  const keys = Array.from({ length: 100 }, () => "ArrowRight");
  const times = await withPage(bench, folder, async (page) => {
    // The run opens at its first bad step, which is the last one here.
    await page.steps(["Home", ...keys.slice(0, 10)], 0);
    return page.steps(keys, 0);
  });
  return [
    stepRow("step change, 5,000 steps", times, "answers not waited for", STEP_AIM),
    await scrub(bench, folder, "scrubbed, held key", hold),
    await scrub(bench, folder, "scrubbed, dragged", drag),
  ];
}

async function benchMemory(bench: Bench, big: string): Promise<BenchRow> {
  const { engine, heap } = await withPage(bench, big, async (page, engine) => {
    const keys = Array.from({ length: WALK }, () => ["j", "ArrowRight"]).flat();
    await page.steps(keys);
    return { engine: await engine.memory(), heap: await page.heap() };
  });
  const method = `1 GB opened, ${WALK} episodes walked and judged; the engine's process with both workers ${engine.resident.toFixed(0)} MB resident (${engine.heap.toFixed(0)} MB heap of its main thread), the page ${heap.toFixed(0)} MB heap, after a collection; aim: under 300 MB`;
  return { name: "memory", ours: engine.resident + heap, baseline: undefined, unit: "MB", method };
}

/**
 * The replay over the engine in a process of its own, in Chromium. `script`: the bundled replay-server.mts. Needs 1 GB of
 * temporary space.
 */
export async function benchReplay(root: string, script: string): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-replay-"));
  const browser = await startBrowser();
  const bench = { script, root, page: await buildPage(root, folder), browser };
  const [real, long, big] = ["real", "long", "big"].map((name) => path.join(folder, name));
  if (real === undefined || long === undefined || big === undefined) return [];
  try {
    const what = await makeRealRun(real, root);
    await makeLongRun(long);
    await makeBigRun(big);
    return [
      ...(await benchPaint(bench, big, real)),
      ...(await benchSteps(bench, real, what)),
      ...(await benchLong(bench, long)),
      ...(await benchTranscript((work) => withPage(bench, long, work), drag)),
      await benchMemory(bench, big),
    ];
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}
