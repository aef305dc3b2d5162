import { deepEqual, equal, ok } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { ExperimentOutcome } from "../../../src/extension/experiments/execute.ts";
import { watchExperiments } from "../../../src/extension/experiments/experiments.ts";
import type { ExperimentPlan } from "../../../src/extension/experiments/plan.ts";
import { experimentRows } from "../../../src/extension/experiments/rows.ts";
import type { Student } from "../../../src/extension/experiments/served-policy.ts";
import type { RunOutcome } from "../../../src/extension/questions/command.ts";
import type { Row } from "../../../src/extension/tree.ts";
import type { ExperimentConfig } from "../../../src/model/experiment.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { shippedConfig } from "../../../src/training/shipped-configs.ts";
import {
  CORPUS,
  COUNTRIES,
  STUDENT,
  writeCountries,
  writeScriptedPython,
} from "../../support/experiment-world.ts";
import { activated, eventually, root, within } from "./support.ts";

/** Five jobs, each with processes of its own. Milliseconds. */
const WHOLE = 240_000;
/** Until a training has begun. Milliseconds. */
const STARTS = 120_000;
/** Long enough that a training is seen at work. */
const SLOW = { steps: 120, stepMs: 150 };

const at = (...path: readonly string[]): vscode.Uri => vscode.Uri.joinPath(root(), ...path);
const folderOf = (name: string): vscode.Uri => at(".hasp", "experiments", name);

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}

function configOf(): ExperimentConfig {
  const { rollout, train, evaluate, ...rest } = shippedConfig("e1");
  return {
    ...rest,
    model: STUDENT,
    rollout: { ...rollout, samples: 1, retriever: "corpus", setting: "pf-only", concurrency: 2 },
    train: { ...train, epochs: 1 },
    evaluate: { ...evaluate, limit: 6 },
  };
}

function planOf(name: string): ExperimentPlan {
  return {
    root: root(),
    name,
    config: configOf(),
    domain: "web-search",
    questions: at(COUNTRIES),
    corpus: at(...CORPUS.split("/")),
    teacher: undefined,
    author: undefined,
    pool: [],
  };
}

/** A student that is served, and its address. */
type Answers = Student & { readonly address: string };

function withoutEvaluations(name: string): ExperimentPlan {
  const config = configOf();
  return { ...planOf(name), config: { ...config, evaluate: { ...config.evaluate, split: "none" } } };
}

/** Of two jobs alone, training data and training: the episodes of another experiment stand in for the rollout. */
function shortPlan(name: string): ExperimentPlan {
  const pool = [vscode.Uri.joinPath(folderOf("whole"), "runs", "train-1", "episodes.jsonl")];
  return { ...withoutEvaluations(name), pool };
}

const call = <T>(command: string, ...args: readonly unknown[]): Thenable<T | undefined> =>
  vscode.commands.executeCommand<T | undefined>(`hasp.${command}`, ...args);
const run = (plan: ExperimentPlan): Thenable<ExperimentOutcome | undefined> => call("runExperiment", plan);

/** A row as a person reads it: `label | description`. */
const shown = ({ item: { label, description } }: Row): string =>
  [label, description].filter((part) => typeof part === "string").join(" | ");

/** The rows of the view, read by a watcher of its own. */
async function rowsNow(): Promise<readonly Row[]> {
  const log = vscode.window.createOutputChannel("suite", { log: true });
  const experiments = watchExperiments(nodeFiles(), log);
  const served = { chosen: () => undefined, answering: () => undefined, isServed: () => false };
  try {
    return await experimentRows({ experiments, served, now: () => new Date().toISOString() });
  } finally {
    experiments.dispose();
    log.dispose();
  }
}

const rowOf = async (name: string): Promise<Row | undefined> =>
  (await rowsNow()).find(({ item }) => item.label === name);

async function below(name: string): Promise<readonly Row[]> {
  return (await (await rowOf(name))?.children?.()) ?? [];
}

/** Resolves once the training of an experiment shows a step in the view. */
const trains = (name: string): Promise<boolean | undefined> =>
  within(STARTS, async () => (await below(name)).some((row) => /^Training.*running.*step/.test(shown(row))));

/** Whether something listens at the address of a served student. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function setting(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);
}

const policy = (): string =>
  vscode.workspace.getConfiguration().inspect<string>("hasp.models.policy")?.globalValue ?? "";

describe("HASP: Run Experiment", function suite() {
  this.timeout(WHOLE);
  let folder: string;
  const program = join(__dirname, "../../test/support/scripted-trainer.ts");

  /** A trainer that works by script, so that the suite needs neither a Python nor a GPU. */
  async function useTrainer(speed: { steps?: number; stepMs?: number } = {}): Promise<void> {
    await setting("hasp.trainer.python", writeScriptedPython(folder, program, speed));
  }

  before(async () => {
    await activated();
    folder = mkdtempSync(join(tmpdir(), "hasp-trainer-"));
    writeCountries(root().fsPath);
    await useTrainer();
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await setting("hasp.trainer.python", undefined);
    await setting("hasp.models.policy", undefined);
    const made = [at(".hasp", "experiments"), at(COUNTRIES), at(...CORPUS.split("/")), at("models")];
    for (const one of made) if (await exists(one)) await vscode.workspace.fs.delete(one, { recursive: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it("says what is missing without a trainer, and starts nothing", async () => {
    await setting("hasp.trainer.python", join(folder, "no-python"));
    equal(await run(planOf("none")), undefined);
    equal(await exists(folderOf("none")), false);
    await useTrainer();
  });

  it("runs E1 job by job, and the view shows jobs, evaluations and the adapter [thorough]", async () => {
    const outcome = await run(planOf("whole"));
    equal(outcome?.endedBy, undefined);
    // Questions are in order: of the first six of the test split every second one is answered right before.
    deepEqual(
      outcome?.evaluations.map(({ when, pfs, em }) => `${when} ${pfs} ${em}`),
      ["before off 0.5", "before on 0.5", "after off 1", "after on 1"],
    );
    const rows = await below("whole");
    deepEqual(
      rows.map((row) => shown(row).replace(/ · \d+ (s|min)\b.*/, "")),
      [
        "Evaluation before | done",
        "Rollout | done",
        "Data | done",
        "Training | done · step 4 · loss 0.5 · 4000 tokens",
        "Evaluation after | done",
        "Evaluation | exact match on held-out questions",
        "Adapter | .hasp/experiments/whole/train/1/adapter",
      ],
    );
    const evaluations = ((await rows[5]?.children?.()) ?? []).map(shown);
    deepEqual(evaluations.slice(0, 3), [
      "Before · PFs off | EM 50% · 6 questions",
      "Before · PFs on | EM 50% · 6 questions",
      "After · PFs off | EM 100% · +50.0 points · 6 questions",
    ]);
    equal((await rowOf("whole"))?.item.contextValue, "hasp.experiment.done.adapter");
  });

  it("opens the episodes of an evaluation and the log of a job [thorough]", async () => {
    const rows = await below("whole");
    const [evaluation] = (await rows[5]?.children?.()) ?? [];
    ok(evaluation?.subject && (await exists(evaluation.subject)));
    const log = await call<vscode.Uri>("openJobLog", rows[3]);
    ok(log?.path.endsWith("/log.txt"), String(log));
  });

  it("shows a report with the evaluations and their intervals [thorough]", async () => {
    const page = await call<vscode.Uri>("showExperimentReport", folderOf("whole"));
    ok(page);
    const text = (await vscode.workspace.openTextDocument(page)).getText();
    ok(text.startsWith("# Experiment whole\n"), text);
    ok(/\| After · PFs off \| 100% \| 100% \| 6 \| \\\+50\\\.0 points, 95% interval/.test(text), text);
    ok(text.includes("## Jobs"), text);
  });

  it("stops a training at its checkpoint, and Resume Experiment does the rest [thorough]", async () => {
    await useTrainer(SLOW);
    const running = run(shortPlan("halves"));
    ok(await trains("halves"), "it trains");
    ok(await call("stopExperiment", folderOf("halves")), "it was running");
    equal((await running)?.endedBy, "stopped");
    const rows = await below("halves");
    ok(shown(rows[1] as Row).includes("| stopped"), shown(rows[1] as Row));
    equal((await rowOf("halves"))?.item.contextValue, "hasp.experiment.unfinished");
    await useTrainer();
    const resumed = await call<ExperimentOutcome>("resumeExperiment", folderOf("halves"));
    equal(resumed?.endedBy, undefined);
    equal((await rowOf("halves"))?.item.contextValue, "hasp.experiment.done.adapter");
  });

  it("lets a training go, which continues by itself, and follows it again [thorough]", async () => {
    await useTrainer(SLOW);
    const running = run(withoutEvaluations("alone"));
    ok(await trains("alone"), "it trains");
    ok(await call("detachExperiment", folderOf("alone")), "it was running");
    equal((await running)?.endedBy, "detached");
    equal((await rowOf("alone"))?.item.contextValue, "hasp.experiment.detached");
    const stepOf = async (): Promise<number> =>
      Number(/^Training.*step (\d+)/m.exec((await below("alone")).map(shown).join("\n"))?.[1]);
    const seen = await stepOf();
    await eventually("the training to continue", async () => (await stepOf()) > seen);
    const again = await call<ExperimentOutcome>("resumeExperiment", folderOf("alone"));
    equal(again?.endedBy, undefined);
    deepEqual(
      (await below("alone")).map((row) => shown(row).replace(/ · .*/, "")),
      [
        "Rollout | done",
        "Data | done",
        "Training | done",
        "Adapter | .hasp/experiments/alone/train/1/adapter",
      ],
    );
    await useTrainer();
  });

  it("serves the adapter as the policy: Run Questions uses it, until it is no longer served [thorough]", async () => {
    await setting("hasp.models.policy", "scripted:before.yaml");
    const student = await call<Answers>("useAdapter", folderOf("whole"));
    ok(student, "it was served");
    ok(student.adapter?.endsWith("/train/1/adapter"), JSON.stringify(student));
    const port = Number(new URL(student.address).port);
    ok(await answers(port), student.address);
    const spec = `served:${student.name}`;
    equal(policy(), spec);
    const plan = {
      root: root(),
      questions: at(COUNTRIES),
      corpus: at(...CORPUS.split("/")),
      policy: spec,
      setting: "pf-only",
      teacher: undefined,
      limit: 3,
    };
    const outcome = await call<RunOutcome>("runQuestions", plan);
    equal(outcome?.summary.outcomes.correct, 3);
    equal((await call<Student>("stopServing"))?.name, student.name);
    equal(policy(), "scripted:before.yaml");
    equal(await answers(port), false);
    equal(await call<RunOutcome>("runQuestions", plan), undefined);
  });
});
