import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkbench, type Workbench } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";
import { fixturePage } from "./support/fixture-page.ts";
import { replayPage } from "./support/replay-page.ts";

const THEMES = ["dark", "light", "high-contrast", "high-contrast-light"] as const;

let workbench: Workbench;
let axe: string;

beforeAll(async () => {
  workbench = await startWorkbench();
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
});
afterAll(() => workbench.close());

/** Main views, by the keys that lead there. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  step: ["ArrowRight", "ArrowRight"],
  menu: ["m"],
  form: ["Shift+L"],
  keys: ["?"],
  transcript: ["e", "End"],
  "transcript and menu": ["m"],
  "transcript and find": ["/", "a"],
  "step again": ["e"],
  episodes: ["c"],
  runs: ["Shift+C"],
};

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown; readonly html: string }[];
}

interface Looked {
  readonly page: Page;
  readonly violations: () => Promise<string[]>;
}

/** What appears fades in for a moment, in which its colours are others; what goes on without an end is not waited for. */
const FADED_IN = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((one) => (one.shadowRoot ? roots(one.shadowRoot) : []))];
  const fading = () => roots(document)
    .flatMap((root) => root.getAnimations())
    .filter(({ playState, effect }) => playState === "running" && effect.getComputedTiming().endTime !== Infinity);
  await frame();
  await frame();
  for (let all = fading(); all.length > 0; all = fading()) await Promise.allSettled(all.map(({ finished }) => finished));
})()`;

/** Themes differ in colours alone: all other rules are looked at in the first one. */
const axeRun = (theme: string): string =>
  `axe.run(document${theme === THEMES[0] ? "" : ', { runOnly: ["color-contrast"] }'}).then((r) => r.violations)`;

/** axe runs by the page's debugger, past its policy; it reads shadow roots by itself. */
async function look(theme: string, width = 1400): Promise<Looked> {
  const { page } = await workbench.open(`notes&theme=${theme}`, { width, height: 900 });
  const replay = replayPage(page);
  await shows(replay.stepCount, "Step 1 of");
  await shows(replay.today("retrieval_failure"), "words");
  await page.evaluate(axe);
  return {
    page,
    async violations() {
      await page.evaluate(FADED_IN);
      const found = await page.evaluate<Violation[]>(axeRun(theme));
      return found.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${JSON.stringify(node.target)} ${node.html}`),
      );
    },
  };
}

test.each(THEMES)("axe finds nothing in the main views in the theme %s", async (theme) => {
  const { page, violations } = await look(theme);
  for (const [view, keys] of Object.entries(VIEWS)) {
    for (const key of keys) await page.keyboard.press(key);
    expect(await violations(), view).toEqual([]);
    await page.keyboard.press("Escape");
  }
  await page.close();
});

test("axe finds nothing at 800 px, where the list is a drawer", async () => {
  const { page, violations } = await look("dark", 800);
  expect(await violations()).toEqual([]);
  await page.keyboard.press("f");
  expect(await violations()).toEqual([]);
  await page.close();
});

test("Tab goes from the list over the strip and the step's buttons into the step", async () => {
  const { page } = await workbench.open("notes", { width: 1400, height: 900 });
  const replay = replayPage(page);
  await shows(replay.stepCount, "Step 1 of");
  await page.locator(".rows").focus();
  const focused = (): Promise<string> =>
    page.evaluate(`(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at?.getAttribute("role") ?? at?.title ?? "";
    })()`);
  const order: string[] = [];
  for (let i = 0; i < 30 && order.at(-1) !== "tabpanel"; i += 1) {
    await replay.press("Tab");
    order.push(await focused());
  }
  expect(order).toContain("tab");
  expect(order.indexOf("tab")).toBeLessThan(order.indexOf("Next step (→)"));
  expect(order.indexOf("Next step (→)")).toBeLessThan(order.indexOf("Actions (m)"));
  expect(order.indexOf("Actions (m)")).toBeLessThan(order.indexOf("tabpanel"));
  await eventually(() => page.locator(".step").isVisible(), true);
  await page.close();
});

test.each(THEMES)("axe finds nothing where episodes run in the theme %s", async (theme) => {
  const { page } = await workbench.open(`live=3&theme=${theme}`, { width: 1400, height: 900 });
  const running = page.locator("hasp-live-list").getByRole("option");
  await eventually(() => running.count(), 3);
  await page.evaluate("for (let n = 0; n < 5; n++) haspFixture.live.advanceAll(); haspFixture.live.stop(2)");
  await running.first().click();
  await shows(replayPage(page).stepCount, "Step 2 of 2");
  await page.keyboard.press("ArrowLeft");
  await shows(page.locator(".newest"), "Jump to newest");
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>(axeRun(theme));
  expect(found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
  await page.close();
});

test.each(THEMES)(
  "axe finds nothing where labels, filters and an edit are shown in the theme %s",
  async (theme) => {
    const { page, violations } = await look(theme);
    const replay = replayPage(page);
    await replay.press("Shift+W");
    await shows(page.locator(".undo"), "Undo");
    expect(await violations(), "a label was written").toEqual([]);
    const change = { index: 0, saved: false, changes: [], divergedBefore: [], divergedAfter: [] };
    await fixturePage(page).send("whatIf", change);
    await shows(page.locator(".what-if"), "changes no decision");
    expect(await violations(), "an edit is judged").toEqual([]);
    await replay.filterText.fill("band");
    await shows(page.locator(".chips"), "band");
    expect(await violations(), "a filter is in force").toEqual([]);
    await replay.filterText.fill("Brennau");
    await shows(page.locator(".row .hit"), "Observation, step 1");
    expect(await violations(), "a hit in the contents is listed").toEqual([]);
    await replay.filterText.fill("no question has these words");
    await eventually(() => replay.rows.count(), 0);
    expect(await violations(), "a filter lets nothing through").toEqual([]);
    await page.close();
  },
);

test.each(THEMES)(
  "axe finds nothing where the signals of a step are shown in the theme %s",
  async (theme) => {
    const { page, violations } = await look(theme);
    const replay = replayPage(page);
    await replay.press("ArrowRight", "ArrowRight");
    await replay.section("signals").locator("> summary").click();
    await shows(replay.section("signals").locator("[data-sum=step]"), "A_t");
    expect(await violations()).toEqual([]);
    await page.close();
  },
);

test("axe finds nothing where the library is empty", async () => {
  const { page } = await workbench.open("skills=0", { width: 1400, height: 900 });
  await shows(page.locator(".programs .note"), "New skill from this step");
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>("axe.run(document).then((r) => r.violations)");
  expect(found.map(({ id }) => id)).toEqual([]);
  await page.close();
});

test("a screen reader has names for the list, the timeline, the modes, the transcript and the find bar", async () => {
  const { page } = await workbench.open("notes", { width: 1400, height: 900 });
  await shows(replayPage(page).stepCount, "Step 1 of");
  await page.keyboard.press("e");
  await page.keyboard.press("Control+f");
  await page.keyboard.type("konrad");
  const tree = await page.locator("hasp-replay").ariaSnapshot();
  expect(tree).toContain('listbox "Episodes"');
  expect(tree).toContain('tablist "Steps of the episode"');
  expect(tree).toMatch(/tab "Step 3: FINAL .*" \[selected\]/);
  expect(tree).toContain('radiogroup "View"');
  expect(tree).toContain('radio "Episode" [checked]');
  expect(tree).toContain('feed "Transcript"');
  expect(tree).toContain('article "Step 3: FINAL Konrad Brenn"');
  expect(tree).toContain('search "Find in the episode"');
  expect(tree).toContain("2 of 5 · step 3");
  await page.close();
});
