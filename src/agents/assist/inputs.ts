import { z } from "../../model/zod.ts";

/** Longer than any path or id that a person gives. In UTF-16 code units. */
const LONGEST = 400;

const word = (about: string) => z.string().min(1).max(LONGEST).describe(about);

const skill = word(
  "The skill: its folder from the root of the workspace, e.g. skills/web-search/late-read, or its skill_id.",
);
const run = word("A run folder from the root of the workspace, e.g. .hasp/runs/first-look.");

export const listInput = z.strictObject({});
export const validateInput = z.strictObject({ skill });
export const backtestInput = z.strictObject({
  skill,
  runs: z
    .array(run)
    .max(50)
    .optional()
    .describe("Run folders to backtest on. Without it, every run of the workspace."),
  steps: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe("How many of the steps on which it fired to list for each kind of episode (default 5)."),
  corpus: word(
    "A file of passages from the root of the workspace, in which changed searches are compared. Without it, what each run searched, else the corpus of hasp.yaml.",
  ).optional(),
});
export const explainInput = z.strictObject({
  skill,
  run,
  episode: word("The id of the episode, or its number in the run, counted from 1."),
  step: z.int().min(1).max(100_000).describe("The step, counted from 1."),
});

export type ValidateInput = z.infer<typeof validateInput>;
export type BacktestInput = z.infer<typeof backtestInput>;
export type ExplainInput = z.infer<typeof explainInput>;
