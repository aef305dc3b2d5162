import { median, percentile, type BenchRow } from "./measure.mts";
import type { BenchPage } from "./replay-page.mts";

/** Opens the run in a fresh page for as long as the work takes. */
export type WithPage = <T>(work: (page: BenchPage) => Promise<T>) => Promise<T>;

/** Wheel events, and the milliseconds and pixels of each: a person who skims. */
const WHEEL = { events: 240, everyMs: 33, pixels: 300 };
const ROUNDS = 15;

/** Words that the prose of the long run holds in this order, some three hundred times. */
const FOUND = "in 1983 the formed";

/** The text field of the find bar, as an expression of the page. */
const FIND_INPUT = `document.querySelector("hasp-replay").shadowRoot.querySelector(".find-bar input")`;

const FRAME = `() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))`;

/** Milliseconds from a key to the frame that shows what it did. */
async function keyToFrame({ page }: BenchPage, key: string): Promise<number> {
  return page.evaluate(`(async () => {
    await (${FRAME})();
    const start = performance.now();
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", cancelable: true }));
    await (${FRAME})();
    return performance.now() - start;
  })()`);
}

async function times(work: (round: number) => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) all.push(await work(round));
  return all.slice(1);
}

const spread = (all: readonly number[]): string =>
  `median of ${all.length}, 95 of 100 under ${percentile(all, 95).toFixed(1)} ms`;

const longest = (tasks: readonly number[]): number => Math.max(0, ...tasks);

async function skim({ page }: BenchPage): Promise<void> {
  await page.locator("hasp-transcript").hover();
  for (let i = 0; i < WHEEL.events; i++) {
    await page.mouse.wheel(0, WHEEL.pixels);
    await page.waitForTimeout(WHEEL.everyMs);
  }
}

async function longTasksOf(bench: BenchPage, move: (page: BenchPage) => Promise<void>): Promise<number> {
  await bench.page.waitForTimeout(500);
  await bench.forgetLongTasks();
  await move(bench);
  return longest(await bench.longTasks());
}

/** Milliseconds from each letter typed into the find bar to the frame with its count and its hit. */
async function typed({ page }: BenchPage, word: string): Promise<number[]> {
  return page.evaluate(`(async () => {
    const input = ${FIND_INPUT};
    const times = [];
    for (let n = 1; n <= ${word.length}; n++) {
      await (${FRAME})();
      const start = performance.now();
      input.value = "${word}".slice(0, n);
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await (${FRAME})();
      times.push(performance.now() - start);
    }
    return times;
  })()`);
}

/** Milliseconds from Enter in the find bar to the frame with the next hit. */
async function nextHit({ page }: BenchPage): Promise<number> {
  return page.evaluate(`(async () => {
    const start = performance.now();
    const key = { key: "Enter", bubbles: true, composed: true };
    ${FIND_INPUT}.dispatchEvent(new KeyboardEvent("keydown", key));
    await (${FRAME})();
    return performance.now() - start;
  })()`);
}

/**
 * The whole episode as a transcript, and find, over 5,000 steps; each beside the step mode in the same page. `drag`: along the
 * strip of steps.
 */
export async function benchTranscript(
  withPage: WithPage,
  drag: (page: BenchPage) => Promise<void>,
): Promise<BenchRow[]> {
  return withPage(async (page) => {
    await keyToFrame(page, "Home");
    const steps = await times(() => keyToFrame(page, "ArrowRight"));
    const draggedStep = await longTasksOf(page, drag);
    const shown = await times(async () => {
      const time = await keyToFrame(page, "e");
      await keyToFrame(page, "e");
      return time;
    });
    await keyToFrame(page, "e");
    const chosen = await times(() => keyToFrame(page, "ArrowRight"));
    const skimmed = await longTasksOf(page, skim);
    const draggedEpisode = await longTasksOf(page, drag);
    await page.page.keyboard.press("Control+f");
    const letters = await typed(page, FOUND);
    const found = await page.page.locator(".find-count").innerText();
    if (!/[1-9]/.test(found)) throw new Error(`The find bar has no hit for "${FOUND}": ${found}`);
    const next = await times(() => nextHit(page));
    const row = (name: string, all: readonly number[], what: string): BenchRow => ({
      name: `${name}, 5,000 steps`,
      ours: median(all),
      baseline: median(steps),
      unit: "ms",
      method: `${what}, ${spread(all)}; beside a step change of the step mode, key to frame`,
    });
    const task = (name: string, ours: number, baseline: number | undefined, what: string): BenchRow => ({
      name: `${name}, 5,000 steps`,
      ours,
      baseline,
      unit: "ms longest",
      method: `${what}; Chromium's longest task over 50 ms, 0: none`,
    });
    return [
      row("transcript shown", shown, "`e` to the frame that shows it"),
      row("step chosen in the transcript", chosen, "→ to the frame with the step on top"),
      task(
        "transcript scrolled",
        skimmed,
        undefined,
        `${WHEEL.events} wheel events of ${WHEEL.pixels} px, one each ${WHEEL.everyMs} ms`,
      ),
      task(
        "transcript scrubbed",
        draggedEpisode,
        draggedStep,
        "dragged along the strip; beside the same in the step mode",
      ),
      row("find, typed", letters, `each letter of ${FOUND.length} to the frame with its hit (${found})`),
      row("find, next", next, "Enter to the frame with the next hit"),
    ];
  });
}
