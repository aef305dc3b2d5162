import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeFiles } from "../../../src/platform/files.ts";
import { renameRun, titleProblem } from "../../../src/trace/rename-run.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-rename-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const RUN = {
  schema: "hasp.run/1",
  id: "first",
  title: "first",
  domain: "web-search",
  createdAt: "2026-11-22T09:00:00.000Z",
  source: "hasp",
  settings: { policy: "none" },
  ofALaterVersion: true,
};
const file = (): string => join(folder, "run.json");

test("a run that is renamed keeps all else of its run.json", async () => {
  writeFileSync(file(), JSON.stringify(RUN));
  expect(await renameRun(nodeFiles(), folder, " The best so far ")).toBe(true);
  expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({ ...RUN, title: "The best so far" });
});

test("without a run.json that can be read nothing is written", async () => {
  expect(await renameRun(nodeFiles(), folder, "A name")).toBe(false);
  writeFileSync(file(), "{");
  expect(await renameRun(nodeFiles(), folder, "A name")).toBe(false);
  expect(readFileSync(file(), "utf8")).toBe("{");
});

test("a title is one line that says something", () => {
  expect(titleProblem("A name")).toBeUndefined();
  expect([" ", "a\nb", "x".repeat(121)].map(titleProblem)).toEqual([
    "Enter a name.",
    "A name is one line of text.",
    "A name has at most 120 characters.",
  ]);
});
