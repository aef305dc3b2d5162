import type { ChatMessage } from "../llm/chat-model.ts";

/** The messages with another beginning of the last one. Undefined where it does not begin with `from`. */
export function rewordedEnd(
  messages: readonly ChatMessage[],
  from: string,
  to: string,
): readonly ChatMessage[] | undefined {
  const last = messages.at(-1);
  if (last === undefined || !last.content.startsWith(from)) return undefined;
  return [...messages.slice(0, -1), { ...last, content: `${to}${last.content.slice(from.length)}` }];
}
