import { splitReasoning } from "../../llm/reasoning.ts";
import { FINAL } from "../../model/action-types.ts";
import type { AgentPrompt } from "../domain.ts";

/** Characters of a reply that are read, from its end: the answer comes last. */
const READ_CHARS = 2_000_000;

/** An answer as a domain finds it in a text. */
export interface ReadAnswer {
  readonly answer: string;
  /** The rest of the text. */
  readonly thought: string;
  /** It stands in the form that the prompt asks for. */
  readonly hasForm: boolean;
}

/** The text with the blanks before its first line: they are indentation. `text`: the end of `whole`. */
function withIndentation(whole: string, text: string): string {
  const start = whole.length - text.length;
  const line = whole.lastIndexOf("\n", start - 1) + 1;
  return whole.slice(line, start).trim() === "" ? whole.slice(line) : text;
}

/**
 * Reads the replies of a domain whose questions are answered in one reply. What a reasoning model thinks to itself is the thought where the
 * reply has none, and is read where no reply follows. Only an empty reply is `invalid`.
 *
 * @param read finds the answer in a text that is more than blanks; undefined where there is none.
 */
export function replyReader(read: (said: string) => ReadAnswer | undefined): AgentPrompt["parseReply"] {
  return (reply) => {
    const whole = reply.slice(-READ_CHARS);
    const { reasoning, text } = splitReasoning(whole);
    const hasReply = text.trim() !== "";
    const said = hasReply ? withIndentation(whole, text) : reasoning;
    const found = said.trim() === "" ? undefined : read(said);
    if (found === undefined)
      return { thought: "", action: { type: "invalid", arg: said.trim(), raw: whole } };
    const thought = found.thought || (hasReply ? reasoning : "");
    const proposal = { thought, action: { type: FINAL, arg: found.answer } };
    return found.hasForm && hasReply ? proposal : { ...proposal, lenient: true };
  };
}
