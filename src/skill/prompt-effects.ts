import type { PromptInstruction } from "./prompt-instruction.ts";
import type { TypeSet } from "./type-set.ts";

/** What a PF's `intervene` can do, read from its code (SPEC §3, "Prompt-equivalent (A+B)"). */
export interface PromptEquivalence {
  /** Not A: it may return MODIFY_ACTION. */
  readonly canModify: boolean;
  /** Not B: a text that it injects may depend on the episode. */
  readonly buildsText: boolean;
  /** A and B: a prompt could carry all that the PF says. */
  readonly promptEquivalent: boolean;
  /** The constant texts that it injects, where it is prompt-equivalent. */
  readonly texts?: readonly string[];
  /** What it says, where it is prompt-equivalent and says one thing. */
  readonly instruction?: PromptInstruction;
  /** When and how it takes part; undefined where the code cannot be read. */
  readonly part?: PfPart;
}

/** When a PF takes part in an episode, read from its code. */
export interface PfPart {
  /** It has a `vote` of its own. */
  readonly votes: boolean;
  /** It may keep something in `ctx.memory`, and so be of use where it does not act. */
  readonly remembers: boolean;
  /** The types of action on which it may act; undefined: the code does not tell. */
  readonly types?: TypeSet;
}

/** Of a PF that cannot be followed: it may do anything. */
export const UNKNOWN_EFFECTS: PromptEquivalence = {
  canModify: true,
  buildsText: true,
  promptEquivalent: false,
};
