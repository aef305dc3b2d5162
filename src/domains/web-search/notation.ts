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
  /** Asks for a reply that takes one of these actions. A copy of it is no reply. */
  ask(actions: readonly string[]): string;
}

/** The answer comes first: a small model that reads its question anew tends to begin anew, with its first search. */
const answerFirst = (actions: readonly string[]): string => actions.toReversed().join(", ");

const TEXT: Notation = {
  turn: "one thought and one action",
  write: ({ thought, action: { type, arg } }) => `Thought: ${thought}\nAction: ${type}[${arg}]`,
  action: (type, arg) => `${type}[${arg}]`,
  ask: (actions) =>
    `Go on with a line "Thought: …" and a line "Action: …" that has not run yet: ${answerFirst(actions)}.`,
};

const JSON_OBJECT: Notation = {
  turn: 'one JSON object with a "thought", an "action" and its "arg"',
  write: ({ thought, action: { type, arg } }) => JSON.stringify({ thought, action: type, arg }),
  action: (type, arg) => `"${type}" with ${arg}`,
  ask: (actions) =>
    `Go on with one JSON object, "thought", "action" and "arg", of an action that has not run yet: ${answerFirst(actions)}.`,
};

export const notationOf = (replies: ReplyForm | undefined): Notation =>
  replies === "json" ? JSON_OBJECT : TEXT;
