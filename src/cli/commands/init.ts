import path from "node:path";
import { allDomains } from "../../domains/registry.ts";
import { CONFIG_FILE, TSCONFIG_FILE, workspaceFiles } from "../../skill/workspace-files.ts";
import { defineCommand } from "../define-command.ts";
import { EXIT } from "../terminal.ts";

/** Files that belong to the user once they exist; the type files are ours and always written anew. */
const USERS = new Set([CONFIG_FILE, TSCONFIG_FILE]);

/** `hasp init [folder]`. */
export const initCommand = defineCommand({
  name: "init",
  about: "Make a folder a HASP workspace: the types that pf.ts imports, a tsconfig, and hasp.yaml.",
  takes: [["[folder]", "the root of the workspace", "."]],
  examples: ["hasp init my-agent"],
  async run({ terminal, files }, folder: string) {
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
  },
});
