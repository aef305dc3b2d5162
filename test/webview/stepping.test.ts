import { test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

test("the first episode opens at its first step, with question, outcome, length, cost, answer and gold", async () => {
  const replay = await tests.open();
  await shows(replay.question, "first lens of the Halden lighthouse?");
  await shows(tests.page.locator(".figures"), "wrong 5 steps $0.0061");
  await shows(tests.page.locator(".answers"), "Answer Konrad Brenn Gold Leopold Aue or L. Aue");
  await shows(replay.row("thought"), "The chain runs from the lighthouse");
  await shows(replay.row("proposed"), "SEARCH first lens of the Halden lighthouse");
  await shows(replay.row("observation"), "Injected by decompose_complex_question");
});

test("arrow keys, Home and End walk through the steps and stop at both ends", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight");
  await shows(replay.stepCount, "Step 2 of 5");
  await replay.press("End", "ArrowRight");
  await shows(replay.stepCount, "Step 5 of 5");
  await replay.press("ArrowLeft");
  await shows(replay.stepCount, "Step 4 of 5");
  await replay.press("Home", "ArrowLeft");
  await shows(replay.stepCount, "Step 1 of 5");
});

test("j and k walk through the episodes, each from its first step", async () => {
  const replay = await tests.open();
  await replay.press("End", "j");
  await shows(replay.question, "last passenger");
  await shows(replay.stepCount, "Step 1 of 6");
  await replay.press("k", "k");
  await shows(replay.question, "Halden lighthouse");
});

test("n and p jump between interventions, in the run and with today's library", async () => {
  const replay = await tests.open();
  await replay.press("n", "n");
  await shows(replay.stepCount, "Step 3 of 5");
  await replay.press("n");
  await shows(replay.stepCount, "Step 5 of 5");
  await replay.press("p", "p");
  await shows(replay.stepCount, "Step 2 of 5");
});

test("the mouse steps too: tabs of the strip, buttons, rows of the list", async () => {
  const replay = await tests.open();
  await replay.tabs.nth(2).click();
  await shows(replay.stepCount, "Step 3 of 5");
  await replay.button("Next step (→)").click();
  await shows(replay.stepCount, "Step 4 of 5");
  await replay.button("Previous intervention (p)").click();
  await shows(replay.stepCount, "Step 3 of 5");
  await replay.rows.nth(3).click();
  await shows(replay.question, "tide tables of Sankt Luden");
  await eventually(() => replay.selectedRow.getAttribute("data-index"), "3");
});

test("a modified action is shown as a change, with who made it", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "ArrowRight");
  await shows(replay.row("proposed"), "FINAL Konrad Brenn");
  await shows(replay.row("executed"), "READ doc_0 modified by insufficient_exploration");
  await eventually(() => replay.row("proposed").locator(".removed").count(), 1);
  await eventually(() => replay.row("executed").locator(".added").count(), 1);
});

test("each Program Function has its status, its reason and whose decision it is", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "ArrowRight");
  await shows(
    replay.recorded("answer_completeness"),
    "overridden answer_completeness recorded a short answer to a question of several parts (overridden by insufficient_exploration)",
  );
  await shows(
    replay.today("insufficient_exploration"),
    "applied insufficient_exploration recorded and today searched twice, never read",
  );
  await shows(tests.page.locator(".programs .note"), "an earlier step would have been changed");
  await replay.press("End");
  await shows(replay.recorded("citation_mismatch"), "error citation_mismatch recorded TypeError");
  await shows(
    replay.recorded("insufficient_exploration"),
    /limited insufficient_exploration recorded( and today)? already fired 2 of 2/,
  );
  await shows(replay.recorded("answer_completeness"), "noop");
  await replay.press("j");
  await eventually(() => replay.recorded().count(), 0);
});

test("Enter and the link of a card lead to the deciding line", async () => {
  const replay = await tests.open();
  await replay.press("End", "ArrowLeft", "ArrowLeft");
  await shows(replay.today("insufficient_exploration"), "pf.ts:14");
  await replay.press("Enter");
  await replay.today("retrieval_failure").getByRole("button", { name: "pf.ts:8" }).click();
  await eventually(
    async () =>
      (await tests.host.log()).requests.filter((r) => r.method === "openSource").map((r) => r.params),
    [
      { skillId: "insufficient_exploration", line: 14 },
      { skillId: "retrieval_failure", line: 8 },
    ],
  );
});

test("the step context folds out as a tree that says what changed, and stays open while stepping", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight");
  await shows(replay.section("context"), /\(\d changed\)/);
  await replay.section("context").locator("summary").first().click();
  await shows(replay.section("context").locator("[data-key=searchCount]"), "searchCount 1 changed");
  await shows(replay.section("context").locator("[data-key=hasRead]"), /^hasRead false$/);
  await replay.section("context").locator("[data-key=actionHistory] summary").first().click();
  await shows(
    replay.section("context").locator("[data-key=actionHistory]"),
    "first lens of the Halden lighthouse",
  );
  await replay.press("ArrowRight");
  await shows(replay.section("context").locator("[data-key=searchCount]"), "searchCount 2 changed");
});

test("a second proposal, after a held back FINAL, is shown as such", async () => {
  const replay = await tests.open();
  await replay.press("End");
  await shows(replay.row("proposed").first(), "Proposed 1 of 2 FINAL Konrad Brenn held back once");
  await shows(replay.row("thought").nth(1), "No source names him");
});

test("an invalid action keeps its raw text and is marked as a failure", async () => {
  const replay = await tests.open();
  await replay.press("j", "j", "ArrowRight");
  await shows(replay.row("proposed"), "invalid Rote Anna must be older, because old varieties are red.");
  await eventually(() => replay.selectedTab.getAttribute("aria-label"), "Step 2: invalid · invalid action");
});

test("a long observation is cut, and opens", async () => {
  const replay = await tests.open();
  await replay.press("j", "j", "j", "ArrowRight");
  const observation = replay.row("observation");
  await observation
    .getByRole("button", { name: /^Show all 14,\d{3} characters of the observation$/ })
    .click();
  await shows(observation, "kept by the pilot Marten Holk.");
  await replay.press("ArrowLeft", "ArrowRight");
  await shows(observation, /Show all/);
});

test("a screen reader hears of each step, and the focus follows in the strip", async () => {
  const replay = await tests.open();
  await replay.tabs.first().focus();
  await replay.press("ArrowRight", "ArrowRight");
  await shows(replay.announcement, "Step 3 of 5: proposed FINAL Konrad Brenn, executed READ doc_0");
  await eventually(() => replay.selectedTab.evaluate((tab) => tab.matches(":focus")), true);
  await eventually(
    () => replay.tabs.evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute("tabindex"))),
    ["-1", "-1", "0", "-1", "-1"],
  );
});

test("? shows the keys, and ? or Escape puts them away", async () => {
  const replay = await tests.open();
  await replay.press("?");
  await shows(replay.keys, "Next intervention");
  await replay.press("Escape");
  await eventually(() => replay.keys.count(), 0);
  await replay.press("?", "?");
  await eventually(() => replay.keys.count(), 0);
});

test("the keys lead to the page of help on the replay", async () => {
  const replay = await tests.open();
  await replay.press("?");
  await replay.keys.getByRole("button", { name: "Help" }).click();
  await eventually(
    async () => (await tests.host.log()).requests.find(({ method }) => method === "openHelp")?.params,
    { page: "replay" },
  );
});

test("the host hears the position, and can reveal another", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight");
  await eventually(
    async () => (await tests.host.log()).positions,
    [
      { index: 0, t: 0 },
      { index: 0, t: 1 },
    ],
  );
  await tests.host.send("reveal", { index: 3, t: 2 });
  await shows(replay.question, "tide tables");
  await shows(replay.stepCount, "Step 3 of 3");
});

test("a changed library is asked again about the step in sight", async () => {
  const replay = await tests.open();
  await shows(replay.today("retrieval_failure"), "skipped");
  const judged = async (): Promise<number> =>
    (await tests.host.log()).requests.filter((r) => r.method === "judgeStep").length;
  const before = await judged();
  await tests.host.send("libraryChanged", null);
  await eventually(judged, before + 1);
  await shows(replay.stepCount, "Step 1 of 5");
});

test("of a large library the skipped fold into one line, which stays open once opened", async () => {
  const replay = await tests.open("skills=26");
  await shows(replay.today("decompose_complex_question"), "applied");
  await eventually(() => replay.today("quiet_skill_7").isVisible(), false);
  await tests.page.getByText("25 Program Functions skipped").click();
  await shows(replay.today("quiet_skill_7"), 'actionType is "SEARCH"');
  await replay.press("ArrowRight");
  await shows(replay.stepCount, "Step 2 of 5");
  await eventually(() => replay.today("quiet_skill_23").isVisible(), true);
});

test("an episode of sixty steps scrolls its strip, and keeps the step in sight", async () => {
  const replay = await tests.open("count=8");
  await replay.rows.last().click();
  await shows(replay.stepCount, "Step 1 of 60");
  await replay.press("End");
  await shows(replay.stepCount, "Step 60 of 60");
  await eventually(
    () => replay.selectedTab.evaluate((tab) => tab.getBoundingClientRect().right <= 1600),
    true,
  );
});
