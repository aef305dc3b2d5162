import type { Command } from "commander";
import { TASK, TASKS } from "../model/job.ts";
import { bootstrapCommand } from "./commands/bootstrap.ts";
import { evolveCommand } from "./commands/evolve.ts";
import { experimentCommand } from "./commands/experiment.ts";
import { runCommand } from "./commands/run.ts";
import { refuseSecrets } from "./secret-arguments.ts";
import { writeError, type SetExit } from "./terminal.ts";

const COMMANDS: Readonly<Record<string, (setExit: SetExit) => Command>> = {
  bootstrap: bootstrapCommand,
  evolve: evolveCommand,
  experiment: experimentCommand,
  run: runCommand,
};

/** Options of models that a served student may fill. */
const STUDENT = ["--policy", "--author"];

/**
 * Looks at the words of a command as the command itself would, and executes nothing. Throws CliError for a secret, and CommanderError for an
 * option that is missing, misspelt or has a wrong value, which commander has printed then.
 */
export async function checkCommand(
  [name = "", ...words]: readonly string[],
  isServed: boolean,
): Promise<void> {
  refuseSecrets([name, ...words]);
  const command = COMMANDS[name]?.(() => undefined);
  if (command === undefined) return;
  const open = command.options.filter(({ mandatory, long = "" }) => mandatory && STUDENT.includes(long));
  // The job fills these in with the student that it serves.
  if (isServed) for (const option of open) option.makeOptionMandatory(false);
  const filled = words.map((word) => word.replace(TASK, "1").replace(TASKS, "1"));
  await command
    .configureOutput({ writeErr: writeError })
    .exitOverride()
    .action(() => undefined)
    .parseAsync(filled, { from: "user" });
}
