/** What becomes of a decision that the host cannot carry out; docs/hooks.md has the same table. */
export const DEGRADATIONS = {
  "changed-tool":
    "A hook cannot run another tool: the call is refused, and the text names the call that is wanted.",
  "bad-input":
    "The changed input does not fit the tool: the call is refused, and the text names the call that is wanted.",
  "no-change":
    "The host takes no changed input here: the call is refused, and the text names the call that is wanted.",
  "nobody-to-ask":
    "Nobody is there to be asked about the changed call: it is refused, and the text names the call that is wanted.",
  "call-to-final":
    "A hook cannot end the agent's turn: the call is refused, and the text says what is to be said.",
  "final-to-call":
    "A hook cannot run a tool: the agent is held back, and the text names the call that is wanted.",
  "final-text": "A hook cannot change what the agent says: it stands.",
  "no-hold": "The agent is not held back any more: it stops.",
  "late-context":
    "The host takes no text here: the agent reads it with the next answer that has room for one.",
  "lost-context": "No later answer had room for the text: the agent never read it.",
  clipped: "The text is longer than the host takes: its end is cut off.",
} as const;
export type Degradation = keyof typeof DEGRADATIONS;
