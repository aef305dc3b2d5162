import { lineKeys } from "./forms.ts";
import type { ToolShape, ToolTable } from "./tool-shape.ts";

const PATH = { as: "path", type: "string", required: true, path: true } as const;
/** The folder of a search; `path` in versions before 0.20. */
const FOLDER = {
  dir_path: { as: "path", type: "string", path: true },
  path: { type: "string", path: true },
} as const;

const GREP: ToolShape = {
  tool: "Grep",
  keys: {
    pattern: { type: "string", required: true },
    ...FOLDER,
    include_pattern: { as: "glob", type: "string" },
    include: { as: "glob", type: "string" },
  },
};

/** Tools of Gemini CLI 0.61.0 (packages/core/src/tools), with the names that some of their keys had before. */
export const GEMINI_TOOLS: ToolTable = {
  host: "gemini",
  absolutePaths: false,
  tools: {
    run_shell_command: {
      tool: "Bash",
      powershellOnWindows: true,
      keys: {
        command: { type: "string", required: true },
        description: { type: "string" },
        is_background: { as: "background", type: "boolean" },
      },
    },
    read_file: {
      tool: "Read",
      keys: {
        file_path: PATH,
        absolute_path: { as: "path", type: "string", path: true },
        offset: { type: "number" },
        limit: { type: "number" },
      },
      sent: {
        file_path: { type: "string", required: true },
        start_line: { type: "number" },
        end_line: { type: "number" },
      },
      form: lineKeys("start_line", "end_line"),
    },
    write_file: { tool: "Write", keys: { file_path: PATH, content: { type: "string", required: true } } },
    replace: {
      tool: "Edit",
      keys: {
        file_path: PATH,
        old_string: { as: "oldText", type: "string", required: true },
        new_string: { as: "newText", type: "string", required: true },
        allow_multiple: { as: "all", type: "boolean" },
      },
    },
    list_directory: { tool: "List", keys: FOLDER },
    glob: { tool: "Glob", keys: { pattern: { type: "string", required: true }, ...FOLDER } },
    grep_search: GREP,
    search_file_content: GREP,
    web_fetch: { tool: "WebFetch", keys: { prompt: { type: "string", required: true } } },
    google_web_search: { tool: "WebSearch", keys: { query: { type: "string", required: true } } },
    invoke_agent: {
      tool: "Agent",
      keys: {
        prompt: { type: "string", required: true },
        agent_name: { as: "agent", type: "string" },
      },
    },
  },
};
