import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { Command } from "commander";
import { helpText } from "../help.ts";
import type * as McpMain from "../mcp-main.ts";
import { mayRunFor, trustFile, trustRuns } from "../../platform/trust.ts";
import { confirm } from "../confirm.ts";
import { CliError, EXIT, openTerminal, type SetExit } from "../terminal.ts";

/** Beside the CLI: the SDK is large, and no other command needs it. */
const SERVER_FILE = path.join(__dirname, "mcp.cjs");

function loadServer(): typeof McpMain {
  try {
    return createRequire(__filename)(SERVER_FILE) as typeof McpMain;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    throw new CliError(
      "mcp.cjs does not stand beside hasp.cjs.",
      "Copy the whole dist folder, or build again.",
    );
  }
}

async function folderAt(root: string): Promise<string> {
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory() === true) return path.resolve(root);
  throw new CliError(`There is no folder ${root}.`, "Name the root of the workspace with --root.");
}

interface TrustOptions {
  readonly revoke?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `hasp mcp trust`: a person's yes, kept with the user. */
async function runTrust(given: string, { revoke, yes, json }: TrustOptions): Promise<void> {
  const terminal = openTerminal(json === true);
  const root = await folderAt(given);
  if (revoke === true) trustRuns(root, undefined);
  else if (!mayRunFor(root)) {
    terminal.line(
      `Assistants that call \`hasp mcp\` could then have the Program Functions of ${root} run, as they are at the time,`,
    );
    terminal.line(
      "in the sandbox: without files, network, clock or processes. They act in no agent's session by that.",
    );
    if (await confirm("Let them run?", yes)) trustRuns(root, new Date().toISOString());
  }
  const trusted = mayRunFor(root);
  terminal.line(trusted ? `They may run. Kept in ${trustFile()}.` : "They do not run.");
  terminal.result({ root, trusted });
}

function trustCommand(setExit: SetExit): Command {
  return new Command("trust")
    .description(
      "Let assistants have the skills of a workspace run, in the sandbox. Until then they are read and checked.",
    )
    .argument("[folder]", "the workspace", ".")
    .option("--revoke", "take the yes back")
    .option("--yes", "do not ask")
    .option("--json", "print the result as JSON")
    .addHelpText("after", helpText("hasp mcp trust"))
    .action(async (folder: string, options: TrustOptions) => {
      await runTrust(folder, options);
      setExit(EXIT.fine);
    });
}

/** `hasp mcp [--root <folder>]`. */
export function mcpCommand(setExit: SetExit): Command {
  const command = new Command("mcp")
    .description(
      "Serve the skills of a workspace to an assistant over MCP (stdio): list, validate, backtest, explain a step.",
    )
    .option("--root <folder>", "the workspace; nothing outside it is read", ".")
    .addHelpText("after", helpText("claude mcp add hasp -- hasp mcp --root .", "hasp mcp trust"))
    .action(async ({ root }: { root: string }) => {
      await loadServer().serveMcp(await folderAt(root), __filename);
      setExit(EXIT.fine);
    });
  return command.addCommand(trustCommand(setExit).exitOverride());
}
