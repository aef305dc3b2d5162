import { expect, test } from "vitest";
import { betweenSkills, type ListedSkill } from "../../../src/app/between-skills.ts";
import { readSkillMd } from "../../../src/skill/read-skill.ts";
import type { SkillFiles } from "../../../src/skill/skill-files.ts";
import { TODO_TEXT } from "../../../src/skill/template-text.ts";

function listed(name: string, version: number): ListedSkill {
  const folder = `skills/web-search/${name}`;
  const text = `---\nname: ${name}\ndescription: Use it.\nmetadata:\n  hasp:\n    skill_id: twice\n    version: ${version}\n---\n# T\n`;
  const { skill, places } = readSkillMd(`${folder}/SKILL.md`, text, []);
  return { folder, skill, places, isDisabled: false, isBuiltIn: false };
}

const filesWith = (pf: string): SkillFiles => ({
  readText: async (path) => (path.endsWith("new/pf.ts") ? { kind: "text", text: pf } : { kind: "absent" }),
  list: async () => [],
});

test("a newer version replaces an older one only once it is no template any more", async () => {
  const skills = [listed("old", 1), listed("new", 2)];
  const own = await betweenSkills(skills, filesWith("export default class New {}\n"));
  expect(own.map(({ code, file }) => [code, file])).toEqual([["HASP405", "skills/web-search/old/SKILL.md"]]);
  expect(await betweenSkills(skills, filesWith(`// ${TODO_TEXT} Write your own.\n`))).toEqual([]);
});
