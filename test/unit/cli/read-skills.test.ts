import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSkills, type Session } from "../../../src/cli/session.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { commandContext } from "../../support/cli-context.ts";
import { openCore } from "../../support/core.ts";

const core = openCore();
const { streams } = commandContext().context;
const session: Session = { files: nodeFiles(), ...core, streams, close: async () => undefined };
const before = process.cwd();
let root = "";

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hasp-libraries-"));
  await mkdir(path.join(root, "skills/agent/good"), { recursive: true });
  await writeFile(
    path.join(root, "skills/agent/good/SKILL.md"),
    "---\nname: good\ndescription: Use it.\n---\n",
  );
  // A pf.ts that is a folder.
  await mkdir(path.join(root, "skills/agent/good/pf.ts"));
  await symlink("..", path.join(root, "skills/agent/up"), "dir");
  await symlink("around", path.join(root, "skills/agent/around"), "dir");
  await symlink("nothing", path.join(root, "skills/agent/gone"), "dir");
  await writeFile(path.join(root, "file"), "no folder");
  await mkdir(path.join(root, "empty"));
  await writeFile(path.join(root, "hasp.yaml"), "libraries: [skills, file, empty, absent]\n");
  process.chdir(root);
});
afterAll(async () => {
  process.chdir(before);
  await Promise.all([core.compiler.close(), core.host.close(), rm(root, { recursive: true })]);
});

test("what cannot be read of a library is told once, and the rest is there", async () => {
  const folders = await readSkills(undefined, session);
  expect(folders.flatMap(({ skill }) => skill?.skillId ?? [])).toEqual(["good"]);
  const told = folders.flatMap(({ diagnostics }) => diagnostics.map(({ code, file }) => `${code} ${file}`));
  expect(told.toSorted()).toEqual([
    "HASP404 file",
    "HASP404 skills/agent/around",
    "HASP404 skills/agent/gone",
    "HASP404 skills/agent/good/pf.ts",
  ]);
});

test("a path on the command line that holds no skill ends the command", async () => {
  for (const given of ["empty", "file", "absent"])
    await expect(readSkills([given], session)).rejects.toThrow(given);
});

test("a skill that hasp.yaml disables is read and marked so, unless it is named", async () => {
  const file = path.join(root, "hasp.yaml");
  await writeFile(file, "libraries: [skills]\ndisabled_skills: [good]\n");
  const marked = async (paths?: readonly string[]): Promise<readonly unknown[]> =>
    (await readSkills(paths, session)).flatMap(({ skill, isDisabled = false }) =>
      skill === undefined ? [] : [[skill.skillId, isDisabled]],
    );
  expect(await marked()).toEqual([["good", true]]);
  expect(await marked(["skills"])).toEqual([["good", false]]);
});
