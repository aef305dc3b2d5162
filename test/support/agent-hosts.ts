import fs from "node:fs";
import path from "node:path";

// How the scripted agent of scripted-agent.ts behaves as each host: which files it reads its hooks from, whom it asks, what it sends, and
// how it takes an answer (HOOKS.md). Written from that page alone, and not from our adapters: they are what it tests.

export type Raw = Record<string, unknown>;
export type Moment = "start" | "prompt" | "pre" | "post" | "failure" | "stop" | "end";

/** A hook that the host found for an event. */
export interface FoundHook {
  readonly handler: Raw;
  /** The event as its configuration calls it. */
  readonly event: string;
  readonly timeoutMs: number;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Raw;
}

/** All that an event may be about. */
export interface Happening {
  readonly session: string;
  readonly cwd: string;
  readonly id?: string;
  readonly call?: ToolCall;
  readonly output?: string;
  readonly prompt?: string;
  readonly said?: string;
  readonly held?: boolean;
}

/** What the host makes of the answers to one event. */
export interface Obeyed {
  readonly deny?: string;
  readonly input?: Raw;
  readonly asksPerson?: boolean;
  readonly context: readonly string[];
  readonly block?: string;
}

export interface AgentHost {
  readonly name: "claude-code" | "vscode" | "copilot" | "codex";
  hooks(moment: Moment, tool: string | undefined, place: { home: string; repo: string }): FoundHook[];
  /** Hooks run side by side, or one after the other. */
  readonly parallel: boolean;
  payload(moment: Moment, what: Happening, hook: FoundHook): Raw;
  obey(moment: Moment, answers: readonly Raw[], call: ToolCall | undefined): Obeyed;
  readonly maxHolds: number;
  shell(command: string): ToolCall;
  read(file: string): ToolCall;
  edit(file: string, before: string, after: string): ToolCall;
}

const PASCAL: Record<Moment, string> = {
  start: "SessionStart",
  prompt: "UserPromptSubmit",
  pre: "PreToolUse",
  post: "PostToolUse",
  failure: "PostToolUseFailure",
  stop: "Stop",
  end: "SessionEnd",
};

const CAMEL: Record<Moment, string> = {
  start: "sessionStart",
  prompt: "userPromptSubmitted",
  pre: "preToolUse",
  post: "postToolUse",
  failure: "postToolUse",
  stop: "agentStop",
  end: "sessionEnd",
};

const asRaw = (value: unknown): Raw =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Raw) : {};
const asList = (value: unknown): Raw[] => (Array.isArray(value) ? value.map(asRaw) : []);
const texts = (...values: unknown[]): string[] => values.filter((one) => typeof one === "string");

function jsonAt(file: string): Raw {
  return fs.existsSync(file) ? asRaw(JSON.parse(fs.readFileSync(file, "utf8"))) : {};
}

function jsonFilesIn(folder: string): Raw[] {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.map((name) => jsonAt(path.join(folder, name)));
}

/** Plain names match exactly, `|` and `,` separate them; anything else is a regular expression somewhere in the name. */
function claudeMatches(matcher: unknown, tool: string | undefined): boolean {
  if (tool === undefined || typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  if (/^[\w|, -]+$/.test(matcher)) return matcher.split(/[|,]/).some((one) => one.trim() === tool);
  return new RegExp(matcher).test(tool);
}

const seconds = (value: unknown, most: number): number => (typeof value === "number" ? value : most) * 1000;

function grouped(configs: Raw[], event: string, tool: string | undefined, most: number): FoundHook[] {
  return configs
    .flatMap((config) => asList(asRaw(config["hooks"])[event]))
    .filter(({ matcher }) => claudeMatches(matcher, tool))
    .flatMap(({ hooks }) => asList(hooks))
    .map((handler) => ({ handler, event, timeoutMs: seconds(handler["timeout"], most) }));
}

function specific(answer: Raw, event: string): Raw {
  const inner = asRaw(answer["hookSpecificOutput"]);
  return inner["hookEventName"] === event ? inner : {};
}

const ORDER = ["deny", "defer", "ask", "allow"];

function claudeObeys(moment: Moment, answers: readonly Raw[]): Obeyed {
  const inner = answers.map((answer) => specific(answer, PASCAL[moment]));
  const context = inner.flatMap((one) => texts(one["additionalContext"]));
  const block = answers.find((answer) => answer["decision"] === "block")?.["reason"];
  if (moment === "stop") return { context, ...(typeof block === "string" && { block }) };
  const decided = inner
    .filter((one) => typeof one["permissionDecision"] === "string")
    .toSorted(
      (a, b) =>
        ORDER.indexOf(String(a["permissionDecision"])) - ORDER.indexOf(String(b["permissionDecision"])),
    )[0];
  if (decided === undefined) return { context };
  if (decided["permissionDecision"] === "deny")
    return { context, deny: String(decided["permissionDecisionReason"]) };
  const input = decided["updatedInput"];
  return {
    context,
    asksPerson: decided["permissionDecision"] === "ask",
    ...(input !== undefined && { input: asRaw(input) }),
  };
}

function snake(event: string, { session, cwd, id, call, output, prompt, said, held }: Happening): Raw {
  const base = { session_id: session, cwd, hook_event_name: event, transcript_path: `${cwd}/none.jsonl` };
  const tool = call === undefined ? {} : { tool_name: call.name, tool_input: call.input, tool_use_id: id };
  if (event === "PreToolUse") return { ...base, ...tool };
  if (event === "PostToolUse")
    return { ...base, ...tool, tool_response: { stdout: output, stderr: "", exitCode: 0 } };
  if (event === "PostToolUseFailure") return { ...base, ...tool, error: output };
  if (event === "UserPromptSubmit") return { ...base, prompt };
  if (event === "Stop") return { ...base, stop_hook_active: held, last_assistant_message: said };
  return event === "SessionEnd" ? { ...base, reason: "exit" } : { ...base, source: "startup" };
}

const claudeTools = {
  shell: (command: string) => ({ name: "Bash", input: { command, description: "A step of the task" } }),
  read: (file: string) => ({ name: "Read", input: { file_path: file } }),
  edit: (file: string, before: string, after: string) => ({
    name: "Edit",
    input: { file_path: file, old_string: before, new_string: after },
  }),
};

const claudeCode: AgentHost = {
  name: "claude-code",
  parallel: true,
  maxHolds: 8,
  ...claudeTools,
  hooks(moment, tool, { home, repo }) {
    const files = [
      `${home}/.claude/settings.json`,
      `${repo}/.claude/settings.json`,
      `${repo}/.claude/settings.local.json`,
    ];
    const configs = files.map(jsonAt);
    if (configs.some(({ disableAllHooks }) => disableAllHooks === true)) return [];
    return grouped(configs, PASCAL[moment], tool, 600);
  },
  payload: (moment, what) => ({
    ...snake(PASCAL[moment], what),
    prompt_id: "p1",
    permission_mode: "default",
  }),
  obey: claudeObeys,
};

const VSCODE_REQUIRED: Record<string, string[]> = {
  run_in_terminal: ["command", "explanation", "isBackground"],
  replace_string_in_file: ["filePath", "oldString", "newString"],
};

/** Drops, without a word, what its schema does not take. */
function fits(call: ToolCall | undefined, input: Raw): boolean {
  return (VSCODE_REQUIRED[call?.name ?? ""] ?? []).every((key) => key in input);
}

const vscode: AgentHost = {
  name: "vscode",
  parallel: false,
  maxHolds: 8,
  shell: (command) => ({
    name: "run_in_terminal",
    input: { command, explanation: "A step of the task", isBackground: false },
  }),
  read: (file) => ({ name: "read_file", input: { filePath: file, startLine: 1, endLine: 100 } }),
  edit: (file, oldString, newString) => ({
    name: "replace_string_in_file",
    input: { filePath: file, oldString, newString },
  }),
  hooks(moment, _tool, { home, repo }) {
    if (moment === "end") return [];
    const event = moment === "failure" ? PASCAL.post : PASCAL[moment];
    const configs = [`${repo}/.github/hooks`, `${home}/.copilot/hooks`].flatMap(jsonFilesIn);
    return configs
      .flatMap((config) => asList(asRaw(config["hooks"])[event]))
      .map((handler) => ({ handler, event, timeoutMs: seconds(handler["timeout"], 30) }));
  },
  payload(moment, what, { event }) {
    const { session, cwd, id, call, output, prompt, said, held } = what;
    const base = { timestamp: new Date().toISOString(), cwd, sessionId: session, hookEventName: event };
    const tool = { tool_name: call?.name, tool_input: call?.input, tool_use_id: id };
    if (moment === "pre") return { ...base, ...tool };
    if (moment === "post" || moment === "failure") return { ...base, ...tool, tool_response: output };
    if (moment === "prompt") return { ...base, prompt };
    return moment === "stop" ? { ...base, stop_hook_active: held, last_assistant_message: said } : base;
  },
  obey(moment, answers, call) {
    if (moment !== "stop") {
      const { input, ...rest } = claudeObeys(moment, answers);
      return input !== undefined && fits(call, input) ? { ...rest, input } : rest;
    }
    const held = answers
      .map((answer) => specific(answer, "Stop"))
      .find(({ decision }) => decision === "block");
    return { context: [], ...(held !== undefined && { block: String(held["reason"]) }) };
  },
};

const copilot: AgentHost = {
  name: "copilot",
  parallel: false,
  maxHolds: 8,
  shell: (command) => ({ name: "bash", input: { command, description: "A step of the task" } }),
  read: (file) => ({ name: "view", input: { path: file } }),
  edit: (file, old_str, new_str) => ({ name: "edit", input: { path: file, old_str, new_str } }),
  hooks(moment, tool, { home, repo }) {
    const event = CAMEL[moment];
    const own = [`${repo}/.github/hooks`, `${home}/.copilot/hooks`].flatMap(jsonFilesIn);
    const found = own
      .flatMap((config) => asList(asRaw(config["hooks"])[event]))
      .filter(({ matcher }) => typeof matcher !== "string" || new RegExp(`^(?:${matcher})$`).test(tool ?? ""))
      .map((handler) => ({ handler, event, timeoutMs: seconds(handler["timeoutSec"], 30) }));
    // It also reads the repository's settings of Claude Code, whose names of events give other fields.
    const claude = [`${repo}/.claude/settings.json`, `${repo}/.claude/settings.local.json`].map(jsonAt);
    return [...found, ...grouped(claude, PASCAL[moment], undefined, 30)];
  },
  payload(moment, what, { event }) {
    const { session, cwd, id, call, output, prompt, said, held } = what;
    if (event === PASCAL[moment]) return snake(event, what);
    const base = { sessionId: session, timestamp: Date.now(), cwd };
    const tool = { toolName: call?.name, toolArgs: call?.input, toolCallId: id };
    if (moment === "pre") return { ...base, ...tool };
    if (moment === "post" || moment === "failure") {
      const resultType = moment === "post" ? "success" : "failure";
      return { ...base, ...tool, toolResult: { resultType, textResultForLlm: output } };
    }
    if (moment === "prompt") return { ...base, prompt };
    if (moment === "stop")
      return { ...base, stopReason: "end_turn", stop_hook_active: held, last_assistant_message: said };
    return moment === "end" ? { ...base, reason: "complete" } : { ...base, source: "new" };
  },
  obey(moment, answers) {
    const context = answers.flatMap((answer) => texts(answer["additionalContext"]));
    const denied = answers.find(({ permissionDecision }) => permissionDecision === "deny");
    if (denied !== undefined) return { context, deny: String(denied["permissionDecisionReason"]) };
    const block = answers.find(({ decision }) => decision === "block")?.["reason"];
    if (moment === "stop") return { context, ...(typeof block === "string" && { block }) };
    const input = answers.findLast(({ modifiedArgs }) => modifiedArgs !== undefined)?.["modifiedArgs"];
    return { context, ...(input !== undefined && { input: asRaw(input), asksPerson: true }) };
  },
};

const CODEX_KNOWN = new Set([
  "hookSpecificOutput",
  "decision",
  "reason",
  "continue",
  "stopReason",
  "systemMessage",
]);

const codex: AgentHost = {
  name: "codex",
  parallel: true,
  maxHolds: 8,
  shell: (command) => ({ name: "Bash", input: { command } }),
  read: (file) => ({ name: "Bash", input: { command: `cat ${path.basename(file)}` } }),
  edit: (file, before, after) => ({
    name: "apply_patch",
    input: {
      command: `*** Begin Patch\n*** Update File: ${path.basename(file)}\n@@\n-${before}\n+${after}\n*** End Patch`,
    },
  }),
  hooks(moment, tool, { home, repo }) {
    const event = moment === "failure" ? PASCAL.post : PASCAL[moment];
    return grouped([`${home}/.codex/hooks.json`, `${repo}/.codex/hooks.json`].map(jsonAt), event, tool, 600);
  },
  payload(_moment, what, { event }) {
    const raw = snake(event, what);
    const failed = what.output !== undefined && event === "PostToolUse" ? { tool_response: what.output } : {};
    return { ...raw, ...failed, turn_id: "t1", model: "scripted", permission_mode: "default" };
  },
  obey(moment, answers) {
    for (const answer of answers)
      for (const key of Object.keys(answer))
        if (!CODEX_KNOWN.has(key)) throw new Error(`Codex does not know ${key}.`);
    const { input, asksPerson, ...rest } = claudeObeys(moment, answers);
    if (input !== undefined && asksPerson === true)
      throw new Error("Codex takes a changed input with allow only.");
    return input === undefined ? rest : { ...rest, input };
  },
};

export const AGENT_HOSTS: readonly AgentHost[] = [claudeCode, vscode, copilot, codex];
