/** Lines of rollouts as Codex 0.171.0 writes them, in short. */

let ordinal = 0;

export const row = (type: string, payload: object, more: object = {}): object => ({
  timestamp: "2026-11-20T10:00:00.000Z",
  ordinal: ordinal++,
  type,
  payload,
  ...more,
});
export const meta = (more: object = {}): object => {
  ordinal = 0;
  return row("session_meta", {
    id: "th-1",
    session_id: "th-1",
    cwd: "/repo",
    cli_version: "0.171.0",
    ...more,
  });
};
export const item = (payload: object): object => row("response_item", payload);
export const event = (payload: object): object => row("event_msg", payload);
export const done = (payload: object, more: object = {}): object =>
  event({ type: "item_completed", thread_id: "th-1", turn_id: "u", item: payload, ...more });
export const message = (role: string, text: string, more: object = {}): object =>
  item({
    type: "message",
    role,
    content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
    ...more,
  });
/** Words of a person: the message, and the event that tells them. */
export const typed = (text: string): object[] => [
  message("user", text),
  done({ type: "UserMessage", id: `u-${text}`, content: [{ type: "text", text, text_elements: [] }] }),
];
export const began = (): object => event({ type: "task_started", turn_id: "u" });
export const ended = (): object => event({ type: "task_complete", turn_id: "u", last_agent_message: "x" });
export const exec = (id: string, cmd: string): object =>
  item({ type: "function_call", name: "exec_command", call_id: id, arguments: JSON.stringify({ cmd }) });
export const output = (id: string, text: string, code = 0): object =>
  item({
    type: "function_call_output",
    call_id: id,
    output: `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${text}`,
  });
/** A script of code mode. */
export const script = (id: string, input: string): object =>
  item({ type: "custom_tool_call", id: `ctc-${id}`, call_id: id, name: "exec", input });
export const printed = (id: string, head: string, ...texts: string[]): object =>
  item({
    type: "custom_tool_call_output",
    call_id: id,
    output: [`${head}\nWall time 0.1 seconds\nOutput:\n`, ...texts].map((text) => ({
      type: "input_text",
      text,
    })),
  });
export const ran = (id: string, command: string, exit_code: number, aggregated_output: string): object =>
  done({
    type: "CommandExecution",
    id,
    command: ["/bin/bash", "-lc", command],
    cwd: "file:///repo",
    source: "unified_exec_startup",
    status: exit_code === 0 ? "completed" : "failed",
    exit_code,
    aggregated_output,
  });
export const usage = (id: string, input_tokens: number, output_tokens: number): object =>
  row("token_usage_record", { response_id: id, usage: { input_tokens, output_tokens } });
export const rollBack = (num_turns: number): object => event({ type: "thread_rolled_back", num_turns });
