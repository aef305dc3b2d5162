import { agent } from "../../../src/domains/agent/agent.ts";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { expect, test } from "vitest";
import { findSkillFolders, readSkillFolder } from "../../../src/skill/read-skill.ts";
import type { SkillFiles } from "../../../src/skill/skill-files.ts";
import { actingSkills, libraryDiagnostics } from "../../../src/skill/library-rules.ts";
import { scaffoldSkill } from "../../../src/skill/scaffold.ts";
import { transpile } from "../../../src/skill/transpile.ts";
import { authored } from "../../support/authored.ts";

const compiler = {
  domains: async () => REGISTERED,
  transpile: async (file: string, source: string) => transpile(source, file),
};

function filesOf(texts: Readonly<Record<string, string>>): SkillFiles {
  return {
    readText: async (path, maxBytes) => {
      const text = texts[path];
      if (text === undefined) return { kind: "absent" };
      return text.length > maxBytes ? { kind: "too-large", size: text.length } : { kind: "text", text };
    },
    list: async (folder) => {
      const under = Object.keys(texts).filter((path) => path.startsWith(`${folder}/`));
      return [...new Set(under.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""))];
    },
  };
}

function skillAt(folder: string, name: string): Record<string, string> {
  const files = scaffoldSkill({ name, description: "Use it.", domain: agent, kind: "inject" });
  return Object.fromEntries([...files].map(([file, text]) => [`${folder}/${file}`, authored(text)]));
}

test("a whole skill is read, ready for the sandbox", async () => {
  const read = await readSkillFolder(
    filesOf(skillAt("skills/agent/read-first", "read-first")),
    compiler,
    "skills/agent/read-first",
  );
  expect(read.diagnostics).toEqual([]);
  expect(read.program).toMatchObject({
    skillId: "read_first",
    priority: 0.5,
    file: "skills/agent/read-first/pf.ts",
  });
  expect(read.cases).toHaveLength(3);
});

test("each file's faults name the file, and the others are read all the same", async () => {
  const folder = "s/read-first";
  const texts = {
    ...skillAt(folder, "read-first"),
    [`${folder}/pf.ts`]: "const a = ;",
    [`${folder}/cases.yaml`]: "cases: [",
  };
  const read = await readSkillFolder(filesOf(texts), compiler, folder);
  expect(read.skill?.skillId).toBe("read_first");
  expect(read.program).toBeUndefined();
  expect(new Set(read.diagnostics.map((d) => d.file))).toEqual(
    new Set([`${folder}/pf.ts`, `${folder}/cases.yaml`]),
  );
});

test("a skill may do without a PF and without cases", async () => {
  const texts = skillAt("s/read-first", "read-first");
  const read = await readSkillFolder(
    filesOf({ "s/read-first/SKILL.md": texts["s/read-first/SKILL.md"] ?? "" }),
    compiler,
    "s/read-first",
  );
  expect(read).toMatchObject({ diagnostics: [], pfSource: undefined, program: undefined, cases: [] });
});

test("a missing and a huge SKILL.md are told apart", async () => {
  expect((await readSkillFolder(filesOf({}), compiler, "s/a")).diagnostics.map((d) => d.code)).toEqual([
    "HASP403",
  ]);
  const huge = filesOf({ "s/a/SKILL.md": "x".repeat(10_000_001) });
  expect((await readSkillFolder(huge, compiler, "s/a")).diagnostics.map((d) => d.code)).toEqual(["HASP402"]);
});

test("a folder given as `.` does not have to be called like the skill", async () => {
  const texts = skillAt("s/read-first", "read-first");
  const here = Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path.replace("s/read-first", "."), text]),
  );
  expect((await readSkillFolder(filesOf(here), compiler, ".")).diagnostics).toEqual([]);
});

test("skills are found at any depth, but not in packages or hidden folders", async () => {
  const texts = {
    ...skillAt("skills/web/b", "b"),
    ...skillAt("skills/web/a", "a"),
    ...skillAt("skills/node_modules/c", "c"),
    ...skillAt("skills/.hidden/d", "d"),
  };
  expect(await findSkillFolders(filesOf(texts), "skills/")).toEqual(["skills/web/a", "skills/web/b"]);
  expect(await findSkillFolders(filesOf(texts), "skills/web/a")).toEqual(["skills/web/a"]);
  expect(await findSkillFolders(filesOf(texts), "elsewhere")).toEqual([]);
});

test("a skill that is still the template does not act, and supersedes nothing", async () => {
  const template = scaffoldSkill({ name: "b", description: "Use it.", domain: agent, kind: "inject" });
  const supersedes = (text: string): string =>
    text.replace("    version: 1\n", "    version: 1\n    supersedes: [a]\n");
  const texts = Object.fromEntries([...template].map(([file, text]) => [`x/b/${file}`, supersedes(text)]));
  const files = filesOf({ ...skillAt("x/a", "a"), ...texts });
  const folders = await Promise.all(["x/a", "x/b"].map((folder) => readSkillFolder(files, compiler, folder)));
  expect(actingSkills(folders).folders.map(({ folder }) => folder)).toEqual(["x/a"]);
  expect(libraryDiagnostics(folders)).toMatchObject([
    { code: "HASP431", file: "x/b/SKILL.md", message: expect.stringContaining("b does not act") },
  ]);
});

test("two skills with one id are a fault of the library", async () => {
  const files = filesOf({ ...skillAt("x/a", "a"), ...skillAt("y/a", "a"), ...skillAt("y/b", "b") });
  const folders = await Promise.all(
    ["x/a", "y/a", "y/b"].map((folder) => readSkillFolder(files, compiler, folder)),
  );
  expect(libraryDiagnostics(folders)).toMatchObject([{ code: "HASP401", file: "y/a/SKILL.md" }]);
});

test("a skill in the folder of an unregistered domain is an error, and does not act", async () => {
  const at = async (folder: string) => readSkillFolder(filesOf(skillAt(folder, "a")), compiler, folder);
  const misplaced = await at("w/skills/physics/a");
  expect(misplaced.diagnostics).toMatchObject([
    {
      code: "HASP432",
      severity: "error",
      file: "w/skills/physics/a/SKILL.md",
      range: { start: { line: 5 } },
    },
  ]);
  expect(misplaced.diagnostics[0]?.next).toContain("web-search, math, code, coding-agent, agent");
  expect(actingSkills([misplaced]).folders).toEqual([]);
  for (const folder of ["w/skills/agent/a", "w/library/physics/a", "w/skills/a"]) {
    const read = await at(folder);
    expect(read.diagnostics).toEqual([]);
    expect(actingSkills([read]).folders).toEqual([read]);
  }
});
