import { expect, onTestFinished, test } from "vitest";
import { renewPage } from "./support/browser.ts";
import { eventually } from "./support/eventually.ts";
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
