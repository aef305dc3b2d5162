import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { Command } from "commander";
import { besideCli } from "../beside.ts";
import { helpText } from "../help.ts";
import type * as McpMain from "../mcp-main.ts";
import { absolute, fromHere } from "../../platform/surroundings.ts";
import { mayRunFor, trustFile, trustRuns } from "../../platform/trust.ts";
import { confirm } from "../confirm.ts";
import { defineCommand, type CommandContext } from "../define-command.ts";
import { needPerson } from "../need-person.ts";
import { flag } from "../options.ts";
import { CliError, EXIT } from "../terminal.ts";

/** Beside the CLI: the SDK is large, and no other command needs it. */
const loadServer = (): typeof McpMain => createRequire(__filename)(besideCli("mcp.cjs")) as typeof McpMain;

async function folderAt(root: string): Promise<string> {
  const found = await stat(fromHere(root)).catch(() => undefined);
  if (found?.isDirectory() === true) return absolute(root);
  throw new CliError(`There is no folder ${root}.`, "Name the root of the workspace with --root.");
}

/** `hasp mcp trust`: a person's yes, kept with the user. */
const trustCommand = defineCommand({
  name: "trust",
  about:
    "Let assistants have the skills of a workspace run, in the sandbox. Until then they are read and checked.",
  takes: [["[folder]", "the workspace", "."]],
  options: { revoke: flag("--revoke", "take the yes back"), yes: flag("--yes", "do not ask") },
  examples: ["hasp mcp trust"],
  async run({ options: { revoke, yes }, terminal }, given: string) {
    const root = await folderAt(given);
    if (revoke !== true) needPerson();
    if (revoke === true) trustRuns(root, undefined);
    else if (!mayRunFor(root)) {
      terminal.line(
        `Assistants that call \`hasp mcp\` could then have the Program Functions of ${root} run, as they are at the time,`,
      );
      terminal.line(
        "in the sandbox: without files, network, clock or processes. They act in no agent's session by that.",
      );
      if (await confirm(terminal, "Let them run?", yes)) trustRuns(root, new Date().toISOString());
    }
    const trusted = mayRunFor(root);
    terminal.line(trusted ? `They may run. Kept in ${trustFile()}.` : "They do not run.");
    terminal.result({ root, trusted });
    return EXIT.fine;
  },
});

/** `hasp mcp [--root <folder>]`. */
export function mcpCommand(context: CommandContext): Command {
  const command = new Command("mcp")
    .description(
      "Serve the skills of a workspace to an assistant over MCP (stdio): list, validate, backtest, explain a step.",
    )
    .option("--root <folder>", "the workspace; nothing outside it is read", ".")
    .addHelpText("after", helpText("claude mcp add hasp -- hasp mcp --root .", "hasp mcp trust"))
    .action(async ({ root }: { root: string }) => {
      await loadServer().serveMcp(await folderAt(root), __filename);
      context.setExit(EXIT.fine);
    });
  return command.addCommand(trustCommand(context));
}
