import { Command, Option } from "commander";
import { openLibrary, type Library } from "../../analysis/library.ts";
import { openWebSearch } from "../../domains/web-search/tools.ts";
import { indexPassages } from "../../domains/web-search/search-index.ts";
import type { AgentPrompt } from "../../domains/domain.ts";
import { domainNames, domainOf } from "../../domains/registry.ts";
import { prepareRun, spentIn } from "../../evaluation/prepare-run.ts";
import { parseRunInputs, type NamedText } from "../../evaluation/run-inputs.ts";
import { runSettings, type EpisodeSettings } from "../../evaluation/run-settings.ts";
import { DEFAULT_BUDGETS, type Budgets } from "../../harness/budgets.ts";
import { DEFAULT_SAMPLING } from "../../harness/model-policy.ts";
import { runQuestions } from "../../harness/run-questions.ts";
import { createBudget } from "../../llm/budget.ts";
import { systemClock } from "../../platform/clock.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { need } from "../checked.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { openModelDesk, type ModelDesk } from "../models.ts";
import { amount, wholeNumber } from "../numbers.ts";
import { exitCodeOf, reportRun } from "../report-run.ts";
import { inSession, readLibrary, type Session } from "../session.ts";
import { CliError, openTerminal, type ExitCode, type Terminal, type SetExit } from "../terminal.ts";

interface Options extends Budgets {
  readonly domain: string;
  readonly questions: string;
  readonly corpus?: string;
  readonly policy: string;
  readonly teacher?: string;
  readonly price?: string;
  readonly teacherPrice?: string;
  readonly output: string;
  readonly limit?: number;
  readonly concurrency: number;
  readonly resume?: boolean;
  /** False with --no-skills. */
  readonly skills?: string[] | boolean;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly maxDollars?: number;
  readonly json?: boolean;
}

async function libraryFor({ skills }: Options, session: Session): Promise<Library> {
  if (skills === false) return openLibrary([], session.host);
  return readLibrary(Array.isArray(skills) ? skills : undefined, session);
}

/** A larger corpus does not fit an index in memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

async function readNamed(file: string, files: NodeFiles): Promise<NamedText> {
  const found = await files.readText(file, MAX_FILE_BYTES);
  if (found.kind === "text") return { file, text: found.text };
  if (found.kind === "absent") throw new CliError(`There is no file ${file}.`, "Check the path.");
  const size = Math.round(found.size / 1024 / 1024);
  throw new CliError(`${file} has ${size} MiB; at most 256 are read.`, "Take a part of it.");
}

async function readInputs({ questions, corpus }: Options, files: NodeFiles) {
  const corpusText = corpus === undefined ? undefined : await readNamed(corpus, files);
  const checked = parseRunInputs(await readNamed(questions, files), corpusText);
  return { inputs: need(checked), diagnostics: checked.diagnostics };
}

interface Opened {
  readonly session: Session;
  readonly desk: ModelDesk;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The models that the specs name, with how episodes tell of them. */
async function openAgents(desk: ModelDesk, prompt: AgentPrompt, options: Options) {
  const { maxSteps, maxSearchCalls, maxReadCalls, timeoutSeconds, temperature, maxTokens } = options;
  const priced = (price: string | undefined) => (price === undefined ? {} : { price });
  const sampling = { ...DEFAULT_SAMPLING, temperature, maxTokens };
  const policy = await desk.openPolicy(options.policy, { prompt, sampling, ...priced(options.price) });
  const named = options.teacher;
  const teacher = named === undefined ? undefined : await desk.open(named, priced(options.teacherPrice));
  const settings: EpisodeSettings = {
    policy: policy.id,
    teacher: teacher?.id ?? "none",
    prompt: prompt.version,
    budgets: { maxSteps, maxSearchCalls, maxReadCalls, timeoutSeconds },
    sampling,
  };
  return { policy, ...(teacher !== undefined && { teacher }), settings };
}

async function runIn({ session, desk, terminal, signal }: Opened, options: Options): Promise<ExitCode> {
  const domain = domainOf(options.domain);
  if (domain === undefined) throw new CliError(`No domain is called "${options.domain}".`);
  const { files, host } = session;
  const { concurrency, output: folder, resume = false } = options;
  const { inputs, diagnostics: found } = await readInputs(options, files);
  const agents = await openAgents(desk, domain.prompt, options);
  const library = await libraryFor(options, session);
  const settings = runSettings(agents.settings, inputs, library, options);
  const prepared = await prepareRun(files, systemClock, { folder, domain: domain.name, settings, resume });
  const { done, dropped } = need(prepared);
  const asked = inputs.questions.slice(0, options.limit);
  const questions = asked.filter(({ id }) => !done.has(id));
  const skipped = asked.length - questions.length;
  const diagnostics = [...found, ...library.diagnostics, ...prepared.diagnostics];
  terminal.diagnostics(diagnostics);
  if (dropped > 0) terminal.line(`${dropped} interrupted episodes are run again`);
  const index = indexPassages(inputs.passages);
  let ended = 0;
  const summary = await runQuestions({
    ...agents,
    files,
    folder,
    questions,
    host,
    concurrency,
    signal,
    domain: domain.name,
    openEnvironment: () => openWebSearch(index),
    library: library.active.map(({ program }) => program),
    libraryRefs: settings.library,
    rules: domain.contextRules,
    budgets: agents.settings.budgets,
    settings: { ...agents.settings },
    onEpisode: () =>
      terminal.progress(++ended, questions.length, `${ended} of ${questions.length} questions`),
  });
  terminal.endProgress();
  reportRun(terminal, summary, { folder, skipped });
  if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
  terminal.result({ run: folder, ...summary, skipped, diagnostics });
  return exitCodeOf(summary, diagnostics);
}

async function runRun(options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const interrupt = cancelOnInterrupt();
  return inSession(async (session) => {
    const { files } = session;
    const spent =
      options.resume === true && options.maxDollars !== undefined ? await spentIn(files, options.output) : 0;
    const budget = createBudget(options.maxDollars, spent);
    const desk = openModelDesk({ files, budget, onTrouble: (message) => terminal.line(message) });
    try {
      return await runIn({ session, desk, terminal, signal: interrupt.signal }, options);
    } finally {
      terminal.endProgress();
      desk.close();
    }
  }).finally(() => interrupt.release());
}

/** `hasp run --domain web-search --questions <file> --policy <spec> -o <run>`. */
export function runCommand(setExit: SetExit): Command {
  const whole = (flag: string, text: string, least: number, fallback: number): Option =>
    new Option(flag, text).argParser(wholeNumber(least)).default(fallback);
  return new Command("run")
    .description("Let an agent answer questions, with skills watching, and record each episode.")
    .addOption(
      new Option("--domain <name>", "the kind of task").choices([...domainNames()]).default("web-search"),
    )
    .requiredOption("--questions <file>", "JSONL with id, question and gold, or HotpotQA rows")
    .option(
      "--corpus <file>",
      "what is searched: JSONL with title and text (default: the paragraphs of the questions)",
    )
    .requiredOption(
      "--policy <spec>",
      "openai:<model>, <url>#<model>, recorded:<run>[#trial] or scripted:<file>",
    )
    .option("--teacher <spec>", "the model that Program Functions may ask (default: none)")
    .option("--price <in/out>", "dollars for a million tokens of the policy, e.g. 2.50/10")
    .option("--teacher-price <in/out>", "the same for the teacher")
    .requiredOption("-o, --output <run>", "the run folder to make, e.g. .hasp/runs/first")
    .addOption(new Option("--limit <n>", "only the first questions").argParser(wholeNumber(1)))
    .addOption(whole("--concurrency <n>", "episodes at once", 1, 4))
    .option("--resume", "go on with a run: only questions without an episode are asked")
    .option("--skills <dir...>", "skill folders or folders above them (default: the libraries of hasp.yaml)")
    .option("--no-skills", "no skills at all")
    .addOption(whole("--max-steps <n>", "steps of an episode", 1, DEFAULT_BUDGETS.maxSteps))
    .addOption(whole("--max-search-calls <n>", "searches of an episode", 0, DEFAULT_BUDGETS.maxSearchCalls))
    .addOption(whole("--max-read-calls <n>", "reads of an episode", 0, DEFAULT_BUDGETS.maxReadCalls))
    .addOption(whole("--timeout-seconds <n>", "time of an episode", 1, DEFAULT_BUDGETS.timeoutSeconds))
    .addOption(
      new Option("--max-dollars <n>", "what the run may cost, earlier sittings included").argParser(
        amount(0),
      ),
    )
    .addOption(
      new Option("--temperature <n>", "of the policy")
        .argParser(amount(0))
        .default(DEFAULT_SAMPLING.temperature),
    )
    .addOption(whole("--max-tokens <n>", "the longest reply of the policy", 1, DEFAULT_SAMPLING.maxTokens))
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpText(
        "hasp run --questions questions.jsonl --corpus corpus/passages.jsonl --policy openai:gpt-4o-mini -o .hasp/runs/first",
        "hasp run --questions hotpot.jsonl --policy recorded:.hasp/runs/reflexion -o .hasp/runs/what-if",
      ),
    )
    .action(async (options: Options) => {
      setExit(await runRun(options));
    });
}
