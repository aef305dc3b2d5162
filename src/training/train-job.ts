import { readNamed } from "../app/named-text.ts";
import { need, refuse } from "../app/refusal.ts";
import type { JobCommand } from "../model/job.ts";
import { parseJson } from "../model/read-json.ts";
import { z } from "../model/zod.ts";
import { sourceText } from "../skill/source-text.ts";
import { didYouMean } from "../skill/suggest.ts";
import { jsonOf } from "../skill/yaml-json.ts";
import { readYaml } from "../skill/yaml-tree.ts";
import { leavesFolder, withoutSlash, type JobParts } from "./job-parts.ts";
import type { ExperimentFiles } from "./order.ts";
import { trainPaths } from "./paths.ts";

/** Commands of the trainer that train. */
const METHODS = ["sft", "dpo", "distil", "sdft"] as const;

/** Keys of a training's configuration (docs/trainer.md). */
export const TRAIN_KEYS = [
  "method",
  "model",
  "data",
  "output",
  "adapter",
  "after",
  "iteration",
  "learning_rate",
  "epochs",
  "max_steps",
  "lora",
  "precision",
  "gradient_checkpointing",
  "tokens_per_step",
  "batch",
  "max_length",
  "packing",
  "warmup",
  "schedule",
  "weights",
  "seed",
  "log_every",
  "save_every",
  "keep_checkpoints",
  "dpo",
  "distil",
  "sdft",
] as const;

/** The keys that name files, folders or models. The trainer itself reads all others. */
const configSchema = z.looseObject({
  method: z.enum(METHODS),
  model: z.string().min(1),
  data: z.preprocess((one) => (typeof one === "string" ? [one] : one), z.array(z.string()).min(1)),
  output: z.string().min(1),
  adapter: z.string().nullish(),
  after: z.string().nullish(),
  distil: z.looseObject({ teacher: z.string() }).nullish(),
});
type TrainConfig = z.infer<typeof configSchema>;

const isJson = (file: string): boolean => file.toLowerCase().endsWith(".json");

function parsed(text: string, file: string): unknown {
  if (isJson(file)) return parseJson(text);
  const { root } = readYaml(text, sourceText(text), 0);
  return root && jsonOf(root);
}

async function readTrainConfig(files: ExperimentFiles, file: string): Promise<TrainConfig> {
  const value = parsed(need(await readNamed(files, file)).text, file);
  const known: readonly string[] = TRAIN_KEYS;
  const unknown = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const key = unknown.find((one) => !known.includes(one));
  if (key !== undefined)
    refuse("HASP799", `${file} has a key that no training has: ${key}.`, didYouMean(key, TRAIN_KEYS), file);
  const read = configSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.map(String).join(".") ?? "";
  return refuse(
    "HASP799",
    `${file} is not the configuration of a training: ${where === "" ? "" : `${where}: `}${issue?.message ?? "it cannot be read"}.`,
    "docs/trainer.md lists its keys.",
    file,
  );
}

/** In YAML nothing replaces a name by its place on a target. */
function checkPlaces(file: string, config: TrainConfig): void {
  if (isJson(file)) return;
  const { data, output, adapter, after } = config;
  const outside = [...data, output, adapter ?? ".", after ?? "."].find((one) => leavesFolder(one));
  if (outside !== undefined)
    refuse(
      "HASP798",
      `${file} names a place outside of the folder in which the job runs: ${outside}.`,
      "Write the configuration as JSON, or name places inside the workspace.",
      file,
    );
}

/** Everything of a training but its checkpoints, which only the same training reads. */
const KEPT = ["train.json", "metrics.jsonl", "adapter", "result.json"];

/** Adds the output folder of a training. One outside of the folder of the commands comes back whole: it has one name on a target. */
async function addOutput(parts: JobParts, output: string): Promise<void> {
  await parts.readIfThere(output);
  for (const name of leavesFolder(output) ? [output] : KEPT.map((one) => `${output}/${one}`))
    parts.outputs.add(name);
  parts.metrics.push(trainPaths(output).metrics);
}

/**
 * The commands of a training by its configuration: a look whether it fits the machine, then the training, in so many processes on each machine.
 * Refuses with HASP790, HASP798 and HASP799.
 */
export async function trainJob(
  files: ExperimentFiles,
  parts: JobParts,
  file: string,
  processes = 1,
): Promise<readonly JobCommand[]> {
  await parts.read(file);
  const config = await readTrainConfig(files, file);
  checkPlaces(file, config);
  if (isJson(file)) parts.configs.add(file);
  for (const one of config.data) await parts.read(one);
  await parts.weights(config.model);
  if (config.distil) await parts.weights(config.distil.teacher);
  if (config.adapter) await parts.weights(config.adapter, true);
  if (config.after) await parts.read(leavesFolder(config.after) ? config.after : trainResult(config.after));
  await addOutput(parts, withoutSlash(config.output));
  const python = (about: string, command: string): JobCommand => ({
    program: "python",
    args: ["-m", "hasp_trainer", command, file],
    about,
    ...(processes > 1 && { processes }),
  });
  return [
    python("See whether model and data fit this machine", "preflight"),
    python("Train the student", config.method),
  ];
}

const trainResult = (output: string): string => trainPaths(withoutSlash(output)).result;
