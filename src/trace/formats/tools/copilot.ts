import { without } from "../records.ts";
import { lineRange } from "./forms.ts";
import type { InputForm, ToolShape, ToolTable } from "./tool-shape.ts";

const SHELL: ToolShape["keys"] = {
  command: { type: "string", required: true },
  description: { type: "string" },
  timeout: { type: "number" },
};

const GREP: ToolShape = {
  tool: "Grep",
  keys: {
    pattern: { type: "string", required: true },
    path: { type: "string", path: true },
    glob: { type: "string" },
  },
};

const PATH = { type: "string", required: true, path: true } as const;

const EDITOR_COMMANDS = new Map([
  ["view", "Read"],
  ["create", "Write"],
  ["str_replace", "Edit"],
] as const);

const viewLines = lineRange("view_range");

/** The editor that holds four tools behind `command`; what it does beyond the three of them has no canonical tool. */
const editorForm: InputForm = {
  read(input) {
    const tool = [...EDITOR_COMMANDS].find(([command]) => command === input["command"])?.[1];
    if (tool === undefined) return undefined;
    const rest = without(input, ["command"]);
    return { tool, input: tool === "Read" ? (viewLines.read(rest)?.input ?? rest) : rest };
  },
  write(input, original) {
    const lines = original["command"] === "view" ? viewLines.write(input, original) : input;
    return lines === undefined ? undefined : { command: original["command"], ...lines };
  },
};

/** `str_replace_editor`, also of other hosts. */
export const STR_REPLACE_EDITOR: ToolShape = {
  tool: "Edit",
  keys: {
    path: PATH,
    file_text: { as: "content", type: "string" },
    old_str: { as: "oldText", type: "string" },
    new_str: { as: "newText", type: "string" },
    offset: { type: "number" },
    limit: { type: "number" },
  },
  sent: { command: { type: "string", required: true }, path: { type: "string", required: true } },
  form: editorForm,
};

/** Tools of Copilot CLI, of VS Code's Copilot sessions and of the cloud agent (HOOKS.md, "Shapes"). */
export const COPILOT_TOOLS: ToolTable = {
  host: "copilot",
  absolutePaths: true,
  tools: {
    bash: { tool: "Bash", keys: SHELL },
    powershell: { tool: "PowerShell", keys: SHELL },
    view: {
      tool: "Read",
      keys: { path: PATH, offset: { type: "number" }, limit: { type: "number" } },
      sent: { path: { type: "string", required: true } },
      form: lineRange("view_range"),
    },
    create: {
      tool: "Write",
      keys: { path: PATH, file_text: { as: "content", type: "string", required: true } },
    },
    edit: {
      tool: "Edit",
      keys: {
        path: PATH,
        old_str: { as: "oldText", type: "string", required: true },
        new_str: { as: "newText", type: "string", required: true },
      },
    },
    str_replace_editor: STR_REPLACE_EDITOR,
    apply_patch: {
      tool: "Patch",
      bare: "patch",
      keys: { patch: { type: "string" }, input: { as: "patch", type: "string" } },
    },
    grep: GREP,
    rg: GREP,
    glob: {
      tool: "Glob",
      keys: { pattern: { type: "string", required: true }, path: { type: "string", path: true } },
    },
    task: {
      tool: "Agent",
      keys: {
        prompt: { type: "string", required: true },
        description: { type: "string" },
        agent_type: { as: "agent", type: "string" },
      },
    },
    web_fetch: { tool: "WebFetch", keys: { url: { type: "string", required: true } } },
    web_search: { tool: "WebSearch", keys: { query: { type: "string", required: true } } },
  },
};
