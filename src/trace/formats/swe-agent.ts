import type { Outcome } from "../../model/episode.ts";
import { parseJson } from "../../model/read-json.ts";
import { hashText } from "../hash.ts";
import { contentOf, turnsOfMessages, unreadableMessages, usageOf } from "./chat-messages.ts";
import { type Conversation, episodeOf } from "./conversation.ts";
import type { AgentTurn, Turn } from "./turn.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  one,
  type ReaderOptions,
  refuse,
  warning,
} from "./format-reader.ts";
import { amountOf, sumOfAmounts } from "./counts.ts";
import type { Ledger } from "./ledger.ts";
import { actedTurns, callOfStep, folderOf } from "./swe-actions.ts";
import {
  asList,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
  asName,
} from "./records.ts";

/** A trajectory of SWE-agent: `history` and `trajectory`, or one of them. */
export function isSweAgent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const [first] = asList(value["trajectory"]);
  const [said] = asList(value["history"]);
  return (isRecord(first) && "action" in first) || (isRecord(said) && "role" in said);
}

/** What SWE-agent adds to a chat message. */
const OWN_MARKS = ["agent", "message_type", "thought", "action"];

const MAPPED_STEP = ["action", "observation", "thought", "response", "execution_time", "messages", "query"];

/** The agent's own messages: no demonstration, no other agent's. */
function agentMessages(history: readonly JsonRecord[]): readonly JsonRecord[] {
  return history.filter((message) => message["role"] === "assistant" && message["is_demo"] !== true);
}

/** Finds, for each step in turn, the message in which its action stands. */
function messageFinder(history: readonly JsonRecord[]): (action: unknown) => JsonRecord | undefined {
  const messages = agentMessages(history);
  let from = 0;
  return (action) => {
    const at = messages.findIndex((message, index) => index >= from && message["action"] === action);
    if (at === -1) return undefined;
    from = at + 1;
    return messages[at];
  };
}

function stepTurns(step: JsonRecord, message: JsonRecord | undefined, ledger: Ledger): Turn[] {
  const command = asText(step["action"]) ?? "";
  const response = asText(step["response"]) ?? "";
  const thought = asText(step["thought"]) ?? response;
  const seconds = amountOf(step, ["execution_time"], ledger);
  const rest = Object.fromEntries(
    Object.entries(without(step, MAPPED_STEP)).filter(([, value]) => value !== null),
  );
  for (const key of Object.keys(rest)) ledger.kept(`trajectory[].${key}`, "extra of steps");
  for (const key of ["query", "messages"])
    if (key in step) ledger.dropped(`trajectory[].${key}`, "it repeats the steps before");
  ledger.mapped("trajectory[].action", "actions of steps");
  ledger.mapped("trajectory[].thought", "thoughts of steps");
  ledger.mapped("trajectory[].observation", "observations");
  const isTold = Array.isArray(message?.["tool_calls"]);
  const agent: AgentTurn = {
    kind: "agent",
    text: thought,
    reasoning: "",
    calls: [callOfStep(message, command)],
    ...(isTold ? {} : saidAs(response)),
    extra: compact({
      ...rest,
      executionMs: seconds === undefined ? undefined : sumOfAmounts([Math.round(seconds * 1000)]),
      ...(response !== "" && response !== thought ? { response } : {}),
    }),
  };
  return [agent, { kind: "result", text: contentOf(step["observation"]).text, asUser: !isTold }];
}

/** The reply as the model said it, where its command is part of the words. */
const saidAs = (text: string): Pick<AgentTurn, "completion"> =>
  text === "" ? {} : { completion: { text, finish: "stop" } };

/** What the agent was given before its first step: system prompt, demonstrations, task. */
function turnsBefore(history: readonly JsonRecord[], ledger: Ledger): Turn[] {
  const first = history.findIndex(
    (message) => message["role"] === "assistant" && message["is_demo"] !== true,
  );
  return history.slice(0, first === -1 ? history.length : first).map((message) => {
    const demo = message["is_demo"] === true;
    ledger.mapped(`history: ${demo ? "demonstrations" : asName(message["role"])}`, "question or prelude");
    const { text } = contentOf(message["content"]);
    return { kind: message["role"] === "user" && !demo ? "user" : "system", text };
  });
}

interface Talk {
  readonly turns: readonly Turn[];
  readonly unreadable: readonly number[];
  readonly cwd: string | undefined;
}

function talkOf(document: JsonRecord, ledger: Ledger): Talk {
  const history = recordsOf(document["history"]);
  const steps = asList(document["trajectory"]);
  const read = steps.length === 0 ? talkOfHistory(history, ledger) : talkOfSteps(steps, history, ledger);
  const results = read.turns.flatMap((turn) => (turn.kind === "result" ? [turn.text] : []));
  const states = recordsOf(steps).map(({ state }) => state);
  const cwd = folderOf(states, results);
  return { ...read, turns: actedTurns(read.turns, cwd), cwd };
}

type ReadTurns = Omit<Talk, "cwd">;

function talkOfSteps(steps: readonly unknown[], history: readonly JsonRecord[], ledger: Ledger): ReadTurns {
  const find = messageFinder(history);
  const unreadable = steps.flatMap((step, index) => (isRecord(step) ? [] : [index]));
  const turns = recordsOf(steps).flatMap((step) => stepTurns(step, find(step["action"]), ledger));
  return { turns: [...turnsBefore(history, ledger), ...turns], unreadable };
}

/** Without `trajectory`: the messages themselves; where one has an `action` and calls no tool, that is its action. */
function talkOfHistory(history: readonly JsonRecord[], ledger: Ledger): ReadTurns {
  const unreadable: number[] = [];
  const turns = history.flatMap((message, index): readonly Turn[] => {
    if (message["is_demo"] === true) return turnsBefore([message], ledger);
    const command = asText(message["action"]);
    if (message["role"] === "assistant" && command !== undefined && !Array.isArray(message["tool_calls"])) {
      const thought = asText(message["thought"]) ?? contentOf(message["content"]).text;
      ledger.mapped("history[].action", "actions of steps");
      const calls = [callOfStep(undefined, command)];
      const said = saidAs(contentOf(message["content"]).text);
      return [{ kind: "agent", text: thought, reasoning: "", calls, ...said }];
    }
    for (const key of OWN_MARKS)
      if (key in message) ledger.dropped(`history[].${key}`, "the message says the same");
    const plain = without(message, OWN_MARKS);
    const read = turnsOfMessages([plain], { ledger, ends: false });
    if (read.unreadable.length > 0) unreadable.push(index);
    return read.turns;
  });
  return { turns, unreadable };
}

/** `replay_config` is an object, or the same as text. A key for a model may stand in it: it is not taken over. */
function configOf(document: JsonRecord): JsonRecord {
  const given = document["replay_config"];
  return asRecord(typeof given === "string" ? parseJson(given) : given);
}

function withoutKeys(config: JsonRecord): JsonRecord {
  const agent = asRecord(config["agent"]);
  const model = asRecord(agent["model"]);
  if (model["api_key"] === undefined || model["api_key"] === null) return config;
  return { ...config, agent: { ...agent, model: { ...model, api_key: "[redacted]" } } };
}

function outcomeOf(exit: string | undefined, answer: string | undefined): Outcome {
  return answer === undefined && exit !== undefined ? "halted" : "unjudged";
}

function describe(document: JsonRecord, talk: Talk, options: ReaderOptions): Conversation {
  const { name, ledger } = options;
  const config = configOf(document);
  const info = asRecord(document["info"]);
  const stats = asRecord(info["model_stats"]);
  const model = asText(asRecord(asRecord(config["agent"])["model"])["name"]);
  const exit = asText(info["exit_status"]);
  const answer = asText(info["submission"]);
  const rest = without(document, ["trajectory", "history", "info", "replay_config"]);
  for (const key of Object.keys(rest)) ledger.kept(key, "extra of the episode");
  if (answer !== undefined) ledger.mapped("info.submission", "answer");
  if (exit !== undefined) ledger.mapped("info.exit_status", "stopReason, and extra");
  if (Object.keys(config).length > 0) ledger.kept("replay_config", "extra of the episode");
  const infoRest = without(info, ["submission"]);
  for (const key of Object.keys(infoRest)) ledger.kept(`info.${key}`, "extra of the episode");
  const tokens = { input_tokens: stats["tokens_sent"], output_tokens: stats["tokens_received"] };
  return {
    id:
      asText(asRecord(config["problem_statement"])["id"]) ??
      (name || `swe-agent-${hashText(JSON.stringify(document))}`),
    source: "swe-agent",
    turns: talk.turns,
    // The program cuts what the model reads of earlier steps.
    prompts: "transcript",
    coding: { cwd: talk.cwd },
    outcome: outcomeOf(exit, answer),
    answer,
    stopReason: exit === "submitted" || answer !== undefined ? "final" : undefined,
    ...(model === undefined ? {} : { settings: { model } }),
    cost: usageOf(tokens, ledger, { cost: stats["instance_cost"] ?? stats["total_cost"] }),
    extra: compact({
      ...rest,
      ...(Object.keys(infoRest).length === 0 ? {} : { info: infoRest }),
      ...(Object.keys(config).length === 0 ? {} : { replay_config: withoutKeys(config) }),
    }),
  };
}

/** SWE-agent's `.traj`: steps of `trajectory`, their tool calls of `history`; `history` alone where there is nothing else. */
export function sweAgentReader(options: ReaderOptions): FormatReader {
  function read(value: unknown, line: number): FormatResult {
    if (!isRecord(value) || (!("history" in value) && !("trajectory" in value)))
      return refuse(
        line,
        "there is neither `history` nor `trajectory`.",
        "Check that it is a .traj of SWE-agent.",
      );
    const talk = talkOf(value, options.ledger);
    if (!talk.turns.some((turn) => turn.kind === "agent"))
      return refuse(line, "the agent did nothing: there is no step.", "Check `trajectory` and `history`.");
    const problems = talk.unreadable.length === 0 ? [] : [unreadableSteps(line, talk.unreadable, value)];
    return one(episodeOf(describe(value, talk, options)), problems);
  }
  return { read, end: () => NOTHING };
}

function unreadableSteps(
  line: number,
  at: readonly number[],
  document: JsonRecord,
): ReturnType<typeof warning> {
  if (asList(document["trajectory"]).length === 0) return unreadableMessages(line, at);
  const places = at
    .slice(0, 5)
    .map((index) => index + 1)
    .join(", ");
  return warning(line, `entry ${places} of \`trajectory\` is no step and was left out.`, "Check the file.");
}
