import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { nodeFiles } from "../../../src/platform/files.ts";
import { scoresIn } from "../../../src/training/evaluations.ts";
import { ROOT } from "../../support/core.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-scores-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

test("a run is read once, and again after it has grown", async () => {
  const run = path.join(place, "run");
  cpSync(path.join(ROOT, "samples/.hasp/runs/first-look"), run, { recursive: true });
  const files = nodeFiles();
  let readings = 0;
  const scoresOf = scoresIn({
    ...files,
    list: async (folder) => {
      readings++;
      return files.list(folder);
    },
    read: async (file, from, length) => {
      readings++;
      return files.read(file, from, length);
    },
  });
  const first = await scoresOf(run);
  const once = readings;
  expect(once).toBeGreaterThan(0);
  expect(await scoresOf(run)).toBe(first);
  expect(readings).toBe(once);
  const episodes = path.join(run, "episodes.jsonl");
  const [line = ""] = readFileSync(episodes, "utf8").split("\n");
  const { id, questionId } = JSON.parse(line) as { id: string; questionId: string };
  appendFileSync(episodes, `${line.replaceAll(id, "added").replaceAll(questionId, "added")}\n`);
  const after = await scoresOf(run);
  expect(after?.scores.has("added")).toBe(true);
  expect(after?.scores.size).toBe((first?.scores.size ?? 0) + 1);
});

test("no run has no scores, until there is one", async () => {
  const run = path.join(place, "later");
  const scoresOf = scoresIn(nodeFiles());
  expect(await scoresOf(run)).toBeUndefined();
  cpSync(path.join(ROOT, "samples/.hasp/runs/first-look"), run, { recursive: true });
  expect((await scoresOf(run))?.scores.size).toBeGreaterThan(0);
});
