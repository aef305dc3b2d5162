import { Command, Option } from "commander";
import { HOOK_HOSTS } from "../../agents/hook/event.ts";
import { helpText } from "../help.ts";
import { runHookExplain, type ExplainOptions } from "../hook-explain.ts";
import { runInstall, runUninstall, type PlaceOptions } from "../hook-install.ts";
import { runStatus } from "../hook-status.ts";
import { runTrust } from "../hook-trust.ts";
import type { SetExit } from "../terminal.ts";

const hostOption = (): Option => new Option("--host <host>", "whose agent").choices(HOOK_HOSTS);

function placed(command: Command): Command {
  return command
    .addOption(hostOption().makeOptionMandatory())
    .option("--user", "in your own settings, for every project")
    .option("--project", "in the project's settings, which others share")
    .option("--local", "in the project's settings that are yours alone")
    .option("--yes", "do not ask")
    .option("--json", "print the result as JSON");
}

function installCommand(setExit: SetExit): Command {
  return placed(new Command("install"))
    .description(
      "Have a coding agent ask HASP before each tool call, and before it stops. Shows the change first.",
    )
    .addHelpText("after", helpText("hasp hook install --host claude-code"))
    .action(async (options: PlaceOptions) => setExit(await runInstall(options)));
}

function uninstallCommand(setExit: SetExit): Command {
  return placed(new Command("uninstall"))
    .description("Take HASP's hooks out again. What else stands in the file stays as it is.")
    .addHelpText("after", helpText("hasp hook uninstall --host claude-code"))
    .action(async (options: PlaceOptions) => setExit(await runUninstall(options)));
}

function statusCommand(setExit: SetExit): Command {
  return new Command("status")
    .description(
      "Prove the wiring: run each installed hook with a test event, and say what stands in its way.",
    )
    .addOption(hostOption())
    .option("--json", "print the result as JSON")
    .addHelpText("after", helpText("hasp hook status"))
    .action(async (options: { host?: string; json?: boolean }) => setExit(await runStatus(options)));
}

function trustCommand(setExit: SetExit): Command {
  return new Command("trust")
    .description("Let the skills of this workspace act. A change of their content asks again.")
    .option("--revoke", "take the yes back")
    .option("--yes", "do not ask")
    .option("--json", "print the result as JSON; asks nothing")
    .addHelpText("after", helpText("hasp hook trust"))
    .action(async (options: { revoke?: boolean; yes?: boolean; json?: boolean }) =>
      setExit(await runTrust(options)),
    );
}

function explainHookCommand(setExit: SetExit): Command {
  return new Command("explain")
    .description(
      "Which PFs would fire on a tool call, why, and what each host would be answered. Nothing runs.",
    )
    .argument("<call>", "an event of a host as JSON, a call as JSON, or a shell command")
    .addOption(hostOption().default("claude-code"))
    .option("--session <id>", "as the next call of a recorded session")
    .option("--step <n>", "as that step of the session, counted from 1")
    .option("--all", "also the PFs that do not fire, and why")
    .option("--json", "print the result as JSON")
    .addHelpText("after", helpText("hasp hook explain 'git push --force origin main'"))
    .action(async (call: string, options: ExplainOptions) => setExit(await runHookExplain(call, options)));
}

/** `hasp hook …`: what people ask about hooks. An event of a host never comes here (cli/main.ts). */
export function hookCommand(setExit: SetExit): Command {
  const command = new Command("hook")
    .description(
      "Skills that act in coding agents. With an event on standard input: `hasp hook --host <host>` answers it.",
    )
    .addHelpText("after", helpText("hasp hook install --host claude-code", "hasp hook status"));
  const add = [installCommand, uninstallCommand, statusCommand, trustCommand, explainHookCommand];
  for (const one of add) command.addCommand(one(setExit).exitOverride());
  return command;
}
