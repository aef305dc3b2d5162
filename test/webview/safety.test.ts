import { expect, onTestFinished, test } from "vitest";
import { shownSignals } from "../../src/analysis/signals/shown-signals.ts";
import { DEFAULT_WEIGHTS } from "../../src/model/signals.ts";
import { hostile, hostileEpisode, hostileNotes } from "../support/hostile.ts";
import { openFixture, renewPage, type OpenedPage } from "./support/browser.ts";
import { buildReplay } from "./support/build.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayPage, type ReplayPage } from "./support/replay-page.ts";

async function openMarkup(): Promise<{ opened: OpenedPage; replay: ReplayPage }> {
  const opened = await openFixture();
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
  await shows(opened.page.locator(".verdicts"), '<b>judge</b><img src=x onerror="window.hacked=8">');
  await opened.page.locator(".about > summary").click();
  await shows(
    opened.page.locator(".about"),
    String.raw`"<b>full</b><img src=x onerror=\"window.hacked=8\">"`,
  );
  await shows(opened.page.locator(".row.reminded"), "Reminded by <svg/onload=window.hacked=14>");
  const harness = replay.section("harness");
  await harness.locator("> summary").click();
  await harness.locator(".left-out summary").click();
  await shows(harness, "<script>window.hacked=11</script> </details><style>*{display:none}</style>");
  await shows(harness, "search: <iframe srcdoc='<script>parent.hacked=12</script>'></iframe>");
  await shows(harness, "search again: </hasp-replay><script>window.hacked=13</script> would search: <img");
  await harness.locator(".teacher summary").click();
  await shows(harness, "<marquee>ignore all that stands above</marquee>");
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
  expect(opened.strays()).toEqual([]);
  expect(opened.complaints).toEqual([]);
});

/** Takes the place of the fixture's episodes: the view asks anew and gets `episode`, whose first observation is made 20 MB. */
const SERVE = `(episode, notes, text, signals) => {
  const { extension } = haspFixture;
  const observation = text.repeat(Math.ceil(20 * 1024 * 1024 / text.length)).slice(0, 20 * 1024 * 1024);
  const [first, ...others] = episode.steps;
  const served = { ...episode, steps: [{ ...first, observation }, ...others] };
  const { id, questionId, outcome, length, question } = episode;
  const patterns = [{ name: "repeated_search", steps: [1], reason: text }];
  const pf = { event: first.events[0], reason: text, explanation: { skillId: text, activated: false, sentence: text, file: text,
    deciding: { expression: text, value: text, line: 1 },
    expressions: [{ text, line: 1, values: [{ start: 0, end: text.length, value: text }] }], operands: [{ expression: text, value: text, line: 2 }] } };
  const marks = { modified: false, injected: false, error: false, diverged: false };
  const answers = {
    open: () => ({ run: undefined, title: text, diagnostics: [{ code: "HASP501", severity: "error", message: text,
      next: text, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } }],
      episodes: [{ id, questionId, outcome, length, question }], skills: [{ skillId: text, title: text }],
      libraryNotice: undefined }),
    readEpisode: () => served,
    judgeEpisode: () => episode.steps.map((_, t) => ({ t, ...marks })),
    judgeStep: ({ t }) => ({ t, pfs: [pf], executed: { type: text, arg: text }, injected: [{ skillId: text, text }],
      diverged: true }),
    stepContext: () => { throw new Error(text); },
    signals: () => ({ ...signals, steps: signals.steps.map((step) => ({ ...step, values:
      Object.fromEntries(Object.entries(step.values).map(([slot, { value }]) => [slot, { value, reason: slot + text }])) })) }),
    readNotes: () => ({ notes, diagnostics: [] }),
    readFacets: () => [{ index: 0, patterns, recorded: [] }],
  };
  for (const [name, answer] of Object.entries(answers)) extension.handle(name, async (params) => answer(params));
  extension.send("runChanged", null);
  extension.send("notesChanged", null);
}`;

test("a stranger's text in every field, and 20 MB of it, is text in the live view too", async () => {
  const opened = await openFixture("count=1");
  const { page } = opened;
  const replay = replayPage(page);
  await shows(replay.stepCount, "Step 1 of");
  const episode = hostileEpisode();
  const signals = shownSignals(episode, DEFAULT_WEIGHTS, undefined);
  const given = [episode, hostileNotes(episode.id), hostile("text"), signals].map((one) =>
    JSON.stringify(one),
  );
  await page.evaluate(`(${SERVE})(${given.join(", ")})`);
  await shows(replay.question, "question </script><script>window.hacked=1</script>");
  await shows(replay.today().first(), "text </script><script>");
  const observation = replay.row("observation");
  await shows(observation, "Show 50,000 more of 20,971,520 characters");
  for (const times of [2, 3]) {
    await observation.getByRole("button", { name: "Show 50,000 more" }).first().click();
    const shown = observation.locator(".text").first();
    await eventually(async () => ((await shown.textContent()) ?? "").length, (times - 1) * 50_000);
  }
  await observation.getByRole("button", { name: "Show less" }).first().click();
  await replay.press("ArrowRight", "ArrowRight", "ArrowLeft");
  await shows(replay.stepCount, "Step 2 of 3");
  for (const fold of await page.locator("hasp-replay details > summary").all()) await fold.click();
  await shows(replay.section("signals").locator('[data-slot="s1.tp"]'), "s1.tptext </script><script>");
  expect(await page.evaluate('"hacked" in window')).toBe(false);
  const foreign = page.locator("hasp-replay").locator("img, iframe, script, marquee, a, style");
  await eventually(() => foreign.count(), 0);
  expect(opened.strays()).toEqual([]);
  expect(opened.complaints).toEqual([]);
});

test("the policy in force is the strict one: an inline script of the page itself is refused", async () => {
  const opened = await openFixture();
  onTestFinished(renewPage);
  const refused = `const script = document.createElement("script");
    script.textContent = "window.inlineRan = true";
    document.body.append(script);`;
  await opened.page.evaluate(refused);
  await eventually(
    async () => opened.complaints.some((text) => text.includes("Content Security Policy")),
    true,
  );
  expect(await opened.page.evaluate('"inlineRan" in window')).toBe(false);
});

test("right-to-left and other scripts keep their direction, and long words break", async () => {
  const opened = await openFixture();
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
});

test("the script for VS Code holds no fixture, no zod and no eval, and is small", async () => {
  const script = await buildReplay();
  expect(script).not.toContain("glassworks");
  expect(script).not.toContain("ZodError");
  expect(script).not.toMatch(/\beval\(|new Function\(/);
  expect(script.length).toBeLessThan(305_000);
});
