import type { ChatMessage, ChatRequest } from "./chat-model.ts";

/** The parts of a prompt file; one that it does not have is empty. */
interface PromptParts {
  /** Instructions. */
  readonly system: string;
  /** The material. */
  readonly user: string;
  /** A few lines of instructions, for a model that gave the longer ones back. */
  readonly short: string;
}

/** The parts of a prompt file: the instructions, then those below `=== user ===` and `=== short ===`. */
export function promptParts(file: string): PromptParts {
  const [system = "", user = "", short = ""] = file
    .replaceAll("\r\n", "\n")
    .split(/\n=== (?:user|short) ===\n/);
  return { system, user, short };
}

/** Both messages, with a value for each `{{name}}`. */
export function promptMessages(
  instructions: string,
  material: string,
  values: Readonly<Record<string, string>>,
): readonly [ChatMessage, ChatMessage] {
  return [
    { role: "system", content: filled(instructions, values) },
    { role: "user", content: filled(material, values) },
  ];
}

/** Trimmed, with a value for each `{{name}}`. One pass, so that `{{…}}` in a value stays what it is. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole).trim();
}

/**
 * A text without a marker, `#~` and hexadecimal digits. What takes its place holds a character that no marker has, so
 * that what stood around it cannot become one.
 */
export const withoutMarker = (text: string, marker: string): string => text.replaceAll(marker, "#?");

export interface Block {
  readonly title: string;
  readonly text: string;
}

/** A text between two lines that nothing inside it can look like, also where its author could know the marker. */
export function framed({ title, text }: Block, marker: string): string {
  return `${marker} begin ${title}\n${withoutMarker(text, marker)}\n${marker} end ${title}`;
}

/** The request, the reply to it, and what is said about that. */
export function followed(first: ChatRequest, reply: string, content: string): ChatRequest {
  return {
    ...first,
    messages: [...first.messages, { role: "assistant", content: reply }, { role: "user", content }],
  };
}
