import path from "node:path";
import { Command, Option } from "commander";
import { parseCorpus } from "../../domains/web-search/corpus.ts";
import { misfit, prepareBranch, type BranchSettings } from "../../evaluation/branch-run.ts";
import { libraryConflicts } from "../../evaluation/control-conflicts.ts";
import { libraryRefs } from "../../evaluation/library-refs.ts";
import { runBranch } from "../../harness/branch.ts";
import { createBudget, dollars } from "../../llm/budget.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { systemClock } from "../../platform/clock.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { hashText } from "../../trace/hash.ts";
import { need } from "../checked.ts";
import {
  controlFor,
  controlOptions,
  readConfig,
  withoutErrors,
  type ControlOptions,
} from "../control-options.ts";
import { helpTextWithKeys } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { openModelDesk, type ModelDesk } from "../models.ts";
import { readNamed } from "../named-text.ts";
import { amount } from "../numbers.ts";
import { openAgents, type AgentOptions } from "../open-agents.ts";
import {
  openRetriever,
  retrieverOptions,
  type OpenedRetriever,
  type RetrieverOptions,
} from "../retriever-options.ts";
import { MODELS, SKILLS, withTools } from "../run-options.ts";
import { domainOfEpisode, findEpisode, openRunAt, stepIndex } from "../runs.ts";
import { chosenLibrary, inSession, type Session } from "../session.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

interface BranchOptions extends ControlOptions, RetrieverOptions, AgentOptions {
  readonly episode: string;
  readonly step: string;
  readonly output: string;
  readonly corpus?: string;
  readonly skills?: string[] | boolean;
  readonly maxDollars?: number;
  readonly json?: boolean;
}

interface Opened {
  readonly session: Session;
  readonly desk: ModelDesk;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** A search that brought text in the record brings text here, whatever `hasp.yaml` says; what is said on the command line stands. */
function retrieverFor(options: BranchOptions, { facts }: Episode, isGiven: boolean): BranchOptions {
  const brings = options.retriever === "teacher-snippet";
  if (isGiven || brings === facts.searchReturnsText) return options;
  return { ...options, retriever: facts.searchReturnsText ? "teacher-snippet" : "corpus" };
}

async function readCorpus(file: string | undefined, files: NodeFiles) {
  if (file === undefined) return undefined;
  const named = await readNamed(file, files);
  const checked = parseCorpus(named.text, named.file);
  return { passages: need(checked), diagnostics: checked.diagnostics, hash: hashText(named.text), file };
}

/** Everything that the branch is made of, read and opened; nothing has been asked yet. */
async function openParts({ session, desk, terminal }: Opened, options: BranchOptions, episode: Episode) {
  const domain = domainOfEpisode(episode);
  const read = await readConfig(session.files);
  const control = controlFor(options, withoutErrors(read), domain);
  const choice = withoutErrors(control);
  const corpus = await readCorpus(options.corpus, session.files);
  const agents = await openAgents(desk, domain.prompt, options, choice);
  const library = await chosenLibrary(options.skills, session);
  const retriever = await openRetriever(options, {
    passages: corpus?.passages,
    hasTeacher: agents.teacher !== undefined,
    onTrouble: (message) => terminal.line(message),
  });
  const diagnostics: readonly Diagnostic[] = [
    ...read.diagnostics,
    ...control.diagnostics,
    ...(corpus?.diagnostics ?? []),
    ...library.diagnostics,
    ...libraryConflicts(choice, library.skills),
  ];
  return { domain, corpus, agents, library, retriever, diagnostics };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

async function goOn(opened: Opened, options: BranchOptions, parts: Parts, place: Place): Promise<Episode> {
  const { session, signal } = opened;
  const { domain, corpus, agents, library, retriever } = parts;
  const { episode, from } = place;
  const { files, host } = session;
  const folder = options.output;
  const why = misfit(episode.facts, retriever.openEnvironment());
  if (why !== undefined) throw new CliError(why, "Choose another --retriever, or leave it out.");
  const settings: BranchSettings = {
    ...agents.settings,
    branchedFrom: from,
    ...(corpus !== undefined && {
      corpus: { file: corpus.file, hash: corpus.hash, passages: corpus.passages.length },
    }),
    retriever: retriever.settings,
    library: libraryRefs(library),
    ...(options.maxDollars !== undefined && { maxDollars: options.maxDollars }),
  };
  return asOnlyWriter(folder, async () => {
    need(await prepareBranch(files, systemClock, { folder, domain: domain.name, episode, settings }));
    return runBranch({
      ...agents,
      files,
      folder,
      host,
      domain,
      signal,
      from,
      episode,
      library: library.skills,
      libraryRefs: settings.library,
      control: agents.settings.control,
      settings: { ...agents.settings },
      openEnvironment: () => retriever.openEnvironment(),
    });
  });
}

interface Place {
  readonly episode: Episode;
  readonly from: BranchSettings["branchedFrom"];
}

async function placeOf(run: string, options: BranchOptions, files: NodeFiles): Promise<Place> {
  const opened = await openRunAt(run, files);
  const episode = await findEpisode(opened, options.episode, files);
  const t = stepIndex(options.step, episode.steps.length);
  const named = opened.folder.split(path.sep).join("/");
  return { episode, from: { run: named, episode: episode.id, t } };
}

function report(terminal: Terminal, options: BranchOptions, place: Place, made: Episode): ExitCode {
  const { outcome, stopReason, length, answer, cost } = made;
  const before = `${place.episode.outcome} after ${place.episode.steps.length} steps`;
  terminal.line(`${outcome} after ${length} steps, ended by ${stopReason} (the record: ${before})`);
  if (answer !== undefined) terminal.line(`answer: ${answer}`);
  if (cost !== undefined && cost.cost !== 0)
    terminal.line(`cost: ${cost.cost === undefined ? "unknown" : dollars(cost.cost)}`);
  terminal.line(`branch written to ${options.output}`);
  terminal.result({ run: options.output, branchedFrom: place.from, episode: made });
  return /^(?:model_|environment_error$|budget$|cancelled$)/.test(stopReason) ? EXIT.findings : EXIT.fine;
}

async function branchIn(opened: Opened, run: string, given: BranchOptions, isGiven: IsGiven) {
  const { session, terminal, signal } = opened;
  const place = await placeOf(run, given, session.files);
  const config = withoutErrors(await readConfig(session.files));
  const withWorkspace = withTools(given, config, isGiven);
  const options = retrieverFor(withWorkspace, place.episode, isGiven("retriever"));
  const parts = await openParts(opened, options, place.episode);
  const retriever: OpenedRetriever = parts.retriever;
  try {
    await retriever.check(signal);
    terminal.diagnostics(parts.diagnostics);
    return report(terminal, options, place, await goOn(opened, options, parts, place));
  } finally {
    retriever.close();
  }
}

/** Said on the command line, and no default. */
type IsGiven = (option: "retriever" | "corpus" | "topK") => boolean;

async function runBranchCommand(run: string, options: BranchOptions, isGiven: IsGiven): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const interrupt = cancelOnInterrupt();
  return inSession(async (session) => {
    const budget = createBudget(options.maxDollars, 0);
    const onTrouble = (message: string): void => terminal.line(message);
    const desk = openModelDesk({ files: session.files, budget, onTrouble });
    try {
      return await branchIn({ session, desk, terminal, signal: interrupt.signal }, run, options, isGiven);
    } finally {
      desk.close();
    }
  }).finally(() => interrupt.release());
}

function branchOptions(): readonly Option[] {
  return [
    new Option("--episode <id>", "an episode's id, or its number in the run").makeOptionMandatory(),
    new Option("--step <n>", "the first step that is taken anew, counted from 1").makeOptionMandatory(),
    new Option(
      "-o, --output <run>",
      "the run folder to make, e.g. .hasp/runs/branch-1",
    ).makeOptionMandatory(),
    new Option("--corpus <file>", "what is searched: JSONL with title and text (default: that of hasp.yaml)"),
    ...retrieverOptions(),
    ...MODELS,
    ...SKILLS,
    ...controlOptions(),
    new Option("--max-dollars <n>", "what the branch may cost").argParser(amount(0)),
    new Option("--json", "print the result as JSON"),
  ];
}

/** `hasp branch <run> --episode <id> --step <n> --policy <spec> -o <run>`. */
export function branchCommand(setExit: SetExit): Command {
  const command = new Command("branch")
    .description("Go on from a step of a recorded episode with another policy, library or corpus.")
    .argument("<run>", "a run folder");
  for (const option of branchOptions()) command.addOption(option);
  return command
    .addHelpText(
      "after",
      helpTextWithKeys(
        "hasp branch .hasp/runs/first --episode 12 --step 3 --corpus corpus/passages.jsonl --policy openai:gpt-4o-mini -o .hasp/runs/branch-12-3",
        "hasp branch .hasp/runs/first --episode 12 --step 3 --policy recorded:.hasp/runs/first -o .hasp/runs/what-if",
      ),
    )
    .action(async (run: string, options: BranchOptions) => {
      const isGiven: IsGiven = (name) => command.getOptionValueSource(name) === "cli";
      setExit(await runBranchCommand(run, options, isGiven));
    });
}
