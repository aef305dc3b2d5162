import path from "node:path";
import { Command, Option } from "commander";
import { branchFrom, type BranchOrder } from "../../app/run/branch.ts";
import { dollars } from "../../llm/budget.ts";
import type { Episode } from "../../model/episode.ts";
import { need } from "../checked.ts";
import { controlOptions } from "../control-options.ts";
import {
  episodeOrder,
  inEpisodeSession,
  namedFile,
  type EpisodeOptions,
  type EpisodeSession,
} from "../episode-session.ts";
import { helpTextWithKeys } from "../help.ts";
import { amount } from "../numbers.ts";
import { retrieverOptions, type IsGiven } from "../retriever-options.ts";
import { MODELS, SKILLS } from "../run-options.ts";
import { findEpisode, openRunAt, runnableOrRefuse, stepIndex } from "../runs.ts";
import { nodeFiles } from "../../platform/files.ts";
import { EXIT, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

interface BranchOptions extends EpisodeOptions {
  readonly episode: string;
  readonly step: string;
}

async function orderOf(
  run: string,
  options: BranchOptions,
  { config }: EpisodeSession,
  isGiven: IsGiven,
): Promise<BranchOrder> {
  const files = nodeFiles();
  const opened = await openRunAt(run, files);
  const episode = await findEpisode(opened, options.episode, files);
  const t = stepIndex(options.step, episode.steps.length);
  const domain = runnableOrRefuse(episode.facts.domain);
  const { order, corpus } = episodeOrder(options, config, domain, isGiven);
  return {
    ...order,
    episode,
    from: { run: opened.folder.split(path.sep).join("/"), episode: episode.id, t },
    corpus: corpus === undefined ? undefined : namedFile(corpus),
    keepsRetriever: isGiven("retriever"),
  };
}

function report(terminal: Terminal, { folder, from, episode }: BranchOrder, made: Episode): ExitCode {
  const { outcome, stopReason, length, answer, cost } = made;
  const before = `${episode.outcome} after ${episode.steps.length} steps`;
  terminal.line(`${outcome} after ${length} steps, ended by ${stopReason} (the record: ${before})`);
  if (answer !== undefined) terminal.line(`answer: ${answer}`);
  if (cost !== undefined && cost.cost !== 0)
    terminal.line(`cost: ${cost.cost === undefined ? "unknown" : dollars(cost.cost)}`);
  terminal.line(`branch written to ${folder}`);
  terminal.result({ run: folder, branchedFrom: from, episode: made });
  return /^(?:model_|environment_error$|budget$|cancelled$)/.test(stopReason) ? EXIT.findings : EXIT.fine;
}

function runBranch(run: string, options: BranchOptions, isGiven: IsGiven): Promise<ExitCode> {
  return inEpisodeSession(options, async (session) => {
    const { services, terminal, signal } = session;
    const order = await orderOf(run, options, session, isGiven);
    const made = await branchFrom(order, services, {
      signal,
      on: (event) =>
        event.kind === "trouble" ? terminal.line(event.message) : terminal.diagnostics(event.diagnostics),
    });
    return report(terminal, order, need(made));
  });
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
      setExit(await runBranch(run, options, isGiven));
    });
}
