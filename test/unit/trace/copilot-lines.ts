import { readerOf } from "../../../src/trace/formats/formats.ts";
import { openLedger } from "../../../src/trace/formats/ledger.ts";
import type { ReadEpisode } from "../../../src/trace/formats/turn.ts";

/** Events of sessions as Copilot CLI 1.0.102 and VS Code's Local sessions write them, in short. */

let events = 0;

export const event = (type: string, data: object, more: object = {}): object => ({
  type,
  data,
  id: `e-${events++}`,
  timestamp: "2026-11-30T19:10:43.303Z",
  parentId: null,
  ...more,
});
export const start = (more: object = {}): object => {
  events = 0;
  return event("session.start", {
    sessionId: "s",
    version: 1,
    producer: "copilot-agent",
    copilotVersion: "1.0.102",
    selectedModel: "gpt-5.5",
    context: { cwd: "/repo", branch: "main" },
    ...more,
  });
};
export const user = (content: string, data: object = {}, more: object = {}): object =>
  event("user.message", { content, transformedContent: `<now>1</now>\n\n${content}`, ...data }, more);
export const system = (content: string, more: object = {}): object =>
  event("system.message", { role: "system", content }, more);
export const ask = (toolCallId: string, name: string, args: unknown): object => ({
  toolCallId,
  name,
  arguments: args,
  type: "function",
});
let messages = 0;
/** A reply, by the id that its usage has too. */
export const says = (
  apiCallId: string | undefined,
  content: string,
  toolRequests: readonly object[] = [],
  more: object = {},
  row: object = {},
): object =>
  event(
    "assistant.message",
    {
      messageId: `m-${messages++}`,
      ...(apiCallId === undefined ? {} : { apiCallId, model: "gpt-5.5" }),
      content,
      toolRequests,
      ...more,
    },
    row,
  );
export const used = (
  apiCallId: string,
  inputTokens: number,
  outputTokens: number,
  row: object = {},
): object =>
  event(
    "session.usage_record",
    { usage: { model: "gpt-5.5", inputTokens, outputTokens, cacheReadTokens: 1, apiCallId } },
    row,
  );
export const starts = (toolCallId: string, toolName: string, args: unknown, row: object = {}): object =>
  event("tool.execution_start", { toolCallId, toolName, arguments: args }, row);
export const done = (toolCallId: string, content: string, more: object = {}, row: object = {}): object =>
  event("tool.execution_complete", { toolCallId, success: true, result: { content }, ...more }, row);
export const shell = (toolCallId: string, printed: string, exitCode: number, row: object = {}): object =>
  done(
    toolCallId,
    `${printed}\n<shellId: 0 completed with exit code ${exitCode}>`,
    { shellExecution: { exitCode } },
    row,
  );

/** The episodes of a session, before they are written. */
export function readLines(rows: readonly unknown[]): readonly ReadEpisode[] {
  const reader = readerOf("copilot", { name: "x", ledger: openLedger() });
  const read = rows.flatMap((value, line) => [...reader.read(value, line).episodes]);
  return [...read, ...reader.end().episodes];
}
