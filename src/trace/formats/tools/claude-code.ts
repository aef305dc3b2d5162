import { without } from "../records.ts";
import { lineOfCode } from "./code-calls.ts";
import { editList } from "./forms.ts";
import type { InputForm, ToolShape, ToolTable } from "./tool-shape.ts";

const SHELL: ToolShape["keys"] = {
  command: { type: "string", required: true },
  description: { type: "string" },
  timeout: { type: "number" },
  run_in_background: { as: "background", type: "boolean" },
};

/** A command that goes on beside the agent: its answer says only that it began. One that opens a WebSocket instead has no canonical tool. */
const watched: InputForm = {
  read: (input) =>
    typeof input["command"] === "string" ? { input: { ...input, background: true } } : undefined,
  write: (input) => without(input, ["background"]),
};

/** JavaScript that calls the host's tools. A change of it is a refusal: its shell lines are read out of it. */
const script: InputForm = {
  read({ code, ...rest }) {
    return typeof code === "string"
      ? { input: { command: lineOfCode(code, ["javascript"]).line, ...rest } }
      : undefined;
  },
  write: () => undefined,
};

const REPL: ToolShape = {
  tool: "Bash",
  keys: { command: { type: "string", required: true } },
  sent: { code: { type: "string", required: true } },
  form: script,
};

const AGENT: ToolShape = {
  tool: "Agent",
  keys: {
    prompt: { type: "string", required: true },
    description: { type: "string" },
    subagent_type: { as: "agent", type: "string" },
  },
};

/** Claude Code's tools (agents/hook/inventory/claude-code.ts). Of MCP tools, unknown-tools.ts tells what they do. */
export const CLAUDE_CODE_TOOLS: ToolTable = {
  host: "claude-code",
  absolutePaths: true,
  tools: {
    Bash: { tool: "Bash", keys: SHELL },
    PowerShell: { tool: "PowerShell", keys: SHELL },
    Monitor: { tool: "Bash", keys: SHELL, form: watched },
    REPL,
    Eval: REPL,
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
    // Of the cell's text before, nothing is said.
    NotebookEdit: {
      tool: "Edit",
      keys: {
        notebook_path: { as: "path", type: "string", required: true, path: true },
        new_source: { as: "newText", type: "string", required: true },
      },
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
    // Its script calls agents and nothing else.
    Workflow: { tool: "Agent", keys: { script: { as: "prompt", type: "string" } } },
    Task: AGENT,
  },
};
