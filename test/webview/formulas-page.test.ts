import { expect, onTestFinished, test } from "vitest";
import { openFixture, renewPage } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayPage } from "./support/replay-page.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

/** As many lines, each with a formula. */
const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line $x_${i}$`).join("\n");

test("each of several texts that grow at once gets its button", async () => {
  onTestFinished(renewPage);
  await tests.open("formulas&skills=0");
  await tests.page.evaluate(`document.body.replaceChildren(...[0, 1, 2].map(() =>
    Object.assign(document.createElement("hasp-clamp"), { lines: 3, formulas: "text", text: ${JSON.stringify(lines(3))} })))`);
  const buttons = tests.page.getByRole("button", { name: /^Show all/ });
  await eventually(() => tests.page.locator("math").count(), 9);
  expect(await buttons.count()).toBe(0);
  await tests.page.evaluate(`document.querySelectorAll("hasp-clamp").forEach((clamp) =>
    Object.assign(clamp, { text: ${JSON.stringify(lines(7))} }))`);
  await eventually(() => tests.page.locator("math").count(), 21);
  await eventually(() => buttons.count(), 3);
});

test.each([
  [
    "texts of a domain without formulas stay as they are, and the script that draws is not loaded",
    "skills=0",
    0,
  ],
  ["the script that draws is loaded once, with the first formula", "formulas&skills=0", 1],
])("%s", async (_, query, loads) => {
  await renewPage();
  onTestFinished(renewPage);
  const { page, requests } = await openFixture(query);
  const replay = replayPage(page);
  await shows(replay.stepCount, "Step 1 of");
  await replay.press("e", "e", "j", "k", "x", "x");
  await eventually(async () => (await page.locator("math").count()) > 0, loads > 0);
  expect(await page.getByRole("button", { name: "Show source" }).count()).toBe(loads);
  expect((await page.locator("hasp-formulas").count()) > 0).toBe(loads > 0);
  expect(requests.filter((address) => address.endsWith("/formulas.js"))).toHaveLength(loads);
});

/** Runs in the page: the texts with formulas, also in shadow roots. */
const TEXTS = `(function texts(root) {
  return [...root.querySelectorAll("*")].flatMap((one) =>
    one.localName === "hasp-formulas" ? [one] : one.shadowRoot ? texts(one.shadowRoot) : []);
})(document.querySelector("hasp-replay").shadowRoot)`;

/** Runs in the page, with each of those texts: the classes of what is wider than its place, from the innermost on. */
const SCROLLED = `(text) => {
  const found = [];
  for (let one = text; one !== null; one = one.parentElement ?? one.getRootNode().host ?? null)
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible") found.push(one.className);
  return found;
}`;

test.each([
  ["step", 1_200],
  ["step", 400],
  ["episode", 1_200],
  ["episode", 400],
])("in the mode %s, %i pixels wide, each wide formula scrolls in its own place", async (mode, width) => {
  const replay = await tests.open("formulas&skills=0", width);
  if (mode === "episode") await replay.press("e");
  const body = tests.page.locator(mode === "episode" ? ".entry" : ".step");
  await eventually(async () => (await body.locator("math").count()) > 0, true);
  const count = await tests.page.evaluate<number>(
    `${TEXTS}.map((text) => (text.text = ${JSON.stringify(`$${"(x-1)".repeat(90)}$`)})).length`,
  );
  expect(count).toBeGreaterThan(5);
  await eventually(() => tests.page.locator("math").count(), count);
  expect(await tests.page.evaluate(`${TEXTS}.map(${SCROLLED})`)).toEqual(
    Array.from({ length: count }, () => ["text closed with-formulas"]),
  );
});
