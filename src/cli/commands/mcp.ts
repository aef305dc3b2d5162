import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { Command } from "commander";
import { helpText } from "../help.ts";
import type * as McpMain from "../mcp-main.ts";
import { CliError, EXIT, type SetExit } from "../terminal.ts";

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

async function runMcp(root: string): Promise<void> {
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new CliError(`There is no folder ${root}.`, "Name the root of the workspace with --root.");
  await loadServer().serveMcp(path.resolve(root), __filename);
}

/** `hasp mcp [--root <folder>]`. */
export function mcpCommand(setExit: SetExit): Command {
  return new Command("mcp")
    .description(
      "Serve the skills of a workspace to an assistant over MCP (stdio): list, validate, backtest, explain a step.",
    )
    .option("--root <folder>", "the workspace; nothing outside it is read", ".")
    .addHelpText("after", helpText("claude mcp add hasp -- hasp mcp --root ."))
    .action(async ({ root }: { root: string }) => {
      await runMcp(root);
      setExit(EXIT.fine);
    });
}
