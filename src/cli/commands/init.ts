import { Command } from "commander";
import path from "node:path";
import { allDomains } from "../../domains/registry.ts";
import { nodeFiles } from "../../platform/files.ts";
import { CONFIG_FILE, TSCONFIG_FILE, workspaceFiles } from "../../skill/workspace-files.ts";
import { helpText } from "../help.ts";
import { EXIT, openTerminal, type SetExit } from "../terminal.ts";

/** Files that belong to the user once they exist; the type files are ours and always written anew. */
const USERS = new Set([CONFIG_FILE, TSCONFIG_FILE]);

async function runInit(folder: string, json: boolean): Promise<0> {
  const terminal = openTerminal(json);
  const files = nodeFiles();
  const written: string[] = [];
  const kept: string[] = [];
  for (const [name, text] of workspaceFiles(allDomains())) {
    const target = path.join(folder, name);
    if (USERS.has(name) && (await files.exists(target))) kept.push(name);
    else {
      await files.writeText(target, text);
      written.push(name);
    }
  }
  for (const name of written) terminal.line(`wrote ${name}`);
  for (const name of kept) terminal.line(`kept  ${name}, which is yours`);
  terminal.result({ folder, written, kept });
  return EXIT.fine;
}

/** `hasp init [folder]`. */
export function initCommand(setExit: SetExit): Command {
  return new Command("init")
    .description("Make a folder a HASP workspace: the types that pf.ts imports, a tsconfig, and hasp.yaml.")
    .argument("[folder]", "the root of the workspace", ".")
    .option("--json", "print the result as JSON")
    .addHelpText("after", helpText("hasp init my-agent"))
    .action(async (folder: string, options: { json?: boolean }) => {
      setExit(await runInit(folder, options.json === true));
    });
}
