import { openRunAt } from "../app/open-run.ts";
import { readInputs } from "../app/run/inputs.ts";
import { need, refuse } from "../app/refusal.ts";
import { domainOf } from "../domains/registry.ts";
import { EVOLVE_PRESETS } from "../evolve/presets.ts";
import { parseModelSpec } from "../llm/endpoint.ts";
import { z } from "../model/zod.ts";
import { runPaths } from "../trace/run-paths.ts";
import { askedTeacher, isSearching, isSnippets, teacherOf } from "./commands.ts";
import type { ExperimentFiles, ExperimentOrder } from "./order.ts";

type Split = "train" | "test" | "val" | "seed";

/** Questions of each split that an experiment takes. */
export type SplitSizes = ReadonlyMap<Split, number>;

function splitsOf({ config }: ExperimentOrder): readonly Split[] {
  const { evaluate, evolve } = config;
  return [
    "train",
    ...(evolve === null ? [] : (["seed", "val"] as const)),
    ...(evaluate.split === "none" || evaluate.when.length === 0 ? [] : [evaluate.split]),
  ];
}

/** Whether some command of the experiment searches passages: those of a corpus, or of the questions. */
function needsPassages(order: ExperimentOrder): boolean {
  const { rollout, evolve } = order.config;
  if (!isSearching(order)) return false;
  if (rollout.retriever === "corpus") return true;
  if (!isSnippets(order)) return false;
  const isLite = evolve !== null && EVOLVE_PRESETS[evolve.preset].mode === "lite";
  return isLite || askedTeacher(order, rollout.setting) === undefined;
}

async function sizeOf(files: ExperimentFiles, order: ExperimentOrder, split: Split): Promise<number> {
  const { questions, corpus, dataset } = order;
  const named = (file: string) => ({ name: file, path: file });
  const from = {
    questions: named(questions),
    corpus: corpus === undefined ? undefined : named(corpus),
    dataset,
    split,
  };
  const domain = domainOf(order.domain);
  const reading = { domain, searchesPassages: needsPassages(order), judge: domain?.judge ?? {} };
  const { questions: asked } = await readInputs(files, from, reading, []);
  return asked.length;
}

async function checkSplits(files: ExperimentFiles, order: ExperimentOrder): Promise<SplitSizes> {
  const sizes = new Map<Split, number>();
  for (const split of splitsOf(order)) {
    const size = await sizeOf(files, order, split);
    if (size === 0)
      refuse(
        "HASP688",
        `The ${split} split of ${order.questions} has no question.`,
        "Take a file with questions after its test rows (docs/datasets.md), or `--set evaluate.split=none`.",
        order.questions,
      );
    sizes.set(split, size);
  }
  return sizes;
}

const settingsSchema = z.looseObject({
  questions: z.looseObject({ file: z.string() }).optional(),
  split: z.string().optional(),
});

/** Rows come from the train split alone, also those of recorded runs. */
async function checkPool(files: ExperimentFiles, { pool, config }: ExperimentOrder): Promise<void> {
  const hasRollout = config.loop === "open" || config.start.kind === "sft";
  if (pool.length > 0 && !hasRollout)
    refuse(
      "HASP688",
      "The library evolves before the first rollout, so recorded runs cannot take its place.",
      "Leave out --pool.",
    );
  for (const name of pool) {
    const { run, folder } = need(await openRunAt(files, name));
    const { split } = settingsSchema.safeParse(run?.settings ?? {}).data ?? {};
    if (split !== "train")
      refuse(
        "HASP690",
        `${name} is ${split === undefined ? "of no split that its run.json names" : `of the ${split} split`}; rows come from the train split alone.`,
        "Name a run of `hasp run --split train`.",
        runPaths(folder).run,
      );
  }
}

/** A name with a slash at its begin, or one that is there, is a folder; all else is looked for in the hub. */
async function checkModel(files: ExperimentFiles, model: string, what: string): Promise<void> {
  const isThere = (await files.list(model)).length > 0;
  const isPath = /^(?:\.{1,2}[\\/]|[\\/]|~|[A-Za-z]:[\\/])/.test(model);
  if (!isThere && !isPath) return;
  const marks = what === "adapter" ? "adapter_config.json" : "config.json";
  if ((await files.stat(`${model}/${marks}`)) !== undefined) return;
  refuse(
    "HASP689",
    `${model} is not ${what === "adapter" ? "an adapter" : "a model"}: ${isThere ? `it has no ${marks}` : "there is no such folder"}.`,
    what === "adapter"
      ? "Name the folder of a LoRA adapter."
      : "Name the folder of a model, or its name in the hub.",
    model,
  );
}

/** Jobs run outside of the editor. */
function checkSpecs({ teacher, author }: ExperimentOrder): void {
  for (const spec of [teacher, author]) {
    if (spec === undefined) continue;
    const { kind } = need(parseModelSpec(spec, { isPlainHttpAllowed: () => true }));
    if (kind === "vscode" || kind === "recorded" || kind === "served")
      refuse(
        "HASP688",
        `${spec} cannot be asked by the jobs of an experiment, which run by themselves.`,
        "Name a model as in `openai:gpt-4o-2024-11-20` or `http://127.0.0.1:8000/v1#qwen`.",
      );
  }
}

function checkChoices(order: ExperimentOrder): void {
  const { config, skills, name } = order;
  const { evolve, start, train } = config;
  const isFull = evolve !== null && EVOLVE_PRESETS[evolve.preset].mode === "full";
  if (isFull && teacherOf(order) === undefined)
    refuse(
      "HASP688",
      `${name.toUpperCase()} evolves its library with reviews, and no teacher is named.`,
      "Name one with --teacher.",
    );
  if (evolve !== null && skills.length === 0)
    refuse(
      "HASP688",
      "The skills that evolve further are not named.",
      "Name them with --skills, e.g. `--skills builtin:web-search`.",
    );
  if (start.kind === "adapter" && train.lora === null)
    refuse(
      "HASP688",
      "The start is an adapter, and all weights are to be trained (`train.lora: null`).",
      "Give the rank and alpha of the adapter, or start from `base`.",
    );
}

/** Looks, before anything is written, at what would end the experiment hours later. Refuses with HASP688 to HASP690. */
export async function checkExperiment(files: ExperimentFiles, order: ExperimentOrder): Promise<SplitSizes> {
  const { model, start } = order.config;
  checkChoices(order);
  checkSpecs(order);
  await checkModel(files, model, "model");
  if (start.kind === "adapter") await checkModel(files, start.folder, "adapter");
  await checkPool(files, order);
  return checkSplits(files, order);
}
