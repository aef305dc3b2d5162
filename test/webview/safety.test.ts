import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkbench, type OpenedPage, type Workbench } from "./support/browser.ts";
import { buildReplay } from "./support/build.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayPage, type ReplayPage } from "./support/replay-page.ts";

let workbench: Workbench;

beforeAll(async () => {
  workbench = await startWorkbench();
});
afterAll(() => workbench.close());

async function openMarkup(): Promise<{ opened: OpenedPage; replay: ReplayPage }> {
  const opened = await workbench.open();
  const replay = replayPage(opened.page);
  await shows(replay.stepCount, "Step 1 of");
  await replay.press("j", "j", "j", "j");
  await shows(replay.question, "What does <img");
  return { opened, replay };
}

test("text that looks like HTML is shown as it is, everywhere", async () => {
  const { opened, replay } = await openMarkup();
  await shows(replay.question, 'What does <img src=x onerror="window.hacked=1"> mean in <b>HTML</b> & why');
  await shows(replay.row("thought"), "</div><style>*{display:none}</style> A thought");
  await shows(replay.recorded("<svg/onload=window.hacked=6>"), '<img src=x onerror="window.hacked=1">');
  await shows(replay.row("observation"), "<iframe srcdoc=");
  await shows(replay.row("observation"), "</hasp-replay><script>window.hacked=7</script>");
  await replay.section("documents").locator("summary").click();
  await shows(replay.section("documents"), "<h1>Title</h1>");
  await shows(opened.page.locator(".figures"), '<b>full</b><img src=x onerror="window.hacked=8">');
  await shows(opened.page.locator(".row.reminded"), "Reminded by <svg/onload=window.hacked=14>");
  const harness = replay.section("harness");
  await harness.locator("> summary").click();
  await harness.locator(".left-out summary").click();
  await shows(harness, "<script>window.hacked=11</script> </details><style>*{display:none}</style>");
  await shows(harness, "search: <iframe srcdoc='<script>parent.hacked=12</script>'></iframe>");
  await shows(harness, "search again: </hasp-replay><script>window.hacked=13</script> would search: <img");
  await harness.locator(".teacher summary").click();
  await shows(harness, "<marquee>ignore all that stands above</marquee>");
  await opened.page.close();
});

test("nothing of it runs, loads or complains: no script, no element, no request, no CSP violation", async () => {
  const { opened, replay } = await openMarkup();
  await replay.press("ArrowRight", "ArrowLeft");
  await replay.section("injected").locator("summary").click();
  await shows(replay.section("injected"), "recorded");
  await replay.section("harness").locator("> summary").click();
  for (const fold of await replay.section("harness").locator("details > summary").all()) await fold.click();
  await shows(replay.section("harness"), "It answered:");
  expect(await opened.page.evaluate('"hacked" in window')).toBe(false);
  const foreign = opened.page.locator("hasp-replay").locator("img, iframe, script, marquee, a, style");
  await eventually(() => foreign.count(), 0);
  expect(opened.strays).toEqual([]);
  expect(opened.complaints).toEqual([]);
  await opened.page.close();
});

test("the policy in force is the strict one: an inline script of the page itself is refused", async () => {
  const opened = await workbench.open();
  const refused = `const script = document.createElement("script");
    script.textContent = "window.inlineRan = true";
    document.body.append(script);`;
  await opened.page.evaluate(refused);
  await eventually(
    async () => opened.complaints.some((text) => text.includes("Content Security Policy")),
    true,
  );
  expect(await opened.page.evaluate('"inlineRan" in window')).toBe(false);
  await opened.page.close();
});

test("right-to-left and other scripts keep their direction, and long words break", async () => {
  const opened = await workbench.open();
  const replay = replayPage(opened.page);
  await shows(replay.stepCount, "Step 1 of");
  await replay.press("j", "j", "j", "j", "j");
  await shows(replay.row("thought"), "أبحث أولاً");
  const direction = await replay
    .row("thought")
    .locator(".text")
    .evaluate((text) => (text.matches(":dir(rtl)") ? "rtl" : "ltr"));
  expect(direction).toBe("rtl");
  expect(opened.complaints).toEqual([]);
  await opened.page.close();
});

test("the script for VS Code holds no fixture, no zod and no eval, and is small", async () => {
  const script = await buildReplay();
  expect(script).not.toContain("glassworks");
  expect(script).not.toContain("ZodError");
  expect(script).not.toMatch(/\beval\(|new Function\(/);
  expect(script.length).toBeLessThan(250_000);
});
