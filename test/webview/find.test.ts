import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import { findInEpisode, MOST_HITS, neighbourHit } from "../../webview/replay/find.ts";
import glassworks from "../fixtures/replay/glassworks.json" with { type: "json" };
import { eventually, shows } from "./support/eventually.ts";
import type { ReplayPage } from "./support/replay-page.ts";
import { replayTests } from "./support/replay-tests.ts";

const EPISODE = glassworks as unknown as Episode;

describe("hits of an episode", () => {
  const fields = (text: string, matchCase = false): string[] =>
    findInEpisode(EPISODE, { text, matchCase }).map(({ t, field, nth }) => `${t ?? "-"} ${field} ${nth}`);

  test("stand in the order of the episode: question, answer, then each step as it is shown", () => {
    expect(fields("konrad")).toEqual([
      "- answer 0",
      "2 action-0 0",
      "4 action-0 0",
      "4 action-1 0",
      "4 injected-0 0",
    ]);
    expect(fields("the question names")).toEqual(["0 injected-0 0"]);
  });

  test("include the type of an action, and the executed one where it is another", () => {
    expect(fields("read doc_0")).toEqual(["2 executed 0"]);
    expect(fields("FINAL Konrad").length).toBe(3);
  });

  test("are of any case unless asked otherwise, and signs of patterns are plain text", () => {
    expect(fields("KONRAD").length).toBe(5);
    expect(fields("KONRAD", true)).toEqual([]);
    expect(fields(".*")).toEqual([]);
    expect(fields("[doc_1]")).toEqual(["0 observation 0"]);
    expect(fields("")).toEqual([]);
  });

  test("end at a number that nobody walks through", () => {
    const observation = "a".repeat(MOST_HITS * 2);
    const steps = EPISODE.steps.map((step) => ({ ...step, observation }));
    expect(findInEpisode({ ...EPISODE, steps }, { text: "a", matchCase: false }).length).toBe(MOST_HITS);
  });

  test("are walked around both ends, and from the step shown where one has gone elsewhere", () => {
    const hits = findInEpisode(EPISODE, { text: "konrad", matchCase: false });
    const at = (hit: (typeof hits)[number] | undefined): number => hits.findIndex((other) => other === hit);
    expect(at(neighbourHit(hits, hits[4], 4, 1))).toBe(0);
    expect(at(neighbourHit(hits, hits[0], 0, -1))).toBe(4);
    expect(at(neighbourHit(hits, hits[1], 4, 1))).toBe(2);
    expect(at(neighbourHit(hits, hits[3], 1, -1))).toBe(0);
    expect(neighbourHit([], undefined, 0, 1)).toBeUndefined();
  });
});

const tests = replayTests();
const bar = (): Locator => tests.page.getByRole("search", { name: "Find in the episode" });
const field = (): Locator => bar().getByRole("textbox", { name: "Find in the episode" });
const count = (): Locator => bar().getByRole("status");
const current = (): Locator => tests.page.locator(".entry[aria-current=step]");

/** Texts that are marked: all but the current hit, and the current one. */
async function marked(): Promise<{ all: string[]; current: string }> {
  return tests.page.evaluate(`(() => {
    const texts = (name) => [...(CSS.highlights.get(name) ?? [])].map((range) => range.toString());
    return { all: texts("hasp-find"), current: texts("hasp-find-current").join("") };
  })()`);
}

async function find(replay: ReplayPage, words: string): Promise<void> {
  await replay.press("Control+f");
  await eventually(() => field().evaluate((e) => e.matches(":focus")), true);
  await tests.page.keyboard.type(words);
}

test.each(["Control+f", "Meta+f", "/", "F3"])(
  "%s opens the find bar, and Escape gives the focus back",
  async (key) => {
    const replay = await tests.open();
    await replay.tabs.first().focus();
    await replay.press(key);
    await eventually(() => field().evaluate((e) => e.matches(":focus")), true);
    await replay.press("Escape");
    await eventually(() => bar().count(), 0);
    await eventually(() => replay.tabs.first().evaluate((e) => e.matches(":focus")), true);
  },
);

test("in the step mode it goes to the step of the next hit, says which, and marks it", async () => {
  const replay = await tests.open();
  await find(replay, "marriage");
  await shows(count(), "1 of 3 · step 2");
  await shows(replay.stepCount, "Step 2 of 5");
  await eventually(async () => (await marked()).current, "marriage");
  await replay.press("Enter");
  await shows(count(), "2 of 3 · step 4");
  await shows(replay.stepCount, "Step 4 of 5");
  await eventually(marked, { all: ["marriage"], current: "marriage" });
  await replay.press("F3", "F3");
  await shows(count(), "1 of 3 · step 2");
  await replay.press("Shift+Enter");
  await shows(count(), "3 of 3 · step 4");
  await replay.press("Shift+F3");
  await shows(count(), "2 of 3 · step 4");
});

test("in the episode mode it marks every hit that is drawn and scrolls to the current one", async () => {
  const replay = await tests.open("count=20");
  await tests.host.send("reveal", { index: 7, t: 0 });
  await shows(replay.stepCount, "Step 1 of 60");
  await replay.press("e");
  await find(replay, "pilot Marten Holk");
  await shows(count(), /^1 of \d+ · step 2$/);
  await eventually(async () => (await marked()).current, "pilot Marten Holk");
  await eventually(() => current().getAttribute("data-t"), "1");
  const inSight = (): Promise<boolean> =>
    tests.page.evaluate(`(() => {
      const [range] = CSS.highlights.get("hasp-find-current");
      const hit = range.getBoundingClientRect();
      const scroller = document.querySelector("hasp-replay").shadowRoot.querySelector("hasp-transcript");
      const view = scroller.getBoundingClientRect();
      return hit.top >= view.top && hit.bottom <= view.bottom;
    })()`);
  await eventually(inSight, true);
  await replay.press("Shift+Enter");
  await eventually(async () => (await marked()).current, "pilot Marten Holk");
  await eventually(inSight, true);
  await eventually(async () => Number(await current().getAttribute("data-t")) > 50, true);
});

test("question and answer are found in the head, case where it is asked for, and nothing is said to be nothing", async () => {
  const replay = await tests.open();
  await find(replay, "konrad");
  await shows(count(), "2 of 5 · step 3");
  await replay.press("Shift+Enter");
  await shows(count(), "1 of 5 · answer");
  await eventually(async () => (await marked()).current, "Konrad");
  await replay.press("Alt+c");
  await shows(count(), "No results");
  await eventually(
    () => bar().getByRole("button", { name: "Match case" }).getAttribute("aria-pressed"),
    "true",
  );
  await bar().getByRole("button", { name: "Match case" }).click();
  await shows(count(), "of 5");
  await bar().getByRole("button", { name: "Close (Esc)" }).click();
  await eventually(marked, { all: [], current: "" });
});

test("letters typed into the bar are words, and it stays for the next episode", async () => {
  const replay = await tests.open("notes");
  await find(replay, "wall");
  await shows(count(), "No results");
  await field().fill("year");
  await replay.tabs.first().focus();
  await replay.press("j");
  await shows(replay.question, "last passenger");
  await shows(count(), /of \d+/);
  const { requests } = await tests.host.log();
  expect(requests.filter(({ method }) => /addNote|stepCommand/.test(method))).toEqual([]);
});

test("a form for a label keeps its letters, and Ctrl+F opens the bar from it and from the filter", async () => {
  const replay = await tests.open();
  await replay.press("Shift+L");
  await tests.page.keyboard.type("f/e");
  await eventually(() => tests.page.locator(".note-form input").first().inputValue(), "f/e");
  await eventually(() => bar().count(), 0);
  await replay.press("Escape");
  await replay.filterText.focus();
  await replay.press("Control+f");
  await eventually(() => field().evaluate((e) => e.matches(":focus")), true);
});
