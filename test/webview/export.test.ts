import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shownSignals } from "../../src/analysis/signals/shown-signals.ts";
import { DEFAULT_WEIGHTS, ONLY_FINAL_NOTE } from "../../src/model/signals.ts";
import { episodeSchema, type Episode } from "../../src/model/episode.ts";
import kites from "../fixtures/replay/kites.json";
import glassworks from "../fixtures/replay/glassworks.json";
import markup from "../fixtures/replay/markup.json";
import type { PfEvent } from "../../src/model/intervention.ts";
import type { JudgedEpisode } from "../../src/protocol/judged-pool.ts";
import { CODE_EPISODES } from "../../webview/fixture/code.ts";
import { hostile, hostileEpisode, hostileId, hostileNotes, hugeText } from "../support/hostile.ts";
import { showPage, type ShownPage } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";
import { pageWriter } from "./support/export-page.ts";
import { replayPage, type ReplayPage } from "./support/replay-page.ts";

const EPISODES: readonly Episode[] = [glassworks, markup].map((episode) => episodeSchema.parse(episode));

interface Opened extends ShownPage {
  readonly replay: ReplayPage;
  /** Without the place in it. */
  readonly address: string;
}

let folder: string;
let written = 0;
let write: Awaited<ReturnType<typeof pageWriter>>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "hasp-export-"));
  write = await pageWriter();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Without an address a page opens on its first failure. */
const FIRST_STEP = "#episode=1&step=1";

async function open(
  html: string,
  hash = FIRST_STEP,
  colorScheme: "light" | "dark" = "dark",
): Promise<Opened> {
  // In the address of the page before, a place alone would not load it.
  const address = pathToFileURL(path.join(folder, `page-${written++}.html`));
  await writeFile(address, html);
  const shown = await showPage(`${address.href}${hash}`, { width: 1400, height: 900 }, colorScheme);
  return { ...shown, replay: replayPage(shown.page), address: address.href };
}

/** The page asked for itself and for nothing else, and the browser had nothing to say about it. */
function expectQuiet({ address, requests, complaints }: Opened): void {
  expect(requests.map((asked) => asked.replace(/#.*/, ""))).toEqual([address]);
  expect(complaints).toEqual([]);
}

/** A library of one skill, which says the same on every step. */
function judgedAs(event: PfEvent, { steps }: Episode): JudgedEpisode {
  const at = { modified: false, injected: false, error: false, diverged: false };
  return {
    marks: steps.map((_, t) => ({ t, ...at })),
    steps: steps.map((_, t) => ({
      t,
      pfs: [{ event, reason: event.reason, explanation: undefined }],
      executed: undefined,
      injected: [],
      diverged: false,
    })),
  };
}

const [glassworksEpisode] = EPISODES;
/** FINAL → READ at t = 2 of 12 steps, in an episode that ends with a right answer: the example of docs/signals.md. */
const repaired: Episode = {
  ...(glassworksEpisode as Episode),
  outcome: "correct",
  facts: { ...(glassworksEpisode as Episode).facts, maxSteps: 12 },
};

const asked = (episodes: readonly Episode[]): { episode: Episode }[] =>
  episodes.map((episode) => ({ episode }));

test("opened from disk, a run is stepped through with the keyboard and without any request", async () => {
  const opened = await open(write(asked(EPISODES)));
  const { page, replay } = opened;
  expect(await page.title()).toBe("Exported run");
  await shows(replay.stepCount, `Step 1 of ${EPISODES[0]?.length}`);
  await replay.press("ArrowRight");
  await shows(replay.stepCount, `Step 2 of ${EPISODES[0]?.length}`);
  await shows(replay.section("context"), "changed");
  await replay.section("context").locator("> summary").click();
  await shows(replay.section("context").locator("[data-key=stepCount]"), "stepCount 1");
  await replay.press("j");
  await shows(replay.stepCount, `Step 1 of ${EPISODES[1]?.length}`);
  await eventually(() => page.locator("hasp-episode-list .row").count(), 2);
  expectQuiet(opened);
});

test("a page carries what draws formulas where its episodes have some, and there alone", async () => {
  const opened = await open(write(asked([episodeSchema.parse(kites)])));
  await eventually(async () => (await opened.page.locator(".row.thought mfrac").count()) > 5, true);
  await opened.replay.press("x");
  await eventually(() => opened.page.locator("math").count(), 0);
  expectQuiet(opened);
  const [withFormulas, without] = [write(asked([episodeSchema.parse(kites)])), write(asked(EPISODES))];
  expect(withFormulas).toContain("Copyright (c) 2020 Ron Kok");
  expect(without).not.toContain("Copyright (c) 2020 Ron Kok");
});

test("a page carries what colours programs where its episodes have some; a hostile one is text there too", async () => {
  const opened = await open(write(asked(CODE_EPISODES.slice(0, 3))));
  await eventually(async () => (await opened.page.locator(".row.proposed .code-keyword").count()) > 5, true);
  await shows(opened.page.locator(".row.revised"), "if not levels:");
  await opened.replay.rows.filter({ hasText: "What is hidden here?" }).click();
  await shows(opened.replay.row("proposed"), "</script><script>window.hacked=1</script>");
  expect(await opened.page.evaluate('"hacked" in window')).toBe(false);
  expectQuiet(opened);
  const licence = "Copyright (C) 2020 by Marijn Haverbeke";
  expect(write(asked(CODE_EPISODES.slice(0, 1)))).toContain(licence);
  expect(write(asked(EPISODES))).not.toContain(licence);
});

test("the keys are listed without a link to help, which no page has", async () => {
  const opened = await open(write(asked(EPISODES)));
  const { replay } = opened;
  await shows(replay.stepCount, "Step 1 of");
  await replay.press("?");
  await shows(replay.keys, "Next intervention");
  expect(await replay.keys.getByRole("button", { name: "Help" }).count()).toBe(0);
  expectQuiet(opened);
});

test("the icons come from the page itself, and the colours follow the person's choice", async () => {
  const page = write(asked(EPISODES));
  const background = "getComputedStyle(document.body).backgroundColor";
  const fonts = "[...document.fonts].map((font) => font.family + ' ' + font.status)";
  for (const [scheme, colour] of [
    ["light", "rgb(255, 255, 255)"],
    ["dark", "rgb(31, 31, 31)"],
  ] as const) {
    const opened = await open(page, FIRST_STEP, scheme);
    await shows(opened.replay.stepCount, "Step 1 of");
    expect(await opened.page.evaluate(background)).toBe(colour);
    await eventually(() => opened.page.evaluate(fonts), ["codicon loaded"]);
    expectQuiet(opened);
  }
});

test("hostile texts and 20 MB are shown as text: nothing runs, loads, or is lost", async () => {
  const episode = hostileEpisode(hugeText());
  const skillId = hostileId("judge");
  const judged = judgedAs({ skillId, proposal: 0, status: "noop", reason: hostile("judgement") }, episode);
  const patterns = [{ name: "repeated_search" as const, steps: [1], reason: hostile("pattern") }];
  const html = write([{ episode, judged, patterns }], {
    title: hostile("title"),
    notes: hostileNotes(episode.id),
    skills: [{ skillId, title: hostile("skill") }],
    snapshot: { when: hostile("when"), skills: 1, hash: hostile("hash") },
  });
  expect(html.length).toBeLessThan(36 * 1024 * 1024);
  const controls = ["\u001b", "\u009b", "\u202e", "\u2028", "\u2029", "\ufeff"];
  expect(controls.filter((control) => html.includes(control))).toEqual([]);
  expect(html.isWellFormed()).toBe(true);
  const opened = await open(html);
  const { page, replay } = opened;
  await shows(replay.question, "</script><script>window.hacked=1</script>");
  await shows(replay.row("observation"), "Show 50,000 more of 20,971,520 characters");
  await shows(replay.today().first(), "judgement </script><script>window.hacked=1</script>");
  await replay.press("ArrowRight");
  await shows(replay.stepCount, "Step 2 of 3");
  await shows(replay.row("observation"), '<img src="http://198.51.100.1/x.png" onerror="window.hacked=2">');
  for (const fold of await page.locator("hasp-replay details > summary").all()) await fold.click();
  await shows(replay.section("context").locator("[data-key=searchCount]"), "searchCount 1");
  expect(await page.evaluate('"hacked" in window')).toBe(false);
  const foreign = page.locator("hasp-replay").locator("img, iframe, script, a, style, marquee");
  await eventually(() => foreign.count(), 0);
  const kept = `const read = JSON.parse(document.getElementById("hasp-episode-0").textContent).episode;
    [read.steps[0].observation.length, read.question]`;
  expect(await page.evaluate(kept)).toEqual([20 * 1024 * 1024, episode.question]);
  expectQuiet(opened);
});

test("the policy refuses any other script, and any address", async () => {
  const opened = await open(write(asked(EPISODES)));
  await shows(opened.replay.stepCount, "Step 1 of");
  const tried = `const script = document.createElement("script");
    script.textContent = "window.inlineRan = true";
    document.body.append(script);
    fetch("http://127.0.0.1:9/").then(() => "asked", () => "refused")`;
  expect(await opened.page.evaluate(tried)).toBe("refused");
  expect(await opened.page.evaluate('"inlineRan" in window')).toBe(false);
  await eventually(
    async () => opened.complaints.filter((text) => text.includes("Content Security Policy")).length >= 2,
    true,
  );
});

test("the address keeps the step, and a copied one leads to it", async () => {
  const html = write(asked(EPISODES));
  const first = await open(html);
  await shows(first.replay.stepCount, "Step 1 of");
  await first.replay.press("j", "ArrowRight");
  await eventually(async () => new URL(first.page.url()).hash, "#episode=2&step=2");
  await first.page.reload();
  await shows(first.replay.stepCount, `Step 2 of ${EPISODES[1]?.length}`);
  const odd = await open(html, "#episode=99&step=-3");
  await shows(odd.replay.stepCount, `of ${EPISODES[0]?.length}`);
  expectQuiet(odd);
});

test("what a library decided when the page was written is shown step by step", async () => {
  const [episode] = EPISODES;
  if (episode === undefined) throw new Error("There are no fixture episodes.");
  const event = { skillId: "careful", proposal: 0, status: "skipped", reason: "nothing to add" } as const;
  const opened = await open(
    write([{ episode, judged: judgedAs(event, episode) }], {
      skills: [{ skillId: "careful", title: "Careful" }],
      snapshot: { when: "2026-11-21T05:00:00Z", skills: 1, hash: "3f2a9c1d00ff" },
    }),
  );
  const programs = opened.page.locator(".programs");
  await shows(programs, "The library of 2026-11-21");
  await eventually(
    () => programs.locator(".verdict").getAttribute("title"),
    "The decisions of 1 skill when this page was written (3f2a9c1d)",
  );
  await shows(opened.replay.today("careful"), "nothing to add");
  expectQuiet(opened);
});

test.each([
  ["fixed", false],
  ["broken", true],
])("a draft that was held back says that its revision has it %s, with both verdicts", async (word, draft) => {
  const steps = (glassworksEpisode as Episode).steps.map((step) => ({
    ...step,
    proposals: step.proposals.map((proposal, i) => {
      const passed = i === 0 ? draft : !draft;
      return { ...proposal, verdicts: [{ judge: "exact_match", score: Number(passed), passed }] };
    }),
  }));
  const { replay } = await open(write(asked([{ ...repaired, steps }])), "#episode=1&step=5");
  const [first, second] = [replay.row("proposed").nth(0), replay.row("proposed").nth(1)];
  await shows(
    first,
    `the policy proposed again: ${word} exact_match: ${draft ? "right, 1.00" : "wrong, 0.00"}`,
  );
  await shows(second, `exact_match: ${draft ? "wrong, 0.00" : "right, 1.00"}`);
});

test("the signals of each step are in the page", async () => {
  const signals = shownSignals(repaired, DEFAULT_WEIGHTS, undefined);
  const opened = await open(write([{ episode: repaired, signals }]), "#episode=1&step=3");
  const { replay } = opened;
  await shows(replay.stepCount, "Step 3 of");
  await replay.section("signals").locator("> summary").click();
  await shows(replay.section("signals"), "A_t 0.62 · fine score 0.5462 · modified");
  await shows(replay.section("signals").locator("[data-family=timing] > .family"), /0\.58 × 0\.15$/);
  expectQuiet(opened);
});

test("the signals of an episode that can only answer say what they cannot tell", async () => {
  const single: Episode = { ...repaired, facts: { ...repaired.facts, actionTypes: ["FINAL"] } };
  const pages = [single, repaired].map((episode) => ({
    episode,
    signals: shownSignals(episode, DEFAULT_WEIGHTS, undefined),
  }));
  const { replay } = await open(write(pages));
  const signals = replay.section("signals");
  await signals.locator("> summary").click();
  await shows(signals, ONLY_FINAL_NOTE);
  await replay.press("j");
  await shows(replay.selectedRow, "2");
  await shows(signals, "A_t");
  expect(await signals.innerText()).not.toContain(ONLY_FINAL_NOTE);
});

test("a page that was written without signals says so", async () => {
  const opened = await open(write(asked(EPISODES)));
  const signals = opened.replay.section("signals");
  await signals.locator("> summary").click();
  await shows(signals, "This page was exported without signals.");
  expectQuiet(opened);
});

test("what needs a living host says so, and the page goes on", async () => {
  const opened = await open(write(asked(EPISODES)));
  const { replay } = opened;
  await shows(replay.stepCount, "Step 1 of");
  await replay.recorded().first().locator("button.source").click();
  await shows(replay.failure, "An exported page cannot open the source of a skill.");
  await shows(replay.failure, "Open the run in HASP Studio");
  await replay.button("Dismiss").click();
  await replay.press("ArrowRight");
  await shows(replay.stepCount, "Step 2 of");
  expectQuiet(opened);
});

test("an episode of an unregistered domain says what it is read as, and shows its step contexts", async () => {
  const [base] = EPISODES;
  if (base === undefined) throw new Error("There are no fixture episodes.");
  const opened = await open(write(asked([{ ...base, facts: { ...base.facts, domain: "elsewhere" } }])));
  await shows(opened.replay.stepCount, "Step 1 of");
  await shows(opened.page.locator(".domain-notice"), 'The domain "elsewhere" is not registered');
  await opened.replay.section("context").locator("> summary").click();
  await shows(opened.replay.section("context"), "question");
  expectQuiet(opened);
});

test("a page without a place opens on its first failure, with its patterns, and offers nothing that it cannot do", async () => {
  const found = { name: "repeated_search", steps: [1, 3], reason: "twice" } as const;
  const entries = asked(EPISODES).map((entry) => ({ ...entry, patterns: [found] }));
  const opened = await open(write(entries), "");
  const { page, replay } = opened;
  await shows(replay.stepCount, "Step 2 of 5");
  const patterns = page.getByRole("group", { name: "Failure patterns" });
  await shows(patterns, /First bad step: 2 .*repeated search step 2 step 4$/);
  expect(await patterns.getByRole("button", { name: /^New Skill/ }).count()).toBe(0);
  expectQuiet(opened);
});
