import { Command, CommanderError } from "commander";
import { backtestCommand } from "./commands/backtest.ts";
import { branchCommand } from "./commands/branch.ts";
import { compareCommand } from "./commands/compare.ts";
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
import { CliError, EXIT, writeError, type ExitCode, type SetExit } from "./terminal.ts";
import { version } from "../../package.json";

function buildProgram(setExit: SetExit): Command {
  const program = new Command("hasp")
    .description(
      "Author, backtest and debug skills of LLM agents. The same core as the HASP Studio extension.",
    )
    .version(version)
    .showHelpAfterError("(add --help for the options and an example)")
    .configureOutput({ writeErr: writeError })
    .exitOverride();
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
  for (const command of add)
    program.addCommand(command(setExit).configureOutput({ writeErr: writeError }).exitOverride());
  program.addCommand(jobRunnerCommand(setExit).exitOverride(), { hidden: true });
  return program;
}

function reportFailure(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.failed;
  const message = error instanceof Error ? error.message : String(error);
  writeError(`hasp: ${message}\n`);
  const hasNext = error instanceof CliError || error instanceof FileError || error instanceof ModelError;
  const next = hasNext ? error.next : undefined;
  if (next !== undefined) writeError(`    → ${next}\n`);
  return EXIT.failed;
}

/** Runs one command line; answers its exit code. Never throws: what failed is on standard error. */
export async function runCli(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  try {
    refuseSecrets(argv.slice(2));
    await buildProgram((value) => (code = value)).parseAsync(argv);
    return code;
  } catch (error) {
    return reportFailure(error);
  }
}
