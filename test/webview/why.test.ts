import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

/** Pixels. */
async function widthOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.width ?? 0;
}

/** Pixels of the pane that a list beside it leaves. */
const PANES = [500, 640, 760, 880, 920, 1000, 1240, 1600];

test("the reason has 420 px at the least, or the whole pane, at every width of the pane", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "ArrowRight");
  const step = tests.page.locator(".step-inner");
  const reason = replay.today("insufficient_exploration").locator(".pf-body");
  await shows(reason, "never read");
  for (const width of PANES) {
    await tests.page.locator(".main").evaluate((main, pane) => {
      main.style.flex = `0 0 ${pane}px`;
    }, width);
    await eventually(async () => (await widthOf(reason)) >= Math.min(420, (await widthOf(step)) - 40), true);
  }
});

test("the observation of a step with interventions is on the first screen, below what intervened", async () => {
  const replay = await tests.open("", 1280);
  await tests.page.setViewportSize({ width: 1280, height: 740 });
  await replay.press("ArrowRight", "ArrowRight");
  await shows(replay.today("insufficient_exploration"), "never read");
  const cards = await tests.page.locator(".interventions").boundingBox();
  const observation = await replay.row("observation").boundingBox();
  expect((cards?.y ?? 0) + (cards?.height ?? 0)).toBeLessThanOrEqual(observation?.y ?? 0);
  expect((observation?.y ?? 740) + (observation?.height ?? 0)).toBeLessThan(740);
  await eventually(() => tests.page.locator(".interventions [data-status=skipped]").count(), 0);
});

test("a card says each fact once: the reason, the code with its values, the rest on demand", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "ArrowRight");
  const card = replay.today("insufficient_exploration");
  await shows(card, "searched twice, never read true ctx.readCount is 0 , === 0 More");
  await eventually(() => card.getByText("ctx.searchCount").isVisible(), false);
  await card.getByText("More", { exact: true }).click();
  await shows(card, "today: searched 2 times, never read");
  await shows(card, "ctx.searchCount is 2");
  await shows(card, "FINAL Konrad Brenn → READ doc_0");
  const quiet = replay.today("retrieval_failure");
  await shows(quiet, /recorded and today false actionType is "FINAL" , === "SEARCH" More/);
});

test("the decision of the run and the same one of today's library are one card", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "ArrowRight");
  await shows(replay.today("insufficient_exploration"), "recorded and today");
  await eventually(() => tests.page.locator('.pf[data-skill="insufficient_exploration"]').count(), 1);
  await eventually(() => tests.page.locator('.pf[data-skill="answer_completeness"]').count(), 1);
});

test("while a saved library judges anew, the rows stay where they are", async () => {
  const replay = await tests.open("skills=28");
  await shows(tests.page.locator(".skipped"), "Program Functions skipped");
  await tests.page.locator(".skipped > summary").click();
  const row = replay.today("quiet_skill_20");
  const before = await row.boundingBox();
  const marks = await tests.page.locator(".cells").textContent();
  await tests.host.hold("judgeStep");
  await tests.host.send("libraryChanged", null);
  await eventually(() => tests.page.locator(".programs").getAttribute("aria-busy"), "true");
  expect(await row.boundingBox()).toEqual(before);
  expect(await tests.page.locator(".cells").textContent()).toBe(marks);
  await tests.host.release("judgeStep");
  await eventually(() => tests.page.locator(".programs").getAttribute("aria-busy"), "false");
  expect(await row.boundingBox()).toEqual(before);
});

test("a screen reader hears the regions and each card with its status", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "ArrowRight");
  await shows(replay.today("insufficient_exploration"), "never read");
  const interventions = tests.page.getByRole("region", { name: "Interventions" });
  const names = await interventions
    .getByRole("listitem")
    .evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")).filter(Boolean));
  expect(names).toEqual([
    "insufficient_exploration: applied, recorded and today",
    "answer_completeness: overridden, recorded",
  ]);
  expect(await interventions.ariaSnapshot()).toContain('button "Debug insufficient_exploration"');
  expect(await interventions.ariaSnapshot()).toContain('button "applied"');
  await tests.page.getByRole("region", { name: "Program Functions" }).waitFor();
});
