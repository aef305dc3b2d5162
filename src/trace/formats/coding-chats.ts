import { addAll } from "./add-all.ts";
import { CODING_FINAL } from "../../model/coding-tools.ts";
import { turnsOfMessages, unreadableMessages } from "./chat-messages.ts";
import { chatMessage, isMessage } from "./chat-shapes.ts";
import { withBlocks } from "./cline-xml.ts";
import { withCodingActions } from "./coding-turns.ts";
import { episodeOf } from "./conversation.ts";
import { elementIn } from "./elements.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  one,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
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
import { OTHER_TOOLS } from "./tools/other-hosts.ts";
import type { Turn } from "./turn.ts";

/** A session of a coding agent whose messages have calls and results as blocks. */
interface CodingChat {
  readonly id: string;
  readonly agent: string;
  readonly messages: readonly unknown[];
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
  readonly extra?: Record<string, unknown> | undefined;
}

/** The tool by which Cline and Roo Code end; its result is what they say. */
const ENDS = "attempt_completion";

function chatResult(chat: CodingChat, line: number, { ledger }: ReaderOptions): FormatResult {
  const { id, agent, messages, cwd, model, extra } = chat;
  const read = turnsOfMessages(messages.map(chatMessage), { ledger, ends: false });
  if (!read.turns.some((turn) => turn.kind === "agent"))
    return refuse(
      line,
      "no message is the agent's, so the session has no step.",
      "Check whether the file is whole.",
    );
  const episode = episodeOf({
    id,
    source: agent,
    turns: withEnds(withCodingActions(read.turns, OTHER_TOOLS, cwd)),
    coding: { cwd },
    settings: compact({ model, agent }),
    prompts: "transcript",
    extra,
  });
  return one(episode, read.unreadable.length === 0 ? [] : [unreadableMessages(line, read.unreadable)]);
}

function withEnds(turns: readonly Turn[]): readonly Turn[] {
  return turns.map((turn) => {
    if (turn.kind !== "agent") return turn;
    const calls = turn.calls.map((call) =>
      call.name === ENDS
        ? { ...call, action: { type: CODING_FINAL, arg: asText(asRecord(call.args)["result"]) ?? "" } }
        : call,
    );
    return { ...turn, calls };
  });
}

const firstText = (message: unknown): string => {
  const { content } = asRecord(message);
  return (
    asText(content) ??
    recordsOf(content)
      .map((block) => asText(block["text"]) ?? "")
      .join("\n")
  );
};

/** The `api_conversation_history.json` of Cline and Roo Code. */
export function isCline(value: unknown): boolean {
  if (!Array.isArray(value) || !isMessage(value[0])) return false;
  const text = firstText(value[0]);
  return /^\s*<(?:task|user_message)>/.test(text) && text.includes("<environment_details>");
}

const WORKING_FOLDER = /# Current (?:Working|Workspace) Directory \(([^)\n]{1,1000})\)/;

export function clineReader(options: ReaderOptions): FormatReader {
  const read = (value: unknown, line: number): FormatResult => {
    const messages = asList(value);
    const model = recordsOf(messages)
      .map(({ modelInfo }) => asText(asRecord(modelInfo)["modelId"]))
      .find((given) => given !== undefined);
    const cwd = WORKING_FOLDER.exec(firstText(messages[0]))?.[1];
    // Every task has a folder of its own, and in it files of the same names.
    const id = options.folder ?? options.name;
    return chatResult({ id, agent: "cline", messages: withBlocks(messages), cwd, model }, line, options);
  };
  return { read, end: () => NOTHING };
}

/** A session that Goose exports as JSON. */
export function isGoose(value: unknown): boolean {
  return isRecord(value) && "working_dir" in value && isMessage(asList(value["conversation"])[0]);
}

export function gooseReader(options: ReaderOptions): FormatReader {
  const read = (given: unknown, line: number): FormatResult => {
    const value = asRecord(given);
    const chat: CodingChat = {
      id: asText(value["id"]) ?? options.name,
      agent: "goose",
      messages: asList(value["conversation"]),
      cwd: asText(value["working_dir"]),
      model: asText(asRecord(value["model_config"])["model_name"]),
      extra: compact({ title: asText(value["name"]) ?? asText(value["description"]) }),
    };
    return chatResult(chat, line, options);
  };
  return { read, end: () => NOTHING };
}

/** A line of Cursor's transcripts. */
export function isCursor(value: unknown): boolean {
  if (!isRecord(value) || "uuid" in value || "type" in value) return false;
  const { role, message } = value;
  return (role === "user" || role === "assistant") && "content" in asRecord(message);
}

export function cursorReader(options: ReaderOptions): FormatReader {
  const messages: JsonRecord[] = [];
  const read = (value: unknown, line: number): FormatResult => {
    if (!isCursor(value)) {
      const type = asName(asRecord(value)["type"]);
      if (type === "turn_ended") options.ledger.dropped("lines of type turn_ended", "they are no messages");
      else options.ledger.unknown(`lines of type ${type === "" ? "(none)" : type}`);
      return isRecord(value) ? NOTHING : refuse(line, "this line is no object.", "Check the transcript.");
    }
    const { role, message } = asRecord(value);
    addAll(messages, spokenBy(asName(role), asRecord(message)["content"]));
    return NOTHING;
  };
  const end = (): FormatResult =>
    messages.length === 0 ? NOTHING : chatResult({ id: options.name, agent: "cursor", messages }, 0, options);
  return { read, end };
}

/** The words of the person stand in an element of their own, among what Cursor tells the agent. */
function spokenBy(role: string, content: unknown): readonly JsonRecord[] {
  const query = role === "user" ? elementIn(firstText({ content }), "user_query") : undefined;
  if (query === undefined) return [{ role, content }];
  const rest = `${query.before}${query.after}`.trim();
  return [
    ...(rest === "" ? [] : [{ role: "system", content: rest }]),
    { role: "user", content: query.inside },
  ];
}
