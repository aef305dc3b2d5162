import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FILE_DIGESTS, isPyodide, PYODIDE_VERSION } from "../../../src/platform/containment/pyodide-files.ts";
import { openPyodideIn } from "../../../src/platform/containment/pyodide-installed.ts";
import { isPyodidePackage, pyodideFilesIn } from "../../../src/platform/containment/pyodide-package.ts";
import { pyodideSnapshot } from "../../../src/platform/containment/pyodide-snapshot.ts";
import { readableByAll } from "../../../src/platform/containment/readable-by-all.ts";
import type { NoContainment } from "../../../src/scoring/containment.ts";
import { THOROUGH } from "../../support/thorough.ts";
import { PYODIDE_FOLDER } from "../../support/open-pyodide.ts";
import { PATIENCE } from "./pyodide-world.ts";

const NEVER = new AbortController().signal;
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-pyodide-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** One file of a tar archive, as npm packs it. */
function packed(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(512);
  head.write(`package/${name}`, 0, "latin1");
  head.write(data.length.toString(8).padStart(11, "0"), 124, "latin1");
  return Buffer.concat([head, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

const dataOf = (name: string): Buffer => fs.readFileSync(path.join(PYODIDE_FOLDER, name));
const archiveOf = (files: readonly (readonly [string, Buffer])[]): Buffer =>
  gzipSync(Buffer.concat([...files.map(([name, data]) => packed(name, data)), Buffer.alloc(1024)]));

describe("files of Pyodide", () => {
  it("are those of the development dependency, with its version", async () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(PYODIDE_FOLDER, "package.json"), "utf8")) as {
      version: string;
    };
    expect([version, await isPyodide(PYODIDE_FOLDER)]).toEqual([PYODIDE_VERSION, true]);
  });

  it("are taken from an archive, whatever else is in it", () => {
    const names = Object.keys(FILE_DIGESTS);
    const archive = archiveOf([
      ["README.md", Buffer.from("other")],
      ...names.map((name) => [name, dataOf(name)] as const),
    ]);
    expect([...pyodideFilesIn(archive).keys()]).toEqual(names);
    expect(isPyodidePackage(archive)).toBe(false);
  });

  it.for(["missing", "changed", "cut short"] as const)("are not taken where one is %s", (how) => {
    const files = Object.keys(FILE_DIGESTS).map((name) => [name, dataOf(name)] as const);
    const [[name, data], ...rest] = files as [readonly [string, Buffer], ...typeof files];
    const other = how === "changed" ? Buffer.from("other") : data.subarray(0, 1000);
    const archive = archiveOf(how === "missing" ? rest : [[name, other], ...rest]);
    expect(() => pyodideFilesIn(archive)).toThrow(`${name} is not the expected file`);
  });
});

describe("a folder for Pyodide", () => {
  it("is no containment where it is missing, or a file in it is changed", async () => {
    const at = { folder: path.join(folder, "pyodide"), snapshots: folder };
    expect(await openPyodideIn(at, 1)).toMatchObject({ why: "Pyodide is not installed" });
    fs.mkdirSync(at.folder);
    for (const name of Object.keys(FILE_DIGESTS)) fs.writeFileSync(path.join(at.folder, name), "changed");
    expect(await openPyodideIn(at, 1)).toMatchObject({ why: "files of Pyodide are missing or changed" });
  });

  it("can be read by all, if only as a copy for as long as it is used", () => {
    const hidden = path.join(folder, "hidden");
    fs.mkdirSync(hidden, { mode: 0o700 });
    fs.writeFileSync(path.join(hidden, "one"), "text", { mode: 0o600 });
    const readable = readableByAll({ hidden });
    const file = path.join(readable.files.hidden, "one");
    expect(fs.readFileSync(file, "utf8")).toBe("text");
    const isRoot = process.getuid?.() === 0;
    expect(fs.statSync(file).mode & 0o777).toBe(isRoot ? 0o644 : 0o600);
    readable.remove();
    expect([fs.existsSync(file), fs.existsSync(hidden)]).toEqual([!isRoot, true]);
  });
});

describe("a memory snapshot", { timeout: PATIENCE }, () => {
  it.for([
    { how: "changed", isQuick: true },
    { how: "cut short", isQuick: false },
  ] as const)("is made once, and again where it is $how", async ({ how, isQuick }, { skip }) => {
    if (!isQuick && !THOROUGH) skip("With --thorough.");
    const made = await pyodideSnapshot(PYODIDE_FOLDER, folder, NEVER);
    if (!("file" in made)) throw new Error(made.why);
    const { file } = made;
    const whole = fs.statSync(file);
    await pyodideSnapshot(PYODIDE_FOLDER, folder, NEVER);
    expect(fs.statSync(file).ino).toBe(whole.ino);

    const bytes = fs.readFileSync(file);
    bytes[5000] = (bytes[5000] ?? 0) ^ 1;
    const damaged = how === "changed" ? bytes : bytes.subarray(0, 1000);
    fs.writeFileSync(file, damaged);
    await pyodideSnapshot(PYODIDE_FOLDER, folder, NEVER);
    expect([fs.statSync(file).size, fs.readFileSync(file).equals(damaged)]).toEqual([whole.size, false]);
  });

  it("is not written through a link to something else, and says what to do", async ({ skip }) => {
    if (!THOROUGH) skip("With --thorough.");
    const made = await pyodideSnapshot(PYODIDE_FOLDER, folder, NEVER);
    if (!("file" in made)) throw new Error(made.why);
    fs.rmSync(made.file);
    fs.symlinkSync("/dev/null", made.file);
    const { why, next } = (await openPyodideIn(
      { folder: PYODIDE_FOLDER, snapshots: folder },
      1,
    )) as NoContainment;
    expect(why).toContain("is a link and leads to /dev/null");
    expect(next).not.toContain("Make room");
  });

  it("is not made after an abort, and nothing half stays", async () => {
    const abort = new AbortController();
    const making = pyodideSnapshot(PYODIDE_FOLDER, folder, abort.signal);
    abort.abort();
    expect(await making).toEqual({ why: "interrupted" });
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it("is not made from an empty folder, and says why", async () => {
    expect(await pyodideSnapshot(folder, folder, NEVER)).toMatchObject({
      why: expect.stringContaining("pyodide"),
    });
  });
});
