import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openContainment } from "../../src/platform/containment/open-containment.ts";
import { isContainment } from "../../src/scoring/containment.ts";
import { episodesIn, ROOT } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";

const DATA = path.join(ROOT, "../shared/data");

const containment = await openContainment(1);
if (isContainment(containment)) await containment.close();

let scene: HookScene;
beforeAll(() => {
  scene = openScene("code-answers");
});
afterAll(() => scene.close());

/** The words of a command line; paths have no blanks. */
const hasp = (line: string): ReturnType<HookScene["hasp"]> => scene.hasp(...line.split(" "));

describe.skipIf(!existsSync(DATA))("recorded programs (skipped without ../shared/data)", () => {
  it.each([
    ["humaneval-50-163", "humanevalplus-mini-50-163", 1_140, 114],
    ["mbpp-gpt4", "mbppplus-originfmt-50-377", 309, 309],
    ["bigcodebench-qwen7b-100-1139", "bigcodebench-100-1139", 1_040, 1_040],
  ])(
    "%s: each row has its task, with the tests for the judge",
    async (answers, tasks, rows, questions) => {
      const { out, err } = await hasp(
        `import --from answers --domain code ${DATA}/answers/${answers}.jsonl --questions ${DATA}/coding/${tasks}.jsonl -o .hasp/runs/${answers}`,
      );
      expect(err).toBe("");
      expect(out).toContain(`${rows} episodes:`);
      const kept = readFileSync(scene.at(`.hasp/runs/${answers}/judging.jsonl`), "utf8")
        .trim()
        .split("\n");
      expect(kept).toHaveLength(questions);
      for (const { question, answer, steps } of await episodesIn(scene.at(`.hasp/runs/${answers}`))) {
        expect(question).not.toBe("");
        const solution = steps[0]!.proposals[0]!.completion!.text;
        // Each of these solutions is a program without prose or fences.
        expect(answer?.trim() ?? "").toBe(solution.trim());
      }
    },
    120_000,
  );

  it.skipIf(!isContainment(containment))(
    "are driven again: a policy that says what was recorded, judged by the tests of their tasks",
    async () => {
      const tasks = `${DATA}/coding/humanevalplus-mini-50-163.jsonl`;
      const { out, err } = await hasp(
        `run --domain code --skills builtin:code --setting pf-only --questions ${tasks} --limit 3 --samples 10 --policy recorded:.hasp/runs/humaneval-50-163 -o .hasp/runs/again`,
      );
      expect(err).toBe("");
      expect(out).toMatch(/30 episodes[^]*pass@1 [\d.]+ %[^]*pass@5 [\d.]+ %[^]*pass@10 [\d.]+ %/);
      const recorded = await episodesIn(scene.at(".hasp/runs/humaneval-50-163"));
      const again = await episodesIn(scene.at(".hasp/runs/again"));
      const answerOf = new Map(
        recorded.map(({ questionId, sample, answer }) => [`${questionId}#${sample}`, answer]),
      );
      for (const { id, answer, outcome } of again) {
        expect(answer).toBe(answerOf.get(id));
        if (answer !== undefined) expect(["correct", "wrong"]).toContain(outcome);
      }
    },
    180_000,
  );
});
