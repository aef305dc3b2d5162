import { TASK, TASKS } from "../model/job.ts";
import { bootstrapCommand } from "./commands/bootstrap.ts";
import { evolveCommand } from "./commands/evolve.ts";
import { experimentCommand } from "./commands/experiment.ts";
import { runCommand } from "./commands/run.ts";
import { refuseSecrets } from "./secret-arguments.ts";
import type { CliContext } from "./context.ts";
import type { MakeCommand } from "./define-command.ts";
import { configured } from "./configured.ts";

const COMMANDS: Readonly<Record<string, MakeCommand>> = {
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
  context: CliContext,
): Promise<void> {
  refuseSecrets([name, ...words]);
  const made = COMMANDS[name];
  if (made === undefined) return;
  const filled = words.map((word) => word.replace(TASK, "1").replace(TASKS, "1"));
  const parse = async (mayLack: (long: string) => boolean): Promise<void> => {
    const command = made({ ...context, setExit: () => undefined });
    for (const option of command.options)
      if (option.mandatory && mayLack(option.long ?? "")) option.makeOptionMandatory(false);
    await configured(command, context.streams)
      .action(() => undefined)
      .parseAsync(filled, { from: "user" });
  };
  // A misspelt option is said as such, and not as the one that is missing then.
  await parse(() => true);
  // The job fills these in with the student that it serves.
  await parse((long) => isServed && STUDENT.includes(long));
}
