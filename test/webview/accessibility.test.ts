import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { violations } from "./support/accessible.ts";
import { openFixture, renewPage } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";
import { fixturePage } from "./support/fixture-page.ts";
import { replayPage } from "./support/replay-page.ts";

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

async function look(width = 1400): Promise<Page> {
  const { page } = await openFixture("notes", { width, height: 900 });
  const replay = replayPage(page);
  await shows(replay.stepCount, "Step 1 of");
  await shows(replay.today("retrieval_failure"), "words");
  return page;
}

test("the main views are accessible in all themes", async () => {
  const page = await look();
  for (const [view, keys] of Object.entries(VIEWS)) {
    for (const key of keys) await page.keyboard.press(key);
    expect(await violations(page), view).toEqual([]);
    await page.keyboard.press("Escape");
  }
  // Ten views, with five runs of axe each in the thorough form.
}, 300_000);

test("the view is accessible at 800 px, where the list is a drawer", async () => {
  const page = await look(800);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("f");
  expect(await violations(page)).toEqual([]);
});

test("Tab goes from the list over the strip and the step's buttons into the step", async () => {
  const { page } = await openFixture("notes", { width: 1400, height: 900 });
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
});

test("the view is accessible where episodes run", async () => {
  const { page } = await openFixture("live=3", { width: 1400, height: 900 });
  const running = page.locator("hasp-live-list").getByRole("option");
  await eventually(() => running.count(), 3);
  await page.evaluate("for (let n = 0; n < 5; n++) haspFixture.live.advanceAll(); haspFixture.live.stop(2)");
  await running.first().click();
  await shows(replayPage(page).stepCount, "Step 2 of 2");
  await page.keyboard.press("ArrowLeft");
  await shows(page.locator(".newest"), "Jump to newest");
  expect(await violations(page)).toEqual([]);
});

test("the view is accessible where labels, filters and an edit are shown", async () => {
  const page = await look();
  const replay = replayPage(page);
  await replay.press("Shift+W");
  await shows(page.locator(".undo"), "Undo");
  expect(await violations(page), "a label was written").toEqual([]);
  const change = { index: 0, saved: false, changes: [], divergedBefore: [], divergedAfter: [] };
  await fixturePage(page).send("whatIf", change);
  await shows(page.locator(".what-if"), "changes no decision");
  expect(await violations(page), "an edit is judged").toEqual([]);
  await replay.filterText.fill("band");
  await shows(page.locator(".chips"), "band");
  expect(await violations(page), "a filter is in force").toEqual([]);
  await replay.filterText.fill("Brennau");
  await shows(page.locator(".row .hit"), "Observation, step 1");
  expect(await violations(page), "a hit in the contents is listed").toEqual([]);
  await replay.filterText.fill("no question has these words");
  await eventually(() => replay.rows.count(), 0);
  expect(await violations(page), "a filter lets nothing through").toEqual([]);
});

test("the view is accessible where the signals of a step are shown", async () => {
  const page = await look();
  const replay = replayPage(page);
  await replay.press("ArrowRight", "ArrowRight");
  await replay.section("signals").locator("> summary").click();
  await shows(replay.section("signals").locator("[data-sum=step]"), "A_t");
  expect(await violations(page)).toEqual([]);
});

test("the view is accessible where the library is empty", async () => {
  const { page } = await openFixture("skills=0", { width: 1400, height: 900 });
  await shows(page.locator(".programs .note"), "New skill from this step");
  expect(await violations(page)).toEqual([]);
});

test("a screen reader has names for the list, the timeline, the modes, the transcript and the find bar", async () => {
  const { page } = await openFixture("notes", { width: 1400, height: 900 });
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
});

test("a text that is too faint is found, in the theme where it is", async () => {
  const page = await look();
  onTestFinished(renewPage);
  await page.evaluate(
    'document.styleSheets[0].insertRule("body.vscode-light { --vscode-foreground: #999999 !important }")',
  );
  const found = await violations(page);
  expect(found.filter((one) => one.startsWith("contrast in the theme light: 2.")).length).toBeGreaterThan(5);
  // axe, where it looks at contrast too, finds them as well and names no theme.
  expect(found.filter((one) => !/^(?:contrast in the theme light: 2\.|color-contrast: )/.test(one))).toEqual(
    [],
  );
});
