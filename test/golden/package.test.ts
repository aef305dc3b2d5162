import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { listFiles } from "@vscode/vsce";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";

/** Of ten thousands of files, which the packager would compare with each line of .vscodeignore. */
const NEVER_PACKAGED = new Set([".git", ".vscode-test", "node_modules"]);

const MOST_BYTES = 8e6;
/** What a .vsix, which is a zip file, holds of each file besides its name, twice, and its content. */
const ENTRY_BYTES = 92;

const place = mkdtempSync(path.join(tmpdir(), "hasp-package-"));
let packaged: ReadonlySet<string>;
beforeAll(async () => {
  for (const name of readdirSync(ROOT))
    if (!NEVER_PACKAGED.has(name)) symlinkSync(path.join(ROOT, name), path.join(place, name));
  // `followSymlinks` is an option that the types of the packager leave out.
  const options = { cwd: place, packagedDependencies: [], followSymlinks: true };
  packaged = new Set(await listFiles(options));
});
afterAll(() => rmSync(place, { recursive: true }));

it("the package holds every file of the build that a hook reads: without one, guards would be off", () => {
  const built = readdirSync(path.join(ROOT, "dist")).filter((name) =>
    /^(?:hook|quickjs|hasp\.cjs$)/.test(name),
  );
  expect(built).toEqual(
    expect.arrayContaining([
      "hook.cjs",
      "hook-library.json",
      "hook-realm.bin",
      "hook-texts.json",
      "quickjs.wasm",
    ]),
  );
  expect(built.filter((name) => !packaged.has(`dist/${name}`))).toEqual([]);
});

it("no file of the build or the package names the folder that it was built in", () => {
  const built = readdirSync(path.join(ROOT, "dist"), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const files = [
    ...built.map(({ parentPath, name }) => path.join(parentPath, name)),
    ...[...packaged].map((name) => path.join(ROOT, name)),
  ];
  const naming = [...new Set(files)].filter((file) => readFileSync(file).includes(ROOT));
  expect(files.length).toBeGreaterThan(100);
  expect(naming).toEqual([]);
});

it("the package has at most 8 MB", () => {
  const sizes = [...packaged].map((name) => {
    const compressed = deflateRawSync(readFileSync(path.join(ROOT, name))).length;
    return compressed + ENTRY_BYTES + 2 * Buffer.byteLength(`extension/${name}`);
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(MOST_BYTES / 2);
  expect(total).toBeLessThanOrEqual(MOST_BYTES);
});

it("the TypeScript compiler is in the command's one file alone, from which the extension's workers start, too", () => {
  const dist = path.join(ROOT, "dist");
  const code = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.c?js$/.test(name),
  );
  const withCompiler = code.filter((name) =>
    readFileSync(path.join(dist, name), "utf8").includes("getPreEmitDiagnostics"),
  );
  expect(withCompiler.toSorted()).toEqual(["hasp.cjs"]);
});

it("the package holds every page of help", () => {
  const pages = readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  const missing = pages.filter((page) => page.endsWith(".md") && !packaged.has(`docs/${page}`));
  expect(missing).toEqual([]);
});

it("the package holds the sample as it is committed, and nothing that HASP writes into it", () => {
  const committed = execFileSync("git", ["ls-files", "samples"], { cwd: ROOT, encoding: "utf8" });
  const shipped = [...packaged].filter((name) => name.startsWith("samples/"));
  expect(shipped.toSorted()).toEqual(committed.trim().split("\n").toSorted());
});

it("the package holds the trainer as it is committed, without its tests, the miniature and what Python caches", () => {
  const committed = execFileSync("git", ["ls-files", "trainer"], { cwd: ROOT, encoding: "utf8" });
  const wanted = committed
    .split("\n")
    .filter((name) => name !== "" && !/^trainer\/(?:tests|miniature)\//.test(name));
  const shipped = [...packaged].filter((name) => name.startsWith("trainer/"));
  expect(shipped.toSorted()).toEqual(wanted.toSorted());
  expect(shipped).toEqual(expect.arrayContaining(["trainer/requirements.txt", "trainer/uv.txt"]));
});
