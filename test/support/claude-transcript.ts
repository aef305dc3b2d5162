/** A call in a made-up transcript of Claude Code. */
export interface MadeCall {
  readonly id: string;
  readonly command: string;
  readonly tool?: string;
  /** How its hook before the call ended; undefined: none ran. */
  readonly pre?: "answered" | "crashed" | "timed out" | "garbled" | "stopped" | "foreign";
  /** Default: it ran. */
  readonly end?: "ran" | "failed" | "refused" | "invalid" | "open" | "elsewhere";
  /** The file of a subagent holds it. */
  readonly agent?: string;
}

export interface MadeSession {
  readonly session: string;
  readonly cwd: string;
  readonly calls: readonly MadeCall[];
  /** Of the first line; each line is a second later. */
  readonly startedAt?: number;
  readonly version?: string;
  /** Our hook at the start of the session. */
  readonly start?: boolean;
}

export const OUR_COMMAND = "/usr/bin/node /opt/hasp/dist/hook.cjs --host claude-code --event";
export const STARTED_AT = Date.parse("2026-11-20T10:00:00.000Z");

function hookLine({ id, tool = "Bash", pre }: MadeCall): object | undefined {
  const about = { hookName: `PreToolUse:${tool}`, toolUseID: id, hookEvent: "PreToolUse", durationMs: 90 };
  const command = pre === "foreign" ? "/opt/others/check.sh" : `${OUR_COMMAND} PreToolUse`;
  const done = { type: "hook_success", ...about, content: "", stderr: "", exitCode: 0, command };
  const ends = {
    answered: { ...done, stdout: "{}\n" },
    garbled: { ...done, stdout: "{oops\n" },
    foreign: { ...done, stdout: "" },
    crashed: {
      type: "hook_non_blocking_error",
      ...about,
      stderr:
        "Failed with non-blocking status code: node:internal\n  throw err;\nError: Cannot find module\n    at x",
      stdout: "",
      exitCode: 1,
      command,
    },
    "timed out": { type: "hook_cancelled", ...about, command, timedOut: true, timeoutMs: 10_000 },
  };
  return pre === undefined || pre === "stopped" ? undefined : ends[pre];
}

function resultOf({ id, end = "ran", pre }: MadeCall): object | undefined {
  const result = (content: string, isError: boolean) => ({
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) }],
    },
  });
  const denied = {
    toolDenialKind: "permission-rule",
    permissionDecision: { decision: "reject", source: "hook" },
  };
  if (pre === "stopped")
    return {
      ...result(
        `PreToolUse:Bash hook error: [${OUR_COMMAND} PreToolUse]: failed; blocking because onFailure is "block"\nno such file`,
        true,
      ),
      ...denied,
    };
  if (end === "open") return undefined;
  if (end === "invalid") return result("<tool_use_error>InputValidationError</tool_use_error>", true);
  if (end === "refused") return { ...result("PreToolUse:Bash hook error: no", true), ...denied };
  const accepted = { permissionDecision: { decision: "accept", source: "config" } };
  if (end === "elsewhere") return { ...result("ok", false), ...accepted, rowSource: "remote" };
  return { ...result(end === "failed" ? "Exit code 1" : "ok", end === "failed"), ...accepted };
}

/** The lines of each file of a session, by the subagent that it is of; `""` is the session itself. In the shapes of Claude Code 2.1.332. */
export function claudeTranscript(made: MadeSession): Map<string, string[]> {
  const { session, cwd, calls, startedAt = STARTED_AT, version = "2.1.332", start = true } = made;
  const files = new Map<string, string[]>([["", []]]);
  let seconds = 0;
  function add(agent: string, type: string, row: object | undefined): void {
    if (row === undefined) return;
    const timestamp = new Date(startedAt + 1000 * seconds++).toISOString();
    const side = agent === "" ? { isSidechain: false } : { isSidechain: true, agentId: agent };
    const common = { type, uuid: `u${seconds}`, timestamp, cwd, sessionId: session, version };
    files.set(agent, [...(files.get(agent) ?? []), JSON.stringify({ ...side, ...row, ...common })]);
  }
  const ours = (hookEvent: string) => ({
    attachment: {
      type: "hook_success",
      hookName: hookEvent,
      toolUseID: "none",
      hookEvent,
      stdout: "{}\n",
      exitCode: 0,
      command: `${OUR_COMMAND} ${hookEvent}`,
    },
  });
  if (start) add("", "attachment", ours("SessionStart"));
  add("", "user", { message: { role: "user", content: "Begin." } });
  for (const call of calls) {
    const { id, command, tool = "Bash", agent = "" } = call;
    const content = [{ type: "tool_use", id, name: tool, input: { command } }];
    add(agent, "assistant", { message: { role: "assistant", content } });
    const hook = hookLine(call);
    add(agent, "attachment", hook && { attachment: hook });
    add(agent, "user", resultOf(call));
  }
  if (start) add("", "attachment", ours("Stop"));
  return files;
}
