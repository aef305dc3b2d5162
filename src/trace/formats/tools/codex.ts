import { wordList } from "./shell-words.ts";
import type { ToolShape, ToolTable } from "./tool-shape.ts";

const SHELL: ToolShape = {
  tool: "Bash",
  keys: {
    command: { type: "command", required: true },
    justification: { as: "description", type: "string" },
    timeout_ms: { as: "timeout", type: "number" },
    timeout: { type: "number" },
    patch: { type: "string" },
  },
  sent: { command: { type: "command", required: true } },
  form: wordList("command"),
};

/** Codex's tools. `Bash` is what its hooks call a command. `update_plan`, `write_stdin` and MCP tools keep their own names. */
export const CODEX_TOOLS: ToolTable = {
  host: "codex",
  absolutePaths: false,
  tools: {
    Bash: SHELL,
    shell: SHELL,
    local_shell: SHELL,
    "container.exec": SHELL,
    shell_command: { ...SHELL, powershellOnWindows: true },
    exec_command: {
      tool: "Bash",
      powershellOnWindows: true,
      keys: {
        cmd: { as: "command", type: "string", required: true },
        justification: { as: "description", type: "string" },
      },
    },
    apply_patch: {
      tool: "Patch",
      bare: "input",
      keys: {
        input: { as: "patch", type: "string" },
        patch: { type: "string" },
        command: { as: "patch", type: "string" },
      },
    },
    read_file: {
      tool: "Read",
      keys: {
        file_path: { as: "path", type: "string", required: true, path: true },
        offset: { type: "number" },
        limit: { type: "number" },
      },
    },
    list_dir: {
      tool: "List",
      keys: { dir_path: { as: "path", type: "string", required: true, path: true } },
    },
    grep_files: {
      tool: "Grep",
      keys: {
        pattern: { type: "string", required: true },
        path: { type: "string", path: true },
        include: { as: "glob", type: "string" },
      },
    },
    spawn_agent: {
      tool: "Agent",
      keys: {
        message: { as: "prompt", type: "string", required: true },
        agent_type: { as: "agent", type: "string" },
      },
    },
    web_search: { tool: "WebSearch", keys: { query: { type: "string", required: true } } },
  },
};
