import type { ChatRequest } from "./chat-model.ts";
import { REASONING_BEGINS, REASONING_ENDS } from "./reasoning.ts";

/**
 * Characters of a reply for each token that it may have. English has four to five, a token of blanks has more; a server that counts never
 * comes near.
 */
const CHARS_PER_TOKEN = 16;
/** Room for replies of a few tokens, such as a judge's, where the average says little. */
const MORE_CHARS = 4_000;

/** Characters that no honest reply of so many tokens exceeds. */
export function longestReply(maxTokens: number): number {
  return maxTokens * CHARS_PER_TOKEN + MORE_CHARS;
}

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
  const mostChars = longestReply(maxTokens);
  let [given, held] = ["", ""];
  let hasText = false;
  let thoughts: Thoughts = "unknown";
  let ended: ReplyText["ended"];

  const give = (part: string, rest: string): string => {
    const room = mostChars - given.length;
    if (part.length + rest.length > room) ended ??= "length";
    const shown = ended === "length" ? `${part}${rest}`.slice(0, room) : part;
    held = ended === undefined ? rest : "";
    given += shown;
    return shown;
  };
  return {
    add(piece) {
      if (ended !== undefined) return "";
      // A stop text that this piece completes begins in what was held back.
      const open = held + piece;
      if (thoughts === "unknown")
        thoughts = thoughtsIn((given.slice(0, HEAD_CHARS) + open).slice(0, HEAD_CHARS));
      const begin = thoughts === "over" ? 0 : endOfThoughts(given, open);
      if (thoughts === "open" && begin !== undefined) thoughts = "over";
      const begun = open.length - beginOfStop(open, stops);
      const found = thoughts === "over" ? firstStop(open, stops, begin ?? 0, hasText) : undefined;
      // A stop text that begins before the found one may be completed by the next piece.
      const end = found !== undefined && found <= begun ? found : undefined;
      if (end !== undefined) ended = "stop";
      const certain = end ?? begun;
      hasText ||= thoughts === "over" && open.slice(begin ?? 0, certain).trim() !== "";
      return give(open.slice(0, certain), end === undefined ? open.slice(certain) : "");
    },
    rest() {
      const end = thoughts === "over" ? firstStop(held, stops, 0, hasText) : undefined;
      if (end !== undefined) ended ??= "stop";
      return give(held.slice(0, end), "");
    },
    get text() {
      return given + held;
    },
    get ended() {
      return ended;
    },
  };
}

/** Whether a reasoning model still thinks: a stop text among its thoughts ends nothing. */
type Thoughts = "unknown" | "open" | "over";

/** Characters of a reply that tell whether it begins with thoughts. */
const HEAD_CHARS = 200;
/** No end tag is longer. */
const TAG_CHARS = 12;

function thoughtsIn(head: string): Thoughts {
  if (REASONING_BEGINS.test(head)) return "open";
  // Blanks alone tell nothing, but no reply waits for more of them.
  if (head.length >= HEAD_CHARS) return "over";
  const said = head.trim().toLowerCase();
  return ["<thinking>", "<think>", "[think]"].some((tag) => tag.startsWith(said)) ? "unknown" : "over";
}

/** The place in `open` where the thoughts are over. */
function endOfThoughts(given: string, open: string): number | undefined {
  const before = given.slice(-TAG_CHARS);
  const end = REASONING_ENDS.exec(before + open);
  return end === null ? undefined : Math.max(0, end.index + end[0].length - before.length);
}

/** The place of the first stop text that some text precedes; `begin` is where the text begins in `open`. */
function firstStop(
  open: string,
  stops: readonly string[],
  begin: number,
  hasText: boolean,
): number | undefined {
  const blanks = open.slice(begin).search(/\S/);
  if (blanks === -1 && !hasText) return undefined;
  const from = hasText ? begin : begin + blanks + 1;
  const found = stops.map((stop) => open.indexOf(stop, from)).filter((at) => at !== -1);
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
