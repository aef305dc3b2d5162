import { Command } from "commander";
import type { CommandContext } from "../../define-command.ts";
import { helpText } from "../../help.ts";
import { cancelCommand, fetchCommand } from "./end.ts";
import { presetCommand } from "./preset.ts";
import { submitCommand } from "./submit.ts";
import { targetCommand } from "./target.ts";
import { followCommand, listCommand, logsCommand, statusCommand } from "./watch.ts";

const SUBCOMMANDS = [
  submitCommand,
  listCommand,
  statusCommand,
  logsCommand,
  followCommand,
  cancelCommand,
  fetchCommand,
  targetCommand,
  presetCommand,
];

/** `hasp job submit|list|status|logs|follow|cancel|fetch|target|preset`. */
export function jobCommand(context: CommandContext): Command {
  const command = new Command("job").description(
    "Run commands as jobs on this machine, on another one over ssh, or on a SLURM cluster (docs/jobs.md).",
  );
  for (const sub of SUBCOMMANDS) command.addCommand(sub(context));
  return command.addHelpText(
    "after",
    helpText(
      "hasp job target test lab",
      "hasp job submit --target lab -- experiment e1 --questions hotpot.jsonl --teacher openai:gpt-4o-2024-11-20",
      "hasp job list",
    ),
  );
}
