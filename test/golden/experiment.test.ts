import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trainerPython } from "../../scripts/lib/trainer-env.mts";
import { ROOT } from "../support/core.ts";
import { linesWith } from "../support/evolve-scene.ts";
import { STUDENT, writeCountries, writeScriptedPython } from "../support/experiment-world.ts";
import { THOROUGH } from "../support/thorough.ts";
import { openScene, type Ended, type HookScene } from "../support/hook-process.ts";
import {
  loopbackModel,
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
} from "../support/loopback-model.ts";

/** `hasp experiment` as people start it, with the local backend. The miniature runs whole experiments; here is what needs no student that can answer. */

const PATIENCE = 300_000;
const QUESTIONS = 200;
const FILES = [
  "--questions",
  "questions.jsonl",
  "--corpus",
  "corpus.jsonl",
  "--skills",
  "builtin:web-search",
];

function writeWorld(workspace: string): void {
  const people = Array.from({ length: QUESTIONS }, (_, i) => ({ name: `n${i}`, city: `c${i % 7}` }));
  const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const questions = people.map(({ name, city }, i) => ({
    id: `q${i}`,
    question: `Which city is ${name} from?`,
    gold: [city],
  }));
  writeFileSync(path.join(workspace, "questions.jsonl"), lines(questions));
  const passages = people.map(({ name, city }) => ({ title: name, text: `${name} is from ${city}.` }));
  writeFileSync(path.join(workspace, "corpus.jsonl"), lines(passages));
}

/** Searches the person, then answers without reading: a step that `insufficient_exploration` corrects. */
function hasty({ request: { messages } }: LoopbackCall): Behaviour {
  const text = messages.map(({ content }) => content).join("\n");
  const person = /Which city is (n\d+) from/.exec(text)?.[1] ?? "";
  const isSearched = text.includes(`SEARCH[${person}]`);
  const action = isSearched ? `FINAL[c${Number(person.slice(1)) % 7}]` : `SEARCH[${person}]`;
  return { kind: "text", text: `Thought: quickly.\nAction: ${action}` };
}

describe("a plan", () => {
  let scene: HookScene;
  beforeAll(() => {
    scene = openScene("experiment");
    writeWorld(scene.workspace);
  });
  afterAll(() => scene.close());

  it(
    "is printed with --dry-run, and nothing is written",
    async () => {
      const ended = await scene.hasp("experiment", "e2", ...FILES, "--dry-run");
      expect([ended.code, ended.err]).toEqual([0, ""]);
      expect(linesWith(ended, "[")).toEqual([
        "[1/11] Evaluate the student before training",
        "[2/11] Roll out the train split, before the first iteration",
        "[3/11] Build training data, before the first iteration",
        "[4/11] Train the student by SFT, before the first iteration",
        "[5/11] Roll out the train split, iteration 1 of 2",
        "[6/11] Build training data, iteration 1 of 2",
        "[7/11] Train the student, iteration 1 of 2",
        "[8/11] Roll out the train split, iteration 2 of 2",
        "[9/11] Build training data, iteration 2 of 2",
        "[10/11] Train the student, iteration 2 of 2",
        "[11/11] Evaluate the student after training",
      ]);
      expect(existsSync(scene.at(".hasp"))).toBe(false);
    },
    PATIENCE,
  );

  it.each<[string, readonly string[], string]>([
    ["a name that is none", ["e9", ...FILES], "There is no experiment e9."],
    ["no questions", ["e1"], "No questions are named, and .hasp/experiments/e1 holds no E1 to resume."],
    ["a misspelt value", ["e1", ...FILES, "--set", "train.epoch=3"], 'There is no key "train.epoch"'],
    ["a folder that is no model", ["e1", ...FILES, "--model", "./nowhere"], "./nowhere is not a model"],
    ["no experiment to look at", ["e1", "--status"], ".hasp/experiments/e1 holds no experiment."],
  ])(
    "is refused with a reason: %s",
    async (_name, args, reason) => {
      const ended = await scene.hasp("experiment", ...args);
      expect(ended.code).toBe(2);
      expect(ended.err).toContain(reason);
      expect(existsSync(scene.at(".hasp"))).toBe(false);
    },
    PATIENCE,
  );
});

/** Makes the student's model, and answers the trainer's Python. */
type MakeStudent = (scene: HookScene) => string;

function scripted(scene: HookScene): string {
  writeCountries(scene.workspace);
  renameSync(scene.at(STUDENT), scene.at("tiny"));
  const program = path.join(ROOT, "test/support/scripted-trainer.ts");
  return writeScriptedPython(scene.base, program, { stepMs: 1 });
}

function real({ workspace }: HookScene): string {
  const python = trainerPython() ?? "";
  const make = "from tiny import *; save_tiny_model('tiny', tiny_tokenizer())";
  execFileSync(python, ["-c", make], {
    cwd: workspace,
    env: { ...process.env, PYTHONPATH: path.join(ROOT, "trainer/tests"), HF_HUB_OFFLINE: "1" },
    stdio: "pipe",
  });
  return python;
}

function runsE1(makeStudent: MakeStudent): void {
  let scene: HookScene;
  let model: LoopbackModel;
  let ended: Ended;
  let python: string;
  let order: string[];

  beforeAll(async () => {
    scene = openScene("experiment-e1");
    python = makeStudent(scene);
    const student = ["--model", "./tiny", "--config", "small.yaml", "--python", python];
    order = ["experiment", "e1", ...FILES, "-o", "exp", "--pool", "pool", ...student];
    Object.assign(scene.env, { HF_HUB_OFFLINE: "1", CUDA_VISIBLE_DEVICES: "", OMP_NUM_THREADS: "1" });
    writeWorld(scene.workspace);
    model = await loopbackModel(hasty);
    const by = ["--policy", `${model.url}#student`, "--setting", "pf-only", "--concurrency", "8"];
    const rolled = await scene.hasp(
      "run",
      ...FILES,
      "--split",
      "train",
      "--limit",
      "12",
      "-o",
      "pool",
      ...by,
    );
    expect([rolled.code, rolled.err]).toEqual([0, ""]);
    writeFileSync(
      scene.at("small.yaml"),
      "rollout: {retriever: corpus, max_read_calls: 3}\ntrain: {epochs: 2, precision: fp32, gradient_checkpointing: false, log_every: 1, max_length: 32768}\nevaluate: {split: none}\n",
    );
    ended = await scene.hasp(...order);
  }, PATIENCE);
  afterAll(async () => {
    scene.close();
    await model.close();
  });

  it("builds the data and trains an adapter", () => {
    expect([ended.code, ended.err]).toEqual([0, ""]);
    expect(linesWith(ended, "[")).toEqual([
      "[1/2] Build training data, iteration 1 of 1",
      "[2/2] Train the student, iteration 1 of 1",
    ]);
    expect(linesWith(ended, "adapter: ")).toEqual(["adapter: exp/train/1/adapter"]);
    expect(existsSync(scene.at("exp/train/1/adapter/adapter_config.json"))).toBe(true);
    // Every episode has a FINAL that became a READ, and at least that step is a row.
    const rows = readFileSync(scene.at("exp/data/1/a-sft.jsonl"), "utf8").split("\n").filter(Boolean);
    expect(rows.length).toBeGreaterThanOrEqual(12);
    const metrics = readFileSync(scene.at("exp/train/1/metrics.jsonl"), "utf8").split("\n").filter(Boolean);
    expect(metrics.length).toBeGreaterThan(0);
  });

  it(
    "shows how far it is, and does nothing again, also where nothing but its folder is named",
    async () => {
      const status = await scene.hasp("experiment", "e1", "-o", "exp", "--status", "--python", python);
      expect(status.code).toBe(0);
      expect(status.out.match(/succeeded/g)).toHaveLength(2);
      const again = await scene.hasp("experiment", "e1", "-o", "exp", "--python", python);
      expect([again.code, again.err]).toEqual([0, ""]);
      expect(linesWith(again, "[").map((line) => line.includes(": done before: "))).toEqual([true, true]);
    },
    PATIENCE,
  );

  it(
    "acts for another user after a yes to its order",
    async () => {
      const own = scene.env["XDG_STATE_HOME"];
      scene.env["XDG_STATE_HOME"] = `${scene.base}/state of another`;
      const resume = ["experiment", "e1", "-o", "exp", "--python", python];
      const refused = await scene.hasp(...resume, "--yes-to", "0");
      expect([refused.code, refused.err]).toEqual([
        3,
        expect.stringContaining("You did not make the experiment exp"),
      ]);
      expect(linesWith(refused, "config.model")).toEqual(["config.model ./tiny"]);
      const [content = ""] = linesWith(refused, "content ");
      const allowed = await scene.hasp(...resume, `--yes=${content.split(/ +/)[1]}`);
      expect([allowed.code, allowed.err]).toEqual([0, ""]);
      scene.env["XDG_STATE_HOME"] = own;
    },
    PATIENCE,
  );

  it(
    "refuses another order in its folder, and names what differs",
    async () => {
      const other = await scene.hasp(...order, "--set", "train.epochs=3");
      expect(other.code).toBe(2);
      expect(other.err).toContain("begun with another order (config.train.epochs)");
    },
    PATIENCE,
  );
}

describe("E1 from recorded rollouts, with a scripted trainer", () => runsE1(scripted));
describe.skipIf(!THOROUGH || trainerPython() === undefined)(
  "E1 from recorded rollouts, with the trainer (needs its environment)",
  () => runsE1(real),
);
