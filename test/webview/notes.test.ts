import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startWorkbench, type OpenedPage, type Workbench } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";
import { fixturePage } from "./support/fixture-page.ts";
import { replayPage, type ReplayPage } from "./support/replay-page.ts";

let workbench: Workbench;
let opened: OpenedPage;

beforeAll(async () => {
  workbench = await startWorkbench();
});
afterAll(() => workbench.close());
afterEach(async () => {
  expect(opened.complaints).toEqual([]);
  expect(opened.strays).toEqual([]);
  await opened.page.close();
});

async function open(query = ""): Promise<ReplayPage> {
  opened = await workbench.open(query);
  const replay = replayPage(opened.page);
  await shows(replay.stepCount, "Step 1 of");
  return replay;
}

async function asked(method: string): Promise<unknown[]> {
  const { requests } = await fixturePage(opened.page).log();
  return requests.flatMap((request) => (request.method === method ? [request.params] : []));
}

test("s, a, d and b run a command of the host on the step shown", async () => {
  const replay = await open();
  await replay.press("ArrowRight", "s", "a", "d", "b");
  const place = { index: 0, t: 1 };
  await eventually(
    () => asked("stepCommand"),
    ["newSkillFromStep", "addStepAsCase", "debugPf", "branchFromHere"].map((command) => ({
      command,
      ...place,
    })),
  );
});

test("the menu of a step opens with m, is walked with the arrows, and Escape gives the focus back", async () => {
  const replay = await open();
  const item = (name: string) => opened.page.getByRole("menuitem", { name });
  await replay.press("m");
  await eventually(() => item("New Skill from This Step").evaluate((e) => e.matches(":focus")), true);
  await replay.press("ArrowDown", "Enter");
  await eventually(() => asked("stepCommand"), [{ command: "addStepAsCase", index: 0, t: 0 }]);
  await replay.press("m");
  await eventually(() => item("New Skill from This Step").isVisible(), true);
  await replay.press("ArrowUp", "Escape");
  await eventually(() => opened.page.getByRole("menuitem").count(), 0);
  await eventually(() => replay.button("Actions").evaluate((e) => e.matches(":focus")), true);
  await shows(replay.stepCount, "Step 1 of 5");
});

test("a card debugs its own Program Function, and none that the library no longer has", async () => {
  const replay = await open();
  await replay.press("ArrowRight", "ArrowRight");
  await replay.today("insufficient_exploration").getByRole("button", { name: "Debug" }).click();
  await eventually(
    () => asked("stepCommand"),
    [{ command: "debugPf", index: 0, t: 2, skillId: "insufficient_exploration" }],
  );
  expect(await replay.recorded("answer_completeness").getByRole("button", { name: "Debug" }).count()).toBe(0);
});

test("a command that fails says which one", async () => {
  const replay = await open("fail=stepCommand");
  await replay.press("b");
  await shows(replay.failure, "“Branch from Here” did not run.");
});

test("w marks the step where it went wrong, in strip and list, and w takes the mark away", async () => {
  const replay = await open();
  await replay.press("ArrowRight", "w");
  await shows(opened.page.locator(".row.noted"), "went wrong here");
  await eventually(
    async () => (await replay.selectedTab.getAttribute("aria-label"))?.endsWith("noted: went wrong here"),
    true,
  );
  await shows(replay.selectedRow, "went wrong here");
  await shows(opened.page.locator(".undo"), "Noted “ went wrong here ” on step 2");
  await replay.press("w");
  await eventually(() => opened.page.locator(".row.noted").count(), 0);
  await replay.press("u");
  await shows(opened.page.locator(".row.noted"), "went wrong here");
});

test("l labels a step in words of one's own; the focus comes back to the step", async () => {
  const replay = await open();
  await replay.press("l");
  await opened.page.keyboard.type("ask Ivo");
  await replay.press("Tab");
  await opened.page.keyboard.type("Is this <b>the</b> right house?");
  await replay.press("Enter");
  await shows(opened.page.locator(".row.noted"), "ask Ivo Is this <b>the</b> right house?");
  await eventually(
    () => asked("addNote"),
    [{ index: 0, t: 0, kind: "ask Ivo", text: "Is this <b>the</b> right house?" }],
  );
  await replay.press("ArrowRight");
  await shows(replay.stepCount, "Step 2 of 5");
});

test("L labels the episode; its note stands in the head and can be removed, and undone", async () => {
  const replay = await open();
  await replay.press("L");
  await opened.page.keyboard.type("good");
  await replay.press("Enter");
  const head = opened.page.locator(".episode-header .notes");
  await shows(head, "good");
  await shows(replay.selectedRow, "good");
  await replay.button("Remove the note good").click();
  await eventually(() => head.count(), 0);
  await replay.button("Undo (u)").click();
  await shows(head, "good");
});

test("Escape leaves the form, and nothing is noted", async () => {
  const replay = await open();
  await replay.press("l");
  await opened.page.keyboard.type("jj");
  await replay.press("Escape");
  await eventually(() => opened.page.locator(".note-form").count(), 0);
  await shows(replay.question, "Halden lighthouse");
  expect(await asked("addNote")).toEqual([]);
});

test("notes of others arrive while one looks, and one that cannot be written is reported", async () => {
  const replay = await open("notes&fail=addNote");
  await shows(replay.rows.first(), "went wrong here");
  await shows(replay.rows.nth(1), "ask Ivo");
  await replay.press("w");
  await shows(replay.failure, "The note could not be written.");
  const before = (await asked("readNotes")).length;
  await fixturePage(opened.page).send("notesChanged", null);
  await eventually(async () => (await asked("readNotes")).length, before + 1);
});

test("notes that cannot be read are said to be missing, with what to do, and come back when tried again", async () => {
  const replay = await open("notes&fail=readNotes");
  const notice = opened.page.locator(".notes-notice");
  await shows(notice, "The notes could not be read. readNotes failed");
  await shows(notice, "Take “fail” out of the address");
  expect(await opened.page.locator(".row .noted").count()).toBe(0);
  await fixturePage(opened.page).repair();
  await notice.getByRole("button", { name: "Try again" }).click();
  await shows(replay.rows.first(), "went wrong here");
  await eventually(() => notice.count(), 0);
});
