import { FINAL } from "../../model/action-types.ts";
import type { Proposal } from "../../model/episode.ts";

/** Thought and answer of a reply. */
export function parseReply(reply: string): Pick<Proposal, "thought" | "action" | "lenient"> {
  const lines = reply.trim().split("\n");
  return { thought: reply.trim(), action: { type: FINAL, arg: lines.at(-1)?.trim() ?? "" } };
}
