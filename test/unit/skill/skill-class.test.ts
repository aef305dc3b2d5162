import { REGISTERED } from "../../../src/domains/registered.ts";
import { expect, test } from "vitest";
import { classifySkills } from "../../../src/skill/skill-class.ts";
import { promptEquivalence } from "../../../src/skill/prompt-equivalent.ts";
import { readSkillFolder, type SkillFolder } from "../../../src/skill/read-skill.ts";
import { transpile } from "../../../src/skill/transpile.ts";

const compiler = {
  domains: async () => REGISTERED,
  transpile: async (file: string, source: string) => transpile(source, file),
  promptEquivalence: async (file: string, source: string) => promptEquivalence(file, source),
};

function folderOf(name: string, files: Readonly<Record<string, string>>): Promise<SkillFolder> {
  return readSkillFolder(
    {
      readText: async (path) => {
        const text = files[path.slice(path.lastIndexOf("/") + 1)];
        return text === undefined ? { kind: "absent" } : { kind: "text", text };
      },
      list: async () => Object.keys(files),
    },
    compiler,
    name,
  );
}

const skillMd = (name: string): string =>
  `---\nname: ${name}\ndescription: Use when testing.\nmetadata:\n  hasp:\n    skill_id: ${name}\n---\n\n# ${name}\n`;

const pf = (intervene: string): string =>
  `import { injectContext, modifyAction, ProgramFunction } from "hasp";
export default class Sample extends ProgramFunction {
  shouldActivate() { return true; }
  intervene(ctx, type, arg) { ${intervene} }
}`;

test("each skill of a library gets its class from its code, in the order of the library", async () => {
  const folders = await Promise.all([
    folderOf("changes", {
      "SKILL.md": skillMd("changes"),
      "pf.ts": pf('return modifyAction({ arg, reason: "" });'),
    }),
    folderOf("builds", { "SKILL.md": skillMd("builds"), "pf.ts": pf('return injectContext(arg, "");') }),
    folderOf("says", { "SKILL.md": skillMd("says"), "pf.ts": pf('return injectContext("Again.", "");') }),
    folderOf("prompts", { "SKILL.md": skillMd("prompts") }),
    folderOf("unreadable", { "pf.ts": pf('return injectContext("Again.", "");') }),
    folderOf("broken", { "SKILL.md": skillMd("broken"), "pf.ts": "export default class {" }),
  ]);
  expect(await classifySkills(folders, compiler)).toEqual([
    { skillId: "changes", skillClass: "modifies" },
    { skillId: "builds", skillClass: "builds-text" },
    { skillId: "says", skillClass: "prompt-equivalent" },
    { skillId: "prompts", skillClass: "none" },
    { skillId: "broken", skillClass: "modifies" },
  ]);
});
