import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

test("a run that cannot be opened says what, why and what next, and opens on the second try", async () => {
  const replay = await tests.load("fail=open");
  await shows(
    replay.failure,
    "The run could not be opened. open failed because the fixture was told so. Take “fail” out",
  );
  await replay.button("Open log").click();
  await eventually(async () => (await tests.host.log()).requests.some((r) => r.method === "openLog"), true);
  await tests.host.repair();
  await replay.button("Try again").click();
  await shows(replay.stepCount, "Step 1 of 5");
});

test("an episode that cannot be read leaves the list usable", async () => {
  const replay = await tests.load("fail=readEpisode");
  await shows(replay.failure, "Episode 1 could not be read.");
  await tests.host.repair();
  await replay.press("j");
  await shows(replay.question, "last passenger");
});

test("a judgement that fails leaves the recorded step in sight", async () => {
  const replay = await tests.load("fail=judgeStep,stepContext");
  await shows(replay.failure.first(), "The library could not judge step 1.");
  await shows(replay.row("proposed"), "SEARCH first lens");
  await shows(replay.section("context"), "Step context not available");
  await tests.host.repair();
  await replay.button("Try again").first().click();
  await shows(replay.today("retrieval_failure"), "skipped");
});

test("a source that cannot be opened is reported and can be dismissed", async () => {
  const replay = await tests.load("fail=openSource");
  await shows(replay.today("retrieval_failure"), "pf.ts:9");
  await replay.press("Enter");
  await shows(replay.failure, "The source of decompose_complex_question could not be opened.");
  await replay.button("Dismiss").click();
  await eventually(() => replay.failure.count(), 0);
});

test("requests about a step that is no longer shown are cancelled", async () => {
  const replay = await tests.load("hold=stepContext,judgeStep,judgeEpisode");
  await shows(replay.stepCount, "Step 1 of 5");
  await replay.press("ArrowRight");
  const cancelled = async (): Promise<string[]> =>
    (await tests.host.log()).cancelled.map(
      ({ method, params }) => `${method} ${params.index} ${params.t ?? "all"}`,
    );
  await eventually(cancelled, ["stepContext 0 0", "judgeStep 0 0"]);
  await replay.press("j");
  await shows(replay.question, "last passenger");
  await eventually(
    async () => (await cancelled()).slice(2).toSorted(),
    ["judgeEpisode 0 all", "judgeStep 0 1", "stepContext 0 1"],
  );
});

test("while the library thinks, the step is there and says that it is asked", async () => {
  const replay = await tests.load("hold=judgeStep");
  await shows(tests.page.locator(".programs"), "Asking today's library…");
  await shows(replay.recorded("retrieval_failure"), "recorded");
  await shows(replay.row("observation"), "first lens came from Brennau");
});

test("the skills of the run are offered where its folder keeps them, and named while they judge", async () => {
  const asked = () => tests.asked("stepCommand");
  const kept = await tests.load("runSkills=kept");
  await kept.button("Judge with the skills of the run").click();
  await eventually(asked, [{ command: "judgeWithRunSkills", index: 0, t: 0 }]);
  const judging = await tests.load("runSkills=judging");
  await shows(tests.page.locator(".bar"), "The skills that this run had judge its steps, not today's.");
  await shows(tests.page.locator(".programs"), "The run's own library");
  await eventually(() => judging.button("Judge with the skills of the run").count(), 0);
  await judging.button("Judge with today's skills").click();
  await eventually(asked, [{ command: "judgeWithTodaysSkills", index: 0, t: 0 }]);
});

test("an answered step is not asked about twice", async () => {
  const replay = await tests.load("");
  await shows(replay.today("retrieval_failure"), /words\.length is 6/);
  await replay.press("ArrowRight");
  await shows(replay.today("retrieval_failure"), /words\.length is 20/);
  await replay.press("ArrowLeft");
  await shows(replay.today("retrieval_failure"), /words\.length is 6/);
  const { requests } = await tests.host.log();
  expect(requests.filter((r) => r.method === "judgeStep").map((r) => r.params.t)).toEqual([0, 1]);
});

test("an empty run says what belongs here, and has the buttons that put it there", async () => {
  const replay = await tests.load("count=0");
  await shows(tests.page.locator(".empty"), "No episodes yet");
  await replay.press("j", "ArrowRight", "Enter", "n");
  await replay.button("Run questions").click();
  await replay.button("Import episodes").click();
  await replay.button("Open the sample").click();
  const asked = async () =>
    (await tests.host.log()).requests.flatMap((r) => (r.method === "fillRun" ? [r.params] : []));
  await eventually(asked, [{ with: "runQuestions" }, { with: "importEpisodes" }, { with: "openSample" }]);
});

test("what is wrong with the run's lines is listed, with its line and what to do", async () => {
  await tests.load("broken");
  const bar = tests.page.locator("details.bar");
  await shows(bar, "2 problems in the files of this run");
  await bar.locator("summary").click();
  await shows(
    bar,
    "line 7 This line is cut off: the JSON ends in the middle of a string. Record the episode again",
  );
  await shows(bar, "line 1,204");
});

test("why no library can judge is said, and nobody asks it", async () => {
  const replay = await tests.load("notice=This workspace is not trusted.");
  await shows(tests.page.locator(".programs .note"), "Not judged: This workspace is not trusted.");
  await replay.press("n");
  await shows(replay.stepCount, "Step 2 of 5");
  const { requests } = await tests.host.log();
  expect(requests.some((r) => r.method.startsWith("judge"))).toBe(false);
});

test("an episode of an unregistered domain says what it is read as", async () => {
  await tests.load("domains=agent");
  await shows(tests.page.locator(".domain-notice"), 'The domain "web-search" is not registered');
  await tests.load("domains=agent,web-search");
  await shows(tests.page.locator(".episode-header h1"), "Halden lighthouse");
  expect(await tests.page.locator(".domain-notice").count()).toBe(0);
});

test("a workspace without skills says how to get one", async () => {
  await tests.load("skills=0");
  await shows(tests.page.locator(".programs .note"), "No skills yet.");
});
