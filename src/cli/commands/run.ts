import { InvalidArgumentError, Option } from "commander";
import { runQuestionsOf, type RunEvent, type RunOrder } from "../../app/run/questions.ts";
import { datasetNames } from "../../domains/registry.ts";
import { SPLITS } from "../../model/question-set.ts";
import { MAX_SAMPLES } from "../../model/sampling.ts";
import { parseShard, type Shard } from "../../model/shard.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { TASK_DOMAIN } from "../domain-option.ts";
import { MODELS, SKILLS_AND_CONTROL } from "../episode-options.ts";
import { episodeOrder, inEpisodeSession, namedFile, type EpisodeSession } from "../episode-session.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import {
  decimal,
  flag,
  needed,
  oneOf,
  text,
  whole,
  withDefault,
  type OptionsOf,
  type Typed,
} from "../options.ts";
import { exitCodeOf, reportRun } from "../report-run.ts";
import { RETRIEVER } from "../retriever-options.ts";
import { runnableOrRefuse } from "../runs.ts";
import type { ExitCode, Terminal } from "../terminal.ts";

function shard(given: string): Shard {
  const { value, diagnostics } = parseShard(given);
  if (value !== undefined) return value;
  throw new InvalidArgumentError(diagnostics.map(({ message, next }) => `${message} ${next}`).join(" "));
}

const OPTIONS = {
  domain: TASK_DOMAIN,
  questions: needed(text("--questions <file>", "JSONL with id, question and gold, or rows of a data set")),
  dataset: oneOf("--dataset <name>", "the format of the questions (default: as it looks)", datasetNames()),
  split: oneOf("--split <name>", "only this split of the data set (docs/datasets.md)", SPLITS),
  corpus: text(
    "--corpus <file>",
    "what is searched: JSONL with title and text (default: the paragraphs of the questions)",
  ),
  ...RETRIEVER,
  ...MODELS,
  output: needed(text("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/first")),
  limit: whole("--limit <n>", "only the first questions", 1),
  samples: withDefault(
    whole("--samples <k>", "episodes of each question, each with a seed of its own", 1, MAX_SAMPLES),
    1,
  ),
  concurrency: withDefault(whole("--concurrency <n>", "episodes at once", 1), 4),
  resume: flag("--resume", "go on with a run: only questions without an episode are asked"),
  maxDollars: decimal("--max-dollars <n>", "what the run may cost, earlier sittings included"),
  shard: new Option(
    "--shard <i/n>",
    "only the i-th of n parts of the questions; `hasp merge` puts the n runs together",
  ).argParser(shard) as Typed<Shard | undefined>,
  ...SKILLS_AND_CONTROL,
  // Short forms of `--set`, for the values that are changed most.
  maxSteps: whole("--max-steps <n>", "steps of an episode; short for --set max_steps=n", 1),
  maxSearchCalls: whole("--max-search-calls <n>", "searches of an episode"),
  maxReadCalls: whole("--max-read-calls <n>", "reads of an episode"),
  timeoutSeconds: decimal("--timeout-seconds <n>", "time of an episode"),
};

/** The values of the short forms as `--set` takes them, then those of `--set` itself, which come after. */
function setsOf(options: OptionsOf<typeof OPTIONS>): readonly string[] {
  const short = {
    max_steps: options.maxSteps,
    max_search_calls: options.maxSearchCalls,
    max_read_calls: options.maxReadCalls,
    timeout_seconds: options.timeoutSeconds,
  };
  const given = Object.entries(short).filter(([, value]) => value !== undefined);
  return [...given.map(([name, value]) => `${name}=${value}`), ...options.set];
}

function orderOf({ options, isGiven }: Call<typeof OPTIONS>, { config }: EpisodeSession): RunOrder {
  const domain = runnableOrRefuse((isGiven("domain") ? undefined : config.domain) ?? options.domain);
  const { questions, dataset, split, limit, shard, samples, concurrency, resume = false } = options;
  return {
    ...episodeOrder({ options: { ...options, set: setsOf(options) }, isGiven }, config, domain),
    questions: namedFile(questions),
    dataset,
    split,
    limit,
    shard,
    samples,
    concurrency,
    resume,
  };
}

const showing =
  (terminal: Terminal) =>
  (event: RunEvent): void => {
    if (event.kind === "trouble") terminal.line(event.message);
    else if (event.kind === "progress") terminal.progress(event.done, event.total, event.words);
    else if (event.kind === "begin") {
      terminal.diagnostics(event.diagnostics);
      if (event.dropped > 0) terminal.line(`${event.dropped} interrupted episodes are run again`);
    }
  };

function runRun(call: Call<typeof OPTIONS>): Promise<ExitCode> {
  const { terminal } = call;
  return inEpisodeSession(call, async (session) => {
    const { services, signal } = session;
    const order = orderOf(call, session);
    const ran = await runQuestionsOf(order, services, { signal, on: showing(terminal) });
    const { summary, skipped, questions } = need(ran);
    const { diagnostics } = ran;
    terminal.endProgress();
    const asked = order.samples > 1 ? "sample" : "question";
    reportRun(terminal, summary, { folder: order.folder, skipped, questions, asked });
    if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
    terminal.result({ run: order.folder, ...summary, skipped, questions, diagnostics });
    return exitCodeOf(summary, diagnostics, skipped);
  });
}

/** `hasp run --questions <file> --policy <spec> -o <run>`. */
export const runCommand = defineCommand({
  name: "run",
  about: "Let an agent answer questions, with skills watching, and record each episode.",
  options: OPTIONS,
  section: KEYS,
  examples: [
    "hasp run --questions questions.jsonl --corpus corpus/passages.jsonl --policy openai:gpt-4o-mini -o .hasp/runs/first",
    "hasp run --questions hotpot.jsonl --setting pf-only --policy recorded:.hasp/runs/reflexion -o .hasp/runs/what-if",
    "hasp run --questions dev.jsonl --shard 2/8 --set pf_top_k=5 --policy openai:gpt-4o-mini -o .hasp/runs/part-2",
  ],
  run: runRun,
});
