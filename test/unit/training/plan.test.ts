import { describe, expect, it } from "vitest";
import { EXPERIMENTS, type ExperimentName } from "../../../src/model/experiment.ts";
import { jobSpecSchema, type JobCommand } from "../../../src/model/job.ts";
import type { ExperimentOrder } from "../../../src/training/order.ts";
import { planExperiment } from "../../../src/training/plan.ts";
import type { PlannedJob } from "../../../src/training/planned.ts";
import { shippedConfig } from "../../../src/training/shipped-configs.ts";
import { orderOf } from "./support.ts";

const planOf = (name: ExperimentName, change: Partial<ExperimentOrder> = {}) =>
  planExperiment(orderOf(name, change), { id: "0123abcd", cwd: "/project" });

const after = ({ args }: JobCommand, name: string): string => args[args.indexOf(name) + 1] ?? "";

/** A command as its verb and what it makes or reads. */
function short(command: JobCommand): string {
  const [verb = "", second = ""] = command.args;
  if (command.program === "python") return command.args[2] ?? "";
  if (verb === "train-data") {
    const filter = command.args.includes("--filter")
      ? after(command, "--filter")
      : after(command, "--experiment");
    return `train-data ${second} ${filter}${command.args.includes("--allow-empty") ? ", if any" : ""}`;
  }
  if (verb === "evolve") return `evolve ${after(command, "--preset")} by ${after(command, "--author")}`;
  return `run ${after(command, "--split")} ${after(command, "--setting")} by ${after(command, "--policy")}`;
}

/** The part of a training's configuration in which iterations differ. */
function trained({ file }: PlannedJob): string {
  if (file === undefined) return "";
  const {
    adapter,
    data,
    after: before,
    iteration,
    learning_rate: rate,
    epochs,
  } = JSON.parse(file.text) as {
    adapter: string | null;
    data: string[];
    after: string | null;
    iteration: number;
    learning_rate: number;
    epochs: number;
  };
  const on = adapter ?? "the model";
  return ` | ${data.join()} on ${on}, after ${before ?? "nothing"}, iteration ${iteration}, rate ${rate}, epochs ${epochs}`;
}

const line = (job: PlannedJob): string => {
  const served = job.spec.serve === undefined ? "" : ` (${job.spec.serve.adapter ?? "the model"})`;
  return `${job.folder}${served}: ${job.spec.commands.map(short).join("; ")}${trained(job)}`
    .replaceAll("exp/", "")
    .replaceAll("served:", "")
    .replaceAll("-0123abcd", "");
};

const text = (name: ExperimentName, change: Partial<ExperimentOrder> = {}): readonly string[] =>
  planOf(name, change).jobs.map(line);

describe("the plan of", () => {
  it("e1: one rollout, one training", () => {
    expect(text("e1")).toEqual([
      "jobs/01-evaluate (the model): run test ra-agent by e1-0; run test pf-only by e1-0",
      "jobs/02-rollout-1 (the model): run train full by e1-0",
      "jobs/03-data-1: train-data runs/train-1 e1",
      "jobs/04-train-1: preflight; sft | data/1/a-sft.jsonl on the model, after nothing, iteration 1, rate 0.00001, epochs 10",
      "jobs/05-evaluate (train/1/adapter): run test ra-agent by e1-1; run test pf-only by e1-1",
    ]);
  });

  it.each([
    ["e2", 8, "sft", "a-sft"],
    ["e3", 5, "sft", "a-sft"],
    ["e7", 5, "sdft", "a-context"],
  ] as const)(
    "%s: SFT first, then two iterations, each rolled out by the student as it is",
    (e, epochs, method, file) => {
      const setting = e === "e7" ? "pf-only" : "full";
      expect(text(e)).toEqual([
        `jobs/01-evaluate (the model): run test ra-agent by ${e}-0; run test pf-only by ${e}-0`,
        `jobs/02-rollout-0 (the model): run train ${setting} by ${e}-0`,
        "jobs/03-data-0: train-data runs/train-0 none",
        "jobs/04-train-0: preflight; sft | data/0/a-sft.jsonl on the model, after nothing, iteration 1, rate 0.00001, epochs 1",
        `jobs/05-rollout-1 (train/0/adapter): run train ${setting} by ${e}-1`,
        `jobs/06-data-1: train-data runs/train-1 ${e}`,
        `jobs/07-train-1: preflight; ${method} | data/1/${file}.jsonl on train/0/adapter, after nothing, iteration 1, rate 0.000005, epochs ${epochs}`,
        `jobs/08-rollout-2 (train/1/adapter): run train ${setting} by ${e}-2`,
        `jobs/09-data-2: train-data runs/train-2 ${e}, if any`,
        `jobs/10-train-2: preflight; ${method} | data/2/${file}.jsonl on train/1/adapter, after train/1, iteration 2, rate 0.000005, epochs ${epochs}`,
        `jobs/11-evaluate (train/2/adapter): run test ra-agent by ${e}-3; run test pf-only by ${e}-3`,
      ]);
    },
  );

  it("e4: each phase evolves, rolls out and trains, from the model itself", () => {
    expect(text("e4")).toEqual([
      "jobs/01-evaluate (the model): run test ra-agent by e4-0; run test pf-only by e4-0",
      "jobs/02-evolve-1 (the model): evolve e4 by e4-0",
      "jobs/03-rollout-1 (the model): run train full by e4-0",
      "jobs/04-data-1: train-data runs/train-1 e4",
      "jobs/05-train-1: preflight; sft | data/1/a-sft.jsonl on the model, after nothing, iteration 1, rate 0.00001, epochs 8",
      "jobs/06-evolve-2 (train/1/adapter): evolve e4 by e4-1",
      "jobs/07-rollout-2 (train/1/adapter): run train full by e4-1",
      "jobs/08-data-2: train-data runs/train-2 e4, if any",
      "jobs/09-train-2: preflight; sft | data/2/a-sft.jsonl on train/1/adapter, after train/1, iteration 2, rate 0.00001, epochs 8",
      "jobs/10-evaluate (train/2/adapter): run test ra-agent by e4-2; run test pf-only by e4-2",
    ]);
  });

  it.each([
    ["e5", 8],
    ["e6", 5],
  ] as const)("%s: SFT first, then phases that evolve, roll out and train", (e, epochs) => {
    expect(text(e)).toEqual([
      `jobs/01-evaluate (the model): run test ra-agent by ${e}-0; run test pf-only by ${e}-0`,
      `jobs/02-rollout-0 (the model): run train full by ${e}-0`,
      "jobs/03-data-0: train-data runs/train-0 none",
      "jobs/04-train-0: preflight; sft | data/0/a-sft.jsonl on the model, after nothing, iteration 1, rate 0.00001, epochs 1",
      `jobs/05-evolve-1 (train/0/adapter): evolve ${e} by ${e}-1`,
      `jobs/06-rollout-1 (train/0/adapter): run train full by ${e}-1`,
      `jobs/07-data-1: train-data runs/train-1 ${e}`,
      `jobs/08-train-1: preflight; sft | data/1/a-sft.jsonl on train/0/adapter, after nothing, iteration 1, rate 0.000005, epochs ${epochs}`,
      `jobs/09-evolve-2 (train/1/adapter): evolve ${e} by ${e}-2`,
      `jobs/10-rollout-2 (train/1/adapter): run train full by ${e}-2`,
      `jobs/11-data-2: train-data runs/train-2 ${e}, if any`,
      `jobs/12-train-2: preflight; sft | data/2/a-sft.jsonl on train/1/adapter, after train/1, iteration 2, rate 0.000005, epochs ${epochs}`,
      `jobs/13-evaluate (train/2/adapter): run test ra-agent by ${e}-3; run test pf-only by ${e}-3`,
    ]);
  });

  it.each(EXPERIMENTS)("%s holds jobs that a backend can read, each with an id of its own", (name) => {
    const { jobs } = planOf(name);
    for (const { spec } of jobs) expect(jobSpecSchema.safeParse(spec).error).toBeUndefined();
    expect(new Set(jobs.map(({ spec }) => spec.id)).size).toBe(jobs.length);
    expect(new Set(jobs.map(({ folder }) => folder)).size).toBe(jobs.length);
  });
});

describe("a choice of the order", () => {
  const withConfig = (name: ExperimentName, change: object): Partial<ExperimentOrder> => ({
    config: { ...shippedConfig(name), ...change },
  });

  it("starts from an adapter without a warm-up", () => {
    const [first, second, , fourth] = text(
      "e2",
      withConfig("e2", { start: { kind: "adapter", folder: "warm" } }),
    );
    expect(first).toMatch(/^jobs\/01-evaluate \(warm\)/);
    expect(second).toBe("jobs/02-rollout-1 (warm): run train full by e2-0");
    expect(fourth).toContain("on warm, after nothing, iteration 1");
  });

  it("evaluates neither before nor after, or only after", () => {
    const { evaluate } = shippedConfig("e1");
    expect(text("e1", withConfig("e1", { evaluate: { ...evaluate, split: "none" } }))).toHaveLength(3);
    const later = text("e1", withConfig("e1", { evaluate: { ...evaluate, when: ["after"], limit: 5 } }));
    expect(later).toHaveLength(4);
    expect(later[3]).toMatch(/^jobs\/04-evaluate \(train\/1\/adapter\)/);
  });

  it("trains all weights: the student is then the folder that was written", () => {
    const { train } = shippedConfig("e2");
    const { jobs } = planOf("e2", withConfig("e2", { train: { ...train, lora: null } }));
    expect(jobs.map(({ spec }) => spec.serve?.model)).toEqual([
      "Qwen/Qwen2.5-7B-Instruct",
      "Qwen/Qwen2.5-7B-Instruct",
      undefined,
      undefined,
      "exp/train/0/adapter",
      undefined,
      undefined,
      "exp/train/1/adapter",
      undefined,
      undefined,
      "exp/train/2/adapter",
    ]);
    const second = JSON.parse(jobs[9]?.file?.text ?? "") as object;
    expect(second).toMatchObject({ model: "exp/train/1/adapter", adapter: null, lora: null });
  });

  it("gives each iteration its learning rate", () => {
    const { train } = shippedConfig("e2");
    const rates = text("e2", withConfig("e2", { train: { ...train, learning_rate: [1e-3, 5e-4] } }));
    expect(rates.flatMap((job) => /rate ([\d.]+)/.exec(job)?.[1] ?? [])).toEqual([
      "0.00001",
      "0.001",
      "0.0005",
    ]);
  });

  const argsOf = (job: PlannedJob | undefined, command = 0): string =>
    job?.spec.commands[command]?.args.join(" ") ?? "";
  const files = "--questions questions.jsonl --corpus corpus.jsonl --domain web-search";
  const sampling = "--temperature 0.9 --top-p 0.95 --seed 42";
  const budgets = "--set max_steps=5 --set max_search_calls=3 --set max_read_calls";

  it("names all that a rollout depends on", () => {
    const [, rollout] = planOf("e2", { skills: ["builtin:web-search", "mine"] }).jobs;
    const models = "--policy served:e2-0123abcd-0 --teacher scripted:teacher.yaml";
    expect(argsOf(rollout)).toBe(
      `run ${files} --retriever teacher-snippet --split train ${models} ${sampling} --samples 2 --concurrency 16 --setting full ${budgets}=0 --skills builtin:web-search mine -o exp/runs/train-0 --resume`,
    );
  });

  it("tests at temperature 0, without skills and by their code alone", () => {
    const { evaluate } = shippedConfig("e7");
    const [job] = planOf("e7", withConfig("e7", { evaluate: { ...evaluate, limit: 9 } })).jobs;
    const asked = "--retriever corpus --split test --limit 9 --policy served:e7-0123abcd-0";
    const common = `run ${files} ${asked} --temperature 0 --seed 42 --concurrency 16`;
    expect(argsOf(job)).toBe(
      `${common} --setting ra-agent ${budgets}=3 --no-skills -o exp/runs/test-before-pfs-off --resume`,
    );
    expect(argsOf(job, 1)).toBe(
      `${common} --setting pf-only ${budgets}=3 --skills builtin:web-search -o exp/runs/test-before-pfs-on --resume`,
    );
  });

  it("lets the library evolve with a teacher in the full mode alone, and act from then on", () => {
    const generated = "exp/library/web-search/generated";
    const full = planOf("e4", { author: "openai:gpt-4o" }).jobs;
    const models = "--policy served:e4-0123abcd-0 --author openai:gpt-4o --teacher scripted:teacher.yaml";
    expect(argsOf(full[1])).toBe(
      `evolve -o exp/evolution/1 --preset e4 --epochs 1 ${files} --retriever teacher-snippet ${models} ${sampling} --samples 1 --concurrency 16 --setting full ${budgets}=0 --skills builtin:web-search --generated ${generated}`,
    );
    expect(full.map(({ optionalSkills }) => optionalSkills.length)).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(argsOf(full[2])).toContain(`--skills builtin:web-search ${generated} -o`);
    const lite = argsOf(planOf("e5", { corpus: undefined }).jobs[4]);
    expect(lite).not.toContain("--teacher");
    // Nobody writes snippets then: they are passages of the questions.
    expect(lite).toContain("--corpus questions.jsonl");
  });

  it("several processes are a matter of the job, which its training does not depend on", () => {
    const config = shippedConfig("e1");
    const several = { config: { ...config, train: { ...config.train, processes: 4 } } };
    const job = planOf("e1", several).jobs[3];
    expect(job?.spec.commands.map(({ args, processes }) => [args[2], processes])).toEqual([
      ["preflight", 4],
      ["sft", 4],
    ]);
    expect(job?.file?.text).toBe(planOf("e1").jobs[3]?.file?.text);
  });

  it("hands over the keys of its services by their names", () => {
    const passed = (name: ExperimentName, change: Partial<ExperimentOrder>) =>
      planOf(name, change).jobs[0]?.spec.passEnv;
    expect(passed("e1", {})).toEqual(["HF_TOKEN"]);
    expect(passed("e3", { teacher: undefined })).toEqual(["OPENAI_API_KEY", "HF_TOKEN"]);
    const own = { teacher: "https://llm.example.org/v1#big", author: "openai:gpt-4o" };
    expect(passed("e4", own)).toEqual(["HASP_KEY_LLM_EXAMPLE_ORG_443", "OPENAI_API_KEY", "HF_TOKEN"]);
  });
});
