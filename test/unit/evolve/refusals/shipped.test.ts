import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { codeTokens } from "../../../../src/evolve/refusals/code-text.ts";
import {
  copiedFromSeed,
  indexSeed,
  type SeedQuestion,
} from "../../../../src/evolve/refusals/copied-texts.ts";
import { jaccard } from "../../../../src/model/words.ts";
import { openCore, readFolders, ROOT } from "../../../support/core.ts";
import { ALL_FORMS } from "../../../support/shipped.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));
const skills = await readFolders(core.compiler, ...ALL_FORMS, "skills/coding-agent");

function textsOf(folder: string): Readonly<Record<string, string>> {
  const files = ["SKILL.md", "pf.ts", "cases.yaml"].filter((name) =>
    existsSync(path.join(ROOT, folder, name)),
  );
  return Object.fromEntries(files.map((name) => [name, readFileSync(path.join(ROOT, folder, name), "utf8")]));
}

const DATA = path.join(ROOT, "../shared/data/trajectories");

function seedOf(file: string): readonly SeedQuestion[] {
  const rows = readFileSync(path.join(DATA, file), "utf8").trim().split("\n");
  const found = new Map<string, SeedQuestion>();
  for (const row of rows) {
    const { question, gold } = JSON.parse(row) as { question: string; gold: string };
    found.set(question, { question, gold: [gold] });
  }
  return [...found.values()];
}

describe.skipIf(!existsSync(DATA))("real questions (../shared/data)", () => {
  test.each(["reflexion-hotpotqa.jsonl", "fireact-hotpotqa-even.jsonl"])(
    "no shipped skill holds a question or an accepted answer of %s",
    (file) => {
      const seed = indexSeed(seedOf(file));
      const found = skills.filter(
        ({ folder }) => copiedFromSeed(textsOf(folder), folder, seed) !== undefined,
      );
      expect(found.map(({ folder }) => folder)).toEqual([]);
    },
  );
});

test("no two shipped skills are near duplicates by their code", () => {
  const coded = skills.flatMap(({ skill, pfSource }) =>
    pfSource === undefined ? [] : [{ id: skill?.skillId, tokens: codeTokens(pfSource) }],
  );
  // Two forms of one skill are alike, and no list has both.
  const pairs = coded.flatMap((a, i) => coded.slice(0, i).map((b) => [a, b] as const));
  const shares = pairs.flatMap(([a, b]) => (a.id === b.id ? [] : [jaccard(a.tokens, b.tokens)]));
  expect(shares.length).toBeGreaterThan(300);
  expect(Math.max(...shares)).toBeLessThan(0.7);
});
