import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { EVOLVE_PRESETS } from "../../../src/evolve/presets.ts";
import { DATA_BLOCKS } from "../../../src/dataset/experiments.ts";
import { EXPERIMENTS, type ExperimentConfig } from "../../../src/model/experiment.ts";
import { shippedConfig } from "../../../src/training/shipped-configs.ts";
import { ROOT } from "../../support/core.ts";

/** The shipped configurations against the paper's Table e1e6_configs and the text around it (SPEC §8), cell by cell. */

const PAPER_EXPERIMENTS = ["e1", "e2", "e3", "e4", "e5", "e6"] as const;
type PaperExperiment = (typeof PAPER_EXPERIMENTS)[number];

/** A row of the table, as numbers and words. `undefined`: the cell names none. */
interface Row {
  readonly loop: "open" | "closed";
  readonly method: "sft" | "rs" | "opd";
  readonly rate: number;
  /** Over all iterations of an open loop where the cell says neither "per iteration" nor "per phase". */
  readonly epochs: number | undefined;
  readonly per: "all" | "iteration" | "phase" | undefined;
  readonly rollout: Rollout | undefined;
  readonly teacher: string | undefined;
}

interface Rollout {
  readonly k: number;
  readonly temperature: number;
  readonly topP: number;
  readonly maxSteps: number;
}

const SHARED: Rollout = { k: 2, temperature: 0.9, topP: 0.95, maxSteps: 5 };

const TABLE: Readonly<Record<PaperExperiment, Row>> = {
  e1: {
    loop: "open",
    method: "sft",
    rate: 1e-5,
    epochs: 10,
    per: "all",
    rollout: undefined,
    teacher: undefined,
  },
  e2: {
    loop: "open",
    method: "rs",
    rate: 5e-6,
    epochs: 8,
    per: "iteration",
    rollout: SHARED,
    teacher: undefined,
  },
  e3: { loop: "open", method: "opd", rate: 5e-6, epochs: 10, per: "all", rollout: SHARED, teacher: "GPT-4o" },
  e4: {
    loop: "closed",
    method: "sft",
    rate: 1e-5,
    epochs: undefined,
    per: "phase",
    rollout: undefined,
    teacher: undefined,
  },
  e5: {
    loop: "closed",
    method: "rs",
    rate: 5e-6,
    epochs: 8,
    per: "phase",
    rollout: SHARED,
    teacher: undefined,
  },
  e6: {
    loop: "closed",
    method: "opd",
    rate: 5e-6,
    epochs: 5,
    per: "phase",
    rollout: SHARED,
    teacher: "GPT-4o",
  },
};

const TEACHERS: Readonly<Record<string, string>> = { "GPT-4o": "openai:gpt-4o-2024-11-20" };

/** Epochs in the unit of the cell. */
const epochsOf = ({ iterations, train }: ExperimentConfig, per: Row["per"]): number =>
  per === "all" ? iterations * train.epochs : train.epochs;

describe.each(PAPER_EXPERIMENTS)("the configuration of %s", (name) => {
  const config = shippedConfig(name);
  const row = TABLE[name];
  const { rollout, train } = config;

  it("has the loop, the method and the learning rate of the table", () => {
    expect([config.experiment, config.loop, config.method]).toEqual([name, row.loop, row.method]);
    expect(train.learning_rate).toBe(row.rate);
  });

  it("has the epochs of the table", () => {
    // E4: the table gives none; ours are those that the other closed loop with long phases has.
    expect(epochsOf(config, row.per)).toBe(row.epochs ?? 8);
  });

  it("has the rollout of the table", () => {
    const { samples, temperature, top_p: topP, max_steps: maxSteps } = rollout;
    if (row.rollout !== undefined) expect({ k: samples, temperature, topP, maxSteps }).toEqual(row.rollout);
    // SPEC §8: one rollout with skills, PFs and teacher on.
    else expect(samples).toBe(1);
    expect([rollout.setting, rollout.max_steps, rollout.max_search_calls]).toEqual(["full", 5, 3]);
    // Teacher-snippet mode, with READ off.
    expect([rollout.retriever, rollout.max_read_calls]).toEqual(["teacher-snippet", 0]);
  });

  it("has the teacher of the table", () => {
    const teacher =
      row.teacher === undefined ? null : { model: TEACHERS[row.teacher], max_tokens: 512, concurrency: 64 };
    expect(config.teacher).toEqual(teacher);
    // Episodes at once are what bounds the calls of a teacher.
    if (teacher !== null) expect(rollout.concurrency).toBe(64);
  });

  it("has what all experiments share", () => {
    expect(config.model).toBe("Qwen/Qwen2.5-7B-Instruct");
    expect(train.lora).toMatchObject({ rank: 16, alpha: 32 });
    expect([train.precision, train.gradient_checkpointing]).toEqual(["bf16", true]);
    expect([train.tokens_per_step, train.warmup, train.seed, train.log_every]).toEqual([
      65_536, 0.03, 42, 10,
    ]);
    expect(train.weights).toBe("row");
    expect(config.evaluate).toEqual({ split: "test", limit: null, when: ["before", "after"] });
  });

  it("has the iterations, the start and the evolution of the text", () => {
    expect(config.iterations).toBe({ e1: 1, e2: 2, e3: 2, e4: 2, e5: 2, e6: 2 }[name]);
    // RS and OPD work on top of a policy that SFT has warmed up, at the learning rate of SFT.
    const warm = { kind: "sft", epochs: 1, learning_rate: 1e-5 };
    expect(config.start).toEqual(row.method === "sft" ? { kind: "base" } : warm);
    const mode = config.evolve === null ? undefined : EVOLVE_PRESETS[config.evolve.preset].mode;
    expect(mode).toBe(
      { e1: undefined, e2: undefined, e3: undefined, e4: "full", e5: "lite", e6: "lite" }[name],
    );
    if (config.evolve !== null) expect(config.evolve.preset).toBe(name);
  });
});

describe.each(EXPERIMENTS)("the data block of %s", (name) => {
  it("is that of its configuration", () => {
    const { loop, method } = shippedConfig(name);
    expect(DATA_BLOCKS[name]).toMatchObject({ loop, method });
    expect(DATA_BLOCKS[name].file).toBe(name === "e7" ? "a-context.jsonl" : "a-sft.jsonl");
  });
});

describe("the configuration of e7", () => {
  it("is that of e3 without an outside teacher", () => {
    const { rollout, train, ...config } = shippedConfig("e7");
    const e3 = shippedConfig("e3");
    expect(config).toEqual({
      experiment: "e7",
      loop: "open",
      method: "sdft",
      model: e3.model,
      start: e3.start,
      iterations: e3.iterations,
      teacher: null,
      evolve: null,
      evaluate: e3.evaluate,
    });
    expect(train).toEqual(e3.train);
    const own = { setting: "pf-only", retriever: "corpus", max_read_calls: 3, concurrency: 16 };
    expect(rollout).toEqual({ ...e3.rollout, ...own });
  });
});

const PAPER = path.join(ROOT, "../shared/paper/hasp.tex");
const EXPERIMENTS_OF_TABLE = /^E([1-6]) & (.*?) \\\\$/gm;

/** `$5\times10^{-6}$` */
const rateIn = (cell: string): number => {
  const [, factor, exponent] = /(\d+)\\times10\^\{(-\d+)\}/.exec(cell) ?? [];
  return Number(`${factor}e${exponent}`);
};

const numberAfter = (text: string, form: RegExp): number => Number(form.exec(text)?.[1]);

function rolloutIn(cell: string, earlier: Readonly<Record<string, Row>>): Rollout | undefined {
  const [, other] = /^same as E(\d)$/.exec(cell) ?? [];
  if (other !== undefined) return earlier[`e${other}`]?.rollout;
  if (!cell.includes("$k=")) return undefined;
  return {
    k: numberAfter(cell, /\$k=(\d+)\$/),
    temperature: numberAfter(cell, /temp ([\d.]+)/),
    topP: numberAfter(cell, /top-\$p\$ ([\d.]+)/),
    maxSteps: numberAfter(cell, /max steps (\d+)/),
  };
}

/** The table as the paper prints it. */
function tableIn(tex: string): Readonly<Record<string, Row>> {
  const from = tex.indexOf("\\label{tab:e1e6_configs}");
  const table = tex.slice(from, tex.indexOf("\\end{table*}", from));
  const rows: Record<string, Row> = {};
  for (const [, number = "", cells = ""] of table.matchAll(EXPERIMENTS_OF_TABLE)) {
    const [loop = "", method = "", rate = "", epochs = "", rollout = "", teacher = ""] = cells.split(" & ");
    const count = /^\d+/.exec(epochs)?.[0];
    const per = /per (iteration|phase)/.exec(epochs)?.[1] as "iteration" | "phase" | undefined;
    rows[`e${number}`] = {
      loop: loop === "Open-loop" ? "open" : "closed",
      method: method.toLowerCase() as Row["method"],
      rate: rateIn(rate),
      epochs: count === undefined ? undefined : Number(count),
      per: per ?? "all",
      rollout: rolloutIn(rollout, rows),
      teacher: teacher === "--" ? undefined : teacher,
    };
  }
  return rows;
}

describe("the table of this test", () => {
  it.skipIf(!existsSync(PAPER))("is the one in the paper (needs ../shared/paper)", () => {
    expect(tableIn(readFileSync(PAPER, "utf8"))).toEqual(TABLE);
  });
});
