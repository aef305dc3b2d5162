import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  appendSync,
  makeFolderSync,
  readTextSync,
  removeSync,
  replaceSync,
} from "../../../src/platform/sync-files.ts";
import { LinkedPathError, UnsafeFileError } from "../../../src/platform/write-path.ts";

let base = "";
let outside = "";
let file = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "hasp-sync-")));
  outside = join(base, "profile");
  file = join(base, "clone/.hasp/live/one.jsonl");
  mkdirSync(join(base, "clone/.git"), { recursive: true });
  writeFileSync(outside, "mine\n");
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

describe("files of a process that lives for one event", () => {
  it("are made, added to, replaced and removed, for their owner alone", () => {
    makeFolderSync(join(file, ".."));
    appendSync(file, "one\n");
    appendSync(file, "two\n");
    expect(readTextSync(file)).toBe("one\ntwo\n");
    replaceSync(file, "three\n");
    expect(readFileSync(file, "utf8")).toBe("three\n");
    expect([modeOf(file), modeOf(join(file, ".."))]).toEqual([0o600, 0o700]);
    removeSync(file);
    removeSync(file);
    expect(readTextSync(file)).toBeUndefined();
    expect(readdirSync(join(file, ".."))).toEqual([]);
  });

  it.each(["file", "folder"])("do not leave the workspace by a link in place of the %s", (what) => {
    makeFolderSync(join(file, "../.."));
    if (what === "folder") symlinkSync(base, join(file, ".."));
    else {
      makeFolderSync(join(file, ".."));
      symlinkSync(outside, file);
    }
    const target = what === "folder" ? join(file, "../profile") : file;
    for (const work of [appendSync, replaceSync])
      expect(() => work(target, "attack\n")).toThrow(LinkedPathError);
    expect(() => removeSync(target)).toThrow(LinkedPathError);
    if (what === "folder") expect(() => makeFolderSync(join(file, "../new"))).toThrow(LinkedPathError);
    expect(readFileSync(outside, "utf8")).toBe("mine\n");
    expect(readdirSync(base).toSorted()).toEqual(["clone", "profile"]);
  });

  it("do not add to a file that has a second name", () => {
    makeFolderSync(join(file, ".."));
    linkSync(outside, file);
    expect(() => appendSync(file, "attack\n")).toThrow(UnsafeFileError);
    expect(readFileSync(outside, "utf8")).toBe("mine\n");
    replaceSync(file, "own\n");
    expect(readFileSync(outside, "utf8")).toBe("mine\n");
  });

  it("do not wait for a pipe", () => {
    makeFolderSync(join(file, ".."));
    execFileSync("mkfifo", [file]);
    expect(() => appendSync(file, "attack\n")).toThrow(UnsafeFileError);
    expect(() => readTextSync(file)).toThrow(UnsafeFileError);
  });

  it("name the file and the next step when they fail", () => {
    expect(() => appendSync(file, "one\n")).toThrow(`${file} cannot be written: its folder is not there.`);
    makeFolderSync(file);
    expect(() => replaceSync(file, "one\n")).toThrow(`${file} cannot be written: it is a folder.`);
    expect(readdirSync(join(file, ".."))).toEqual(["one.jsonl"]);
    expect(readTextSync(file)).toBeUndefined();
  });
});
