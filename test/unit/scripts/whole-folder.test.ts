import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeWhole } from "../../../scripts/lib/whole-folder.mts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), "hasp-whole-"));
});
afterEach(() => rmSync(base, { recursive: true }));

const fillWith = (text: string) => (partial: string) => {
  writeFileSync(path.join(partial, "file"), text);
  return Promise.resolve();
};

test("a folder appears under its name only once it is whole", async () => {
  const folder = path.join(base, "cache/tool");
  await makeWhole(folder, async (partial) => {
    await fillWith("one")(partial);
    expect(existsSync(folder)).toBe(false);
  });
  expect(readFileSync(path.join(folder, "file"), "utf8")).toBe("one");
  expect(readdirSync(path.join(base, "cache"))).toEqual(["tool"]);
});

test("an install that fails leaves no folder, and the next one starts anew", async () => {
  const folder = path.join(base, "tool");
  const failing = makeWhole(folder, async (partial) => {
    await fillWith("half")(partial);
    throw new Error("no network");
  });
  await expect(failing).rejects.toThrow("no network");
  expect(existsSync(folder)).toBe(false);
  await makeWhole(folder, fillWith("whole"));
  expect(readdirSync(base)).toEqual(["tool"]);
});

test("what a killed install left is removed, and one at work stays", async () => {
  const dead = spawnSync("true").pid;
  mkdirSync(path.join(base, `tool.partial-${dead}`));
  mkdirSync(path.join(base, `tool.partial-${process.ppid}`));
  await makeWhole(path.join(base, "tool"), fillWith("whole"));
  expect(readdirSync(base).toSorted()).toEqual(["tool", `tool.partial-${process.ppid}`]);
});

test("of two installs at once the first to end counts", async () => {
  const folder = path.join(base, "tool");
  await makeWhole(folder, async (partial) => {
    await fillWith("second")(partial);
    mkdirSync(folder);
    await fillWith("first")(folder);
  });
  expect(readFileSync(path.join(folder, "file"), "utf8")).toBe("first");
  expect(readdirSync(base)).toEqual(["tool"]);
});
