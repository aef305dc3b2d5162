import { Option } from "commander";
import { defaultDomain, domainNames } from "../domains/registry.ts";
import { DATASETS, SPLITS, type DatasetName, type SplitName } from "../model/question-set.ts";
import type { Shard } from "../model/shard.ts";
import { DEFAULT_SAMPLING } from "../model/sampling.ts";
import { controlOptions } from "./control-options.ts";
import type { EpisodeOptions } from "./episode-session.ts";
import { amount, wholeNumber } from "./numbers.ts";
import { retrieverOptions } from "./retriever-options.ts";
import { shardOption } from "./shard-option.ts";

/** Options of `hasp run`. */
export interface RunOptions extends EpisodeOptions {
  readonly domain: string;
  readonly questions: string;
  readonly dataset?: DatasetName;
  readonly split?: SplitName;
  readonly limit?: number;
  readonly shard?: Shard;
  readonly concurrency: number;
  readonly resume?: boolean;
  readonly maxSteps?: number;
  readonly maxSearchCalls?: number;
  readonly maxReadCalls?: number;
  readonly timeoutSeconds?: number;
}

const option = (flags: string, text: string): Option => new Option(flags, text);
const whole = (flags: string, text: string, least: number): Option =>
  option(flags, text).argParser(wholeNumber(least));

const QUESTIONS: readonly Option[] = [
  option("--domain <name>", "the kind of task")
    .choices([...domainNames()])
    .default(defaultDomain().name),
  option(
    "--questions <file>",
    "JSONL with id, question and gold, or rows of a data set",
  ).makeOptionMandatory(),
  option("--dataset <name>", "the format of the questions (default: as it looks)").choices([...DATASETS]),
  option("--split <name>", "only this split of the data set (docs/datasets.md)").choices([...SPLITS]),
  option(
    "--corpus <file>",
    "what is searched: JSONL with title and text (default: the paragraphs of the questions)",
  ),
];

/** The models, as commands that run episodes name them. */
export const MODELS: readonly Option[] = [
  option(
    "--policy <spec>",
    "openai:<model>, <url>#<model>, recorded:<run>[#trial] or scripted:<file>",
  ).makeOptionMandatory(),
  option("--teacher <spec>", "the model that Program Functions and the harness may ask (default: none)"),
  option("--price <in/out>", "dollars for a million tokens of the policy, e.g. 2.50/10"),
  option("--teacher-price <in/out>", "the same for the teacher"),
  option("--temperature <n>", "of the policy").argParser(amount(0)).default(DEFAULT_SAMPLING.temperature),
  whole("--max-tokens <n>", "the longest reply of the policy", 1).default(DEFAULT_SAMPLING.maxTokens),
  whole("--seed <n>", "sent with each request, mixed with the question's id (default: none)", 0),
];

const SCOPE: readonly Option[] = [
  option("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/first").makeOptionMandatory(),
  whole("--limit <n>", "only the first questions", 1),
  whole("--concurrency <n>", "episodes at once", 1).default(4),
  option("--resume", "go on with a run: only questions without an episode are asked"),
  option("--max-dollars <n>", "what the run may cost, earlier sittings included").argParser(amount(0)),
];

export const SKILLS: readonly Option[] = [
  option("--skills <dir...>", "skill folders or folders above them (default: the libraries of hasp.yaml)"),
  option("--no-skills", "no skills at all"),
];

/** Short forms of `--set`, for what is changed most. */
const BUDGETS: readonly Option[] = [
  whole("--max-steps <n>", "steps of an episode; short for --set max_steps=n", 1),
  whole("--max-search-calls <n>", "searches of an episode", 0),
  whole("--max-read-calls <n>", "reads of an episode", 0),
  option("--timeout-seconds <n>", "time of an episode").argParser(amount(0)),
];

/** All options, in the order in which `--help` lists them. */
export function runOptions(): readonly Option[] {
  const json = option("--json", "print the result as JSON");
  return [
    ...QUESTIONS,
    ...retrieverOptions(),
    ...MODELS,
    ...SCOPE,
    shardOption(),
    ...SKILLS,
    ...controlOptions(),
    ...BUDGETS,
    json,
  ];
}

/** What the short forms say, as `--set` would have it; what `--set` itself says comes after. */
export function setsOf(options: RunOptions): readonly string[] {
  const { maxSteps, maxSearchCalls, maxReadCalls, timeoutSeconds, set = [] } = options;
  const short = {
    max_steps: maxSteps,
    max_search_calls: maxSearchCalls,
    max_read_calls: maxReadCalls,
    timeout_seconds: timeoutSeconds,
  };
  return [
    ...Object.entries(short).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
    ...set,
  ];
}
