import type { Usage } from "../../model/usage.ts";
import { codingAction, resultOf } from "./coding-turns.ts";
import { sumOfAmounts, tokensOf } from "./counts.ts";
import { endsWithCode, exitCodeIn } from "./exit-code.ts";
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
import type { TalkNode } from "./talk-tree.ts";
import { VSCODE_TOOLS } from "./tools/vscode.ts";
import type { AgentTurn, ToolCall, Turn } from "./turn.ts";
import { callId, type Invocation, type Part, partsOfResponse, resultWords } from "./vscode-parts.ts";

/** Inputs for reading a request. */
export interface RequestReading {
  readonly cwd: string | undefined;
  readonly ledger: Ledger;
}

/** A sub-agent: what it was asked, what it did and what it gave back. */
export interface SubAgent {
  readonly callId: string;
  readonly prompt: string | undefined;
  readonly turns: readonly Turn[];
}

/** The pieces of a request: the person's words, then one for each round of the model. */
export interface ReadRequest {
  readonly nodes: readonly TalkNode[];
  readonly subAgents: readonly SubAgent[];
  /** How many of the pieces stand where a person took back what came after a stop within the response. */
  readonly standing: number;
}

const CANCELLED = 2;
const FAILED = 3;

/** Why the agent did not end by itself; undefined where it did. */
function stopOf(request: JsonRecord): string | undefined {
  const state = asRecord(request["modelState"])["value"];
  const error = asRecord(asRecord(request["result"])["errorDetails"]);
  if (state === CANCELLED || request["isCanceled"] === true) return "cancelled";
  return asText(error["message"]) ?? (state === FAILED ? "failed" : undefined);
}

export function readRequest(
  request: JsonRecord,
  parent: string | undefined,
  at: number,
  reading: RequestReading,
): ReadRequest {
  const id = asText(request["requestId"]) ?? `#${at}`;
  const parts = partsOfResponse(request["response"], reading.ledger);
  const metadata = asRecord(asRecord(request["result"])["metadata"]);
  const rounds = recordsOf(metadata["toolCallRounds"]);
  const shown = parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
  const own = parts.filter((part) => part.kind !== "call" || part.call.subAgent === undefined);
  const talk = rounds.length > 0 ? turnsOfRounds(rounds, metadata, own, reading) : turnsOfParts(own, reading);
  const settled = withFacts(talk, request, id, reading.ledger);
  const nodes: TalkNode[] = [{ id, parent, turns: wordsOfPerson(request, reading.ledger) }];
  settled.forEach((turns, place) => nodes.push({ id: nodeId(id, place), parent: nodes.at(-1)?.id, turns }));
  return { nodes, subAgents: subAgentsIn(shown, reading), standing: standingOf(request, parts, settled) };
}

const nodeId = (request: string, place: number): string => `${request}/${place + 1}`;

/** How many pieces come before what was taken back after a stop within the response. */
function standingOf(request: JsonRecord, parts: readonly Part[], talk: readonly (readonly Turn[])[]): number {
  const stop = asText(asRecord(request["shouldBeRemovedOnSend"])["afterUndoStop"]);
  const from = stop === undefined ? -1 : parts.findIndex((part) => part.kind === "stop" && part.id === stop);
  const after = new Set(
    parts.slice(from + 1).flatMap((part) => (part.kind === "call" ? [part.call.id] : [])),
  );
  const first =
    from === -1
      ? -1
      : talk.findIndex((turns) =>
          turns.some((turn) => turn.kind === "agent" && turn.calls.some(({ id }) => after.has(id))),
        );
  return first === -1 ? talk.length + 1 : first + 1;
}

/** Words that VS Code itself sends in the person's place are the program's. */
function wordsOfPerson(request: JsonRecord, ledger: Ledger): readonly Turn[] {
  const { message } = request;
  const text = asText(message) ?? asText(asRecord(message)["text"]) ?? "";
  ledger.mapped("requests", "question or prompts");
  if (text === "") return [];
  return [{ kind: request["isSystemInitiated"] === true ? "system" : "user", text }];
}

/** The turns of each round, as the extension keeps what the model said and was given. */
function turnsOfRounds(
  rounds: readonly JsonRecord[],
  metadata: JsonRecord,
  parts: readonly Part[],
  reading: RequestReading,
): readonly (readonly Turn[])[] {
  const { ledger } = reading;
  const results = asRecord(metadata["toolCallResults"]);
  const shown = parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
  const find = finderOf(shown);
  const talk = rounds.map((round): Turn[] => {
    const calls = recordsOf(round["toolCalls"]).map((call) => ({ call, part: find(call) }));
    const thinking = asRecord(round["thinking"])["text"];
    ledger.mapped("rounds of the model", "thoughts and actions");
    const agent: AgentTurn = {
      kind: "agent",
      text: asText(round["response"]) ?? "",
      reasoning: asList(thinking).map(asName).join("") || (asText(thinking) ?? ""),
      calls: calls.map(({ call, part }) =>
        callOf(callId(call["id"]), asName(call["name"]), call["arguments"], part, reading),
      ),
      extra: compact({ timestamp: timeOf(round["timestamp"]) }),
    };
    const answers = calls.flatMap(({ call, part }) => resultOfCall(call, results, part, ledger));
    return [agent, ...answers, ...programWords(round["hookContext"]), ...programWords(round["summary"])];
  });
  ledger.dropped(
    "tools that no round of the model calls",
    "shown to the person; the record of the model does not have them",
    find.left(),
  );
  const lastCalls = recordsOf(rounds.at(-1)?.["toolCalls"]).length > 0;
  const rest = textAfterCalls(parts);
  // The model was stopped while it wrote; its round was not kept.
  return lastCalls && rest !== ""
    ? [...talk, [{ kind: "agent", text: rest, reasoning: "", calls: [] }]]
    : talk;
}

const programWords = (given: unknown): readonly Turn[] => {
  const text = asText(given);
  return text === undefined ? [] : [{ kind: "system", text }];
};

/** Finds the shown tool of a call: by its id, else the first of its name that no other call took. */
function finderOf(
  shown: readonly Invocation[],
): ((call: JsonRecord) => Invocation | undefined) & { left: () => number } {
  const byId = new Map(shown.map((one) => [one.id, one]));
  const byName = new Map<string, Invocation[]>();
  for (const one of shown.toReversed()) {
    const named = byName.get(one.tool) ?? [];
    named.push(one);
    byName.set(one.tool, named);
  }
  const taken = new Set<Invocation>();
  const find = (call: JsonRecord): Invocation | undefined => {
    const id = callId(call["id"]);
    let found = id === undefined ? undefined : byId.get(id);
    const named = byName.get(asName(call["name"])) ?? [];
    while (found === undefined && named.length > 0) {
      const next = named.pop();
      if (next !== undefined && !taken.has(next)) found = next;
    }
    if (found !== undefined) taken.add(found);
    return found;
  };
  return Object.assign(find, { left: () => shown.length - taken.size });
}

function callOf(
  id: string | undefined,
  name: string,
  args: unknown,
  part: Invocation | undefined,
  { cwd, ledger }: RequestReading,
): ToolCall {
  ledger.mapped("calls of tools", "actions");
  return { id, name, args, action: codingAction(VSCODE_TOOLS, name, args, cwd), extra: part?.extra };
}

function resultOfCall(
  call: JsonRecord,
  results: JsonRecord,
  part: Invocation | undefined,
  ledger: Ledger,
): readonly Turn[] {
  const given = asName(call["id"]);
  const result = Object.hasOwn(results, given) ? results[given] : undefined;
  if (result === undefined && part === undefined) return [];
  ledger.mapped("results of tools", "observations and results");
  const text = result === undefined ? (part?.output ?? "") : resultWords(result);
  return [{ kind: "result", callId: callId(given), text, result: endOf(asName(call["name"]), text, part) }];
}

/** A command's code is kept beside it, or stands at the end of its text. */
function endOf(name: string, text: string, part: Invocation | undefined): Invocation["result"] {
  if (part?.result?.exitCode !== undefined) return part.result;
  const { type } = codingAction(VSCODE_TOOLS, name, { command: "" }, undefined);
  const code = endsWithCode(type) ? exitCodeIn(text) : undefined;
  return code === undefined ? part?.result : resultOf(code, part?.result?.ok === false ? false : undefined);
}

function textAfterCalls(parts: readonly Part[]): string {
  const last = parts.findLastIndex((part) => part.kind === "call");
  return parts
    .slice(last + 1)
    .map((part) => (part.kind === "text" ? part.text : ""))
    .join("")
    .trim();
}

/** The turns of what the response shows, where the model's own record is not kept: words, then the calls that follow them. */
function turnsOfParts(parts: readonly Part[], reading: RequestReading): readonly (readonly Turn[])[] {
  const talk: Turn[][] = [];
  let texts: string[] = [];
  let thoughts: string[] = [];
  const close = (calls: readonly Invocation[]): void => {
    const text = texts.join("").trim();
    if (text === "" && thoughts.length === 0 && calls.length === 0) return;
    const agent: AgentTurn = {
      kind: "agent",
      text,
      reasoning: thoughts.join("\n\n"),
      calls: calls.map((one) => callOf(one.id, one.tool, one.args, withMark(one), reading)),
    };
    talk.push([agent, ...calls.flatMap((one) => shownResult(one, reading.ledger))]);
    texts = [];
    thoughts = [];
  };
  for (const part of parts) {
    if (part.kind === "text") texts.push(part.text);
    else if (part.kind === "thought") thoughts.push(part.text);
    else if (part.kind === "call") close([part.call]);
    else if (part.kind === "clear" && texts.length > 0) {
      reading.ledger.dropped("words that VS Code took back", "it asked the model again");
      texts = [];
    }
  }
  close([]);
  return talk;
}

/** A part shows what a tool did to the person; with which arguments it was called only some say. */
const withMark = (one: Invocation): Invocation =>
  one.told ? one : { ...one, extra: { ...one.extra, argumentsUnknown: true } };

function shownResult(one: Invocation, ledger: Ledger): readonly Turn[] {
  if (one.output === undefined && one.result === undefined) return [];
  ledger.mapped("results of tools", "observations and results");
  return [{ kind: "result", callId: one.id, text: one.output ?? "", result: one.result }];
}

/** The turns with what the request knows of them: its tokens with the last one, and that it was stopped. */
function withFacts(
  talk: readonly (readonly Turn[])[],
  request: JsonRecord,
  id: string,
  ledger: Ledger,
): readonly (readonly Turn[])[] {
  const stop = stopOf(request);
  const names = recordsOf(asRecord(request["variableData"])["variables"]).flatMap(
    ({ name }) => asText(name) ?? [],
  );
  const model =
    asText(asRecord(asRecord(request["result"])["metadata"])["resolvedModel"]) ?? asText(request["modelId"]);
  const last = talk.findLastIndex((turns) => turns.some((turn) => turn.kind === "agent"));
  return talk.map((turns, place) =>
    turns.map((turn): Turn => {
      if (turn.kind !== "agent") return turn;
      const extra = compact({
        ...turn.extra,
        roundId: nodeId(id, place),
        requestId: id,
        model,
        attachments: place === 0 && names.length > 0 ? names : undefined,
        stopped: place === last ? stop : undefined,
      });
      return {
        ...turn,
        extra,
        ...(place === last
          ? { usage: usageOf(request, ledger), ...(stop === undefined ? {} : { ends: false }) }
          : {}),
      };
    }),
  );
}

/** Tokens of a request: those of all its calls by model where they are told, else the last call's input and the output of all. */
function usageOf(request: JsonRecord, ledger: Ledger): Usage | undefined {
  const metadata = asRecord(asRecord(request["result"])["metadata"]);
  const totals = recordsOf(request["modelTotals"]);
  const sum = (key: string): number =>
    sumOfAmounts(totals.map((total) => tokensOf(total, [key], ledger) ?? 0));
  if (totals.length > 0)
    return {
      inputTokens: sum("inputTokens"),
      cachedInputTokens: sum("cachedTokens"),
      outputTokens: sum("outputTokens"),
    };
  const input = tokensOf(request, ["promptTokens"], ledger) ?? tokensOf(metadata, ["promptTokens"], ledger);
  const output =
    tokensOf(request, ["completionTokens"], ledger) ?? tokensOf(metadata, ["outputTokens"], ledger);
  return input === undefined && output === undefined
    ? undefined
    : { inputTokens: input ?? 0, outputTokens: output ?? 0 };
}

function timeOf(given: unknown): string | undefined {
  return typeof given === "number" && Math.abs(given) < 8.64e15 ? new Date(given).toISOString() : undefined;
}

/** The sub-agents of a request, by the calls that started them. */
function subAgentsIn(shown: readonly Invocation[], reading: RequestReading): readonly SubAgent[] {
  const groups = new Map<string, Part[]>();
  for (const call of shown)
    if (call.subAgent !== undefined) {
      const group = groups.get(call.subAgent) ?? [];
      group.push({ kind: "call", call });
      groups.set(call.subAgent, group);
    }
  const starts = new Map(shown.map((one) => [one.id, one]));
  return Array.from(groups, ([id, parts]): SubAgent => {
    const start = starts.get(id);
    const given = isRecord(start?.args) ? asText(start.args["prompt"]) : undefined;
    const end: Part[] = start?.output === undefined ? [] : [{ kind: "text", text: start.output }];
    return { callId: id, prompt: given, turns: turnsOfParts([...parts, ...end], reading).flat() };
  });
}
