import type { Completion } from "../../model/episode.ts";
import { parseJson } from "../../model/read-json.ts";
import { CODING_FINAL } from "../../model/coding-tools.ts";
import type { ToolResult } from "../../model/coding-context.ts";
import { argOfInput } from "../canonical-input.ts";
import { hashText } from "../hash.ts";
import { contentOf, unreadableMessages, usageOf } from "./chat-messages.ts";
import { type Conversation, episodeOf } from "./conversation.ts";
import { exitCodeOf } from "./counts.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  one,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import type { Ledger } from "./ledger.ts";
import {
  asList,
  asName,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "./records.ts";
import { replyText } from "./talk.ts";
import type { AgentTurn, ToolCall, Turn } from "./turn.ts";

/** A trajectory of mini-swe-agent: its messages, and the name of the format. */
export function isMiniSweAgent(value: unknown): boolean {
  return isRecord(value) && isOwnFormat(value) && Array.isArray(value["messages"]);
}

const isOwnFormat = ({ trajectory_format: format }: JsonRecord): boolean =>
  typeof format === "string" && format.startsWith("mini-swe-agent");

const ACTION = /```(?:bash|mswea_bash_command)[ \t]*\n([\s\S]*?)\n?```/g;
const RETURN_CODE = /^\s*<returncode>(-?\d{1,9})<\/returncode>/;
/** What the program answers where no command ran, or where it was killed. */
const NOT_ENDED =
  /^\s*(?:Please always provide EXACTLY ONE action|Tool call error|The last command <command>[\s\S]*timed out and has been killed|Command not executed\b)/;

function bash(command: string): ToolCall {
  const input = { command };
  return { name: "bash", args: input, action: { type: "Bash", arg: argOfInput("Bash", input) } };
}

/** The commands of a message: the calls of its tool, else its one block of code. Several blocks run nothing. */
function callsOf(message: JsonRecord, reply: string): readonly ToolCall[] {
  const calls = recordsOf(message["tool_calls"]);
  if (calls.length > 0)
    return calls.map((call) => {
      const given = asRecord(call["function"])["arguments"];
      const args = asRecord(typeof given === "string" ? parseJson(given) : given);
      return { ...bash(asText(args["command"]) ?? ""), id: asText(call["id"]) };
    });
  const blocks = Array.from(reply.matchAll(ACTION), ([, command]) => (command ?? "").trim());
  const [only] = blocks;
  if (blocks.length === 1 && only !== undefined) return [bash(only)];
  return [{ name: "", args: undefined, action: { type: "invalid", arg: reply, raw: reply } }];
}

/** The words of a reply without its command. */
const thoughtOf = (reply: string): string =>
  reply
    .replaceAll(ACTION, "")
    .replace(/^\s*THOUGHT:\s*/, "")
    .trim();

/** The words of the message as they are; calls of its tool, which stand beside them, as text. */
function completionOf(message: JsonRecord, reply: string, choice: JsonRecord | undefined): Completion {
  const calls = recordsOf(message["tool_calls"]).map((call) => {
    const named = asRecord(call["function"]);
    return { name: asText(named["name"]) ?? "", args: named["arguments"] };
  });
  const reason = asText(choice?.["finish_reason"])?.toLowerCase();
  const finish = reason === "length" ? "length" : "stop";
  const reasoning = reasoningOf(message, choice);
  return { text: replyText({ text: reply, calls }), finish, ...(reasoning === "" ? {} : { reasoning }) };
}

const reasoningOf = (message: JsonRecord, choice: JsonRecord | undefined): string =>
  asText(asRecord(choice?.["message"])["reasoning"]) ?? asText(message["reasoning"]) ?? "";

function agentTurn(message: JsonRecord, ends: boolean, ledger: Ledger): AgentTurn {
  const { text: reply } = contentOf(message["content"]);
  const extra = asRecord(message["extra"]);
  const response = asRecord(extra["response"]);
  const [choice] = recordsOf(response["choices"]);
  const usage = asRecord(response["usage"]);
  const calls = callsOf(message, reply);
  const isInvalid = calls.some(({ action }) => action?.type === "invalid");
  ledger.mapped("assistant messages", "thoughts and actions");
  if (Object.keys(response).length > 0)
    ledger.dropped(
      "messages[].extra.response",
      "its usage and reasoning are mapped, the rest repeats the message",
    );
  const rest = without(extra, ["response", "cost"]);
  for (const key of Object.keys(rest)) ledger.kept(`messages[].extra.${key}`, "extra of steps");
  const said = thoughtOf(reply);
  const [last] = calls;
  return {
    kind: "agent",
    text: isInvalid ? "" : said,
    reasoning: reasoningOf(message, choice),
    completion: completionOf(message, reply, choice),
    calls: ends && last !== undefined ? [{ ...last, action: { type: CODING_FINAL, arg: said } }] : calls,
    usage: usageOf(usage, ledger, { cost: extra["cost"] }),
    extra: compact({ ...rest, ...(ends ? { submittedBy: last?.args } : {}) }),
  };
}

/** How a command ended: by the code that the program wrote, or by its own word that nothing ended. */
function resultOf(text: string, extra: JsonRecord): ToolResult | undefined {
  const written = RETURN_CODE.exec(text)?.[1];
  const code = written === undefined ? exitCodeOf(extra["returncode"]) : Number(written);
  if (code !== undefined) return { exitCode: code, ok: code === 0 };
  return NOT_ENDED.test(text) ? { ok: false } : undefined;
}

function answerTurn(message: JsonRecord, ledger: Ledger): Turn {
  const { text } = contentOf(message["content"]);
  const extra = asRecord(message["extra"]);
  const rest = without(extra, ["raw_output", "returncode"]);
  for (const key of Object.keys(rest)) ledger.kept(`messages[].extra.${key}`, "extra of steps");
  if ("raw_output" in extra) ledger.dropped("messages[].extra.raw_output", "the agent read the message");
  ledger.mapped("answers of the shell", "observations and results");
  const result = resultOf(text, extra);
  const callId = asText(message["tool_call_id"]);
  return { kind: "result", callId, text, asUser: message["role"] === "user", result, extra: compact(rest) };
}

interface Talk {
  readonly turns: readonly Turn[];
  readonly unreadable: readonly number[];
}

const isAgents = (message: unknown): boolean => isRecord(message) && message["role"] === "assistant";

/** The messages in turn. The agent's last one is its stop where the program says that it submitted there. */
function talkOf(messages: readonly unknown[], hasSubmitted: boolean, ledger: Ledger): Talk {
  const first = messages.findIndex(isAgents);
  const end = messages.findLastIndex(isAgents);
  const unreadable: number[] = [];
  const turns = messages.flatMap((message, index): Turn[] => {
    const role = isRecord(message) ? asText(message["role"]) : undefined;
    if (!isRecord(message) || role === undefined) {
      unreadable.push(index);
      return [];
    }
    if (role === "assistant") return [agentTurn(message, hasSubmitted && index === end, ledger)];
    if (role === "exit") {
      ledger.dropped("messages: exit", "it repeats `info`");
      return [];
    }
    if (first !== -1 && index > first && role !== "system") return [answerTurn(message, ledger)];
    ledger.mapped(`${asName(role)} messages`, "question or prelude");
    return [{ kind: role === "user" ? "user" : "system", text: contentOf(message["content"]).text }];
  });
  return { turns, unreadable };
}

const KEY = /^(?:api_?key|token|secret|password|authorization)$/i;

/** The configuration without its keys and without the values of the environment's variables, which may hold more of them. */
function withoutKeys(config: JsonRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (KEY.test(name) && value !== null) return [name, "[redacted]"];
      if (name === "env" && isRecord(value)) return [name, Object.keys(value)];
      return [name, isRecord(value) ? withoutKeys(value) : value];
    }),
  );
}

function describe(
  document: JsonRecord,
  turns: readonly Turn[],
  { name, ledger }: ReaderOptions,
): Conversation {
  const info = asRecord(document["info"]);
  const config = asRecord(info["config"]);
  const answer = asText(info["submission"]);
  const exit = asText(info["exit_status"]);
  const rest = without(document, ["messages", "info", "instance_id", "trajectory_format"]);
  const infoRest = {
    ...without(info, ["submission", "config"]),
    ...("config" in info ? { config: withoutKeys(config) } : {}),
  };
  for (const key of Object.keys(rest)) ledger.kept(key, "extra of the episode");
  for (const key of Object.keys(infoRest)) ledger.kept(`info.${key}`, "extra of the episode");
  if (answer !== undefined) ledger.mapped("info.submission", "answer");
  const model = asText(asRecord(config["model"])["model_name"]);
  const cwd = asText(asRecord(config["environment"])["cwd"]);
  return {
    id: asText(document["instance_id"]) ?? (name || `mini-swe-agent-${hashText(JSON.stringify(document))}`),
    source: "mini-swe-agent",
    turns,
    prompts: "whole",
    coding: { cwd },
    outcome: answer === undefined && exit !== undefined ? "halted" : "unjudged",
    answer,
    stopReason: exit === "Submitted" ? "final" : undefined,
    settings: compact({ model, agent: "mini-swe-agent", agentVersion: asText(info["mini_version"]) }),
    extra: compact({ ...rest, ...(Object.keys(infoRest).length === 0 ? {} : { info: infoRest }) }),
  };
}

/** mini-swe-agent's `.traj.json`: each command is a Bash call, and the command that submits is the wish to stop. */
export function miniSweAgentReader(options: ReaderOptions): FormatReader {
  function read(value: unknown, line: number): FormatResult {
    const document = asRecord(value);
    const messages = asList(document["messages"]);
    if (!messages.some(isAgents))
      return refuse(
        line,
        "no message of `messages` is the agent's.",
        "Check that it is a .traj.json of mini-swe-agent.",
      );
    const hasSubmitted = asRecord(document["info"])["exit_status"] === "Submitted";
    const { turns, unreadable } = talkOf(messages, hasSubmitted, options.ledger);
    const problems = unreadable.length === 0 ? [] : [unreadableMessages(line, unreadable)];
    return one(episodeOf(describe(document, turns, options)), problems);
  }
  return { read, end: () => NOTHING };
}
