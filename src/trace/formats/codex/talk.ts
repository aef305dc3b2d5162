import type { ChatMessage } from "../../../llm/chat-model.ts";
import { type Said, type SaidRead, saidTogether, sayAfter } from "../said.ts";

/** What the model had read at one point of a session. */
export interface TalkMark {
  readonly said: Said | undefined;
  readonly hasTools: boolean;
}

/** All of it, for a file that goes on from there. */
export interface TalkState extends TalkMark {
  readonly isBegun: boolean;
  readonly isExact: boolean;
  readonly isLost: boolean;
}

/**
 * What the model of a session reads: the items of its file in their order, after the instructions that each request begins with. The
 * tools are among the items of some sessions alone; without them a prompt is that of a transcript.
 */
export interface CodexTalk {
  /** Messages in the user's place with no reply between them are one, as most chat templates ask for. */
  say(role: ChatMessage["role"], content: string): void;
  /** The tools that the model was offered, as text. */
  offer(tools: string): void;
  /** The instructions that each request begins with; an item that repeats them is left out. */
  begin(instructions: string): void;
  /** Undefined where the file lacks the beginning. */
  read(): SaidRead | undefined;
  mark(): TalkMark;
  /** Forgets what was said since. */
  goBack(to: TalkMark): void;
  /** Begins anew, as after a summary. `isWhole`: all that is read from now on is said anew. */
  replace(isWhole: boolean): void;
  /** The file lacks what was read before. */
  lose(): void;
  state(): TalkState;
  /** Goes on from what was said in another file. */
  resume(from: TalkState): void;
  /** The model was told something that the file does not tell. */
  blur(): void;
}

/** A talk in which nothing was said. */
export function openTalk(): CodexTalk {
  let said: Said | undefined;
  /** The message that a prompt ends with, which may not grow any more. */
  let closed: Said | undefined;
  let instructions: string | undefined;
  let isBegun = false;
  let hasTools = false;
  let isExact = true;
  let isLost = false;

  /** The instructions stand first, whatever else was forgotten. */
  function putFirst(): void {
    if (instructions === undefined || said !== undefined) return;
    said = sayAfter(undefined, "system", instructions);
    isBegun = true;
  }
  return {
    say(role, content) {
      if (role === "system" && isBegun && content === instructions) return;
      said = said === closed ? sayAfter(said, role, content) : saidTogether(said, role, content);
    },
    offer(tools) {
      hasTools = true;
      said = sayAfter(said, "system", tools);
    },
    begin(text) {
      instructions = text;
      putFirst();
    },
    read() {
      closed = said;
      return isLost ? undefined : { said, isPartial: !(isExact && hasTools && isBegun) };
    },
    mark() {
      return { said, hasTools };
    },
    goBack(to) {
      ({ said, hasTools } = to);
      putFirst();
    },
    replace(isWhole) {
      said = undefined;
      isExact = isWhole;
      isLost &&= !isWhole;
      putFirst();
    },
    lose() {
      isLost = true;
    },
    state() {
      return { said, hasTools, isBegun, isExact, isLost };
    },
    resume(from) {
      ({ said, hasTools, isBegun, isExact, isLost } = from);
    },
    blur() {
      isExact = false;
    },
  };
}
