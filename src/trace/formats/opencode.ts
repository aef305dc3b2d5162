import { addAll } from "./add-all.ts";
import type { Usage } from "../../model/usage.ts";
import { textWithoutBlobs } from "./blobs.ts";
import { codingAction, resultOf } from "./coding-turns.ts";
import { episodeOf } from "./conversation.ts";
import { amountOf, exitCodeOf, sumOfAmounts, tokensOf } from "./counts.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
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
} from "./records.ts";
import { pathsOf, type TalkNode, treeEpisodes } from "./talk-tree.ts";
import { OTHER_TOOLS } from "./tools/other-hosts.ts";
import type { AgentTurn, ToolCall, Turn } from "./turn.ts";

/** The output of `opencode export`: a session, and its messages with their parts. */
export function isOpenCode(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value["info"]) || !Array.isArray(value["messages"])) return false;
  const [first] = value["messages"];
  return first === undefined
    ? "projectID" in value["info"]
    : isRecord(asRecord(first)["info"]) && Array.isArray(asRecord(first)["parts"]);
}

/** Parts that are no words, calls or results. */
const SILENT = new Set([
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
  "agent",
  "retry",
  "compaction",
  "subtask",
]);

/** Exported sessions of OpenCode. What a person took back is an abandoned branch; a sub-agent is a session of its own. */
export function openCodeReader({ name, ledger }: ReaderOptions): FormatReader {
  const read = (value: unknown, line: number): FormatResult =>
    isOpenCode(value)
      ? sessionResult(asRecord(value), name, ledger)
      : refuse(line, "an exported session is expected.", "Write it with `opencode export <session>`.");
  return { read, end: () => NOTHING };
}

function sessionResult(value: JsonRecord, name: string, ledger: Ledger): FormatResult {
  const info = asRecord(value["info"]);
  const messages = recordsOf(value["messages"]);
  const cwd = asText(info["directory"]);
  const nodes: TalkNode[] = [];
  for (const [at, message] of messages.entries()) {
    const id = asText(asRecord(message["info"])["id"]) ?? `#${at}`;
    nodes.push({ id, parent: nodes.at(-1)?.id, turns: turnsOf(message, id, { cwd, ledger }) });
  }
  const back = nodes.findIndex(({ id }) => id === asText(asRecord(info["revert"])["messageID"]));
  nodes.push({ id: "#end", parent: nodes[(back === -1 ? nodes.length : back) - 1]?.id, turns: [] });
  const parent = asText(info["parentID"]);
  const model = messages
    .map(({ info: one }) => asText(asRecord(one)["modelID"]))
    .find((one) => one !== undefined);
  const { episodes, silent } = treeEpisodes(pathsOf(nodes, nodes.length - 1), {
    id: asText(info["id"]) ?? name,
    key: "messageId",
    episodeOf: ({ nodes: _, ...path }) =>
      episodeOf({
        ...(parent === undefined ? {} : { origin: { as: "sub_agent", episode: parent } as const }),
        ...path,
        source: "opencode",
        coding: { cwd },
        settings: compact({ model, agent: "opencode", agentVersion: asText(info["version"]) }),
        prompts: path.outcome === undefined ? "transcript" : undefined,
        extra: compact({ title: asText(info["title"]) }),
      }),
  });
  ledger.dropped("abandoned branches without a step", "the agent did nothing in them", silent);
  return { episodes, problems: [] };
}

interface Reading {
  readonly cwd: string | undefined;
  readonly ledger: Ledger;
}

function turnsOf(message: JsonRecord, id: string, reading: Reading): readonly Turn[] {
  const info = asRecord(message["info"]);
  const parts = recordsOf(message["parts"]);
  const role = asName(info["role"]);
  if (role === "assistant") return agentTurns(info, parts, id, reading);
  if (role === "user") return parts.flatMap((part) => userTurn(part, reading.ledger));
  reading.ledger.unknown(`messages of role ${role === "" ? "(none)" : role}`);
  return [];
}

/** A text that the program wrote for the person says so; a file is a mark. */
function userTurn(part: JsonRecord, ledger: Ledger): readonly Turn[] {
  const type = asName(part["type"]);
  const text = asText(part["text"]);
  if (type === "text" && text !== undefined) {
    if (part["ignored"] === true) {
      ledger.dropped("texts that the agent does not read", "the program left them out");
      return [];
    }
    ledger.mapped("messages of the user", "question, prompts or prelude");
    return [{ kind: part["synthetic"] === true ? "system" : "user", text: textWithoutBlobs(text) }];
  }
  if (type === "file") {
    ledger.dropped("files of the user", "a mark stands in their place");
    return [{ kind: "system", text: `[${asText(part["filename"]) ?? asText(part["mime"]) ?? "file"}]` }];
  }
  noteSilent(type, ledger);
  return [];
}

function noteSilent(type: string, ledger: Ledger): void {
  if (SILENT.has(type)) ledger.dropped(`parts of type ${type}`, "they are no words, calls or results");
  else ledger.unknown(`parts of type ${type === "" ? "(none)" : type}`);
}

/** One message is what the agent did up to its next stop: each of its calls of the model ends with a `step-finish`. */
function agentTurns(
  info: JsonRecord,
  parts: readonly JsonRecord[],
  id: string,
  reading: Reading,
): readonly Turn[] {
  const { ledger } = reading;
  const turns: Turn[] = [];
  let open: { texts: string[]; thoughts: string[]; calls: ToolCall[]; results: Turn[] } = emptyStep();
  let usage: Usage | undefined;
  const close = (): void => {
    const { texts, thoughts, calls, results } = open;
    open = emptyStep();
    if (texts.length + thoughts.length + calls.length === 0) return;
    const error = asRecord(info["error"]);
    const stopped = asText(error["name"]) === undefined ? {} : { ends: false };
    const extra = compact({
      messageId: id,
      model: asText(info["modelID"]),
      error: asText(asRecord(error["data"])["message"]) ?? asText(error["name"]),
    });
    const agent: AgentTurn = {
      kind: "agent",
      text: texts.join("\n"),
      reasoning: thoughts.join("\n\n"),
      calls,
      usage,
      extra,
      ...stopped,
    };
    usage = undefined;
    ledger.mapped("messages of the assistant", "thoughts and actions");
    turns.push(agent, ...results);
  };
  for (const part of parts) {
    const type = asName(part["type"]);
    if (type === "step-start") close();
    if (type === "text") open.texts.push(textWithoutBlobs(asText(part["text"]) ?? ""));
    else if (type === "reasoning") open.thoughts.push(asText(part["text"]) ?? "");
    else if (type === "tool") {
      open.calls.push(callOf(part, reading));
      addAll(open.results, resultOfPart(part, ledger));
    } else {
      if (type === "step-finish") usage = usageOf(part, ledger);
      noteSilent(type, ledger);
    }
  }
  usage ??= parts.some(({ type }) => type === "step-finish") ? undefined : usageOf(info, ledger);
  close();
  return turns;
}

const emptyStep = (): { texts: string[]; thoughts: string[]; calls: ToolCall[]; results: Turn[] } => ({
  texts: [],
  thoughts: [],
  calls: [],
  results: [],
});

function callOf(part: JsonRecord, { cwd, ledger }: Reading): ToolCall {
  const state = asRecord(part["state"]);
  const name = asName(part["tool"]);
  const sub = asText(asRecord(state["metadata"])["sessionId"]);
  ledger.mapped("parts of type tool", "actions and results");
  return {
    id: asText(part["callID"]),
    name,
    args: state["input"],
    action: codingAction(OTHER_TOOLS, name, state["input"], cwd),
    extra: sub === undefined ? undefined : { subAgents: [sub] },
  };
}

function resultOfPart(part: JsonRecord, ledger: Ledger): readonly Turn[] {
  const state = asRecord(part["state"]);
  const status = asName(state["status"]);
  if (status !== "completed" && status !== "error") return [];
  const files = asList(state["attachments"]).map((file) => `[${asText(asRecord(file)["mime"]) ?? "file"}]`);
  ledger.dropped("files that tools gave", "a mark stands in their place", files.length);
  const text = asText(state["output"]) ?? asText(state["error"]) ?? "";
  const code = exitCodeOf(asRecord(state["metadata"])["exit"]);
  const ok = status === "error" ? false : code === undefined ? true : undefined;
  return [
    {
      kind: "result",
      callId: asText(part["callID"]),
      text: [textWithoutBlobs(text), ...files].filter((one) => one !== "").join("\n"),
      result: resultOf(code, ok),
    },
  ];
}

/** Tokens of the cache are counted beside the input, and thoughts beside the output. */
function usageOf(given: JsonRecord, ledger: Ledger): Usage | undefined {
  const tokens = asRecord(given["tokens"]);
  const cache = asRecord(tokens["cache"]);
  const input = tokensOf(tokens, ["input"], ledger);
  const output = tokensOf(tokens, ["output"], ledger);
  const cached = tokensOf(cache, ["read"], ledger) ?? 0;
  if (input === undefined && output === undefined) return undefined;
  const cost = amountOf(given, ["cost"], ledger);
  return {
    inputTokens: sumOfAmounts([input ?? 0, cached, tokensOf(cache, ["write"], ledger) ?? 0]),
    ...(cached === 0 ? {} : { cachedInputTokens: cached }),
    outputTokens: sumOfAmounts([output ?? 0, tokensOf(tokens, ["reasoning"], ledger) ?? 0]),
    ...(cost === undefined || cost === 0 ? {} : { cost }),
  };
}
