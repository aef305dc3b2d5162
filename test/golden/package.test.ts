import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { listFiles } from "@vscode/vsce";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";

/** Walking the repository takes long on busy cores. */
const LISTED = 120_000;

let packaged: ReadonlySet<string>;
beforeAll(async () => {
  packaged = new Set(await listFiles({ cwd: ROOT, packagedDependencies: [] }));
}, LISTED);

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

it("the TypeScript compiler is in the command's one file and in the worker alone, once each", () => {
  const dist = path.join(ROOT, "dist");
  const code = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.c?js$/.test(name),
  );
  const withCompiler = code.filter((name) =>
    readFileSync(path.join(dist, name), "utf8").includes("getPreEmitDiagnostics"),
  );
  expect(withCompiler.toSorted()).toEqual(["hasp.cjs", "worker.js"]);
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
