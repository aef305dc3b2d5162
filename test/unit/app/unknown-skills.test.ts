import { describe, expect, it } from "vitest";
import { unknownSkills } from "../../../src/app/unknown-skills.ts";
import { applyEdits } from "../../../src/skill/fix-skill.ts";

const IDS = ["late_read", "repeated_query"];
const read = (text: string) => unknownSkills(text, "hasp.yaml", IDS);

describe("A skill that hasp.yaml names and no library has", () => {
  it.each([
    ["disabled_skills: [late_reed]\n", "disabled_skills: [late_read]\n"],
    [
      "disabled_skills:\n  - repeated_query\n  - late_reed\n",
      "disabled_skills:\n  - repeated_query\n  - late_read\n",
    ],
    ["selection: { pinned_skills: [late_reed] }\n", "selection: { pinned_skills: [late_read] }\n"],
    ["teacher_sites:\n  pf.late_reed: false\n", "teacher_sites:\n  pf.late_read: false\n"],
    ["teacher_sites:\n  handler.late_reed: false\n", "teacher_sites:\n  handler.late_read: false\n"],
  ])("is told at its place, with the one that was meant: %j", (text, fixed) => {
    const [found, ...more] = read(text);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: "HASP419", severity: "warning", next: 'Did you mean "late_read"?' });
    expect(text.split("\n")[found?.range.start.line ?? 0]?.slice(found?.range.start.character)).toMatch(
      /^late_reed/,
    );
    expect(applyEdits(text, found?.fixes?.[0]?.edits ?? [])).toBe(fixed);
  });

  it("with nothing like it: says what to look at", () => {
    expect(read("disabled_skills: [something_else_entirely]\n")).toMatchObject([
      {
        message: 'No skill of the libraries is called "something_else_entirely", so nothing is switched off.',
        next: "Check the libraries, or delete the entry.",
      },
    ]);
  });

  it.each([
    "disabled_skills: [late_read, repeated_query]\n",
    "disabled_skills:\n  # - gone\n",
    // No id at all: the reader of the file says so.
    "disabled_skills: [Late Reed]\n",
    "teacher_sites: { pf: false, answer_format: false }\n",
    "libraries: [skills/late_reed]\n",
    "disabled_skills: [late_reed\n",
    "",
  ])("is nowhere in %j", (text) => expect(read(text)).toEqual([]));
});
