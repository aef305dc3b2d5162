import { datasetNames } from "../domains/registry.ts";
import { EVOLVE_LIMITS, EVOLVE_MODES, GATES } from "../model/evolution.ts";
import { MAX_SAMPLES } from "../model/sampling.ts";
import { PRESET_NAMES } from "../evolve/presets.ts";
import { SPLIT_SEED } from "../trace/question-split.ts";
import { YES_TO } from "./own-order.ts";
import { TASK_DOMAIN } from "./domain-option.ts";
import { MODELS, SKILLS_AND_CONTROL } from "./episode-options.ts";
import { decimal, flag, needed, oneOf, text, texts, whole, withDefault } from "./options.ts";
import { RETRIEVER } from "./retriever-options.ts";

/** The options of `hasp evolve`. */
export const EVOLVE_OPTIONS = {
  output: needed(text("-o, --output <folder>", "the evolution: a new folder, or one to resume")),
  epochs: withDefault(whole("--epochs <n>", "epochs; more than before continue an evolution", 1), 1),
  preset: oneOf("--preset <name>", "mode, gate and worth of an experiment", PRESET_NAMES),
  mode: oneOf("--mode <mode>", "lite asks the author alone (default: full)", EVOLVE_MODES),
  gate: oneOf(
    "--gate <gate>",
    "which results decide on admission (default: strict, in lite mode exec-only)",
    GATES,
  ),
  worth: oneOf(
    "--worth <on|off>",
    "whether worth on held-out questions decides, too (default: on, off with an open gate)",
    ["on", "off"] as const,
  ),
  author: needed(text("--author <spec>", "the student as the author of skills, as for --policy")),
  authorPrice: text("--author-price <in/out>", "dollars for a million tokens of the author"),
  yesTo: YES_TO,
  episodes: texts("--episodes <run...>", "recorded runs, in place of live rollouts"),
  questions: text(
    "--questions <file>",
    "live rollouts: a file with a seed and a validation split (docs/datasets.md)",
  ),
  dataset: oneOf("--dataset <name>", "the format of the questions (default: as it looks)", datasetNames()),
  corpus: text("--corpus <file>", "live rollouts: what is searched"),
  domain: TASK_DOMAIN,
  ...MODELS,
  policy: text("--policy <spec>", "live rollouts: the student as the agent"),
  limit: whole("--limit <n>", "live rollouts: only the first questions of each split", 1),
  samples: withDefault(whole("--samples <k>", "live rollouts: episodes of each question", 1, MAX_SAMPLES), 1),
  concurrency: withDefault(whole("--concurrency <n>", "live rollouts: episodes at once", 1), 4),
  prefilter: flag("--prefilter", "live rollouts: first without skills, then with skills those that fail"),
  ...RETRIEVER,
  generated: text("--generated <folder>", "where admitted skills go (default: skills/<domain>/generated)"),
  candidates: withDefault(whole("--candidates <n>", "candidates of an epoch", 1), EVOLVE_LIMITS.candidates),
  minCluster: withDefault(
    whole("--min-cluster <n>", "smaller clusters are left out", 1),
    EVOLVE_LIMITS.minClusterSize,
  ),
  librarySize: withDefault(
    whole("--library-size <n>", "acting skills of the domain; over it generated ones make room", 1),
    EVOLVE_LIMITS.librarySize,
  ),
  pin: texts("--pin <id...>", "generated skills that never make room"),
  evolveSeed: withDefault(
    whole("--evolve-seed <n>", "deals out questions, and samples the author"),
    SPLIT_SEED,
  ),
  maxDollars: decimal("--max-dollars <n>", "what all models may cost, earlier sittings included"),
  estimate: flag("--estimate", "only say what it can cost at most; asks nobody"),
  ...SKILLS_AND_CONTROL,
};
