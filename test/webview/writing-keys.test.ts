import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

const LETTERS = "abcdefghijklmnopqrstuvwxyz".split("");
const WRITING = /^(addNote|removeNote|stepCommand|fillRun)$/;

async function writes(): Promise<unknown[]> {
  const { requests } = await tests.host.log();
  return requests.filter(({ method }) => WRITING.test(method));
}

/** A round trip of the view to its host: whatever was asked for before it has arrived. */
async function settled(mark: number): Promise<void> {
  await tests.host.send("reveal", { index: 3, t: mark });
  await shows(tests.page.locator(".step-count"), `Step ${mark + 1} of 3`);
}

test("no letter without Shift writes or starts anything, with or without Caps Lock", async () => {
  const replay = await tests.open("notes");
  for (const letter of LETTERS) {
    await replay.press(letter, "Escape", "Escape");
    await tests.page.evaluate(
      `dispatchEvent(new KeyboardEvent("keydown", { key: "${letter.toUpperCase()}", cancelable: true }))`,
    );
    await replay.press("Escape", "Escape");
  }
  await settled(1);
  expect(await writes()).toEqual([]);
});

test("words typed after a shortcut that did nothing write nothing", async () => {
  const replay = await tests.open("notes");
  for (const shortcut of ["Control+f", "Control+g", "Alt+w"]) {
    await replay.press(shortcut);
    for (const letter of "wall, said bud") await replay.press(letter);
    await replay.press("Escape", "Escape");
  }
  await settled(1);
  expect(await writes()).toEqual([]);
});

test("a writing key works with Caps Lock, where Shift gives the small letter, and never with Ctrl, Meta or Alt", async () => {
  const replay = await tests.open();
  for (const held of ["Control", "Meta", "Alt"])
    await replay.press(...["W", "L", "E", "A", "S", "U", "D", "B"].map((key) => `${held}+Shift+${key}`));
  expect(await tests.page.locator(".note-form").count()).toBe(0);
  expect(await writes()).toEqual([]);
  await tests.page.evaluate(`dispatchEvent(new KeyboardEvent("keydown", { key: "w", shiftKey: true }))`);
  await eventually(async () => (await writes()).length, 1);
});

test("reading keys work with Caps Lock", async () => {
  const replay = await tests.open();
  await tests.page.evaluate(`dispatchEvent(new KeyboardEvent("keydown", { key: "J" }))`);
  await shows(replay.question, "last passenger");
});
