import { describe, expect, it } from "vitest";

import type { JobRecord, TrainingMetrics } from "../../../../src/model/job.ts";
import type { Evaluation } from "../../../../src/training/order.ts";
import type { ExperimentReport, StageReport } from "../../../../src/training/report.ts";
import { reportPage } from "../../../../src/extension/experiments/report-page.ts";
import {
  changeWords,
  countWords,
  durationOf,
  durationWords,
  evaluationWords,
  experimentWords,
  gainWords,
  metricsWords,
  shortTitle,
  stageWords,
  stateOf,
  workWords,
} from "../../../../src/extension/experiments/words.ts";

const NOW = "2026-03-01T10:05:00.000Z";

const LINE: TrainingMetrics = {
  step: 120,
  iteration: 1,
  loss: 0.41237,
  grad_norm: 1,
  learning_rate: 1e-5,
  entropy: 0.5,
  num_tokens: 1_234_567,
  mean_token_accuracy: 0.5,
  epoch: 2,
};

const stage = (record: Partial<JobRecord>, more: Partial<StageReport> = {}): StageReport => ({
  stage: "rollout",
  iteration: 1,
  title: "Roll out the train split, iteration 1 of 1",
  folder: "x/jobs/01-rollout-1",
  record: { status: "prepared", ...record },
  metrics: [],
  ...more,
});

const evaluation = (when: Evaluation["when"], pfs: Evaluation["pfs"], em: number): Evaluation => ({
  when,
  pfs,
  run: `x/runs/${when}-${pfs}`,
  questions: 200,
  em,
  f1: em,
  replies: { replies: 420, invalid: 9, lenient: 21 },
});

const report = (stages: readonly StageReport[], more: Partial<ExperimentReport> = {}): ExperimentReport => ({
  folder: "x",
  name: "e1",
  createdAt: "2026-03-01T09:00:00.000Z",
  model: "models/student",
  stages,
  evaluations: [],
  adapter: undefined,
  ...more,
});

describe("Durations and counts", () => {
  it.each([
    [0, "0 s"],
    [59_400, "59 s"],
    [60_000, "1 min"],
    [200_000, "3 min 20 s"],
    [7_200_000, "2 h"],
    [7_500_000, "2 h 5 min"],
  ])("of %i ms", (milliseconds, words) => {
    expect(durationWords(milliseconds)).toBe(words);
  });

  it("of a job: to its end, or to now while it runs; none where nobody knows its end", () => {
    const startedAt = "2026-03-01T10:00:00.000Z";
    expect(durationOf({ status: "running", startedAt }, NOW)).toBe("5 min");
    expect(durationOf({ status: "succeeded", startedAt, endedAt: "2026-03-01T10:00:08.000Z" }, NOW)).toBe(
      "8 s",
    );
    expect(durationOf({ status: "lost", startedAt }, NOW)).toBeUndefined();
    expect(durationOf({ status: "prepared" }, NOW)).toBeUndefined();
  });

  it("of tokens", () => {
    expect([9_999, 12_345, 1_234_567].map(countWords)).toEqual(["9999", "12.3 k", "1.2 M"]);
  });
});

describe("A training", () => {
  it("shows step, loss and tokens, and says where there is no number", () => {
    expect(metricsWords(LINE)).toBe("step 120 · loss 0.412 · 1.2 M tokens");
    expect(metricsWords({ ...LINE, loss: null })).toBe("step 120 · loss no number · 1.2 M tokens");
  });
});

describe("A job", () => {
  it("shows its status as a word, its duration and its last figures", () => {
    const record: JobRecord = { status: "running", startedAt: "2026-03-01T10:04:52.000Z" };
    expect(stageWords(stage(record, { metrics: [LINE] }), NOW)).toBe(
      "running · step 120 · loss 0.412 · 1.2 M tokens · 8 s",
    );
    expect(stageWords(stage({}), NOW)).toBe("not yet");
  });

  it("says that a training without a step had nothing to learn", () => {
    const done: JobRecord = { status: "succeeded" };
    expect(stageWords(stage(done, { stage: "train" }), NOW)).toBe("done · nothing to learn");
    expect(stageWords(stage(done, { stage: "data" }), NOW)).toBe("done");
    expect(stageWords(stage({ status: "running" }, { stage: "train" }), NOW)).toBe("running");
  });

  it("shows why it failed on one line, without the control characters of its log", () => {
    const record: JobRecord = { status: "failed", lastLines: ["first", "\u001b[31merror: no\u0007 space"] };
    expect(stageWords(stage(record), NOW)).toMatch(/^failed · [^\p{Cc}]*error: no[^\p{Cc}]* space$/u);
  });
});

describe("The title of a row", () => {
  it.each([
    ["train", 1, 1, "Training"],
    ["train", 2, 2, "Training 2"],
    ["data", 0, 2, "Data, warm-up"],
    ["evaluate", 0, 1, "Evaluation before"],
    ["evaluate", 2, 2, "Evaluation after"],
  ] as const)("of %s, iteration %i of %i", (kind, iteration, iterations, title) => {
    expect(shortTitle({ stage: kind, iteration }, iterations)).toBe(title);
  });
});

describe("Evaluations", () => {
  it("give the exact match in percent and its change in points", () => {
    const change = { value: 0.12, low: 0.031, high: 0.209 };
    expect(changeWords(change)).toBe("+12.0 points, 95% interval +3.1 to +20.9");
    expect(evaluationWords({ ...evaluation("after", "off", 0.333), change })).toBe(
      "EM 33.3% · +12.0 points · 200 questions",
    );
    expect(changeWords({ value: -0.05, low: -0.1, high: 0 })).toBe("−5.0 points, 95% interval −10.0 to +0.0");
  });

  it("are compared for each state of the PFs once there is one after the training", () => {
    const before = [evaluation("before", "off", 0.2), evaluation("before", "on", 0.3)];
    expect(gainWords(before)).toBe("");
    expect(gainWords([...before, evaluation("after", "off", 0.4), evaluation("after", "on", 0.5)])).toBe(
      "EM 20% → 40% with PFs off, 30% → 50% with PFs on",
    );
  });
});

describe("The state of an experiment", () => {
  const done = stage({ status: "succeeded" });
  const cases = [
    ["done", [done, done], undefined],
    ["unfinished", [done, stage({})], undefined],
    ["unfinished", [done, stage({ status: "failed" })], undefined],
    ["unfinished", [], undefined],
    ["detached", [done, stage({ status: "running" })], undefined],
    ["running", [done, stage({ status: "running" })], { title: "Train" }],
  ] as const;
  it.each(cases)("%s", (state, stages, work) => {
    expect(stateOf({ stages }, work)).toBe(state);
  });

  it("names the job in front and how many are done", () => {
    expect(experimentWords(report([done, stage({ status: "failed" }), stage({})]), undefined)).toBe(
      "failed · Roll out the train split, iteration 1 of 1 · 1 of 3 jobs",
    );
    const work = { title: "Train the student", progress: "step 3", isStopping: true };
    expect(workWords(work)).toBe("stops at a clean boundary · Train the student · step 3");
  });
});

describe("The report", () => {
  it("shows names and words of others as plain text, and numbers of jobs in order", () => {
    const page = reportPage(
      "e1-1",
      report(
        [stage({ status: "succeeded" }), stage({ status: "failed", lastLines: ["<b>[x](command:y)</b>"] })],
        {
          model: "models/*student*",
          evaluations: [evaluation("before", "off", 0.5)],
        },
      ),
      { work: undefined, internalised: ["## Internalised skills"], now: NOW },
    );
    expect(page).toContain("# Experiment e1\\-1");
    expect(page.indexOf("## Internalised skills")).toBeGreaterThan(page.indexOf("## Evaluation"));
    expect(page).toContain("models\\/\\*student\\*");
    expect(page).toContain("| Before · PFs off | 50% | 50% | 200 |  |");
    expect(page).not.toContain("[x](");
    expect(page.indexOf("| 1 | Roll")).toBeGreaterThan(0);
    expect(page.indexOf("| 1 | Roll")).toBeLessThan(page.indexOf("| 2 | Roll"));
  });
});
