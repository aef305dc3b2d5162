import { describe, expect, it } from "vitest";
import { CLAUDE_CODE_TOOLS } from "../../../src/trace/formats/tools/claude-code.ts";
import { CODEX_TOOLS } from "../../../src/trace/formats/tools/codex.ts";
import { canonicalCall, hostInput } from "../../../src/trace/formats/tools/tool-table.ts";

const CWD = "/code/repo";
const table = CLAUDE_CODE_TOOLS;
const read = (name: string, input: unknown) => canonicalCall(table, name, input, CWD);
const commandIn = (name: string, input: unknown): unknown => {
  const { type, input: canonical } = read(name, input);
  return type === "Bash" || type === "PowerShell" ? `${type}: ${String(canonical["command"])}` : type;
};

describe("A tool that no table names", () => {
  it.each<[string, object, string]>([
    ["mcp__box__bash", { command: "ls a" }, "Bash: ls a"],
    ["mcp__box__start", { cmd: "ls a", timeout_ms: 5 }, "Bash: ls a"],
    ["mcp__box__run", { script: "ls a\nls b" }, "Bash: ls a\nls b"],
    ["mcp__box__run", { shell_command: "ls a" }, "Bash: ls a"],
    ["mcp__box__run_powershell", { command: "ls a" }, "PowerShell: ls a"],
    ["mcp__box__run", { command: "ls a", shell: "pwsh" }, "PowerShell: ls a"],
    ["mcp__box__exec", { command: "rm", args: ["-r", "my files"] }, "Bash: rm -r 'my files'"],
    ["mcp__box__exec", { command: ["rm", "-r", "a"] }, "Bash: rm -r a"],
    ["mcp__box__exec", { command: "rm", args: "-rf ~/" }, "Bash: rm -rf ~/"],
    ["mcp__box__act", { command: "look" }, "Bash: look"],
    ["mcp__files__files", { action: "delete", path: "a" }, "Bash: rm a"],
    ["mcp__box__batch", { commands: ["cd a", "rm b"] }, "Bash: cd a\nrm b"],
    ["mcp__box__call_tool", { name: "bash", arguments: { command: "ls a" } }, "Bash: ls a"],
    ["mcp__tty__write_to_terminal", { input: "ls a\n" }, "Bash: ls a\n"],
    ["mcp__tty__interact_with_process", { pid: 4, input: "ls a" }, "Bash: ls a"],
    [
      "mcp__nb__execute_code",
      { code: "import os\nos.remove('a')" },
      `Bash: python3 -c 'import os\nos.remove('\\''a'\\'')'`,
    ],
    ["mcp__nb__run_cell", { code: "%%bash\nrm a" }, "Bash: rm a"],
    ["mcp__nb__python", { code: "!rm a" }, "Bash: python3 -c '!rm a'\nrm a"],
    ["mcp__x__run", { code: "rm a", language: "bash" }, "Bash: rm a"],
    ["mcp__x__run", { code: "rm a" }, "Bash: rm a"],
    ["mcp__x__run", { script: "puts 1", language: "ruby" }, "Bash: ruby -e 'puts 1'"],
    ["mcp__files__delete_file", { path: "a b.txt" }, "Bash: rm 'a b.txt'"],
    ["mcp__files__removeDirectory", { path: "~/work" }, "Bash: rm -r ~/work"],
    ["mcp__files__move_file", { source: "a", destination: "b" }, "Bash: mv a b"],
    ["Monitor", { command: "tail -f log", description: "d", timeout_ms: 5 }, "Bash: tail -f log"],
    [
      "REPL",
      { code: "await Bash({ command: 'ls \\'a\\'' })" },
      `Bash: node -e 'await Bash({ command: '\\''ls \\'\\''a\\'\\'''\\'' })'\nls 'a'`,
    ],
  ])("runs a command: %s %j", (name, input, expected) => {
    expect(commandIn(name, input)).toBe(expected);
  });

  it.each<[string, object, string, object]>([
    ["mcp__files__write_file", { path: "/code/repo/a", content: "" }, "Write", { path: "a", content: "" }],
    [
      "mcp__files__edit_block",
      { file_path: "a", old_string: "x", new_string: "y" },
      "Edit",
      { path: "a", oldText: "x", newText: "y" },
    ],
    [
      "mcp__files__edit_file",
      { path: "a", edits: [{ oldText: "x", newText: "y" }], dryRun: false },
      "MultiEdit",
      { edits: [{ path: "a", oldText: "x", newText: "y" }], dryRun: false },
    ],
    ["mcp__files__append_to_file", { path: "a", text: "y" }, "Bash", { command: "printf %s y >> a" }],
    ["mcp__files__update_file", { path: "a", text: "y" }, "Write", { path: "a", content: "y" }],
    ["mcp__files__read_text_file", { path: ".env" }, "Read", { path: ".env" }],
    [
      "mcp__box__editor",
      { command: "create", path: ".git/config", file_text: "" },
      "Write",
      { path: ".git/config", content: "", command: "create" },
    ],
    ["mcp__box__fs", { operation: "read", path: ".env" }, "Read", { path: ".env", operation: "read" }],
  ])("touches a file: %s %j", (name, input, type, canonical) => {
    expect(read(name, input)).toEqual({ type, input: canonical });
  });

  it.each<[string, unknown]>([
    ["mcp__github__create_or_update_file", { owner: "o", repo: "r", path: "a", content: "x", message: "m" }],
    ["mcp__github__get_file_contents", { owner: "o", repo: "r", path: ".env" }],
    ["mcp__box__list_directory", { path: "src" }],
    ["mcp__box__get_file_info", { path: ".env" }],
    ["mcp__box__run", { command: 5 }],
    ["mcp__box__run", { command: "" }],
    ["mcp__box__run", { command: { command: { command: { command: "rm -rf /" } } } }],
    ["mcp__tasks__create", { input: "rm the old logs" }],
    ["mcp__chat__session", { text: "rm -rf / is dangerous" }],
    ["mcp__orders__process", { data: "rm -rf /" }],
    ["mcp__notes__delete", { id: "5" }],
    ["mcp__notes__move", { from: "a" }],
    ["Monitor", { ws: { url: "wss://example.org" } }],
    ["mcp__box__write", { path: "a\nb", content: "x" }],
    ["TodoWrite", { todos: [] }],
  ])("keeps its own name where it does neither: %s %j", (name, input) => {
    expect(read(name, input).type).toBe(name);
  });

  it("is changed in its own words, or not at all", () => {
    const write = (name: string, original: object, command: string): unknown =>
      hostInput(table, name, { ...read(name, original).input, command }, original, CWD);
    expect(write("mcp__box__start", { cmd: "a", timeout_ms: 5 }, "b")).toEqual({ cmd: "b", timeout_ms: 5 });
    expect(write("Monitor", { command: "a", description: "d" }, "b")).toEqual({
      command: "b",
      description: "d",
    });
    expect(write("mcp__box__exec", { command: "a", args: ["b"] }, "c")).toBeUndefined();
    expect(write("REPL", { code: "await Bash({ command: 'a' })" }, "c")).toBeUndefined();
    const original = { code: "await Bash({ command: 'a' })" };
    expect(hostInput(table, "REPL", read("REPL", original).input, original, CWD)).toBe(original);
  });

  it("reads what hostile inputs hold without end or error", () => {
    const deep = JSON.parse(`${'{"arguments":'.repeat(60)}{"command":"ls"}${"}".repeat(60)}`) as unknown;
    expect(read("mcp__x__y", deep).type).toBe("mcp__x__y");
    const long = `command: "${'\\"'.repeat(100_000)}`;
    for (const code of [long, "!".repeat(100_000), "\n%sx".repeat(50_000), "`".repeat(100_000)])
      expect(read("REPL", { code }).type).toBe("Bash");
    expect(canonicalCall(CODEX_TOOLS, "mcp__".repeat(50_000), { command: "ls" }, CWD).type).toBe("Bash");
  });
});
