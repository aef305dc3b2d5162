import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nodeFiles } from "../../../src/platform/files.ts";
import { keepMaterials, readMaterials } from "../../../src/trace/judging-store.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { MAX_LINE_BYTES } from "../../../src/trace/text-lines.ts";

const files = nodeFiles();
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hasp-judging-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const MEGABYTE = 1024 * 1024;

it("keeps the material of each question once, beside those that are there", async () => {
  expect(await keepMaterials(files, folder, [{ id: "q0" }])).toEqual([]);
  expect(await files.stat(runPaths(folder).judging)).toBeUndefined();
  await keepMaterials(files, folder, [
    { id: "q1", material: '{"tests":[1.0,9007199254740993]}' },
    { id: "q2", material: "a\n\u2028b" },
  ]);
  await keepMaterials(files, folder, [
    { id: "q2", material: "a\n\u2028b" },
    { id: "q3", material: "" },
  ]);
  // Text, not JSON: numbers stay as they were written.
  expect([...(await readMaterials(files, folder))]).toEqual([
    ["q1", '{"tests":[1.0,9007199254740993]}'],
    ["q2", "a\n\u2028b"],
    ["q3", ""],
  ]);
});

it("takes 50 MB, and names what no line can hold", async () => {
  const large = "x".repeat(50 * MEGABYTE);
  expect(await keepMaterials(files, folder, [{ id: "large", material: large }])).toEqual([]);
  expect((await readMaterials(files, folder)).get("large")).toBe(large);
  const other = path.join(folder, "other");
  await files.makeFolder(other);
  const more = [
    { id: "larger", material: "x".repeat(MAX_LINE_BYTES) },
    { id: "small", material: "1" },
  ];
  expect(await keepMaterials(files, other, more)).toEqual(["larger"]);
  expect([...(await readMaterials(files, other)).keys()]).toEqual(["small"]);
});

it("reads what it can of a damaged file", async () => {
  const { judging } = runPaths(folder);
  await writeFile(
    judging,
    '{"questionId":"a","material":"1"}\nno json\n{"questionId":"b"}\n{"questionId":"c","material":"3',
  );
  expect([...(await readMaterials(files, folder)).keys()]).toEqual(["a"]);
  await keepMaterials(files, folder, [{ id: "b", material: "2" }]);
  expect(await readFile(judging, "utf8")).toBe(
    '{"questionId":"a","material":"1"}\n{"questionId":"b","material":"2"}\n',
  );
});
