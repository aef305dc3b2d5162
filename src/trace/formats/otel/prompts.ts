import { addAll } from "../add-all.ts";
import type { ChatMessage } from "../../../llm/chat-model.ts";
import type { Completion } from "../../../model/episode.ts";
import { replyText, resultMessage, toolsText } from "../talk.ts";
import type { ReadPrompt } from "../turn.ts";
import type { Message } from "./messages.ts";
import type { SpanTalk } from "./span-talk.ts";

/** Finish reasons by which a model says that it is done, in the words of the providers. */
const DONE =
  /^(?:stop|end_turn|stop_sequence|completed?|tool[-_]calls?|tool_use|function_call|eos|eos_token)$/i;
const TOO_LONG = /^(?:length|max_tokens|max_output_tokens|model_length)$/i;

export function finishOf(reason: string | undefined): Completion["finish"] {
  if (reason === undefined || DONE.test(reason)) return "stop";
  return TOO_LONG.test(reason) ? "length" : "other";
}

/** The reply word for word; undefined where parts of it are no words of the model's, or were cut. */
export function completionOf(
  said: Message,
  cut: boolean,
  reason: string | undefined,
): Completion | undefined {
  const text = replyText(said);
  if (cut || said.others.length + said.answers.length > 0 || text === "") return undefined;
  return { text, ...(said.reasoning === "" ? {} : { reasoning: said.reasoning }), finish: finishOf(reason) };
}

/**
 * What the model read, word for word; undefined where parts of it are no words, or were cut. `into`: the prompt before, which is gone on
 * from where this one begins with it.
 */
export function promptOf(talk: SpanTalk, into: { talk: ChatMessage[] }): ReadPrompt | undefined {
  const { system, input, tools, inputCut } = talk;
  if (inputCut || input.length === 0 || input.some(({ others }) => others.length > 0)) return undefined;
  const messages = chatMessages([...system, ...input], tools);
  const isLonger = messages.length >= into.talk.length;
  if (isLonger && into.talk.every((known, index) => isSame(known, messages[index])))
    addAll(into.talk, messages.slice(into.talk.length));
  else into.talk = messages;
  return { talk: into.talk, upTo: messages.length };
}

const isSame = (a: ChatMessage, b: ChatMessage | undefined): boolean =>
  a.role === b?.role && a.content === b.content;

/** The messages as a chat: the instructions and the tools first, and what stands in the user's place with no reply between as one. */
function chatMessages(messages: readonly Message[], tools: readonly unknown[]): ChatMessage[] {
  const chat: ChatMessage[] = [];
  const first = new Set<string>();
  const found = messages.findIndex(({ role }) => role !== "system");
  const begin = found === -1 ? messages.length : found;
  for (const { text } of messages.slice(0, begin)) if (text !== "") first.add(text);
  const offered = toolsText(tools);
  if (offered !== "") first.add(offered);
  if (first.size > 0) chat.push({ role: "system", content: [...first].join("\n\n") });
  for (const message of messages.slice(begin)) {
    const { role, text } = message;
    if (role === "assistant") chat.push({ role, content: replyText(message) });
    // An instruction that is there twice, once by itself and once among the messages, was given once.
    else if (role === "system") {
      if (!first.has(text)) chat.push({ role, content: text });
    } else for (const content of wordsIn(message)) ask(chat, content);
  }
  return chat;
}

function wordsIn({ text, answers }: Message): readonly string[] {
  return [...answers.map((answer) => resultMessage(answer.text)), ...(text === "" ? [] : [text])];
}

function ask(chat: ChatMessage[], content: string): void {
  const last = chat.at(-1);
  if (last?.role === "user")
    chat[chat.length - 1] = { role: "user", content: `${last.content}\n\n${content}` };
  else chat.push({ role: "user", content });
}
