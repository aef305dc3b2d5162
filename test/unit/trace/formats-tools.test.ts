import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argOfInput } from "../../../src/trace/canonical-input.ts";
import { CLAUDE_CODE_TOOLS } from "../../../src/trace/formats/tools/claude-code.ts";
import { CODEX_TOOLS } from "../../../src/trace/formats/tools/codex.ts";
import { COPILOT_TOOLS } from "../../../src/trace/formats/tools/copilot.ts";
import { inputProblem } from "../../../src/trace/formats/tools/input-problem.ts";
import { SWE_AGENT_TOOLS } from "../../../src/trace/formats/tools/swe-agent.ts";
import { absolutePath, pathInFolder } from "../../../src/trace/tool-path.ts";
import { canonicalCall, hostInput } from "../../../src/trace/formats/tools/tool-table.ts";
import type { ToolTable } from "../../../src/trace/formats/tools/tool-shape.ts";
import { VSCODE_TOOLS } from "../../../src/trace/formats/tools/vscode.ts";

const TABLES = [CLAUDE_CODE_TOOLS, VSCODE_TOOLS, COPILOT_TOOLS, CODEX_TOOLS, SWE_AGENT_TOOLS];
const CWD = "/code/repo";

/** A host, one of its tools, its call, and what it is in canonical words. */
const CALLS: readonly (readonly [ToolTable, string, unknown, string, Record<string, unknown>])[] = [
  [
    CLAUDE_CODE_TOOLS,
    "Bash",
    { description: "look", command: "ls", run_in_background: true, sandbox: 1 },
    "Bash",
    { command: "ls", description: "look", background: true, sandbox: 1 },
  ],
  [
    CLAUDE_CODE_TOOLS,
    "Edit",
    { file_path: "/code/repo/src/a.ts", old_string: "a", new_string: "b", replace_all: true },
    "Edit",
    { path: "src/a.ts", oldText: "a", newText: "b", all: true },
  ],
  [
    CLAUDE_CODE_TOOLS,
    "MultiEdit",
    { file_path: "/code/repo/a", edits: [{ old_string: "x", new_string: "y" }] },
    "MultiEdit",
    { edits: [{ path: "a", oldText: "x", newText: "y" }] },
  ],
  [CLAUDE_CODE_TOOLS, "Task", { prompt: "p", subagent_type: "s" }, "Agent", { prompt: "p", agent: "s" }],
  [
    CLAUDE_CODE_TOOLS,
    "mcp__github__issue",
    { path: "/code/repo/x" },
    "mcp__github__issue",
    { path: "/code/repo/x" },
  ],
  [
    VSCODE_TOOLS,
    "run_in_terminal",
    { command: "ls", explanation: "look", isBackground: false },
    "Bash",
    { command: "ls", description: "look", background: false },
  ],
  [
    VSCODE_TOOLS,
    "read_file",
    { filePath: "/code/repo/a.ts", startLine: 3, endLine: 5 },
    "Read",
    { path: "a.ts", offset: 3, limit: 3 },
  ],
  [
    VSCODE_TOOLS,
    "multi_replace_string_in_file",
    {
      explanation: "e",
      replacements: [{ filePath: "/code/repo/a", oldString: "x", newString: "y", explanation: "f" }],
    },
    "MultiEdit",
    { edits: [{ path: "a", oldText: "x", newText: "y", explanation: "f" }], explanation: "e" },
  ],
  [
    VSCODE_TOOLS,
    "apply_patch",
    { input: "*** Begin Patch", explanation: "e" },
    "Patch",
    { patch: "*** Begin Patch", explanation: "e" },
  ],
  [VSCODE_TOOLS, "fetch_webpage", { urls: ["u"], query: "q" }, "WebFetch", { url: "u", prompt: "q" }],
  [
    VSCODE_TOOLS,
    "fetch_webpage",
    { urls: ["u", "v"], query: "q" },
    "fetch_webpage",
    { urls: ["u", "v"], query: "q" },
  ],
  [VSCODE_TOOLS, "runTests", { files: ["/code/repo/t.ts"] }, "RunTests", { files: ["t.ts"] }],
  [COPILOT_TOOLS, "bash", '{"command":"ls","sessionId":"s"}', "Bash", { command: "ls", sessionId: "s" }],
  [COPILOT_TOOLS, "view", { path: "/code/repo/a", view_range: [2, -1] }, "Read", { path: "a", offset: 2 }],
  [
    COPILOT_TOOLS,
    "edit",
    { path: "a", old_str: "x", new_str: "y" },
    "Edit",
    { path: "a", oldText: "x", newText: "y" },
  ],
  [COPILOT_TOOLS, "create", { path: "a", file_text: "x" }, "Write", { path: "a", content: "x" }],
  [COPILOT_TOOLS, "rg", { pattern: "x", "-n": true }, "Grep", { pattern: "x", "-n": true }],
  [COPILOT_TOOLS, "apply_patch", "*** Begin Patch", "Patch", { patch: "*** Begin Patch" }],
  [
    COPILOT_TOOLS,
    "str_replace_editor",
    { command: "str_replace", path: "a", old_str: "x", new_str: "y" },
    "Edit",
    { path: "a", oldText: "x", newText: "y" },
  ],
  [
    COPILOT_TOOLS,
    "str_replace_editor",
    { command: "undo_edit", path: "a" },
    "str_replace_editor",
    { command: "undo_edit", path: "a" },
  ],
  [
    CODEX_TOOLS,
    "shell",
    { command: ["bash", "-lc", "npm test && ls"], workdir: "/code/repo", timeout_ms: 9 },
    "Bash",
    { command: "npm test && ls", timeout: 9, workdir: "/code/repo" },
  ],
  [CODEX_TOOLS, "shell", { command: ["rg", "a b"] }, "Bash", { command: "rg 'a b'" }],
  [
    CODEX_TOOLS,
    "shell",
    { command: ["powershell.exe", "-NoProfile", "-Command", "dir"] },
    "PowerShell",
    { command: "dir" },
  ],
  [
    CODEX_TOOLS,
    "shell",
    { command: ["apply_patch", "*** Begin Patch"] },
    "Patch",
    { patch: "*** Begin Patch" },
  ],
  [CODEX_TOOLS, "exec_command", { cmd: "ls", yield_time_ms: 1 }, "Bash", { command: "ls", yield_time_ms: 1 }],
  [CODEX_TOOLS, "apply_patch", "*** Begin Patch", "Patch", { patch: "*** Begin Patch" }],
];

const SHELL_INPUT = { command: "rm -rf ~/" };
const EDITED = { path: "src/a.ts", oldText: "a", newText: "b" };
const SNAKE = { file_path: "/code/repo/src/a.ts", old_string: "a", new_string: "b" };
const CAMEL = { filePath: "/code/repo/src/a.ts", oldString: "a", newString: "b" };
const SHORT = { path: "/code/repo/src/a.ts", old_str: "a", new_str: "b" };
const WRITTEN = { path: "src/a.ts", content: "x" };
const PATCH = "*** Begin Patch\n*** End Patch";

/** Names as other hosts and models spell them, with their inputs, whichever host they come from. */
const SPELLINGS: readonly (readonly [string, unknown, string, Record<string, unknown>])[] = [
  ..."bash Bash BASH shell Shell local_shell localShell run_in_terminal runInTerminal RunInTerminal run-in-terminal runTerminalCommand run_terminal_cmd run_shell_command execute_command exec_command shell_command terminal sh"
    .split(" ")
    .map((name) => [name, SHELL_INPUT, "Bash", SHELL_INPUT] as const),
  ["exec_command", { cmd: "ls" }, "Bash", { command: "ls" }],
  ["Exec_Command", { cmd: "ls" }, "Bash", { command: "ls" }],
  ["bash", { cmd: "ls" }, "Bash", { command: "ls" }],
  ["powershell", SHELL_INPUT, "PowerShell", SHELL_INPUT],
  ["PowerShell", SHELL_INPUT, "PowerShell", SHELL_INPUT],
  ["pwsh", SHELL_INPUT, "PowerShell", SHELL_INPUT],
  ["edit", SHORT, "Edit", EDITED],
  ["Edit", SHORT, "Edit", EDITED],
  ["Edit", SNAKE, "Edit", EDITED],
  ["edit_file", SNAKE, "Edit", EDITED],
  ["editFile", CAMEL, "Edit", EDITED],
  ["search_replace", SNAKE, "Edit", EDITED],
  ["replace_string_in_file", CAMEL, "Edit", EDITED],
  ["replaceStringInFile", CAMEL, "Edit", EDITED],
  ["str_replace_editor", { command: "str_replace", ...SHORT }, "Edit", EDITED],
  ["str_replace_based_edit_tool", { command: "str_replace", ...SHORT }, "Edit", EDITED],
  ["str_replace_editor", { command: "view", path: "/code/repo/src/a.ts" }, "Read", { path: "src/a.ts" }],
  [
    "MultiEdit",
    { file_path: "/code/repo/src/a.ts", edits: [{ old_string: "a", new_string: "b" }] },
    "MultiEdit",
    { edits: [EDITED] },
  ],
  ["multi_replace_string_in_file", { replacements: [CAMEL] }, "MultiEdit", { edits: [EDITED] }],
  ["create_file", { filePath: "/code/repo/src/a.ts", content: "x" }, "Write", WRITTEN],
  ["createFile", { filePath: "/code/repo/src/a.ts", content: "x" }, "Write", WRITTEN],
  ["create", { path: "/code/repo/src/a.ts", file_text: "x" }, "Write", WRITTEN],
  ["write", { file_path: "/code/repo/src/a.ts", content: "x" }, "Write", WRITTEN],
  ["write_file", { file_path: "/code/repo/src/a.ts", content: "x" }, "Write", WRITTEN],
  ["apply_patch", PATCH, "Patch", { patch: PATCH }],
  ["applyPatch", { input: PATCH }, "Patch", { patch: PATCH }],
  ["ApplyPatch", { patch: PATCH }, "Patch", { patch: PATCH }],
  ["read_file", { filePath: "/code/repo/src/a.ts" }, "Read", { path: "src/a.ts" }],
  ["readFile", { file_path: "/code/repo/src/a.ts" }, "Read", { path: "src/a.ts" }],
  ["view", { path: "/code/repo/src/a.ts" }, "Read", { path: "src/a.ts" }],
];

describe.each(TABLES)("$host reads the names of the other hosts", (table) => {
  it.each(SPELLINGS)("%s %j", (name, input, type, canonical) => {
    expect(canonicalCall(table, name, input, CWD)).toEqual({ type, input: canonical });
  });

  it.each([
    ["edit_file", { target_file: "a.ts", instructions: "do it", code_edit: "// … existing code" }],
    ["write_file", { title: "an issue" }],
    ["mcp__shop__create_file", { filePath: "a", title: "b" }],
    ["list", { id: 5 }],
    ["constructor", { sort: "ls" }],
    ["__proto__", { sort: "ls" }],
  ])("and leaves alone what only sounds like one: %s %j", (name, input) => {
    expect(canonicalCall(table, name, input, CWD)).toEqual({ type: name, input });
  });

  it("and sends a changed input back in the words that came", () => {
    const changed = { command: "git push --force-with-lease" };
    expect(hostInput(table, "exec_command", changed, { cmd: "git push --force" }, CWD)).toEqual({
      cmd: changed.command,
    });
    expect(inputProblem(table, "exec_command", { cmd: changed.command })).toBeUndefined();
    expect(inputProblem(table, "runTerminalCommand", { command: 5 })).toContain("must be a text");
  });
});

describe("the tables of the hosts' tools", () => {
  it.each(CALLS.map((call) => [call[0].host, call[1], call] as const))("%s: %s", (_host, _name, call) => {
    const [table, name, input, type, canonical] = call;
    const read = canonicalCall(table, name, input, CWD);
    expect(read).toEqual({ type, input: canonical });
    expect(JSON.stringify(read.input)).toBe(JSON.stringify(canonical));
    expect(hostInput(table, name, read.input, input, CWD)).toBe(input);
  });

  it("writes a changed input into the host's own words and keeps the keys it does not know", () => {
    const write = (
      table: ToolTable,
      name: string,
      original: unknown,
      change: Record<string, unknown>,
    ): unknown =>
      hostInput(
        table,
        name,
        { ...canonicalCall(table, name, original, CWD).input, ...change },
        original,
        CWD,
      );
    expect(write(CLAUDE_CODE_TOOLS, "Bash", { command: "a", x: 1 }, { command: "b" })).toEqual({
      command: "b",
      x: 1,
    });
    expect(
      write(CLAUDE_CODE_TOOLS, "Write", { file_path: "/code/repo/a", content: "" }, { path: "b/c" }),
    ).toEqual({
      file_path: "/code/repo/b/c",
      content: "",
    });
    expect(
      write(CODEX_TOOLS, "shell", { command: ["bash", "-lc", "a"], workdir: "w" }, { command: "b c" }),
    ).toEqual({
      command: ["bash", "-lc", "b c"],
      workdir: "w",
    });
    expect(write(CODEX_TOOLS, "shell", { command: ["git", "push"] }, { command: "git push -n" })).toEqual({
      command: ["bash", "-lc", "git push -n"],
    });
    expect(write(COPILOT_TOOLS, "bash", '{"command":"a"}', { command: "b" })).toBe('{"command":"b"}');
    expect(write(COPILOT_TOOLS, "apply_patch", "p", { patch: "q" })).toBe("q");
    expect(write(COPILOT_TOOLS, "view", { path: "a" }, { offset: 3, limit: 2 })).toEqual({
      path: "a",
      view_range: [3, 4],
    });
    const read = { filePath: "/code/repo/a", startLine: 1, endLine: 9 };
    expect(write(VSCODE_TOOLS, "read_file", read, { limit: 5 })).toEqual({ ...read, endLine: 5 });
    const two = { file_path: "/code/repo/a", edits: [{ old_string: "x", new_string: "y" }] };
    expect(
      write(CLAUDE_CODE_TOOLS, "MultiEdit", two, { edits: [{ path: "a", oldText: "x", newText: "z" }] }),
    ).toEqual({
      file_path: "/code/repo/a",
      edits: [{ old_string: "x", new_string: "z" }],
    });
  });

  it("says that a host's tool cannot say it", () => {
    const edit = { filePath: "/code/repo/a", oldString: "x", newString: "y" };
    const { input } = canonicalCall(VSCODE_TOOLS, "replace_string_in_file", edit, CWD);
    expect(
      hostInput(VSCODE_TOOLS, "replace_string_in_file", { ...input, all: true }, edit, CWD),
    ).toBeUndefined();
    expect(hostInput(VSCODE_TOOLS, "replace_string_in_file", { ...input, all: false }, edit, CWD)).toEqual(
      edit,
    );
    expect(
      hostInput(VSCODE_TOOLS, "replace_string_in_file", { ...input, filePath: "b" }, edit, CWD),
    ).toBeUndefined();
    const two = { file_path: "a", edits: [{ old_string: "x", new_string: "y" }] };
    const edits = [
      { path: "a", oldText: "x", newText: "y" },
      { path: "b", oldText: "x", newText: "y" },
    ];
    expect(hostInput(CLAUDE_CODE_TOOLS, "MultiEdit", { edits }, two)).toBeUndefined();
  });

  it("knows what a host's schema would refuse", () => {
    expect(inputProblem(CLAUDE_CODE_TOOLS, "Bash", { command: "ls", other: 1 })).toBeUndefined();
    expect(inputProblem(CLAUDE_CODE_TOOLS, "Bash", {})).toBe("`command` of Bash must be a text.");
    expect(inputProblem(VSCODE_TOOLS, "run_in_terminal", { command: "a", isBackground: "no" })).toContain(
      "true or false",
    );
    expect(inputProblem(CODEX_TOOLS, "shell", { command: [1] })).toContain("a list of words");
    expect(inputProblem(VSCODE_TOOLS, "fetch_webpage", { urls: ["u"], query: "q" })).toBeUndefined();
    expect(inputProblem(CODEX_TOOLS, "unknown", 5)).toBeUndefined();
  });

  it("reads the terminal of VS Code on Windows as PowerShell", () => {
    expect(canonicalCall(VSCODE_TOOLS, "run_in_terminal", { command: "dir" }, "C:\\repo").type).toBe(
      "PowerShell",
    );
  });
});

describe("paths", () => {
  it.each([
    ["/code/repo/src/a.ts", CWD, "src/a.ts"],
    ["/code/repo", CWD, "."],
    ["/code/repo2/a", CWD, "/code/repo2/a"],
    ["/code/repo/../secret", CWD, "/code/repo/../secret"],
    ["./src//a.ts", CWD, "src/a.ts"],
    ["../a", CWD, "../a"],
    ["../repo/a", CWD, "a"],
    ["~/.ssh", CWD, "~/.ssh"],
    ["/etc/passwd", "/", "/etc/passwd"],
    ["C:\\Repo\\src\\a.ts", "c:\\repo", "src/a.ts"],
    ["c:/repo/src/a.ts", "C:\\repo\\", "src/a.ts"],
    ["src\\a.ts", "C:\\repo", "src/a.ts"],
    ["D:\\x", "C:\\repo", "D:\\x"],
    ["a\\b", CWD, "a\\b"],
    ["/x/a", undefined, "/x/a"],
  ])("%s in %s is %s", (path, cwd, expected) => {
    expect(pathInFolder(path, cwd)).toBe(expected);
    if (cwd !== undefined && !expected.startsWith(".."))
      expect(pathInFolder(absolutePath(expected, cwd), cwd)).toBe(expected);
  });
});

const anyName = fc.constantFrom(
  ...TABLES.flatMap((table) => Object.keys(table.tools).map((name) => ({ table, name }))),
);
const KEYS = TABLES.flatMap((table) =>
  Object.values(table.tools).flatMap((shape) => [
    ...Object.keys(shape.keys),
    ...Object.keys(shape.sent ?? {}),
  ]),
);
const anyKey = fc.oneof(
  fc.constantFrom(...KEYS, "path", "edits", "view_range", "startLine", "offset"),
  fc.string(),
);
const anyPath = fc.constantFrom("/code/repo/a", "b", "../c", "C:\\d", "/e", "");
const anyValue = fc.oneof(
  anyPath,
  fc.jsonValue(),
  fc.array(anyPath),
  fc.array(fc.integer({ min: -1, max: 9 }), { maxLength: 3 }),
  fc.array(fc.dictionary(anyKey, anyPath), { maxLength: 3 }),
);
const anyInput = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(anyKey, anyValue, { maxKeys: 6 }) },
  fc.jsonValue(),
  fc.dictionary(anyKey, anyValue, { maxKeys: 4 }).map((input) => JSON.stringify(input)),
);
const anyFolder = fc.constantFrom(undefined, CWD, "/", "C:\\repo");

describe("whatever a host sends", () => {
  it("comes back to the letter when nothing changed", () => {
    fc.assert(
      fc.property(anyName, anyInput, anyFolder, ({ table, name }, input, cwd) => {
        const call = canonicalCall(table, name, input, cwd);
        expect(() => argOfInput(call.type, call.input)).not.toThrow();
        expect(hostInput(table, name, call.input, input, cwd)).toBe(input);
      }),
      { numRuns: 500 },
    );
  });

  it("is read the same after a change to one key was written, or the change is refused", () => {
    fc.assert(
      fc.property(anyName, anyInput, anyFolder, fc.nat(), ({ table, name }, input, cwd, pick) => {
        const call = canonicalCall(table, name, input, cwd);
        const texts = Object.entries(call.input).filter(([, value]) => typeof value === "string");
        const key = texts[pick % Math.max(1, texts.length)]?.[0];
        if (key === undefined) return;
        const changed = Object.fromEntries([...Object.entries(call.input), [key, "changed"]]);
        const written = hostInput(table, name, changed, input, cwd);
        if (written === undefined) return;
        // A switch that was off may be gone.
        const on = (given: object): object =>
          Object.fromEntries(Object.entries(given).filter(([, value]) => value !== false));
        const again = canonicalCall(table, name, written, cwd);
        expect(again.type).toBe(call.type);
        expect(on(again.input)).toEqual(on(changed));
      }),
      { numRuns: 500 },
    );
  });
});
