import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { violations } from "./support/accessible.ts";
import { openFixture } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";

/** Opens the fixture in a state, runs the test, and closes it: nothing may be complained of, or asked for elsewhere. */
async function inReview(query: string, run: (page: Page) => Promise<void>, width = 900): Promise<void> {
  const { page, complaints, strays } = await openFixture(query, { width, height: 900 }, "review");
  await shows(page.locator("h1"), "repeated_query");
  await run(page);
  expect(complaints).toEqual([]);
  expect(strays()).toEqual([]);
}

const requests = (page: Page): Promise<unknown[]> =>
  page.evaluate<unknown[]>("haspReviewFixture.requests.map(({ method, params }) => [method, params])");

test("a review shows decision, five scores as bars, cost and time", () =>
  inReview("", async (page) => {
    await shows(page.locator(".decision"), "Accept");
    await shows(page.locator(".facts"), "cost unknown");
    expect(await page.getByRole("meter").count()).toBe(5);
    expect(await page.getByRole("meter", { name: "Trigger" }).getAttribute("aria-valuenow")).toBe("0.70");
    expect(await page.getByText("Trigger", { exact: true }).getAttribute("title")).toContain("question");
    expect(await page.locator('.facts [title*="2026"]').innerText()).toMatch(/ago|just now/);
  }));

test("evidence stands above the scores, edits below them, all as text", () =>
  inReview("", async (page) => {
    const evidence = page.getByRole("region", { name: "Evidence" });
    await shows(evidence, "return type: failed");
    await shows(evidence, '"<img src=x>"');
    const order = await page.locator("section").evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(order).toEqual(["Evidence", "Scores", "Suggestions", "Suggested edits"]);
    const edits = page.getByRole("region", { name: "Suggested edits" });
    await shows(edits.locator("pre"), "+ if (ctx.readCount > 1) {");
    await shows(edits.locator("pre"), "− if (ctx.readCount > 0) {");
    await shows(edits, "<b>ask</b> for two reads");
    expect(await page.locator("img, b").count()).toBe(0);
    await edits.getByRole("button", { name: "pf.ts:14-15" }).click();
    await eventually(() => requests(page), [["openFile", { file: "pf.ts", line: 14 }]]);
  }));

test("evidence is there without a review, and is asked for where it is not", async () => {
  await inReview("state=measured", async (page) => {
    await shows(page.getByRole("region", { name: "Evidence" }), "2 of 4 passed");
    await shows(page.locator("main"), "This skill has no review yet.");
    expect(await page.getByRole("meter").count()).toBe(0);
  });
  await inReview("state=none", async (page) => {
    await page.locator("vscode-button", { hasText: "Show evidence" }).click();
    await eventually(() => requests(page), [["showEvidence", {}]]);
  });
});

test("feedback opens the line that it speaks of, and a line that is gone is text", () =>
  inReview("", async (page) => {
    await page.getByRole("button", { name: "pf.ts:14", exact: true }).click();
    await page.getByRole("button", { name: "“When to use”" }).click();
    expect(await page.getByRole("button", { name: "line 400" }).count()).toBe(0);
    await eventually(
      () => requests(page),
      [
        ["openFile", { file: "pf.ts", line: 14 }],
        ["openFile", { file: "SKILL.md", line: 12 }],
      ],
    );
  }));

test("an earlier review is chosen by keyboard, and says which files changed since", () =>
  inReview("", async (page) => {
    const choice = page.getByLabel("Review to show");
    await choice.focus();
    await page.keyboard.press("ArrowDown");
    await shows(page.locator(".decision"), "Reject");
    await shows(page.locator(".badge"), "stale: pf.ts, cases.yaml changed since");
    await shows(page.locator(".facts"), "$0.012");
    await shows(page.getByRole("region", { name: "Measured here" }), "return type: failed");
    await page.getByRole("button", { name: "Open raw" }).click();
    await eventually(() => requests(page), [["openRaw", { index: 0 }]]);
  }));

test("an unusable reply is shown with the fields that it lacks, and tried again", () =>
  inReview("state=unusable", async (page) => {
    const reply = page.getByRole("alert", { name: "Unusable reply" });
    await shows(reply, "VAL has no score.");
    await shows(reply, "TRIGGER: 85%");
    await shows(reply, "Show all");
    await reply.getByRole("button", { name: "Try again" }).click();
    await reply.getByRole("button", { name: "Open log" }).click();
    await eventually(
      () => requests(page),
      [
        ["reviewAgain", {}],
        ["openLog", {}],
      ],
    );
  }));

test("a review under way shows the reply as it comes, and then the new review", () =>
  inReview("state=running", async (page) => {
    const again = page.locator("vscode-button", { hasText: "Review again" });
    await shows(page.getByRole("region", { name: "Review under way" }), "CONCEPT WHY: Agents");
    expect(await again.getAttribute("disabled")).not.toBeNull();
    const words = { teacher: "openai:gpt-4o", phase: "The teacher answers …", words: "CONCEPT: 0.9" };
    await page.evaluate(`haspReviewFixture.extension.send("running", ${JSON.stringify(words)})`);
    await shows(page.locator(".reply"), "CONCEPT: 0.9");
    const head = { when: "2026-11-18T09:00:00Z", version: 1, decision: "reject", qSkill: 0.42, index: 0 };
    const ended = { skillId: "repeated_query", reviews: [head] };
    await page.evaluate(`haspReviewFixture.setPage(${JSON.stringify(ended)})`);
    await page.evaluate(`haspReviewFixture.extension.send("changed", null)`);
    await shows(page.locator(".decision"), "Reject");
    expect(await page.getByRole("region", { name: "Review under way" }).count()).toBe(0);
  }));

test("a skill without a review has the button that asks for one", () =>
  inReview("state=none", async (page) => {
    await page.locator("vscode-button", { hasText: "Review" }).click();
    await eventually(() => requests(page), [["reviewAgain", {}]]);
  }));

test("every state is accessible in all themes", async () => {
  for (const state of ["", "unusable", "running", "none"]) {
    await inReview(`state=${state}`, async (page) => {
      expect(await violations(page), state).toEqual([]);
    });
  }
});
