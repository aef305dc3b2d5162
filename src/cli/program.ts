import { Command, CommanderError } from "commander";
import { backtestCommand } from "./commands/backtest.ts";
import { branchCommand } from "./commands/branch.ts";
import { compareCommand } from "./commands/compare.ts";
import { containmentCommand } from "./commands/containment.ts";
import { dataCommand } from "./commands/data.ts";
import { bootstrapCommand } from "./commands/bootstrap.ts";
import { evolveCommand } from "./commands/evolve.ts";
import { experimentCommand } from "./commands/experiment.ts";
import { explainCommand } from "./commands/explain.ts";
import { exportCommand } from "./commands/export.ts";
import { failuresCommand } from "./commands/failures.ts";
import { findCommand } from "./commands/find.ts";
import { gcCommand } from "./commands/gc.ts";
import { hookCommand } from "./commands/hook.ts";
import { importCommand } from "./commands/import.ts";
import { initCommand } from "./commands/init.ts";
import { internalisedCommand } from "./commands/internalised.ts";
import { libraryCommand } from "./commands/library.ts";
import { linksCommand } from "./commands/links.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { mergeCommand } from "./commands/merge.ts";
import { newCommand } from "./commands/new.ts";
import { noteCommand } from "./commands/note.ts";
import { replayCommand } from "./commands/replay.ts";
import { reviewCommand } from "./commands/review.ts";
import { runCommand } from "./commands/run.ts";
import { jobRunnerCommand } from "./commands/job-runner.ts";
import { jobCommand } from "./commands/job/job.ts";
import { judgeCommand } from "./commands/judge.ts";
import { scoreCommand } from "./commands/score.ts";
import { signalsCommand } from "./commands/signals.ts";
import { trainDataCommand } from "./commands/train-data.ts";
import { trainerCommand } from "./commands/trainer.ts";
import { serveCommand } from "./commands/serve.ts";
import { testCommand } from "./commands/test.ts";
import { validateCommand } from "./commands/validate.ts";
import { ModelError } from "../llm/chat-model.ts";
import { FileError } from "../platform/file-error.ts";
import { refuseSecrets } from "./secret-arguments.ts";
import { inSurroundings, type Surroundings } from "../platform/surroundings.ts";
import { configured } from "./configured.ts";
import type { CliContext, Streams, UntilInterrupted, Workers } from "./context.ts";
import type { CommandContext } from "./define-command.ts";
import { yesToContent } from "./yes-to-content.ts";
import { CliError, EXIT, Unconfirmed, writeError, type ExitCode } from "./terminal.ts";
import { ownWorkers } from "./workers.ts";
import { version } from "../../package.json";

/** All commands, for one command line. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command("hasp")
    .description(
      "Author, backtest and debug skills of LLM agents. The same core as the HASP Studio extension.",
    )
    .version(version)
    .showHelpAfterError("(add --help for the options and an example)");
  const add = [
    initCommand,
    newCommand,
    validateCommand,
    testCommand,
    importCommand,
    exportCommand,
    dataCommand,
    runCommand,
    branchCommand,
    mergeCommand,
    scoreCommand,
    judgeCommand,
    containmentCommand,
    serveCommand,
    mcpCommand,
    hookCommand,
    backtestCommand,
    failuresCommand,
    signalsCommand,
    trainDataCommand,
    trainerCommand,
    bootstrapCommand,
    evolveCommand,
    experimentCommand,
    jobCommand,
    explainCommand,
    findCommand,
    replayCommand,
    noteCommand,
    compareCommand,
    internalisedCommand,
    reviewCommand,
    libraryCommand,
    linksCommand,
    gcCommand,
  ];
  for (const command of add) program.addCommand(command(context));
  program.addCommand(jobRunnerCommand(context), { hidden: true });
  return configured(program, context.streams);
}

function reportFailure(streams: Streams, error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.failed;
  const message = error instanceof Error ? error.message : String(error);
  writeError(streams, `hasp: ${message}\n`);
  const hasNext = error instanceof CliError || error instanceof FileError || error instanceof ModelError;
  const next = hasNext ? error.next : undefined;
  if (next !== undefined) writeError(streams, `    → ${next}\n`);
  return error instanceof Unconfirmed ? EXIT.unconfirmed : EXIT.failed;
}

export interface CliOptions {
  readonly streams: Streams;
  readonly untilInterrupted: UntilInterrupted;
  /** Those of the process, where nothing is said. */
  readonly surroundings?: Surroundings;
  /** Workers of its own, where nothing is said. */
  readonly workers?: Workers;
}

async function runIn(context: CliContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  try {
    refuseSecrets(context.words);
    const program = buildProgram({ ...context, setExit: (value) => (code = value) });
    await program.parseAsync(yesToContent(context.words), { from: "user" });
    return code;
  } catch (error) {
    return reportFailure(context.streams, error);
  }
}

/**
 * Runs one command line, without the program's name; answers its exit code. Never throws: what failed is on standard error. Nothing of it is left
 * in the process: several run in one, beside and after each other.
 */
export function runCli(
  words: readonly string[],
  { surroundings, workers = ownWorkers, ...options }: CliOptions,
): Promise<ExitCode> {
  const context = { words, workers, ...options };
  return surroundings === undefined ? runIn(context) : inSurroundings(surroundings, () => runIn(context));
}
