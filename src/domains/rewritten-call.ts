import { formatAction, type Action } from "../model/action.ts";
import { clip } from "../model/clip.ts";

/** Characters of an action, and of a reason, that the line has. */
const ACTION_CHARS = 200;
const REASON_CHARS = 400;

/** An action that ran in place of the one that an agent proposed. */
export interface RewrittenCall {
  readonly proposed: Action;
  readonly executed: Action;
  /** The reason of the skill, or of the harness. */
  readonly because?: string | undefined;
}

/**
 * One line for the agent's model, which else proposes its own action again. No parser of ours reads an action in it: a copy of the line
 * runs nothing.
 */
export function rewrittenText({ proposed, executed, because = "" }: RewrittenCall): string {
  const [ran, own] = [executed, proposed].map((action) => clip(formatAction(action), ACTION_CHARS));
  const what =
    proposed.type === "invalid" ? `The reply was read as ${ran}.` : `In place of ${own}, ${ran} ran.`;
  const reason = clip(because, REASON_CHARS).replace(/\.$/, "");
  return reason === "" ? what : `${what} Reason: ${reason}.`;
}
