import type { Action } from "../../model/action.ts";
import type { ReplyForm } from "../../model/sampling.ts";

/** A thought with the action that follows from it. */
export interface Said {
  readonly thought: string;
  readonly action: Action;
}

/** How a policy writes its replies, and how the prompt speaks of them. */
export interface Notation {
  /** A turn, for the sentence "Each turn, write …". */
  readonly turn: string;
  write(said: Said): string;
  /** An action in the words of a list of actions. */
  action(type: string, arg: string): string;
  /** Asks for a reply with an action of one of these types. A copy of it is no reply. */
  ask(types: readonly string[], isObserved: boolean): string;
}

/**
 * The answer first, and a thought on what was observed: a small model that reads its question anew tends to begin anew, with the search that
 * it has made.
 */
function asked(
  types: readonly string[],
  isObserved: boolean,
): { readonly on: string; readonly types: string } {
  const [first = "", ...others] = types;
  const last = others.length === 0 ? first : `${others.toReversed().join(", ")} or ${first}`;
  return { on: isObserved ? " on this observation" : "", types: last };
}

const TEXT: Notation = {
  turn: "one thought and one action",
  write: ({ thought, action: { type, arg } }) =>
    `${thought === "" ? "" : `Thought: ${thought}\n`}Action: ${type}[${arg}]`,
  action: (type, arg) => `${type}[${arg}]`,
  ask(actions, isObserved) {
    const { on, types } = asked(actions, isObserved);
    return `Next come a line "Thought: …"${on} and a line "Action: …" with ${types}.`;
  },
};

const JSON_OBJECT: Notation = {
  turn: 'one JSON object with a "thought", an "action" and its "arg"',
  write: ({ thought, action: { type, arg } }) => JSON.stringify({ thought, action: type, arg }),
  action: (type, arg) => `"${type}" with ${arg}`,
  ask(actions, isObserved) {
    const { on, types } = asked(actions, isObserved);
    return `Next comes one JSON object with a "thought"${on}, an "action", ${types}, and its "arg".`;
  },
};

export const notationOf = (replies: ReplyForm | undefined): Notation =>
  replies === "json" ? JSON_OBJECT : TEXT;
