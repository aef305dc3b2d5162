import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { semanticScores } from "../../../src/app/semantic-scores.ts";
import { SEMANTIC_SCHEMA, type SemanticLine } from "../../../src/model/semantic.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { appendSemantic } from "../../../src/trace/semantic-store.ts";

const files = nodeFiles();
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hasp-semantic-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const line = (teacher: string, score: number | undefined, t = 0): SemanticLine => ({
  schema: SEMANTIC_SCHEMA,
  episode: "q1#1",
  t,
  ...(score !== undefined && { score }),
  teacher,
  prompt: "semantic-1",
  call: {
    site: "s3.semantic",
    prompt: "Score it.",
    maxTokens: 128,
    temperature: 0,
    ...(score === undefined ? { error: "no connection" } : { reply: `{"score": ${score}}` }),
  },
});

async function scoreOf(t: number) {
  return (await semanticScores(files, folder)).of("q1#1")?.get(t);
}

it("takes the latest score of a step", async () => {
  for (const one of [line("a", 0.2), line("b", 0.9)]) await appendSemantic(files, folder, one);
  expect(await scoreOf(0)).toEqual({ score: 0.9, by: "b" });
});

it("keeps a score that a failed call of another teacher follows", async () => {
  for (const one of [line("a", 0.2), line("b", undefined)]) await appendSemantic(files, folder, one);
  expect(await scoreOf(0)).toEqual({ score: 0.2, by: "a" });
});

it("has no score where every call failed, and none of a run without the file", async () => {
  expect(await scoreOf(0)).toBeUndefined();
  await appendSemantic(files, folder, line("a", undefined, 1));
  expect(await scoreOf(1)).toBeUndefined();
});
