import { Command } from "commander";
import { runQuestionsOf, type RunEvent, type RunOrder } from "../../app/run/questions.ts";
import { need } from "../checked.ts";
import { episodeOrder, inEpisodeSession, namedFile, type EpisodeSession } from "../episode-session.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpTextWithKeys } from "../help.ts";
import { exitCodeOf, reportRun } from "../report-run.ts";
import type { IsGiven } from "../retriever-options.ts";
import { runOptions, setsOf, type RunOptions } from "../run-options.ts";
import { runnableOrRefuse } from "../runs.ts";
import type { ExitCode, SetExit, Terminal } from "../terminal.ts";

function orderOf(options: RunOptions, { config }: EpisodeSession, isGiven: IsGiven): RunOrder {
  const domain = runnableOrRefuse((isGiven("domain") ? undefined : config.domain) ?? options.domain);
  const { order, corpus } = episodeOrder({ ...options, set: setsOf(options) }, config, domain, isGiven);
  const { questions, dataset, split, limit, shard, concurrency, resume = false } = options;
  return {
    ...order,
    questions: namedFile(questions),
    corpus: corpus === undefined ? undefined : namedFile(corpus),
    dataset,
    split,
    limit,
    shard,
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

function runRun(options: RunOptions, isGiven: IsGiven): Promise<ExitCode> {
  return inEpisodeSession(options, async (session) => {
    const { services, terminal, signal } = session;
    const order = orderOf(options, session, isGiven);
    const ran = await runQuestionsOf(order, services, { signal, on: showing(terminal) });
    const { summary, skipped } = need(ran);
    const { diagnostics } = ran;
    terminal.endProgress();
    reportRun(terminal, summary, { folder: order.folder, skipped });
    if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
    terminal.result({ run: order.folder, ...summary, skipped, diagnostics });
    return exitCodeOf(summary, diagnostics, skipped);
  });
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
