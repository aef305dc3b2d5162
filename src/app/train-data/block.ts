import { stringify } from "yaml";
import { DATA_BLOCKS } from "../../dataset/experiments.ts";
import { EXPERIMENTS, METHODS } from "../../model/experiment.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../../model/diagnostic.ts";
import { FAMILIES, SLOTS, type SignalPart, type SignalWeights } from "../../model/signals.ts";
import { BLOCK_FILE, FILTERS, OBJECTIVES } from "../../model/train-data.ts";
import { z } from "../../model/zod.ts";
import { readYaml, type YamlValue } from "../../skill/yaml-tree.ts";
import { sourceText } from "../../skill/source-text.ts";
import { firstIssue } from "../../trace/episode-head.ts";
import type { TextFiles } from "../named-text.ts";
import type { TrainDataOrder } from "./order.ts";

const BLOCK_SCHEMA = "hasp.train-data/1";
const LONGEST = 1024 * 1024;
const PARTS: readonly SignalPart[] = [...FAMILIES, ...SLOTS];

const numbers = <Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.number()])) as Record<Name, z.ZodNumber>);

const weightsSchema = z.object({
  families: numbers(FAMILIES),
  slots: numbers(SLOTS),
  dropped: z.array(z.enum(PARTS)),
});

/** `data.yaml` of a folder of training data: how it is built again, and the data block of its experiment (SPEC §8, layer 3). */
const blockSchema = z.object({
  schema: z.literal(BLOCK_SCHEMA),
  builtAt: z.string(),
  data: z
    .object({
      experiment: z.enum(EXPERIMENTS),
      loop: z.enum(["open", "closed"]),
      method: z.enum(METHODS),
      file: z.string(),
      filter: z.enum(FILTERS),
      refresh: z.enum(["never", "phase"]),
    })
    .optional(),
  order: z.object({
    objectives: z.array(z.enum(OBJECTIVES)).min(1),
    runs: z.array(z.string()),
    candidates: z.array(z.string()),
    heldOut: z.array(z.string()),
    filter: z.enum(FILTERS),
    floor: z.number(),
    dpoRevised: z.boolean(),
    exactPrompts: z.boolean().optional(),
    maxTokens: z.number().optional(),
    weights: weightsSchema,
  }),
});
export type TrainDataBlock = z.infer<typeof blockSchema>;

export const blockPath = (folder: string): string => `${folder}/${BLOCK_FILE}`;

/** The text of `data.yaml`; the runs and files in it are named as the order names them. */
export function blockText(order: TrainDataOrder, builtAt: string): string {
  const { experiment, objectives, runs, candidates, heldOut, filter, floor, dpoRevised, weights } = order;
  const { exactPrompts, maxTokens } = order;
  const block: TrainDataBlock = {
    schema: BLOCK_SCHEMA,
    builtAt,
    ...(experiment !== undefined && { data: { experiment, ...DATA_BLOCKS[experiment] } }),
    order: {
      objectives: [...objectives],
      runs: runs.map(({ run }) => run),
      candidates: candidates.map(({ file }) => file),
      heldOut: heldOut.map(({ file }) => file),
      filter,
      floor,
      dpoRevised,
      ...(exactPrompts && { exactPrompts }),
      ...(maxTokens !== undefined && { maxTokens }),
      weights: weightsSchema.parse(weights),
    },
  };
  return `# Written by hasp train-data. \`hasp train-data --refresh <this folder>\` builds the files again.\n${stringify(block)}`;
}

function problem(file: string, message: string): Checked<never> {
  const diagnostic: Diagnostic = {
    code: "HASP633",
    severity: "error",
    message,
    next: "Build the folder anew with `hasp train-data <run…> -o <folder>`.",
    file,
    range: START_OF_FILE,
  };
  return { value: undefined, diagnostics: [diagnostic] };
}

function plain(value: YamlValue): unknown {
  if (value.kind === "scalar") return value.value;
  if (value.kind === "list") return value.items.map(plain);
  return Object.fromEntries([...value.entries.values()].map((entry) => [entry.key, plain(entry.value)]));
}

/** How a folder of training data was built. No value where its `data.yaml` is missing or unreadable (HASP633). Rejects on I/O errors. */
export async function readBlock(files: TextFiles, folder: string): Promise<Checked<TrainDataBlock>> {
  const path = blockPath(folder);
  const found = await files.readText(path, LONGEST);
  if (found.kind !== "text")
    return problem(path, `${folder} is no folder of training data: it has no ${BLOCK_FILE}.`);
  const { root, problems } = readYaml(found.text, sourceText(found.text), 0);
  const [broken] = problems;
  if (root === undefined || broken !== undefined)
    return problem(path, `${BLOCK_FILE} cannot be read: ${broken?.message ?? "it is empty"}.`);
  const parsed = blockSchema.safeParse(plain(root));
  if (parsed.success) return { value: parsed.data, diagnostics: [] };
  return problem(path, `${BLOCK_FILE} does not fit ${BLOCK_SCHEMA}: ${firstIssue(parsed.error)}.`);
}

/** The weights of a block, as an order takes them. */
export const weightsOf = ({ order }: TrainDataBlock): SignalWeights => order.weights;
