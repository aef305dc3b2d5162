import { Command } from "commander";
import type { CommandContext } from "../define-command.ts";
import { helpText } from "../help.ts";
import { gateCommand } from "../library-gate.ts";
import { historyCommand } from "../library-history.ts";
import { acceptCommand, rejectCommand } from "../library-override.ts";
import { diffCommand, rollbackCommand } from "../library-versions.ts";

/** `hasp library …`: the skills that evolutions wrote, and the decisions on them. */
export function libraryCommand(context: CommandContext): Command {
  const command = new Command("library")
    .description(
      "The generated skills of a domain: decisions on candidates, differences of epochs, rollback.",
    )
    .addHelpText("after", helpText("hasp library history", "hasp library rollback evolutions/web-1 2"));
  const add = [historyCommand, diffCommand, rollbackCommand, gateCommand, acceptCommand, rejectCommand];
  for (const one of add) command.addCommand(one(context));
  return command;
}
