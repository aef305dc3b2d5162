import { test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

test("a status explains itself to the pointer and to the keyboard, and moves nothing", async () => {
  const replay = await tests.open();
  const status = replay.today("retrieval_failure").getByRole("button", { name: "skipped" });
  const tip = replay.today("retrieval_failure").getByRole("tooltip");
  const before = await replay.row("observation").boundingBox();
  await status.hover();
  await shows(tip, "The PF had nothing to do");
  await eventually(() => replay.row("observation").boundingBox(), before);
  await tests.page.mouse.move(0, 0);
  await eventually(() => tip.isVisible(), false);
  await replay.tabs.first().focus();
  const wanted = tests.page.locator("hasp-term").getByRole("button", { name: "Executed" });
  for (let i = 0; i < 40 && !(await wanted.evaluate((node) => node.matches(":focus"))); i += 1)
    await replay.press("Tab");
  await shows(tests.page.locator(".row.executed").getByRole("tooltip"), "The action that ran");
  await replay.press("Enter");
  await eventually(() => tests.asked("openHelp"), [{ page: "replay", anchor: "executed" }]);
  await replay.press("Shift+Tab", "Tab");
  await shows(tests.page.locator(".row.executed").getByRole("tooltip"), "The action that ran");
  await replay.press("Escape");
  await eventually(() => tests.page.locator(".row.executed").getByRole("tooltip").isVisible(), false);
});

test("a tooltip stays on the page at its edges", async () => {
  const replay = await tests.open("", 700);
  const term = tests.page.locator(".legend").getByRole("button", { name: "diverged" });
  await term.hover();
  const tip = tests.page.locator(".legend").getByRole("tooltip").last();
  await shows(tip, "another path");
  const box = await tip.boundingBox();
  await eventually(async () => (box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= 700, true);
  await shows(replay.stepCount, "Step 1 of 5");
});
