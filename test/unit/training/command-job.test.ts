import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commandWords } from "../../../src/training/command-words.ts";
import { jobsFor } from "../../../src/training/command-job.ts";
import { leavesFolder, type CommandOrder } from "../../../src/training/job-parts.ts";
import { TRAIN_KEYS } from "../../../src/training/train-job.ts";
import type { CommandFiles } from "../../../src/training/experiment-args.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { workspace } from "./support.ts";

/** The files of a folder, by names relative to it. */
function filesOf(root: string): CommandFiles {
  const files = nodeFiles();
  const at = (name: string): string => path.resolve(root, name);
  return {
    ...files,
    stat: async (name: string) => files.stat(at(name)),
    read: async (name: string, offset: number, length: number) => files.read(at(name), offset, length),
    list: async (name: string) => files.list(at(name)),
    readText: async (name: string, most: number) => files.readText(at(name), most),
    realPath: async (name: string) => files.realPath(at(name)),
    chunks: (name: string, from: number, to: number) => files.chunks(at(name), from, to),
  };
}

function put(root: string, name: string, text = "x"): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

const RUN = ["run", "--questions", "questions.jsonl", "--policy", "openai:gpt-4o-mini", "-o", ".hasp/runs/a"];

async function jobs(root: string, args: readonly string[], more: Partial<CommandOrder> = {}) {
  return jobsFor({ id: "j", args, ...more }, filesOf(root));
}

async function problem(root: string, args: readonly string[], more: Partial<CommandOrder> = {}) {
  const { value, diagnostics } = await jobs(root, args, more);
  expect(value).toBeUndefined();
  const { code, message, next } = diagnostics.at(-1) ?? { code: "", message: "", next: "" };
  return `${code} ${message} ${next ?? ""}`;
}

describe("words of a command", () => {
  test("values, several values, flags, short and joined forms", () => {
    const words = commandWords([
      "experiment",
      "e1",
      "--skills",
      "a",
      "b",
      "--resume",
      "rest",
      "--corpus=c.jsonl",
      "-oout",
      "--set",
      "x=1",
      "--set",
      "y=2",
    ]);
    expect(words.name).toBe("experiment");
    expect(words.given).toEqual(["e1", "rest"]);
    expect(Object.fromEntries(words.options)).toEqual({
      skills: ["a", "b"],
      resume: [],
      corpus: ["c.jsonl"],
      output: ["out"],
      set: ["x=1", "y=2"],
    });
  });

  test.each([
    ["a/b", false],
    ["./a/../b", false],
    ["a/../../b", true],
    ["../b", true],
    ["/b", true],
    ["C:\\b", true],
  ])("%s leads out: %s", (name, leads) => expect(leavesFolder(name)).toBe(leads));
});

describe("the job of a run", () => {
  test("what it reads, writes and hands over; it resumes when it is queued again", async () => {
    const root = workspace();
    put(root, "hasp.yaml", "libraries: [builtin:web-search, skills, absent]\n");
    put(root, "skills/web-search/a/SKILL.md");
    const { value, diagnostics } = await jobs(root, [...RUN, "--teacher", "http://10.0.0.7:8000/v1#q"]);
    expect(diagnostics).toEqual([]);
    expect(value).toEqual([
      {
        schema: "hasp.job/1",
        id: "j",
        title: `${`hasp ${[...RUN, "--teacher", "http://10.0.0.7:8000/v1#q"].join(" ")}`.slice(0, 99)}…`,
        cwd: "../../..",
        commands: [
          {
            program: "hasp",
            args: [...RUN, "--teacher", "http://10.0.0.7:8000/v1#q", "--resume"],
            exitCodes: [0, 1],
            about: "Answer the questions",
          },
        ],
        env: {},
        passEnv: ["OPENAI_API_KEY", "HASP_KEY_10_0_0_7_8000", "HASP_PLAIN_HTTP"],
        inputs: ["questions.jsonl", "hasp.yaml", "skills"],
        outputs: [".hasp/runs/a"],
      },
    ]);
  });

  test("a run that is there is an input of the job that continues it, and only of that", async () => {
    const root = workspace();
    put(root, ".hasp/runs/a/run.json", "{}");
    expect(await problem(root, RUN)).toContain("HASP798 .hasp/runs/a is there already. Add --resume");
    const { value } = await jobs(root, [...RUN, "--resume"]);
    expect(value?.[0]?.inputs).toEqual(["questions.jsonl", ".hasp/runs/a"]);
    expect(value?.[0]?.commands[0]?.args.filter((word) => word === "--resume")).toHaveLength(1);
  });

  test("a served student is the policy, from the hub; the job asks for the GPUs of an evaluation", async () => {
    const root = workspace();
    const serve = { model: "Qwen/Qwen2.5-7B-Instruct", engine: "auto" as const };
    const args = ["run", "--questions", "questions.jsonl", "-o", "r"];
    const { value } = await jobs(root, args, { serve, resources: { hours: 2 } });
    const [job] = value ?? [];
    expect(job?.commands[0]?.args).toEqual([...args, "--policy", "served:qwen2.5-7b-instruct", "--resume"]);
    expect(job?.serve).toEqual(serve);
    expect(job?.models).toEqual(["Qwen/Qwen2.5-7B-Instruct"]);
    expect(job?.passEnv).toEqual(["HF_TOKEN"]);
    // The envelope of SPEC §8: two GPUs and 48 GB, but for the hours that the order names.
    expect(job?.resources).toEqual({ gpus: 2, nodes: 1, memoryGb: 48, hours: 2 });
  });

  test("shards: an array whose tasks have a run each, and a merge after it in the same folder", async () => {
    const root = workspace();
    const { value } = await jobs(root, RUN, { shards: 3, resources: { hours: 4 } });
    const [array, merge] = value ?? [];
    expect(array?.tasks).toBe(3);
    expect(array?.commands[0]?.args).toEqual([
      ...RUN.slice(0, -2),
      "--resume",
      "--shard",
      "{task}/{tasks}",
      "-o",
      ".hasp/runs/a-shard-{task}",
    ]);
    expect(array?.outputs).toEqual([1, 2, 3].map((i) => `.hasp/runs/a-shard-${i}`));
    expect(merge).toMatchObject({
      id: "j-merge",
      group: "j",
      after: ["j"],
      passEnv: [],
      outputs: [".hasp/runs/a"],
      resources: { cpus: 1, memoryGb: 2, hours: 1 },
    });
    expect(merge?.commands[0]?.args).toEqual([
      "merge",
      ...[1, 2, 3].map((i) => `.hasp/runs/a-shard-${i}`),
      "-o",
      ".hasp/runs/a",
      "--resume",
    ]);
    expect(array?.group).toBe("j");
  });

  test.each<[string, readonly string[], Partial<CommandOrder>, string]>([
    [
      "missing questions",
      ["run", "--questions", "no.jsonl", "-o", "r"],
      {},
      "HASP790 The job reads no.jsonl",
    ],
    ["no folder", RUN.slice(0, -2), {}, "HASP798 hasp run names no folder"],
    [
      "an editor's model",
      [...RUN, "--teacher", "vscode:copilot/gpt-4o"],
      {},
      "HASP798 vscode:copilot/gpt-4o",
    ],
    ["a served model that nobody serves", [...RUN, "--teacher", "served:a"], {}, "it serves none"],
    ["no model", [...RUN, "--teacher", "gpt"], {}, 'HASP601 "gpt" names no model.'],
    ["a run elsewhere", [...RUN, "--teacher", "recorded:../r"], {}, "HASP790 The job reads ../r"],
    ["a misspelt command", ["evolv"], {}, 'Did you mean "evolve"?'],
    ["no command", [], {}, "Add a command"],
    ["a shard of shards", [...RUN, "--shard", "1/2"], { shards: 2 }, "names a shard"],
    ["a folder as the model", RUN, { serve: { model: "./m", engine: "auto" } }, "HASP790 The job reads ./m"],
  ])("refuses %s", async (_name, args, more, text) => {
    expect(await problem(workspace(), args, more)).toContain(text);
  });

  test("refuses a misspelt key of hasp.yaml before anything is sent", async () => {
    const root = workspace();
    put(root, "hasp.yaml", "librares: [skills]\n");
    expect(await problem(root, RUN)).toContain("HASP413");
  });
});

describe("the job of an evolution", () => {
  test("the evolution and the generated skills are its outputs, and what is there is sent", async () => {
    const root = workspace();
    put(root, ".hasp/runs/r/run.json", "{}");
    put(root, "skills/math/generated/a__v1/a/SKILL.md");
    const args = ["evolve", "-o", "ev", "--episodes", ".hasp/runs/r", "--domain", "math"];
    const { value } = await jobs(root, [...args, "--author", "openai:gpt-4o-mini"]);
    const [job] = value ?? [];
    expect(job?.inputs).toEqual([".hasp/runs/r", "skills", "skills/math/generated"]);
    expect(job?.outputs).toEqual(["ev", "skills/math/generated"]);
    expect(job?.resources).toEqual({ gpus: 2, nodes: 1, memoryGb: 48, hours: 12 });
  });
});

describe("the job of an experiment", () => {
  const ARGS = ["experiment", "e2", "--questions", "questions.jsonl", "--corpus", "corpus.jsonl"];
  const TEACHER = ["--teacher", "openai:gpt-4o-2024-11-20"];

  test("metrics and adapters of each training, the model from the hub, keys, and the hours of E2", async () => {
    const root = workspace();
    const { value, diagnostics } = await jobs(root, [...ARGS, ...TEACHER]);
    expect(diagnostics).toEqual([]);
    const [job] = value ?? [];
    // A warm-up and two iterations.
    const trained = [0, 1, 2].map((i) => `.hasp/experiments/e2/train/${i}`);
    expect(job?.metrics).toEqual(trained.map((folder) => `${folder}/metrics.jsonl`));
    expect(job?.outputs).toEqual(expect.arrayContaining(trained.map((folder) => `${folder}/adapter`)));
    expect(job?.outputs?.some((name) => name.includes("checkpoints"))).toBe(false);
    expect(job?.inputs).toEqual(["questions.jsonl", "corpus.jsonl"]);
    expect(job?.models).toEqual(["Qwen/Qwen2.5-7B-Instruct"]);
    expect(job?.passEnv.toSorted()).toEqual(["HF_TOKEN", "OPENAI_API_KEY"]);
    expect(job?.commands[0]?.args).toEqual([...ARGS, ...TEACHER, "--stop-on-signal"]);
    expect(job?.resources).toEqual({ gpus: 2, nodes: 1, memoryGb: 48, hours: 30 });
  });

  test("a model and an adapter in folders are sent", async () => {
    const root = workspace();
    put(root, "models/tiny/config.json", "{}");
    put(root, "models/lora/adapter_config.json", "{}");
    const { value } = await jobs(root, [
      ...ARGS,
      ...TEACHER,
      "--model",
      "models/tiny",
      "--adapter",
      "models/lora",
    ]);
    expect(value?.[0]?.inputs).toEqual(expect.arrayContaining(["models/tiny", "models/lora"]));
    expect(value?.[0]?.models).toBeUndefined();
  });

  test.each([
    ["a misspelt key", ["--set", "train.epoch=1"], "train.epoch"],
    ["a missing model", ["--model", "./none"], "HASP790 The job reads ./none"],
    ["an option that is not for jobs", ["--dry-run"], "HASP798 --dry-run is not for a job."],
  ])("refuses %s", async (_name, more, text) => {
    expect(await problem(workspace(), [...ARGS, ...TEACHER, ...more])).toContain(text);
  });
});

describe("the job of a training", () => {
  const config = (more: object = {}): string =>
    JSON.stringify({ method: "sft", model: "org/model", data: ["rows.jsonl"], output: "out", ...more });

  test("looks whether it fits, then trains; checkpoints stay on the target", async () => {
    const root = workspace();
    put(root, "rows.jsonl");
    put(root, "before/result.json", "{}");
    put(root, "t.json", config({ after: "before/" }));
    const { value, diagnostics } = await jobs(root, ["train", "t.json"]);
    expect(diagnostics).toEqual([]);
    const [job] = value ?? [];
    expect(job?.commands.map(({ args }) => args)).toEqual([
      ["-m", "hasp_trainer", "preflight", "t.json"],
      ["-m", "hasp_trainer", "sft", "t.json"],
    ]);
    expect(job?.inputs).toEqual(["t.json", "rows.jsonl", "before/result.json"]);
    expect(job?.configs).toEqual(["t.json"]);
    expect(job?.outputs).toEqual(["out/train.json", "out/metrics.jsonl", "out/adapter", "out/result.json"]);
    expect(job?.metrics).toEqual(["out/metrics.jsonl"]);
    expect(job?.models).toEqual(["org/model"]);
  });

  test.each([
    [
      "a misspelt key",
      "t.json",
      config({ epoch: 1 }),
      'a key that no training has: epoch. Did you mean "epochs"?',
    ],
    ["another method", "t.json", config({ method: "rl" }), "HASP799 t.json is not the configuration"],
    ["missing rows", "t.json", config({ data: ["none.jsonl"] }), "HASP790 The job reads none.jsonl"],
    [
      "a place outside in YAML",
      "t.yaml",
      config({ output: "/else" }),
      "HASP798 t.yaml names a place outside",
    ],
  ])("refuses %s", async (_name, file, text, expected) => {
    const root = workspace();
    put(root, "rows.jsonl");
    put(root, file, text);
    expect(await problem(root, ["train", file])).toContain(expected);
  });

  test("has a process for each GPU that it asks for", async () => {
    const root = workspace();
    put(root, "rows.jsonl");
    put(root, "t.json", config());
    const { value } = await jobs(root, ["train", "t.json"], { resources: { gpus: 4 } });
    expect(value?.[0]?.commands.map(({ processes }) => processes)).toEqual([4, 4]);
    const one = await jobs(root, ["train", "t.json"], { resources: { gpus: 1 } });
    expect(one.value?.[0]?.commands.map(({ processes }) => processes)).toEqual([undefined, undefined]);
  });

  test("its keys are those of the trainer", () => {
    const python = readFileSync("trainer/hasp_trainer/config.py", "utf8");
    const [, body = ""] = /class TrainConfig:([\s\S]*?)\n {4}@property/.exec(python) ?? [];
    const keys = [...body.matchAll(/^ {4}(\w+): .* = setting\(/gm)].map(([, key = ""]) => key);
    expect(new Set(keys)).toEqual(new Set(TRAIN_KEYS));
  });
});
