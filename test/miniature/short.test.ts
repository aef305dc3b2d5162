import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isCi } from "../../scripts/lib/stages.mts";
import { trainerPython } from "../../scripts/lib/trainer-env.mts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "hasp-miniature-"));
const seed = path.join(folder, "seed-1");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isReady = isCi() || trainerPython() !== undefined;
const note = isReady ? "" : " (skipped: `npm test -- --only trainer` installs the trainer's Python)";

const linesOf = <T>(file: string): T[] =>
  readFileSync(path.join(seed, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);

interface Episode {
  readonly outcome: string;
  readonly steps: readonly { readonly events?: readonly { readonly status: string }[] }[];
}

describe.skipIf(!isReady)(`npm run demo:train -- --short${note}`, () => {
  beforeAll(async () => {
    const options = ["--short", "--built", "--lanes", "1", "-o", folder];
    await execa(process.execPath, [path.join(ROOT, "scripts/demo-train.mts"), ...options], { cwd: ROOT });
  });

  test("each phase of the pre-training lowers its loss", () => {
    const lines = linesOf<{ phase: string; loss: number }>("student/pretraining.jsonl");
    const phases = [...Map.groupBy(lines, ({ phase }) => phase)];
    expect(phases.map(([phase]) => phase)).toEqual(["recall", "good", "mixed"]);
    for (const [phase, own] of phases)
      expect({ phase, falls: (own.at(-1)?.loss ?? 9) < (own[0]?.loss ?? 0) }).toEqual({ phase, falls: true });
  });

  test("E1 has rows of the train split alone, and trains on them", () => {
    const rows = linesOf<{ question_id: string; prompt: object[]; sample_weight: number }>(
      "e1/data/1/a-sft.jsonl",
    );
    expect(rows.length).toBeGreaterThan(0);
    const questions = linesOf<{ id: string }>("world/questions.jsonl").map(({ id }) => id);
    const test = new Set(questions.slice(0, 32));
    expect(rows.filter(({ question_id }) => test.has(question_id))).toEqual([]);
    const losses = linesOf<{ loss: number }>("e1/train/1/metrics.jsonl").map(({ loss }) => loss);
    expect(losses.length).toBeGreaterThan(1);
    expect(losses.at(-1)).toBeLessThan(losses[0] ?? 0);
  });

  test.each(["before", "after"])(
    "the evaluation %s training has its episodes, with and without skills",
    (when) => {
      const off = linesOf<Episode>(`e1/runs/test-${when}-pfs-off/episodes.jsonl`);
      const on = linesOf<Episode>(`e1/runs/test-${when}-pfs-on/episodes.jsonl`);
      expect([off.length, on.length]).toEqual([6, 6]);
      expect(off.flatMap(({ steps }) => steps.flatMap(({ events = [] }) => events))).toEqual([]);
      const asked = on.flatMap(({ steps }) => steps.flatMap(({ events = [] }) => events));
      expect(asked.length).toBeGreaterThan(0);
    },
  );

  test("the table has a row for every student, and the controls took as many steps as E1", () => {
    const table = JSON.parse(readFileSync(path.join(folder, "miniature-results.json"), "utf8")) as {
      rows: { name: string; off?: object; on?: object; triggers?: unknown[] }[];
    };
    expect(
      table.rows.map(({ name, off, on }) => ({ name, all: off !== undefined && on !== undefined })),
    ).toEqual(
      ["before training", "E1", "control: own", "control: own-right"].map((name) => ({ name, all: true })),
    );
    expect(table.rows.some(({ triggers = [] }) => triggers.length > 0)).toBe(true);
    const steps = (file: string): number =>
      (JSON.parse(readFileSync(path.join(seed, file), "utf8")) as { steps: number }).steps;
    const own = steps("e1/train/1/result.json");
    expect(["own", "own-right"].map((name) => steps(`control/${name}/train/result.json`))).toEqual([
      own,
      own,
    ]);
  });
});
