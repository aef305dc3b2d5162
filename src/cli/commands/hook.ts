import { Command } from "commander";
import type { CommandContext } from "../define-command.ts";
import { helpText } from "../help.ts";
import { explainHookCommand } from "../hook-explain.ts";
import { installCommand, uninstallCommand } from "../hook-install.ts";
import { statusCommand } from "../hook-status.ts";
import { trustCommand } from "../hook-trust.ts";

/** `hasp hook …`: what people ask about hooks. An event of a host never comes here (cli/main.ts). */
export function hookCommand(context: CommandContext): Command {
  const command = new Command("hook")
    .description(
      "Skills that act in coding agents. With an event on standard input: `hasp hook --host <host>` answers it.",
    )
    .addHelpText("after", helpText("hasp hook install --host claude-code", "hasp hook status"));
  const add = [installCommand, uninstallCommand, statusCommand, trustCommand, explainHookCommand];
  for (const one of add) command.addCommand(one(context));
  return command;
}
