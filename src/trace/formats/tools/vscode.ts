import { editList, lineKeys, onlyItem } from "./forms.ts";
import type { ToolShape, ToolTable } from "./tool-shape.ts";

/** Sub-agents of the Copilot extension for one kind of task. */
const SUBAGENT: ToolShape = {
  tool: "Agent",
  keys: {
    query: { as: "prompt", type: "string", required: true },
    description: { type: "string" },
  },
};

/**
 * VS Code's own tools in Local sessions (HOOKS.md, "Shapes"). `insert_edit_into_file` says where its code goes in words, so it has no
 * canonical tool; neither has `get_errors`.
 */
export const VSCODE_TOOLS: ToolTable = {
  host: "vscode",
  absolutePaths: true,
  tools: {
    run_in_terminal: {
      tool: "Bash",
      powershellOnWindows: true,
      keys: {
        command: { type: "string", required: true },
        explanation: { as: "description", type: "string" },
        timeout: { type: "number" },
        isBackground: { as: "background", type: "boolean" },
      },
    },
    read_file: {
      tool: "Read",
      keys: {
        filePath: { as: "path", type: "string", required: true, path: true },
        offset: { type: "number" },
        limit: { type: "number" },
      },
      sent: {
        filePath: { type: "string", required: true },
        startLine: { type: "number" },
        endLine: { type: "number" },
        offset: { type: "number" },
        limit: { type: "number" },
      },
      form: lineKeys("startLine", "endLine"),
    },
    create_file: {
      tool: "Write",
      keys: {
        filePath: { as: "path", type: "string", required: true, path: true },
        content: { type: "string", required: true },
      },
    },
    replace_string_in_file: {
      tool: "Edit",
      keys: {
        filePath: { as: "path", type: "string", required: true, path: true },
        oldString: { as: "oldText", type: "string", required: true },
        newString: { as: "newText", type: "string", required: true },
      },
    },
    multi_replace_string_in_file: {
      tool: "MultiEdit",
      keys: { edits: { type: "objects", path: true } },
      sent: { replacements: { type: "objects", required: true } },
      form: editList("replacements", { path: "filePath", oldText: "oldString", newText: "newString" }),
    },
    apply_patch: {
      tool: "Patch",
      bare: "input",
      keys: { input: { as: "patch", type: "string", required: true } },
    },
    grep_search: {
      tool: "Grep",
      keys: {
        query: { as: "pattern", type: "string", required: true },
        includePattern: { as: "glob", type: "string" },
      },
    },
    file_search: { tool: "Glob", keys: { query: { as: "pattern", type: "string", required: true } } },
    list_dir: { tool: "List", keys: { path: { type: "string", required: true, path: true } } },
    fetch_webpage: {
      tool: "WebFetch",
      keys: { url: { type: "string" }, query: { as: "prompt", type: "string" } },
      sent: { urls: { type: "strings", required: true }, query: { type: "string" } },
      form: onlyItem("urls", "url"),
    },
    runSubagent: {
      tool: "Agent",
      keys: {
        prompt: { type: "string", required: true },
        description: { type: "string" },
        agentName: { as: "agent", type: "string" },
      },
    },
    explore_subagent: SUBAGENT,
    search_subagent: SUBAGENT,
    execution_subagent: SUBAGENT,
    runTests: { tool: "RunTests", keys: { files: { type: "strings", path: true } } },
  },
};
