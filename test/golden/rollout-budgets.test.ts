import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FINAL } from "../../src/model/action-types.ts";
import type { Episode } from "../../src/model/episode.ts";
import {
  DATA,
  episodesOf,
  firstOfEach,
  recordedAnswer,
  redrive,
  ROLLOUT_BUDGETS,
  ROLLOUT_STEPS,
  writeQuestions,
} from "../support/redrive.ts";
import { printed } from "../support/cli.ts";
import { THOROUGH } from "../support/thorough.ts";

const FIREACT = path.join(DATA, "trajectories/fireact-hotpotqa-even.jsonl");
/** Of the last of the questions, of which half are answered in time; thorough: of all. */
const COUNTS = THOROUGH
  ? { questions: 257, answered: 228, proposed: 227, replaced: 100 }
  : { questions: 60, answered: 32, proposed: 31, replaced: 8 };
const place = mkdtempSync(path.join(tmpdir(), "hasp-budgets-"));
const run = path.join(place, "fireact");
const questions = path.join(place, "questions.jsonl");
afterAll(() => rmSync(place, { recursive: true, force: true }));

const again = (setting: string): Promise<Episode[]> =>
  redrive(
    { questions, recorded: run, setting, options: ROLLOUT_BUDGETS, output: path.join(place, setting) },
    printed,
  );

const stopReasonsOf = (episodes: readonly Episode[]): Set<string> =>
  new Set(episodes.map(({ stopReason }) => stopReason));

describe.skipIf(!existsSync(FIREACT))(
  "the budgets of the paper's rollouts on real episodes of FireAct",
  () => {
    let recorded: ReadonlyMap<string, Episode>;
    beforeAll(async () => {
      await printed(["import", "--from", "fireact", FIREACT, "-o", run]);
      recorded = firstOfEach(episodesOf(run));
      writeQuestions(questions, new Map([...recorded].slice(-COUNTS.questions)));
    }, 60_000);

    it(
      "keep every answer that was recorded within five steps, whatever was searched (ra-agent)",
      {
        timeout: 120_000,
      },
      async () => {
        const episodes = await again("ra-agent");
        expect(episodes).toHaveLength(COUNTS.questions);
        expect(stopReasonsOf(episodes)).toEqual(new Set(["final", "max_steps"]));
        const expected = episodes.map(({ questionId }) => {
          const said = recordedAnswer(recorded.get(questionId));
          return [questionId, said !== undefined && said.t < ROLLOUT_STEPS ? said.answer : undefined];
        });
        expect(expected.filter(([, answer]) => answer !== undefined)).toHaveLength(COUNTS.answered);
        expect(episodes.map(({ questionId, answer }) => [questionId, answer])).toEqual(expected);
        // The budget was spent: a search beyond it costs its step and brings no results.
        const spent = episodes.filter(({ steps }) =>
          steps.some(({ notRun }) => notRun === "max_search_calls"),
        );
        expect(spent.length).toBeGreaterThan(0);
      },
    );

    it(
      "end no episode without an answer that its policy proposed, whatever PFs made of it (pf-only)",
      {
        timeout: 120_000,
      },
      async () => {
        const episodes = await again("pf-only");
        expect(episodes).toHaveLength(COUNTS.questions);
        expect(stopReasonsOf(episodes)).not.toContain("max_search_calls");
        const proposed = episodes.filter(({ steps }) =>
          steps.some(({ proposals }) =>
            proposals.some(({ action }) => action.type === FINAL && action.arg.trim() !== ""),
          ),
        );
        // One recorded answer is the empty text.
        expect(proposed).toHaveLength(COUNTS.proposed);
        expect(proposed.filter(({ answer }) => answer === undefined)).toEqual([]);
        const replaced = episodes.filter(({ steps }) =>
          steps.some(
            ({ proposals, executed }) => proposals.at(-1)?.action.type === FINAL && executed.type !== FINAL,
          ),
        );
        expect(replaced.length).toBeGreaterThan(COUNTS.replaced);
      },
    );
  },
);
