import { STR_REPLACE_EDITOR } from "./copilot.ts";
import type { KeyShape, ToolShape, ToolTable } from "./tool-shape.ts";

/** One canonical key under the names that hosts give it; one of them has to be there. */
function key(as: string, names: string, more: Partial<KeyShape> = {}): ToolShape["keys"] {
  const shape: KeyShape = { as, type: "string", required: true, ...more };
  return Object.fromEntries(names.split(" ").map((name) => [name, shape]));
}

function shape(tool: ToolShape["tool"], ...keys: readonly ToolShape["keys"][]): ToolShape {
  const all: ToolShape["keys"] = Object.assign({}, ...keys);
  const sent = Object.entries(all).map(([name, { type }]) => [name, { type }] as const);
  return { tool, keys: all, sent: Object.fromEntries(sent) };
}

/** Names that tools give the path of one file. */
export const PATH_NAMES = "path file_path filePath target_file absolute_path filename file";
/** Names that shell tools give the line that they run. */
export const COMMAND_NAMES = "command cmd commandLine CommandLine script";
/** Names that tools give the whole text of a file. */
export const CONTENT_NAMES = "content contents file_text fileText text code";
/** Names that tools give the text to replace, and the one that replaces it. */
export const OLD_NAMES = "old_string oldString old_str oldText old_text search";
export const NEW_NAMES = "new_string newString new_str newText new_text replace replacement";

const PATH = key("path", PATH_NAMES, { path: true });
const FOLDER = key("path", "path dir_path directory folder relative_workspace_path target_directory", {
  path: true,
});
const COMMAND = key("command", COMMAND_NAMES);
const OLD = key("oldText", OLD_NAMES);
const NEW = key("newText", NEW_NAMES);
const CONTENT = key("content", CONTENT_NAMES);
const PATTERN = key("pattern", "pattern query regex search_term");

const SHELL: ToolShape = { ...shape("Bash", COMMAND), powershellOnWindows: true };
const POWERSHELL = shape("PowerShell", COMMAND);
const READ = shape("Read", PATH);
const WRITE = shape("Write", PATH, CONTENT);
const EDIT = shape("Edit", PATH, OLD, NEW);
const PATCH: ToolShape = { ...shape("Patch", key("patch", "patch input diff command")), bare: "patch" };
const LIST = shape("List", FOLDER);
const GREP = shape("Grep", PATTERN);
const GLOB = shape("Glob", PATTERN);
const FETCH = shape("WebFetch", key("url", "url"));
const SEARCH = shape("WebSearch", key("query", "query"));
const AGENT = shape("Agent", key("prompt", "prompt message task"));

const named = (tool: ToolShape, names: string): Readonly<Record<string, ToolShape>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, tool]));

/**
 * Tools as the hosts call them that have no table of their own (Cursor, Gemini CLI, Cline, Zed and others), and the shorter names that
 * models use. A call counts only where its input has the keys: another program may mean something else by the same name.
 */
export const OTHER_TOOLS: ToolTable = {
  host: "other",
  absolutePaths: true,
  tools: {
    ...named(
      SHELL,
      "bash sh zsh shell terminal exec execute run_command run_terminal_command run_terminal_cmd run_shell_command execute_command execute_bash exec_command run_bash shell_exec bash_tool",
    ),
    ...named(POWERSHELL, "powershell pwsh run_powershell"),
    ...named(READ, "read read_file view view_file open_file cat"),
    ...named(WRITE, "write write_file write_to_file create create_file create_new_file save_file"),
    ...named(
      EDIT,
      "edit edit_file replace str_replace string_replace search_replace replace_in_file modify_file",
    ),
    str_replace_based_edit_tool: STR_REPLACE_EDITOR,
    text_editor: STR_REPLACE_EDITOR,
    ...named(PATCH, "patch apply_patch apply_diff"),
    ...named(LIST, "ls list list_dir list_directory list_files"),
    ...named(GREP, "grep rg ripgrep grep_search search_files search_file_content codebase_search"),
    ...named(GLOB, "glob file_search find_files"),
    ...named(FETCH, "fetch fetch_url web_fetch"),
    ...named(SEARCH, "web_search google_web_search"),
    ...named(AGENT, "agent task subagent run_subagent new_task invoke_agent"),
  },
};
