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
