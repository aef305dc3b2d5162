import { contentOf } from "./chat-messages.ts";
import { codingAction, joined, resultOf } from "./coding-turns.ts";
import { tokensOf } from "./counts.ts";
import { endsWithCode, exitCodeIn } from "./exit-code.ts";
import { episodeOf } from "./conversation.ts";
import type { ToolCall, Turn } from "./turn.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import { asName, asRecord, asText, compact, isRecord, type JsonRecord, recordsOf } from "./records.ts";
import { COPILOT_TOOLS } from "./tools/copilot.ts";
import type { ToolTable } from "./tools/tool-shape.ts";
import { VSCODE_TOOLS } from "./tools/vscode.ts";

const KIND = /^(?:session|user|assistant|tool|subagent|hook)\.[a-z_.]+$/;

/** A line of the events of a session, as VS Code's Local sessions and Copilot CLI write them. */
export function isCopilotEvent(value: unknown): boolean {
  if (!isRecord(value) || !KIND.test(asName(value["type"])) || !isRecord(value["data"])) return false;
  return "id" in value || "timestamp" in value || "parentId" in value;
}

/** The two programs name their tools differently; what both have is the same in canonical words. */
const TOOLS: ToolTable = { ...COPILOT_TOOLS, tools: { ...VSCODE_TOOLS.tools, ...COPILOT_TOOLS.tools } };

/** Requests of one message, or of one sub-agent, are told apart by this. */
interface Talk {
  readonly turns: Turn[];
  /** The canonical tool of each call, by its id. */
  readonly calls: Map<string, string>;
}

interface Session {
  id: string;
  cwd: string | undefined;
  model: string | undefined;
  agent: string;
  version: string | undefined;
}

/** The session that is being read, its talks by sub-agent ("" is the agent itself), and what was mapped and dropped. */
interface Reading {
  readonly session: Session;
  readonly talks: Map<string, Talk>;
  readonly ledger: ReaderOptions["ledger"];
}

const DROPPED = "they are no messages, calls or results";

/** Events of a session: messages with the calls they ask for, and how each call ended. Sub-agents are episodes of their own. */
export function copilotReader({ name, ledger }: ReaderOptions): FormatReader {
  const unknown = { cwd: undefined, model: undefined, version: undefined };
  const reading: Reading = { session: { id: name, agent: "copilot", ...unknown }, talks: new Map(), ledger };
  return { read: (value, line) => readEvent(reading, value, line), end: () => endOf(reading) };
}

function readEvent(reading: Reading, value: unknown, line: number): FormatResult {
  if (!isRecord(value) || !isRecord(value["data"]))
    return refuse(line, "this line is no event: it has no object `data`.", "Check the file.");
  const { data } = value;
  const type = asName(value["type"]);
  const talk = (): Talk => talkOf(reading, value, data);
  if (type === "session.start" || type === "session.resume") start(reading, data);
  else if (type === "user.message") addWords(reading, talk(), data);
  else if (type === "assistant.message") addAgent(reading, talk(), value, data);
  else if (type === "tool.execution_start") addStart(reading, talk(), value, data);
  else if (type === "tool.execution_complete") addResult(reading, talk(), data);
  else if (type === "abort" || type === "session.abort") stop(reading, talk());
  else reading.ledger.dropped(`events ${type}`, DROPPED);
  return NOTHING;
}

function talkOf({ talks }: Reading, row: JsonRecord, data: JsonRecord): Talk {
  const agent = asText(data["parentToolCallId"]) ?? asText(data["agentId"]) ?? asText(row["agentId"]) ?? "";
  const talk = talks.get(agent) ?? { turns: [], calls: new Map() };
  talks.set(agent, talk);
  return talk;
}

function start({ session, ledger }: Reading, data: JsonRecord): void {
  const context = asRecord(data["context"]);
  session.id = asText(data["sessionId"]) ?? session.id;
  session.cwd ??= asText(context["cwd"]) ?? asText(data["cwd"]);
  session.model ??= asText(data["selectedModel"]) ?? asText(data["model"]);
  session.version ??= asText(data["vscodeVersion"]) ?? asText(data["copilotVersion"]);
  if (asText(data["vscodeVersion"]) !== undefined) session.agent = "vscode";
  ledger.mapped("events session.start", "id, settings and facts.cwd");
}

function addWords({ ledger }: Reading, talk: Talk, data: JsonRecord): void {
  const text = contentOf(data["content"]).text;
  ledger.mapped("events user.message", "question or prompts");
  if (text !== "") talk.turns.push({ kind: "user", text });
}

function callOf(
  { session }: Reading,
  talk: Talk,
  { id, tool, input }: { readonly id: string | undefined; readonly tool: unknown; readonly input: unknown },
): ToolCall {
  const called = asText(tool) ?? "";
  if (Object.hasOwn(VSCODE_TOOLS.tools, called) && !Object.hasOwn(COPILOT_TOOLS.tools, called))
    session.agent = "vscode";
  const action = codingAction(TOOLS, called, input, session.cwd);
  if (id !== undefined) talk.calls.set(id, action.type);
  return { id, name: called, args: input, action };
}

function addAgent(reading: Reading, talk: Talk, row: JsonRecord, data: JsonRecord): void {
  const { ledger } = reading;
  const calls = recordsOf(data["toolRequests"]).map((request) => {
    const id = asText(request["toolCallId"]) ?? asText(request["id"]);
    const tool = request["name"] ?? request["toolName"];
    return callOf(reading, talk, { id, tool, input: request["arguments"] });
  });
  ledger.mapped("events assistant.message", "thoughts and actions");
  const output = tokensOf(data, ["outputTokens"], ledger);
  talk.turns.push({
    kind: "agent",
    text: contentOf(data["content"]).text,
    reasoning: joined(asText(data["reasoningText"]), asText(data["reasoning"])),
    calls,
    usage: output === undefined ? undefined : { inputTokens: 0, outputTokens: output },
    extra: compact({ timestamp: asText(row["timestamp"]), eventId: asText(row["id"]) }),
  });
}

/** A start without a request before it: the message was not recorded. Starts in a row belong to one turn. */
function addStart(reading: Reading, talk: Talk, row: JsonRecord, data: JsonRecord): void {
  const id = asText(data["toolCallId"]);
  reading.ledger.mapped("events tool.execution_start", "actions");
  if (id !== undefined && talk.calls.has(id)) return;
  const call = callOf(reading, talk, { id, tool: data["toolName"], input: data["arguments"] });
  const before = talk.turns.at(-1);
  if (before?.kind === "agent")
    talk.turns[talk.turns.length - 1] = { ...before, calls: [...before.calls, call] };
  else {
    const extra = compact({ timestamp: asText(row["timestamp"]) });
    talk.turns.push({ kind: "agent", text: "", reasoning: "", calls: [call], extra });
  }
}

function addResult({ ledger }: Reading, talk: Talk, data: JsonRecord): void {
  ledger.mapped("events tool.execution_complete", "observations and results");
  const text = textOfResult(data);
  const ok = typeof data["success"] === "boolean" ? data["success"] : undefined;
  const callId = asText(data["toolCallId"]);
  const code = endsWithCode(talk.calls.get(callId ?? "") ?? "") ? exitCodeIn(text) : undefined;
  const result = resultOf(code, code === undefined ? ok : code === 0);
  talk.turns.push({ kind: "result", callId, text, result });
}

function stop({ ledger }: Reading, talk: Talk): void {
  ledger.mapped("events abort", "a turn that is no FINAL");
  const last = talk.turns.at(-1);
  if (last?.kind === "agent" && last.calls.length === 0)
    talk.turns[talk.turns.length - 1] = { ...last, ends: false };
}

function endOf({ session, talks }: Reading): FormatResult {
  const spoken = [...talks].filter(([, { turns }]) => turns.some((turn) => turn.kind === "agent"));
  const episodes = spoken.map(([agent, { turns }]) =>
    episodeOf({
      id: agent === "" ? session.id : `${session.id}~${agent}`,
      source: "copilot",
      turns,
      coding: { cwd: session.cwd },
      settings: compact({ model: session.model, agent: session.agent, agentVersion: session.version }),
    }),
  );
  return { episodes, problems: [] };
}

/** The words of a result that the agent read: a text, a list of parts, or an object that holds one of them, and an error. */
function textOfResult(data: JsonRecord): string {
  const { result } = data;
  const told = isRecord(result)
    ? (result["content"] ?? result["textResultForLlm"] ?? result["value"])
    : result;
  const error = asText(asRecord(data["error"])["message"]) ?? asText(data["error"]);
  const { text } = contentOf(told);
  return error === undefined || text.includes(error) ? text : joined(text, error);
}
