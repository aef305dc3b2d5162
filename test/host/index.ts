import { writeFileSync } from "node:fs";

import { mocha } from "./mocha.ts"; // first: it gives the suites their describe and it
import "./suites/assist.test.ts";
import "./suites/built-in.test.ts";
import "./suites/cases.test.ts";
import "./suites/compare.test.ts";
import "./suites/config.test.ts";
import "./suites/dashboard.test.ts";
import "./suites/dead-hooks.test.ts";
import "./suites/debug.test.ts";
import "./suites/diagnostics.test.ts";
import "./suites/evolve.test.ts";
import "./suites/experiments.test.ts";
import "./suites/export.test.ts";
import "./suites/failures.test.ts";
import "./suites/findings.test.ts";
import "./suites/fixes.test.ts";
import "./suites/from-step.test.ts";
import "./suites/grammar.test.ts";
import "./suites/help.test.ts";
import "./suites/hostile-clone.test.ts";
import "./suites/import.test.ts";
import "./suites/jobs.test.ts";
import "./suites/keystroke.test.ts";
import "./suites/language.test.ts";
import "./suites/library.test.ts";
import "./suites/models.test.ts";
import "./suites/new-skill.test.ts";
import "./suites/question-files.test.ts";
import "./suites/questions.test.ts";
import "./suites/restricted.test.ts";
import "./suites/review.test.ts";
import "./suites/rules.test.ts";
import "./suites/run-skills.test.ts";
import "./suites/runs.test.ts";
import "./suites/skill-bytes.test.ts";
import "./suites/smoke.test.ts";
import "./suites/train-data.test.ts";
import "./suites/uri.test.ts";
import "./suites/watching.test.ts";
import "./suites/unmet.test.ts"; // last: it opens samples and views, and takes the workspace's files away for a while

/** VS Code calls this inside the extension host; a rejection makes its exit code 1. */
export async function run(): Promise<void> {
  const counts = await runSuites();
  const report = process.env.HASP_HOST_REPORT;
  if (report !== undefined) writeFileSync(report, JSON.stringify(counts));
  if (counts.failed > 0) throw new Error(`${counts.failed} in-host tests failed`);
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests by name. */
  faults: string[];
}

async function runSuites(): Promise<Counts> {
  return await new Promise<Counts>((settle) => {
    const faults: string[] = [];
    const runner = mocha.run((failed) => {
      settle({ passed: runner.stats?.passes ?? 0, failed, skipped: runner.stats?.pending ?? 0, faults });
    });
    runner.on("fail", (test, error) =>
      faults.push(`${test.fullTitle()}: ${String(error).split("\n", 1)[0]}`),
    );
  });
}
