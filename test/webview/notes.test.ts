import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

test("Shift+S, A, D and B run a command of the host on the step shown", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "Shift+S", "Shift+A", "Shift+D", "Shift+B");
  const place = { index: 0, t: 1 };
  await eventually(
    () => tests.asked("stepCommand"),
    ["newSkillFromStep", "addStepAsCase", "debugPf", "branchFromHere"].map((command) => ({
      command,
      ...place,
    })),
  );
});

test("the menu of a step opens with m, is walked with the arrows, and Escape gives the focus back", async () => {
  const replay = await tests.open();
  const item = (name: string) => tests.page.getByRole("menuitem", { name });
  await replay.press("m");
  await eventually(() => item("New Skill from This Step").evaluate((e) => e.matches(":focus")), true);
  await replay.press("ArrowDown", "Enter");
  await eventually(() => tests.asked("stepCommand"), [{ command: "addStepAsCase", index: 0, t: 0 }]);
  await replay.press("m");
  await eventually(() => item("New Skill from This Step").isVisible(), true);
  await replay.press("ArrowUp", "Escape");
  await eventually(() => tests.page.getByRole("menuitem").count(), 0);
  await eventually(() => replay.button("Actions").evaluate((e) => e.matches(":focus")), true);
  await shows(replay.stepCount, "Step 1 of 5");
});

test("a card debugs its own Program Function, and none that the library no longer has", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "ArrowRight");
  await replay.today("insufficient_exploration").getByRole("button", { name: "Debug" }).click();
  await eventually(
    () => tests.asked("stepCommand"),
    [{ command: "debugPf", index: 0, t: 2, skillId: "insufficient_exploration" }],
  );
  expect(await replay.recorded("answer_completeness").getByRole("button", { name: "Debug" }).count()).toBe(0);
});

test("a command that fails says which one", async () => {
  const replay = await tests.open("fail=stepCommand");
  await replay.press("Shift+B");
  await shows(replay.failure, "“Branch from Here” did not run.");
});

test("Shift+W marks the step where it went wrong, in strip and list, and takes the mark away", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "Shift+W");
  await shows(tests.page.locator(".row.noted"), "went wrong here");
  await eventually(
    async () => (await replay.selectedTab.getAttribute("aria-label"))?.endsWith("noted: went wrong here"),
    true,
  );
  await shows(replay.selectedRow, "went wrong here");
  const undo = tests.page.locator(".undo");
  await shows(undo, "Noted “ went wrong here ” on step 2");
  await replay.press("ArrowRight");
  await eventually(() => undo.count(), 0);
  await replay.press("ArrowLeft");
  await shows(undo, "Noted “ went wrong here ” on step 2");
  await replay.press("Shift+W");
  await eventually(() => tests.page.locator(".row.noted").count(), 0);
  await replay.press("Shift+U");
  await shows(tests.page.locator(".row.noted"), "went wrong here");
});

test("Shift+L labels a step in words of one's own; the focus comes back to the step", async () => {
  const replay = await tests.open();
  await replay.press("Shift+L");
  await tests.page.keyboard.type("ask Ivo");
  await replay.press("Tab");
  await tests.page.keyboard.type("Is this <b>the</b> right house?");
  await replay.press("Enter");
  await shows(tests.page.locator(".row.noted"), "ask Ivo Is this <b>the</b> right house?");
  await eventually(
    () => tests.asked("addNote"),
    [{ index: 0, t: 0, kind: "ask Ivo", text: "Is this <b>the</b> right house?" }],
  );
  await replay.press("ArrowRight");
  await shows(replay.stepCount, "Step 2 of 5");
});

test("Shift+E labels the episode; its note stands in the head and can be removed, and undone", async () => {
  const replay = await tests.open();
  await replay.press("Shift+E");
  await tests.page.keyboard.type("good");
  await replay.press("Enter");
  const head = tests.page.locator(".episode-header .notes");
  await shows(head, "good");
  await shows(replay.selectedRow, "good");
  await replay.button("Remove the note good").click();
  await eventually(() => head.count(), 0);
  await replay.button("Undo (Shift+U)").click();
  await shows(head, "good");
});

test("Escape leaves the form, and nothing is noted", async () => {
  const replay = await tests.open();
  await replay.press("Shift+L");
  await tests.page.keyboard.type("jj");
  await replay.press("Escape");
  await eventually(() => tests.page.locator(".note-form").count(), 0);
  await shows(replay.question, "Halden lighthouse");
  expect(await tests.asked("addNote")).toEqual([]);
});

test("notes of others arrive while one looks, and one that cannot be written is reported", async () => {
  const replay = await tests.open("notes&fail=addNote");
  await shows(replay.rows.first(), "went wrong here");
  await shows(replay.rows.nth(1), "ask Ivo");
  await replay.press("Shift+W");
  await shows(replay.failure, "The note could not be written.");
  const before = (await tests.asked("readNotes")).length;
  await tests.host.send("notesChanged", null);
  await eventually(async () => (await tests.asked("readNotes")).length, before + 1);
});

test("notes that cannot be read are said to be missing, with what to do, and come back when tried again", async () => {
  const replay = await tests.open("notes&fail=readNotes");
  const notice = tests.page.locator(".notes-notice");
  await shows(notice, "The notes could not be read. readNotes failed");
  await shows(notice, "Take “fail” out of the address");
  expect(await tests.page.locator(".row .noted").count()).toBe(0);
  await tests.host.repair();
  await notice.getByRole("button", { name: "Try again" }).click();
  await shows(replay.rows.first(), "went wrong here");
  await eventually(() => notice.count(), 0);
});
