import type { ChatRequest } from "./chat-model.ts";

/**
 * Characters of a reply for each token that it may have. English has four to five, a token of blanks has more; a server that counts never
 * comes near.
 */
const CHARS_PER_TOKEN = 16;
/** Room for replies of a few tokens, such as a judge's, where the average says little. */
const MORE_CHARS = 4_000;

/** The text of a reply as it arrives, up to its end. */
export interface ReplyText {
  /** Takes the next piece. Answers with the part that is certain to be text of the reply: an end that may begin a stop text is held back. */
  add(piece: string): string;
  /** The part that `add` held back, once nothing more arrives. */
  rest(): string;
  /** The text up to its end. */
  readonly text: string;
  /** Why the text ended before its pieces: at a stop text, or far beyond the longest reply. */
  readonly ended: "stop" | "length" | undefined;
}

/**
 * Ends a reply where its request says, for models and servers that do not: before the first stop text that follows some text, and once the
 * reply is far longer than `maxTokens` allows. Work is in proportion to the reply.
 */
export function replyText({ stop = [], maxTokens }: Pick<ChatRequest, "stop" | "maxTokens">): ReplyText {
  const stops = stop.filter((one) => one !== "");
  const mostChars = maxTokens * CHARS_PER_TOKEN + MORE_CHARS;
  let [given, held] = ["", ""];
  let hasText = false;
  let ended: ReplyText["ended"];

  const give = (part: string, rest: string): string => {
    const room = mostChars - given.length;
    if (part.length + rest.length > room) ended ??= "length";
    const shown = ended === "length" ? `${part}${rest}`.slice(0, room) : part;
    held = ended === undefined ? rest : "";
    given += shown;
    hasText ||= shown.trim() !== "";
    return shown;
  };
  return {
    add(piece) {
      if (ended !== undefined) return "";
      // A stop text that this piece completes begins in what was held back.
      const open = held + piece;
      const end = firstStop(open, stops, hasText);
      if (end !== undefined) ended = "stop";
      const certain = end ?? open.length - beginOfStop(open, stops);
      return give(open.slice(0, certain), end === undefined ? open.slice(certain) : "");
    },
    rest: () => give(held, ""),
    get text() {
      return given + held;
    },
    get ended() {
      return ended;
    },
  };
}

/** The place of the first stop text that some text precedes. */
function firstStop(text: string, stops: readonly string[], hasText: boolean): number | undefined {
  const from = hasText ? 0 : text.search(/\S/) + 1;
  if (from === 0 && !hasText) return undefined;
  const found = stops.map((stop) => text.indexOf(stop, from)).filter((at) => at !== -1);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** Length of the end of `text` that may be the beginning of a stop text. */
function beginOfStop(text: string, stops: readonly string[]): number {
  const lengths = stops.map((stop) => {
    let length = Math.min(stop.length - 1, text.length);
    while (length > 0 && !text.endsWith(stop.slice(0, length))) length--;
    return length;
  });
  return Math.max(0, ...lengths);
}
