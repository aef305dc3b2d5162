import type * as vscode from "vscode";
import { PRESETS, presetOf } from "../../../jobs/presets.ts";
import { SPLIT_SEED } from "../../../trace/question-split.ts";
import type { Resources } from "../../../model/job.ts";
import { nameIn } from "../../questions/places.ts";
import { planOf } from "../../experiments/wizard.ts";
import { CONFIG_ARGUMENT, type SubmitDraft, type SubmitPlan } from "./plan.ts";

type Command = Pick<SubmitPlan, "title" | "args" | "config" | "shards" | "serve">;

const option = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}`, value];

function experimentCommand(draft: SubmitDraft): Command | undefined {
  const plan = planOf(draft);
  if (plan === undefined) return undefined;
  const { root, name, config, questions, dataset, corpus, domain, teacher, author, pool } = plan;
  const at = (uri: vscode.Uri | undefined): string | undefined => uri && nameIn(root, uri.fsPath);
  const { experiment, model, start } = config;
  const runs = pool.map((file) => nameIn(root, file.fsPath).replace(/\/[^/]*$/, ""));
  return {
    title: `${name}: experiment ${experiment.toUpperCase()}`,
    args: [
      "experiment",
      experiment,
      ...option("questions", at(questions)),
      ...option("dataset", dataset),
      ...option("corpus", at(corpus)),
      ...option("domain", domain),
      ...option("config", CONFIG_ARGUMENT),
      ...option("model", model),
      ...option("adapter", start.kind === "adapter" ? start.folder : undefined),
      ...option("teacher", teacher),
      ...option("author", author),
      ...(runs.length === 0 ? [] : ["--pool", ...runs]),
      ...option("seed", String(SPLIT_SEED)),
      "-o",
      `.hasp/experiments/${name}`,
    ],
    config: { argument: CONFIG_ARGUMENT, value: config },
  };
}

function trainCommand({ root, training }: SubmitDraft): Command | undefined {
  if (training === undefined) return undefined;
  const file = nameIn(root, training.fsPath);
  return { title: `Training of ${file}`, args: ["train", file] };
}

function runCommand(draft: SubmitDraft): Command | undefined {
  const { root, rollouts, output, isServed, model, config, start, shards = 1 } = draft;
  const { questions, corpus, domain, setting, teacher, policy, limit } = rollouts;
  if (questions === undefined || output === undefined) return undefined;
  const served = isServed === true ? (model ?? config?.model) : undefined;
  return {
    title: `${output}: answers to ${nameIn(root, questions.fsPath)}`,
    args: [
      "run",
      ...option("questions", nameIn(root, questions.fsPath)),
      ...option(
        "corpus",
        corpus === undefined || corpus === "with-questions" ? undefined : nameIn(root, corpus.fsPath),
      ),
      ...option("domain", domain),
      ...option("policy", served === undefined ? policy : undefined),
      ...option("setting", setting),
      ...option("teacher", teacher),
      ...option("limit", limit === undefined ? undefined : String(limit)),
      "-o",
      output,
    ],
    ...(shards > 1 && { shards }),
    ...(served !== undefined && {
      serve: {
        model: served,
        engine: "auto" as const,
        ...(start?.kind === "adapter" && { adapter: start.folder }),
      },
    }),
  };
}

/** The command of the answers so far; undefined where one is missing. */
export function commandOf(draft: SubmitDraft): Command | undefined {
  switch (draft.work) {
    case "experiment":
      return experimentCommand(draft);
    case "train":
      return trainCommand(draft);
    case "run":
      return runCommand(draft);
    default:
      return undefined;
  }
}

/** What a job asks for where nobody changes it. */
export function usualResources(draft: SubmitDraft): Resources {
  const { work, experiment, isServed } = draft;
  if (work === "train") return { ...PRESETS.e1.resources };
  const name = presetOf({
    name: work ?? "",
    experiment,
    domain: draft.rollouts.domain,
    isServed: isServed === true,
  });
  return name === undefined ? {} : PRESETS[name].resources;
}

const numberOf = (text: string | undefined, usual: number | undefined): number | undefined =>
  text === undefined || text === "" ? usual : Number(text);

/** What the job asks for, with the person's changes. */
export function resourcesOf(draft: SubmitDraft): Resources {
  const usual = usualResources(draft);
  if (draft.changesResources !== true) return usual;
  const { gpus, hours, memory } = draft;
  const changed = {
    gpus: numberOf(gpus, usual.gpus),
    hours: numberOf(hours, usual.hours),
    memoryGb: numberOf(memory, usual.memoryGb),
  };
  const given = Object.entries(changed).filter(([, value]) => value !== undefined);
  return { ...usual, ...(Object.fromEntries(given) as Resources) };
}
