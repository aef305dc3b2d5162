import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import kites from "../fixtures/replay/kites.json" with { type: "json" };
import { violations } from "./support/accessible.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();
const [KITES_STEP] = kites.steps;
const DRAFT = KITES_STEP?.proposals[0]?.thought ?? "";
const thoughts = (): Locator => tests.page.locator(".row.thought");
const math = (): Locator => tests.page.locator("math");
const toggle = (): Locator => tests.page.getByRole("button", { name: "Show source" });
const isDrawn = (within: Locator): Promise<void> =>
  eventually(async () => (await within.locator("math").count()) > 0, true);

/** Runs in the page: the text that a copy of the whole draft gives. */
const COPY = `(() => {
  const clamp = document.querySelector("hasp-replay").shadowRoot.querySelector(".thought hasp-clamp");
  const text = clamp.shadowRoot.querySelector("hasp-formulas");
  const selection = getSelection();
  selection.removeAllRanges();
  const range = document.createRange();
  range.selectNodeContents(text);
  selection.addRange(range);
  let copied;
  addEventListener("copy", (event) => (copied = event.clipboardData.getData("text/plain")), { once: true });
  document.execCommand("copy");
  selection.removeAllRanges();
  return copied;
})()`;

describe("a draft of the domain math", () => {
  test("stands with its line breaks and its formulas, before the revised one, with a verdict on each", async () => {
    const replay = await tests.open("formulas&skills=0");
    await isDrawn(thoughts().first());
    const [first, second] = [thoughts().first(), thoughts().nth(1)];
    await shows(first, "Thought 1 of 2");
    await shows(second, "Thought 2 of 2");
    expect(await first.locator(".text").textContent()).toMatch(/^\*\*Setting up/);
    // Some twenty lines, none of them cut off.
    expect((await first.boundingBox())?.height).toBeGreaterThan(250);
    expect(await first.getByRole("button", { name: /^Show all/ }).count()).toBe(0);
    expect(await first.locator("mfrac").count()).toBeGreaterThan(5);
    expect(await first.locator("mtr").count()).toBe(3);
    await shows(replay.row("proposed").first(), "math: wrong");
    await shows(replay.row("proposed").nth(1), "math: right");
    expect(await replay.row("proposed").locator("mfrac").count()).toBe(2);
    expect(await tests.page.locator(".gold mfrac").count()).toBe(1);
    expect(await tests.page.locator(".answer mfrac").count()).toBe(1);
    expect(await replay.question.locator("mfrac").count()).toBe(1);
    expect(await tests.page.locator(".injected-text math").count()).toBeGreaterThan(2);
  });

  test("has money as text", async () => {
    const replay = await tests.open("formulas&skills=0");
    await isDrawn(replay.question);
    await shows(replay.question, "for $264 in all. A small kite costs $5 and a large one costs $9.");
    await shows(thoughts().first(), "costs $5 and a large one costs $9.");
  });

  test("is copied as it is written", async () => {
    await tests.open("formulas&skills=0");
    await isDrawn(thoughts().first());
    expect(await tests.page.evaluate(COPY)).toBe(DRAFT);
  });

  test("is shown as it is written by a key and by a button, and drawn again, in both modes", async () => {
    const replay = await tests.open("formulas&skills=0");
    await isDrawn(thoughts().first());
    await replay.press("x");
    await eventually(() => math().count(), 0);
    await shows(thoughts().first(), String.raw`The answer is \boxed{\frac{27}{80}}.`);
    expect(await toggle().getAttribute("aria-pressed")).toBe("true");
    await toggle().focus();
    await replay.press("Enter");
    await isDrawn(thoughts().first());
    await replay.press("e");
    const entry = tests.page.locator(".entry");
    await isDrawn(entry);
    await replay.press("x");
    await eventually(() => entry.locator("math").count(), 0);
    await shows(entry, String.raw`\frac{2}{5}`);
  });

  test("is found by its source, and the drawn formula is marked", async () => {
    const replay = await tests.open("formulas&skills=0");
    await isDrawn(thoughts().first());
    await replay.press("/");
    await tests.page.keyboard.type(String.raw`\gcd(27`);
    await shows(tests.page.getByRole("search").getByRole("status"), "1 of 1");
    const marked = `[...(CSS.highlights.get("hasp-find-current") ?? [])].map((range) => range.toString()).join("")`;
    await eventually(() => tests.page.evaluate<string>(marked), "gcd\u2061(27,80)=1");
  });

  test.each([1_400, 480])("breaks a long chain where the line of a page of %i pixels ends", async (width) => {
    await tests.open("formulas&skills=0", width);
    await isDrawn(thoughts().first());
    const beyond = await thoughts()
      .first()
      .locator(".text")
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(beyond).toBeLessThanOrEqual(1);
  });

  test("is accessible in both modes, drawn and as it is written, in all themes", async () => {
    const replay = await tests.open("formulas&skills=0");
    for (const key of ["ArrowLeft", "x", "e", "x"]) {
      await replay.press(key);
      expect(await violations(tests.page), key).toEqual([]);
    }
  }, 120_000);
});

test("a formula that is wider than its line is scrolled by keyboard, without leaving the step", async () => {
  const replay = await tests.open("formulas&skills=0&count=3", 480);
  await isDrawn(thoughts().first());
  const row = Array.from({ length: 40 }, (_, i) => `a_{${i}}`).join("&");
  const wide = String.raw`\[\begin{matrix}${row}\end{matrix}\]`;
  const text = thoughts().first().getByRole("group", { name: "the thought" });
  await thoughts()
    .first()
    .locator("hasp-clamp")
    .evaluate((clamp, latex) => Object.assign(clamp, { text: latex }), wide);
  await eventually(() => text.count(), 1);
  expect(await violations(tests.page)).toEqual([]);
  await text.focus();
  await replay.press("ArrowRight", "ArrowRight");
  await eventually(() => text.evaluate(({ scrollLeft }) => scrollLeft > 0), true);
});
