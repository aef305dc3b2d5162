import { STR_REPLACE_EDITOR } from "./copilot.ts";
import type { ToolTable } from "./tool-shape.ts";

/**
 * Tools of SWE-agent that are called with named arguments. Its window editor knows lines, not texts: what `edit` and `create` do depends
 * on what the window showed (swe-commands.ts). The line that `open` is to show is no offset: the window stands around it.
 */
export const SWE_AGENT_TOOLS: ToolTable = {
  host: "swe-agent",
  absolutePaths: false,
  tools: {
    bash: { tool: "Bash", keys: { command: { type: "string", required: true } } },
    execute_bash: { tool: "Bash", keys: { command: { type: "string", required: true } } },
    open: {
      tool: "Read",
      keys: { path: { type: "string", required: true, path: true } },
    },
    find_file: {
      tool: "Glob",
      keys: {
        file_name: { as: "pattern", type: "string", required: true },
        dir: { as: "path", type: "string", path: true },
      },
    },
    search_dir: {
      tool: "Grep",
      keys: {
        search_term: { as: "pattern", type: "string", required: true },
        dir: { as: "path", type: "string", path: true },
      },
    },
    search_file: {
      tool: "Grep",
      keys: {
        search_term: { as: "pattern", type: "string", required: true },
        file: { as: "path", type: "string", path: true },
      },
    },
    str_replace_editor: STR_REPLACE_EDITOR,
  },
};
