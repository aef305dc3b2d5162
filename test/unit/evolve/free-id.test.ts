import { afterAll, expect, test } from "vitest";
import { skillsOf } from "../../../src/evolve/domain-skills.ts";
import { withFreeId } from "../../../src/evolve/free-id.ts";
import type { Proposal } from "../../../src/evolve/author/author-task.ts";
import { memoryFiles } from "../../../src/evolve/author/draft-skill.ts";
import { readSkillFolder, type SkillFolder } from "../../../src/skill/read-skill.ts";
import { openCore } from "../../support/core.ts";
import { CLEAN } from "./author/author-support.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const DESCRIPTION = "Use when an agent is about to answer although it has read nothing.";
const proposal: Proposal = {
  id: "e1-c1",
  domain: "web-search",
  messages: [],
  completion: "",
  replies: [],
  files: CLEAN,
  folder: "/out/proposals/e1-c1/web-search/unread-answer",
  skillId: "unread_answer",
  name: "unread-answer",
  errorCategory: "unread_answer",
  diagnostics: [],
};

/** The clean skill in another folder, with another description. */
const owner = (folder: string, description: string): Promise<SkillFolder> => {
  const skillMd = CLEAN["SKILL.md"].replace(DESCRIPTION, description);
  return readSkillFolder(memoryFiles(folder, { ...CLEAN, "SKILL.md": skillMd }), core.compiler, folder);
};
const OTHER_AIM = "Use when several dates of one page contradict each other.";

test("a shipped skill with another aim keeps its id, and the proposal gets a free one", async () => {
  const skills = [await owner("builtin:web-search/unread-answer", OTHER_AIM)];
  const { proposal: renamed, renamedFrom } = withFreeId(proposal, skills, ["unread_answer_2"]);
  expect(renamedFrom).toBe("unread_answer");
  expect(renamed).toMatchObject({
    skillId: "unread_answer_3",
    name: "unread-answer-3",
    folder: "/out/proposals/e1-c1/web-search/unread-answer-3",
  });
  expect(renamed.files?.["SKILL.md"]).toContain("name: unread-answer-3");
  const files = memoryFiles(renamed.folder ?? "", renamed.files ?? CLEAN);
  const read = await readSkillFolder(files, core.compiler, renamed.folder ?? "");
  expect(read.skill).toMatchObject({ skillId: "unread_answer_3", version: 1 });
  expect(read.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("a better version of the same aim, one of a generated skill, and a free id stay", async () => {
  const same = await owner(
    "builtin:web-search/unread-answer",
    "Use when an agent is about to give its answer although it has read nothing.",
  );
  const generated = await owner("skills/web-search/generated/unread_answer__v1/unread-answer", OTHER_AIM);
  for (const skills of [[same], [generated], []])
    expect(withFreeId(proposal, skills, [])).toEqual({ proposal, renamedFrom: undefined });
});

test("an aim is read from a description over several lines, too", async () => {
  const same = await owner("builtin:web-search/unread-answer", DESCRIPTION);
  const folded = `description: >-\n  ${DESCRIPTION.replace("answer ", "answer\n  ")}`;
  const skillMd = CLEAN["SKILL.md"].replace(/^description: .*$/m, folded);
  const written = { ...proposal, files: { ...CLEAN, "SKILL.md": skillMd } };
  expect(withFreeId(written, [same], []).renamedFrom).toBeUndefined();
});

test("a domain has its own skills alone, of whatever library", async () => {
  const folders = [
    "builtin:web-search/a",
    "builtin:coding-agent/b",
    "skills/coding-agent/c",
    "skills/web-search/d",
    // In the folder of no domain its modes decide: web-search.
    "library/e",
  ];
  const all = await Promise.all(folders.map((folder) => owner(folder, OTHER_AIM)));
  const of = (domain: string): string[] => skillsOf(all, domain).map(({ folder }) => folder);
  expect(of("web-search")).toEqual([folders[0], folders[3], folders[4]]);
  expect(of("coding-agent")).toEqual([folders[1], folders[2]]);
});
