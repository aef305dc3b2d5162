import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../support/core.ts";

/**
 * `src/platform/write-path.ts` is the one door for writes. Only these files may call a function of Node's that writes, and each asks the door
 * first, or is given a path that came through it.
 */
const DOORS = new Set([
  "src/platform/files.ts",
  "src/platform/library-files.ts",
  "src/platform/sync-files.ts",
  "src/platform/new-folder.ts",
  "src/platform/reply-cache.ts",
  "src/platform/run-lock.ts",
  "src/platform/serve-socket.ts",
  "src/platform/process-lock.ts",
  "src/platform/own-folder.ts",
  "src/platform/host-listing.ts",
  "src/platform/job-log.ts",
  "src/platform/local-jobs.ts",
  "src/platform/stop-request.ts",
  "src/platform/student-key.ts",
  "src/platform/python-environment.ts",
  "src/platform/trainer-install.ts",
  "src/platform/containment/control-group.ts",
  "src/platform/containment/packages.ts",
  "src/platform/containment/readable-by-all.ts",
]);
/** Their contract asks for a path that came through the door, or for one of the user's own folders, where no workspace can put anything. */
const GIVEN_PATHS = new Set([
  "src/platform/process-lock.ts",
  "src/platform/own-folder.ts",
  "src/platform/student-key.ts",
  "src/platform/python-environment.ts",
  "src/platform/trainer-install.ts",
  // In a temporary folder that it makes.
  "src/platform/host-listing.ts",
  // Below /sys/fs/cgroup.
  "src/platform/containment/control-group.ts",
  "src/platform/containment/packages.ts",
  "src/platform/containment/readable-by-all.ts",
]);

/** Functions of `node:fs` that only read. Any other counts as writing. */
const READERS =
  /^(?:access|constants|exists|existsSync|(?:f?stat|lstat|statfs|readdir|readlink|realpath|read|readFile|close)(?:Sync)?|accessSync|createReadStream|Stats|FileHandle|writeSync)$/;
const FS_IMPORT = /^import (?:type )?([^;]+?) from "(?:node:)?fs(?:\/promises)?";/gm;
/** Writers of VS Code's that go straight to the disk. */
const EDITOR_WRITERS = /\bworkspace\.fs\.(?:writeFile|delete|rename|copy|createDirectory)\b/;

/** Names of functions of `node:fs` that a source file uses. */
function fsNames(text: string): string[] {
  return [...text.matchAll(FS_IMPORT)].flatMap(([, what = ""]) => {
    const named = /\{(.*)\}/s.exec(what)?.[1];
    if (named !== undefined)
      return named.split(",").flatMap((one) => /^\s*(?:type\s+)?(\w+)/.exec(one)?.[1] ?? []);
    const local = what.replace(/^\* as /, "").trim();
    return [...text.matchAll(new RegExp(String.raw`\b${local}\.(?:promises\.)?(\w+)`, "g"))].map(
      ([, name = ""]) => name,
    );
  });
}

const sources = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({ file: relative(ROOT, file).replaceAll("\\", "/"), text: readFileSync(file, "utf8") }));

/** Text between template quotes is a program that is written elsewhere, not one that imports. */
const code = (text: string): string => text.replaceAll(/`(?:[^`\\]|\\.)*`/gs, "``");

/** Other ways to the module. */
const LOADS_FS = /(?:require|import|getBuiltinModule)\("(?:node:)?fs(?:\/promises)?"\)/;

const writersIn = (text: string): string[] => [
  ...fsNames(code(text)).filter((name) => !READERS.test(name)),
  ...(LOADS_FS.exec(code(text)) ?? []),
];

describe("the one door for writes", () => {
  it("is the only place that calls what writes to the disk", () => {
    const others = sources
      .filter(({ file }) => !DOORS.has(file))
      .map(({ file, text }) => ({ file, writers: writersIn(text) }))
      .filter(({ writers }) => writers.length > 0);
    expect(others).toEqual([]);
  });

  it("is asked by each file that may write", () => {
    for (const { file, text } of sources.filter((one) => DOORS.has(one.file) && !GIVEN_PATHS.has(one.file)))
      expect([file, /\bwritePath\(/.test(text)]).toEqual([file, true]);
    expect(sources.filter(({ file }) => DOORS.has(file))).toHaveLength(DOORS.size);
  });

  it("is not passed by in the editor", () => {
    const passing = sources.filter(({ text }) => EDITOR_WRITERS.test(text)).map(({ file }) => file);
    expect(passing).toEqual([]);
    const edits = sources.filter(({ text }) => /\bnew vscode\.WorkspaceEdit\(/.test(text));
    const creating = edits.filter(({ text }) => /\.createFile\(|\.save\(\)/.test(text));
    expect(creating.filter(({ text }) => !text.includes("checkWritable(")).map(({ file }) => file)).toEqual(
      [],
    );
  });

  it.each([
    ['import { writeFile } from "node:fs/promises";', ["writeFile"]],
    ['import fs from "node:fs";\nfs.appendFileSync("x", "y");', ["appendFileSync"]],
    ['import * as fs from "fs";\nawait fs.promises.rm("x");', ["rm"]],
    ['import { readFile, type FileHandle, open as o } from "node:fs/promises";', ["open"]],
    ['const fs = await import("node:fs");', ['import("node:fs")']],
    ['import fs from "node:fs";\nfs.readFileSync("x");', []],
  ])("is found where it is passed by: %s", (text, expected) => {
    expect(writersIn(text)).toEqual(expected);
  });
});
