import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newFolder } from "../../../src/platform/new-folder.ts";

let root = "";
let target = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hasp-new-folder-")));
  target = join(root, "run");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("takes the place of an empty folder", async () => {
  mkdirSync(target);
  await newFolder(target, async (folder) => writeFileSync(join(folder, "run.json"), "{}"));
  expect([readdirSync(root), readdirSync(target)]).toEqual([["run"], ["run.json"]]);
});

it("leaves what came into its place meanwhile, and says so", async () => {
  const filled = newFolder(target, async () => {
    mkdirSync(target);
    writeFileSync(join(target, "mine.txt"), "mine");
  });
  await expect(filled).rejects.toMatchObject({
    message: `${target} cannot be made: something is in it by now.`,
    next: "Look at what is there: move it away, or name another place.",
  });
  expect(readdirSync(root)).toEqual(["run"]);
  expect(readFileSync(join(target, "mine.txt"), "utf8")).toBe("mine");
});
