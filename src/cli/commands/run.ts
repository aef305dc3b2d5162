import { Command } from "commander";
import { domainOf } from "../../domains/registry.ts";
import { prepareRun, spentIn } from "../../evaluation/prepare-run.ts";
import type { WorkspaceConfig } from "../../evaluation/workspace-config.ts";
import { parseRunInputs } from "../../evaluation/run-inputs.ts";
import { runSettings } from "../../evaluation/run-settings.ts";
import { inShard, shardText } from "../../evaluation/shard.ts";
import { libraryConflicts } from "../../evaluation/control-conflicts.ts";
import { runQuestions } from "../../harness/run-questions.ts";
import { createBudget } from "../../llm/budget.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { systemClock } from "../../platform/clock.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { need } from "../checked.ts";
import { controlFor, readConfig, withoutErrors } from "../control-options.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpTextWithKeys } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { openModelDesk, type ModelDesk } from "../models.ts";
import { readNamed } from "../named-text.ts";
import { openAgents } from "../open-agents.ts";
import { exitCodeOf, reportRun } from "../report-run.ts";
import { needsCorpus, openRetriever, type OpenedRetriever } from "../retriever-options.ts";
import { runOptions, setsOf, withConfig, type RunOptions } from "../run-options.ts";
import { chosenLibrary, inSession, type Session } from "../session.ts";
import { CliError, openTerminal, type ExitCode, type Terminal, type SetExit } from "../terminal.ts";

async function readInputs(options: RunOptions, files: NodeFiles) {
  const { questions, corpus, dataset, split } = options;
  const checked = parseRunInputs(await readNamed(questions, files), {
    corpus: corpus === undefined ? undefined : await readNamed(corpus, files),
    dataset,
    split,
    searchesPassages: needsCorpus(options),
  });
  return { inputs: need(checked), diagnostics: checked.diagnostics };
}

/** Said on the command line, and no default. */
type IsGiven = (option: keyof RunOptions) => boolean;

interface Opened {
  readonly session: Session;
  readonly desk: ModelDesk;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Everything that a run is made of, read and opened; nothing has been asked yet. */
async function openParts({ session, desk, terminal }: Opened, options: RunOptions, config: WorkspaceConfig) {
  const domain = domainOf(options.domain);
  if (domain === undefined) throw new CliError(`No domain is called "${options.domain}".`);
  const { files } = session;
  const control = controlFor({ ...options, set: setsOf(options) }, config, domain);
  const choice = withoutErrors(control);
  const { inputs, diagnostics } = await readInputs(options, files);
  const agents = await openAgents(desk, domain.prompt, options, choice);
  const library = await chosenLibrary(options.skills, session);
  const retriever = await openRetriever(options, {
    passages: inputs.corpus?.passages,
    hasTeacher: agents.teacher !== undefined,
    onTrouble: (message) => terminal.line(message),
  });
  const found: readonly Diagnostic[] = [
    ...control.diagnostics,
    ...diagnostics,
    ...library.diagnostics,
    ...libraryConflicts(choice, library.skills),
  ];
  return { domain, inputs, agents, library, retriever, diagnostics: found };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** Where the run goes, and which questions are left to ask. */
async function prepare(parts: Parts, options: RunOptions, files: NodeFiles) {
  const { domain, inputs, agents, library, retriever } = parts;
  const { output: folder, resume = false, shard } = options;
  const scope = { ...options, shard: shard === undefined ? undefined : shardText(shard) };
  const settings = runSettings(agents.settings, { inputs, library, retriever: retriever.settings }, scope);
  const prepared = await prepareRun(files, systemClock, { folder, domain: domain.name, settings, resume });
  const { done, dropped } = need(prepared);
  const asked = inputs.questions
    .filter((question) => shard === undefined || inShard(question, shard))
    .slice(0, options.limit);
  const questions = asked.filter(({ id }) => !done.has(id));
  const skipped = asked.length - questions.length;
  return { settings, questions, skipped, dropped, diagnostics: prepared.diagnostics };
}

async function askAll(opened: Opened, options: RunOptions, parts: Parts): Promise<ExitCode> {
  const { session, terminal, signal } = opened;
  const { domain, agents, library, retriever } = parts;
  const { files, host } = session;
  const { output: folder, concurrency } = options;
  const { settings, questions, skipped, dropped, diagnostics: more } = await prepare(parts, options, files);
  const diagnostics = [...parts.diagnostics, ...more];
  terminal.diagnostics(diagnostics);
  if (dropped > 0) terminal.line(`${dropped} interrupted episodes are run again`);
  let ended = 0;
  const summary = await runQuestions({
    ...agents,
    files,
    folder,
    questions,
    host,
    concurrency,
    signal,
    domain,
    openEnvironment: () => retriever.openEnvironment(),
    library: library.skills,
    libraryRefs: settings.library,
    control: agents.settings.control,
    settings: { ...agents.settings },
    onEpisode: () =>
      terminal.progress(++ended, questions.length, `${ended} of ${questions.length} questions`),
  });
  terminal.endProgress();
  reportRun(terminal, summary, { folder, skipped });
  if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
  terminal.result({ run: folder, ...summary, skipped, diagnostics });
  return exitCodeOf(summary, diagnostics, skipped);
}

async function runIn(opened: Opened, given: RunOptions, isGiven: IsGiven): Promise<ExitCode> {
  const read = await readConfig(opened.session.files);
  const config = withoutErrors(read);
  opened.terminal.diagnostics(read.diagnostics);
  const options = withConfig(given, config, isGiven);
  const parts = await openParts(opened, options, config);
  const retriever: OpenedRetriever = parts.retriever;
  try {
    await retriever.check(opened.signal);
    return await askAll(opened, options, parts);
  } finally {
    retriever.close();
  }
}

async function runRun(options: RunOptions, isGiven: IsGiven): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const interrupt = cancelOnInterrupt();
  const work = async (session: Session): Promise<ExitCode> => {
    const { files } = session;
    const spent =
      options.resume === true && options.maxDollars !== undefined ? await spentIn(files, options.output) : 0;
    const budget = createBudget(options.maxDollars, spent);
    const desk = openModelDesk({ files, budget, onTrouble: (message) => terminal.line(message) });
    try {
      return await runIn({ session, desk, terminal, signal: interrupt.signal }, options, isGiven);
    } finally {
      terminal.endProgress();
      desk.close();
    }
  };
  return asOnlyWriter(options.output, () => inSession(work)).finally(() => interrupt.release());
}

/** `hasp run --questions <file> --policy <spec> -o <run>`. */
export function runCommand(setExit: SetExit): Command {
  const command = new Command("run").description(
    "Let an agent answer questions, with skills watching, and record each episode.",
  );
  for (const option of runOptions()) command.addOption(option);
  return command
    .addHelpText(
      "after",
      helpTextWithKeys(
        "hasp run --questions questions.jsonl --corpus corpus/passages.jsonl --policy openai:gpt-4o-mini -o .hasp/runs/first",
        "hasp run --questions hotpot.jsonl --setting pf-only --policy recorded:.hasp/runs/reflexion -o .hasp/runs/what-if",
        "hasp run --questions dev.jsonl --shard 2/8 --set pf_top_k=5 --policy openai:gpt-4o-mini -o .hasp/runs/part-2",
      ),
    )
    .action(async (options: RunOptions) => {
      const isGiven: IsGiven = (name) => command.getOptionValueSource(name) === "cli";
      setExit(await runRun(options, isGiven));
    });
}
