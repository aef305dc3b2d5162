import { isEpisodeSchema } from "../episode-head.ts";
import { isAnswers } from "./answers.ts";
import { anthropicReader, isAnthropic } from "./anthropic.ts";
import { atifReader, isAtif } from "./atif.ts";
import { claudeCodeReader, isClaudeCode } from "./claude-code.ts";
import { codexReader, isCodex } from "./codex.ts";
import { clineReader, cursorReader, gooseReader, isCline, isCursor, isGoose } from "./coding-chats.ts";
import { copilotReader, isCopilotEvent } from "./copilot.ts";
import type { FormatReader, ReaderOptions } from "./format-reader.ts";
import { geminiReader, isGemini } from "./gemini.ts";
import { inspectReader, isInspectLog } from "./inspect.ts";
import { isMiniSweAgent, miniSweAgentReader } from "./mini-swe-agent.ts";
import { isChat, openaiReader } from "./openai-chat.ts";
import { isOpenCode, openCodeReader } from "./opencode.ts";
import { responsesReader } from "./openai-responses.ts";
import { isResponses } from "./responses-calls.ts";
import { isOtel } from "./otel/documents.ts";
import { otelReader } from "./otel/otel.ts";
import { isPi, piReader } from "./pi.ts";
import { isRecord } from "./records.ts";
import { isSweAgent, sweAgentReader } from "./swe-agent.ts";
import { isVscodeChat, vscodeChatReader } from "./vscode-chat.ts";

/** Formats whose files are read value by value; the names are those of `--from`. */
const READERS = {
  atif: atifReader,
  "swe-agent": sweAgentReader,
  "mini-swe-agent": miniSweAgentReader,
  otel: otelReader,
  inspect: inspectReader,
  anthropic: anthropicReader,
  openai: openaiReader,
  "openai-responses": responsesReader,
  "claude-code": claudeCodeReader,
  copilot: copilotReader,
  "vscode-chat": vscodeChatReader,
  codex: codexReader,
  pi: piReader,
  gemini: geminiReader,
  opencode: openCodeReader,
  cline: clineReader,
  goose: gooseReader,
  cursor: cursorReader,
} as const satisfies Record<string, (options: ReaderOptions) => FormatReader>;
export type AgentFormat = keyof typeof READERS;

/** Every format that can be imported, with what a person calls it. */
export const IMPORT_FORMATS = {
  hasp: "Episodes of HASP: the episodes.jsonl of a run",
  reflexion: "ReAct trials on HotpotQA with Search, Lookup and Finish",
  fireact: "Episodes of fine-tuned models with search and finish",
  atif: "ATIF: the Agent Trajectory Interchange Format of Harbor",
  "swe-agent": "SWE-agent: .traj files",
  "mini-swe-agent": "mini-swe-agent: .traj.json files",
  otel: "OpenTelemetry: spans and log records of GenAI calls, as OTLP JSON, of Tempo, Jaeger or a console",
  inspect: "Inspect: logs as .eval or JSON",
  anthropic: "Anthropic Messages: conversations with tool_use blocks, logged requests, batches",
  openai: "OpenAI chat: conversations with tool calls, one a line; also LangChain and ShareGPT",
  "openai-responses": "OpenAI Responses: chains of responses, items, events of a stream",
  "claude-code": "Claude Code: session transcripts",
  copilot: "VS Code and Copilot CLI: events of a session",
  codex: "Codex: rollout files, and output of codex exec --json",
  "vscode-chat": "VS Code: exported chats, and files of chatSessions",
  pi: "Pi: session files, also what --mode json prints",
  gemini: "Gemini CLI: sessions, checkpoints, shared chats, stream-json",
  opencode: "OpenCode: exported sessions",
  cline: "Cline and Roo Code: api_conversation_history.json",
  goose: "Goose: sessions exported as JSON",
  cursor: "Cursor: files of agent-transcripts",
  answers: "Recorded answers of any program: rows of question_id (or task_id), solution, correct",
} as const;
export type ImportFormat = keyof typeof IMPORT_FORMATS;

export function isImportFormat(name: string): name is ImportFormat {
  return Object.hasOwn(IMPORT_FORMATS, name);
}

/** Whether its episodes are what agents did, and no lines of a data set. */
export function isAgentFormat(format: ImportFormat): format is AgentFormat {
  return Object.hasOwn(READERS, format);
}

export function readerOf(format: AgentFormat, options: ReaderOptions): FormatReader {
  return READERS[format](options);
}

/** The format whose value this is: a line of a file, or a whole document. Undefined where none is recognised. */
export function detectFormat(value: unknown): ImportFormat | undefined {
  if (isRecord(value)) {
    if (isEpisodeSchema(value["schema"])) return "hasp";
    const { source } = value;
    if ((source === "reflexion" || source === "fireact") && Array.isArray(value["steps"])) return source;
  }
  if (isAnswers(value)) return "answers";
  if (isAtif(value)) return "atif";
  if (isOtel(value)) return "otel";
  if (isInspectLog(value)) return "inspect";
  if (isGemini(value)) return "gemini";
  if (isMiniSweAgent(value)) return "mini-swe-agent";
  if (isSweAgent(value)) return "swe-agent";
  if (isClaudeCode(value)) return "claude-code";
  if (isCodex(value)) return "codex";
  if (isCopilotEvent(value)) return "copilot";
  if (isOpenCode(value)) return "opencode";
  if (isCline(value)) return "cline";
  if (isGoose(value)) return "goose";
  if (isCursor(value)) return "cursor";
  if (isVscodeChat(value)) return "vscode-chat";
  if (isPi(value)) return "pi";
  if (isResponses(value)) return "openai-responses";
  if (isAnthropic(value)) return "anthropic";
  return isChat(value) ? "openai" : undefined;
}
