import { editList } from "./forms.ts";
import type { ToolShape, ToolTable } from "./tool-shape.ts";

const SHELL: ToolShape["keys"] = {
  command: { type: "string", required: true },
  description: { type: "string" },
  timeout: { type: "number" },
  run_in_background: { as: "background", type: "boolean" },
};

const AGENT: ToolShape = {
  tool: "Agent",
  keys: {
    prompt: { type: "string", required: true },
    description: { type: "string" },
    subagent_type: { as: "agent", type: "string" },
  },
};

/** Claude Code's tools (HOOKS.md, "Shapes"). `NotebookEdit`, `TodoWrite`, `BashOutput` and MCP tools keep their own names. */
export const CLAUDE_CODE_TOOLS: ToolTable = {
  host: "claude-code",
  absolutePaths: true,
  tools: {
    Bash: { tool: "Bash", keys: SHELL },
    PowerShell: { tool: "PowerShell", keys: SHELL },
    Read: {
      tool: "Read",
      keys: {
        file_path: { as: "path", type: "string", required: true, path: true },
        offset: { type: "number" },
        limit: { type: "number" },
      },
    },
    Write: {
      tool: "Write",
      keys: {
        file_path: { as: "path", type: "string", required: true, path: true },
        content: { type: "string", required: true },
      },
    },
    Edit: {
      tool: "Edit",
      keys: {
        file_path: { as: "path", type: "string", required: true, path: true },
        old_string: { as: "oldText", type: "string", required: true },
        new_string: { as: "newText", type: "string", required: true },
        replace_all: { as: "all", type: "boolean" },
      },
    },
    MultiEdit: {
      tool: "MultiEdit",
      keys: { edits: { type: "objects", path: true } },
      sent: {
        file_path: { type: "string", required: true },
        edits: { type: "objects", required: true },
      },
      form: editList(
        "edits",
        { oldText: "old_string", newText: "new_string", all: "replace_all" },
        "file_path",
      ),
    },
    Glob: {
      tool: "Glob",
      keys: { pattern: { type: "string", required: true }, path: { type: "string", path: true } },
    },
    Grep: {
      tool: "Grep",
      keys: {
        pattern: { type: "string", required: true },
        path: { type: "string", path: true },
        glob: { type: "string" },
      },
    },
    LS: { tool: "List", keys: { path: { type: "string", required: true, path: true } } },
    WebFetch: {
      tool: "WebFetch",
      keys: { url: { type: "string", required: true }, prompt: { type: "string" } },
    },
    WebSearch: { tool: "WebSearch", keys: { query: { type: "string", required: true } } },
    Agent: AGENT,
    Task: AGENT,
  },
};
