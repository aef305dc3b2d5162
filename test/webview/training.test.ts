import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ONLY_FINAL_NOTE } from "../../src/model/signals.ts";
import { violations } from "./support/accessible.ts";
import { openFixture } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";

/** Opens the fixture in a state, runs the test, and closes it: no complaint, and no request for anything elsewhere. */
async function inTraining(query: string, run: (page: Page) => Promise<void>, width = 900): Promise<void> {
  const { page, complaints, strays } = await openFixture(query, { width, height: 900 }, "training");
  await page.locator("h1").waitFor();
  await run(page);
  expect(complaints).toEqual([]);
  expect(strays()).toEqual([]);
}

const requests = (page: Page): Promise<unknown[]> =>
  page.evaluate<unknown[]>("haspTrainingFixture.requests.map(({ method, params }) => [method, params])");

const pressed = async (page: Page, label: string): Promise<void> =>
  page.locator("vscode-button", { hasText: label }).click();

/** Names of the skills, top to bottom. */
const skills = (page: Page): Promise<string[]> => page.locator(".skills tbody th").allInnerTexts();

test("a preview says that nothing is written, counts each file, and writes or changes on request", () =>
  inTraining("", async (page) => {
    await shows(page.locator(".facts"), "Preview: nothing is written yet");
    await shows(page.getByRole("region", { name: "Counts of each file" }), "1,890");
    await shows(page.getByRole("region", { name: "Findings" }), "its run.json names no split");
    await shows(page.getByRole("region", { name: "Findings" }), "HASP631");
    await shows(page.getByRole("region", { name: "Left out" }), "the reward is under the floor");
    await shows(page.getByRole("region", { name: "Left out" }), "its reply is that of an earlier step");
    await shows(page.locator(".notes"), "70 of 1890 rows have prompts of a transcript");
    await shows(page.getByRole("region", { name: "Weights of the rows" }), "0.2 to 0.3");
    await shows(page.getByRole("region", { name: "Rows by skill" }), "retrieval_failure");
    await pressed(page, "Write Files");
    await pressed(page, "Change");
    await eventually(
      () => requests(page),
      [
        ["writeFiles", {}],
        ["change", {}],
      ],
    );
    expect(await page.locator("vscode-button", { hasText: "Open Folder" }).count()).toBe(0);
  }));

test("ten sample rows show prompt, target and weight, and lead to their steps by keyboard", () =>
  inTraining("", async (page) => {
    const rows = page.getByRole("region", { name: "First rows" }).locator("li");
    expect(await rows.count()).toBe(10);
    await shows(rows.nth(1), "READ doc_0");
    await shows(rows.nth(1), "weight 0.5200");
    await rows.nth(3).getByRole("button", { name: "Line 4" }).focus();
    await page.keyboard.press("Enter");
    await eventually(() => requests(page), [["openRow", { card: 0, row: 3 }]]);
  }));

test("a press on a file shows its card; the rejected text is beside the chosen one; a file without rows says why", () =>
  inTraining("", async (page) => {
    await page.getByRole("button", { name: "a-dpo.jsonl" }).click();
    await shows(page.locator("h2.card"), "a-dpo.jsonl");
    await shows(page.getByRole("region", { name: "First rows" }).locator("li").first(), "FINAL Sam Walton");
    await page.getByRole("button", { name: "a-prompt.jsonl" }).click();
    await shows(page.locator(".empty"), "No row passed the filter and the floor.");
    expect(await page.getByRole("region", { name: "First rows" }).count()).toBe(0);
    await page.getByRole("button", { name: "Choose other runs or another filter" }).click();
    await eventually(() => requests(page), [["change", {}]]);
  }));

test("the card of files opens the file, the folder and its JSON, and a run's signals", () =>
  inTraining("state=folder", async (page) => {
    await page.getByRole("button", { name: "a-dpo.jsonl" }).click();
    await pressed(page, "Open File");
    await pressed(page, "Open Folder");
    await pressed(page, "Open JSON");
    await page.getByRole("button", { name: ".hasp/runs/first-look" }).click();
    await page.getByRole("button", { name: "Help" }).click();
    await eventually(
      () => requests(page),
      [
        ["openFile", { card: 1 }],
        ["openFolder", {}],
        ["openRaw", { card: 1 }],
        ["showSignals", { card: 1, source: 0 }],
        ["openHelp", { page: "training-data" }],
      ],
    );
    expect(await page.locator("vscode-button", { hasText: "Write Files" }).count()).toBe(0);
  }));

test("a preview whose files are written becomes their card", () =>
  inTraining("", async (page) => {
    await shows(page.locator(".facts"), "Preview");
    await page.evaluate(`haspTrainingFixture.setPage({
      kind: "data", title: ".hasp/data/x", folder: ".hasp/data/x", cards: [], shown: 0, findings: [] })`);
    await page.evaluate(`haspTrainingFixture.extension.send("changed", null)`);
    await shows(page.locator("h1"), ".hasp/data/x");
    expect(await page.locator("vscode-button", { hasText: "Open Folder" }).count()).toBe(1);
  }));

test("a broken card says why and what to do, with the raw file a press away", () =>
  inTraining("state=broken", async (page) => {
    await shows(page.getByRole("alert"), "its schema is missing, not hasp.data-card/1");
    await shows(page.getByRole("alert"), "that Build Training Data or");
    await pressed(page, "Open JSON");
    await pressed(page, "Build Training Data");
    await eventually(
      () => requests(page),
      [
        ["openRaw", { card: 0 }],
        ["change", {}],
      ],
    );
  }));

test("signals show means, rewards and skills, which are sorted by mouse and keyboard", () =>
  inTraining("state=signals", async (page) => {
    await shows(page.getByRole("region", { name: "Means of the families" }), "−0.100");
    await shows(page.getByRole("region", { name: "Rewards of the steps" }), "−0.1 to 0.0");
    expect(await skills(page)).toEqual([
      "insufficient_exploration",
      "retrieval_failure",
      "answer_completeness",
    ]);
    const mean = page.getByRole("columnheader", { name: "Mean A" });
    await mean.getByRole("button").click();
    await mean.getByRole("button").click();
    expect(await mean.getAttribute("aria-sort")).toBe("ascending");
    await eventually(
      () => skills(page),
      ["answer_completeness", "retrieval_failure", "insufficient_exploration"],
    );
    await page.getByRole("columnheader", { name: "Skill", exact: true }).getByRole("button").focus();
    await page.keyboard.press("Space");
    await eventually(
      () => skills(page),
      ["answer_completeness", "insufficient_exploration", "retrieval_failure"],
    );
    await page.getByRole("button", { name: "step 3 · walton-1" }).nth(2).click();
    await page.getByRole("row", { name: "insufficient_exploration" }).getByRole("button").nth(1).click();
    await eventually(
      () => requests(page),
      [
        ["openSkillStep", { skill: 1, step: "best" }],
        ["openSkillStep", { skill: 0, step: "worst" }],
      ],
    );
  }));

test("signals of episodes that can only answer say what they cannot tell", async () => {
  await inTraining("state=single", (page) => shows(page.locator(".notes"), ONLY_FINAL_NOTE));
  await inTraining("state=signals", async (page) => {
    await shows(page.locator(".notes"), "12 episodes");
    expect(await page.locator(".notes").innerText()).not.toContain(ONLY_FINAL_NOTE);
  });
});

test("a run in which no skill acted says so", () =>
  inTraining("state=quiet", async (page) => {
    await shows(page.locator(".empty"), "No skill changed an action or added a context in this run");
  }));

test.each([360, 500, 1000])(
  "nothing is wider than a page of %i px, but tables in their own scroll",
  (width) =>
    inTraining(
      "state=signals",
      async (page) => {
        const wide = "document.querySelector('hasp-training').scrollWidth > innerWidth";
        expect(await page.evaluate<boolean>(wide)).toBe(false);
      },
      width,
    ),
);

test("every state is accessible in all themes", async () => {
  for (const state of ["", "folder", "broken", "signals", "quiet"]) {
    await inTraining(`state=${state}`, async (page) => {
      expect(await violations(page), state).toEqual([]);
    });
  }
});

test("the report of an import has the counts, the findings by code, and ways to the run, an episode and a line", () =>
  inTraining("state=import", async (page) => {
    const region = (name: string) => page.getByRole("region", { name, exact: true });
    await shows(page.locator(".totals"), /Files 110 read ; 13 files of no known format left out: 9 \.txt/);
    await shows(page.locator(".totals"), /Branches 14 abandoned, with 88 steps/);
    await shows(page.locator(".totals"), "310 exact, 3,804 from a transcript, 12 without");
    await shows(region("Findings"), /Warning , 41 times HASP531/);
    await shows(region("Findings"), "36 more are not listed.");
    await shows(region("Unknown kinds"), /brief-summary 12 2/);
    await shows(region("Files"), "3 of 110 files to look at.");
    await shows(
      region("To import again"),
      /^To import again hasp import .* --verdicts 'results of May\.csv' -o \.hasp\/runs\/-home-me-work$/,
    );
    await pressed(page, "Open Run");
    await region("Findings").getByRole("button", { name: ":118" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Delete parser.py" }).click();
    await page.getByRole("button", { name: "step 3 of session-0" }).click();
    await page.getByRole("button", { name: /^Open the first episode of .*0002\.jsonl/ }).click();
    await pressed(page, "Open JSON");
    await eventually(
      () => requests(page),
      [
        ["openRun", {}],
        ["openPlace", { finding: 0, place: 0 }],
        ["openEpisode", { id: "session-0~branch-1", t: 0 }],
        ["openEpisode", { id: "session-0", t: 2 }],
        ["openEpisode", { id: "session-2", t: 0 }],
        ["openRaw", { card: 0 }],
      ],
    );
    expect(await violations(page)).toEqual([]);
  }));

test("places of a finding behind the first ones lead to their own file", () =>
  inTraining("state=import", async (page) => {
    const findings = page.getByRole("region", { name: "Findings" });
    await findings.getByText("2 more", { exact: true }).click();
    await findings.locator("details .places li").nth(1).getByRole("button").click();
    await eventually(() => requests(page), [["openPlace", { finding: 1, place: 4 }]]);
  }));

test("an import without anything to look at says so; its page fits into 400 px", async () => {
  await inTraining("state=clean", async (page) => {
    await shows(page.locator(".empty"), "Everything in these files was read");
    expect(await page.getByRole("region", { name: "Findings" }).count()).toBe(0);
  });
  await inTraining(
    "state=import",
    async (page) => {
      const overflow = await page.evaluate<number>(
        "document.querySelector('hasp-training').scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await violations(page)).toEqual([]);
    },
    400,
  );
});
