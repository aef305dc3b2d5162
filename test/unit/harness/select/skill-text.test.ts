import { expect, it } from "vitest";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { selectSkills } from "../../../../src/harness/select/select.ts";
import { librarySkill, TEST_CONTROL } from "../../../support/episodes.ts";
import { noTeacher } from "../../../support/teacher.ts";

const library = [
  librarySkill("first", { priority: 0.9, body: "# First\n\nCheck the first line.\n" }),
  librarySkill("second", { body: "# Second\n" }),
];

async function inPrompt(skillText: "summary" | "body" | undefined): Promise<readonly string[]> {
  const domain = { ...webSearch, ...(skillText !== undefined && { skillText }) };
  const question = { question: "Who was it?", control: TEST_CONTROL, teacher: noTeacher };
  return (await selectSkills({ ...question, library, domain })).summaries;
}

it("a skill stands in the prompt with its summary, or with the body of its SKILL.md where the domain wants that", async () => {
  expect(await inPrompt(undefined)).toEqual(["Summary of first.", "Summary of second."]);
  expect(await inPrompt("summary")).toEqual(["Summary of first.", "Summary of second."]);
  expect(await inPrompt("body")).toEqual(["# First\n\nCheck the first line.", "# Second"]);
});
