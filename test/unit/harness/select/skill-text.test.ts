import { expect, it } from "vitest";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { selectSkills } from "../../../../src/harness/select/select.ts";
import { librarySkill, TEST_CONTROL } from "../../../support/episodes.ts";
import { noTeacher } from "../../../support/teacher.ts";

const library = [
  librarySkill("first", { priority: 0.9, body: "# First\n\nCheck the first line.\n" }),
  librarySkill("second", { body: "# Second\n\n## Detection triggers\n\nPainters of rivers.\n" }),
];

async function inPrompt(
  skillText: "summary" | "body" | undefined,
  asked = "Who was it?",
): Promise<readonly string[]> {
  const domain = { ...webSearch, ...(skillText !== undefined && { skillText }) };
  const question = { question: asked, control: TEST_CONTROL, teacher: noTeacher };
  return (await selectSkills({ ...question, library, domain })).summaries;
}

const SECOND = "# Second\n\n## Detection triggers\n\nPainters of rivers.";

it("bodies stand in the same order for every question, so that prompts begin alike", async () => {
  const rivers = "Which painters of rivers were there?";
  expect(await inPrompt("summary", rivers)).toEqual(["Summary of second.", "Summary of first."]);
  expect(await inPrompt("body", rivers)).toEqual(await inPrompt("body"));
});

it("a skill stands in the prompt with its summary, or with the body of its SKILL.md where the domain wants that", async () => {
  expect(await inPrompt(undefined)).toEqual(["Summary of first.", "Summary of second."]);
  expect(await inPrompt("summary")).toEqual(["Summary of first.", "Summary of second."]);
  expect(await inPrompt("body")).toEqual(["# First\n\nCheck the first line.", SECOND]);
});
