import { expect, test } from "vitest";
import {
  findPublished,
  isAgentFolder,
  isPublished,
  isTooDeep,
  withoutCopies,
} from "../../../src/skill/agent-folders.ts";
import { findSkillFolders } from "../../../src/skill/read-skill.ts";

test("a folder right below an agent's skills is a published one, a deeper one is looked at by nobody", () => {
  expect(["/w/.github/skills/a", ".claude/skills/a/", "C:\\w\\.agents\\skills\\a"].map(isPublished)).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    ["skills/a", ".github/skills", ".github/skills/web/a", "x.github/skills/a"].map(isPublished),
  ).toEqual([false, false, false, false]);
  expect([".github/skills", "/w/.agents/skills/", "skills"].map(isAgentFolder)).toEqual([true, true, false]);
  expect([".github/skills/web/a", ".github/skills/a", "skills/web/a"].map(isTooDeep)).toEqual([
    true,
    false,
    false,
  ]);
});

test("copies give way to what they were made from, and stay where there is nothing else", () => {
  const at = (folder: string, skillId: string | undefined) => ({ folder, skillId });
  const skills = [
    at(".github/skills/a", "a"),
    at("skills/web/a", "a"),
    at(".claude/skills/b", "b"),
    at(".github/skills/b", "b"),
    at(".github/skills/c", undefined),
    at("skills/other/a", "a"),
  ];
  expect(withoutCopies(skills, (skill) => skill).map(({ folder }) => folder)).toEqual([
    "skills/web/a",
    ".claude/skills/b",
    ".github/skills/c",
    "skills/other/a",
  ]);
});

test("an agent's folder is read one level deep", async () => {
  const tree: Readonly<Record<string, readonly string[]>> = {
    ".github/skills": ["README.md", "a", "web"],
    ".github/skills/a": ["SKILL.md"],
    ".github/skills/web": ["b"],
    ".github/skills/web/b": ["SKILL.md"],
  };
  const files = { list: async (folder: string) => tree[folder] ?? [] };
  expect(await findPublished(files, ".github/skills")).toEqual([".github/skills/a"]);
  expect(await findPublished(files, ".claude/skills")).toEqual([]);
});

test("below a folder the skills of coding agents are found when they are asked for, a link to a skill once", async () => {
  const tree: Readonly<Record<string, readonly string[]>> = {
    w: [".claude", ".git", ".github", "app", "skills"],
    "w/.claude/skills": ["linked", "own"],
    "w/.claude/skills/linked": ["SKILL.md"],
    "w/.claude/skills/own": ["SKILL.md"],
    "w/.github/skills": ["deep"],
    "w/.github/skills/deep": ["er"],
    "w/.git/skills/no": ["SKILL.md"],
    "w/app": [".agents"],
    "w/app/.agents/skills": ["codex"],
    "w/app/.agents/skills/codex": ["SKILL.md"],
    "w/skills": ["a"],
    "w/skills/a": ["SKILL.md"],
  };
  const files = {
    list: async (folder: string) => tree[folder] ?? [],
    realPath: async (folder: string) => (folder === "w/.claude/skills/linked" ? "w/skills/a" : folder),
  };
  expect(await findSkillFolders(files, "w")).toEqual(["w/skills/a"]);
  expect(await findSkillFolders(files, "w", undefined, { published: true })).toEqual([
    "w/.claude/skills/own",
    "w/app/.agents/skills/codex",
    "w/skills/a",
  ]);
});
