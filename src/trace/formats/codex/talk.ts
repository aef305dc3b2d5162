import type { ChatMessage } from "../../../llm/chat-model.ts";
import type { ReadPrompt } from "../turn.ts";

/** A message and all that was said before it: turns that are taken back leave it as it is. */
export interface Said {
  readonly message: ChatMessage;
  readonly before: Said | undefined;
  /** Messages up to and with this one. */
  readonly length: number;
}

/** What the model had read at one point of a session. */
export interface TalkMark {
  readonly said: Said | undefined;
  readonly hasTools: boolean;
}

/** What a reply is an answer to. */
export interface TalkRead {
  readonly said: Said | undefined;
  /** The host sent more than the file tells. */
  readonly isPartial: boolean;
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
  read(): TalkRead | undefined;
  mark(): TalkMark;
  /** Forgets what was said since. */
  goBack(to: TalkMark): void;
  /** Begins anew, as after a summary. `isWhole`: all that is read from now on is said anew. */
  replace(isWhole: boolean): void;
  /** The file lacks what was read before. */
  lose(): void;
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

  function push(role: ChatMessage["role"], content: string, before: Said | undefined): void {
    said = { message: { role, content }, before, length: (before?.length ?? 0) + 1 };
  }
  /** The instructions stand first, whatever else was forgotten. */
  function putFirst(): void {
    if (instructions === undefined || said !== undefined) return;
    push("system", instructions, undefined);
    isBegun = true;
  }
  return {
    say(role, content) {
      if (role === "system" && isBegun && content === instructions) return;
      const isMore = role === "user" && said?.message.role === "user" && said !== closed;
      if (isMore) push(role, `${said?.message.content}\n\n${content}`, said?.before);
      else push(role, content, said);
    },
    offer(tools) {
      hasTools = true;
      push("system", tools, said);
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
      // Else what is said next would become part of what was said before.
      closed = said;
      return { said, hasTools };
    },
    goBack(to) {
      ({ said, hasTools } = to);
      closed = said;
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
    blur() {
      isExact = false;
    },
  };
}

/** The prompts of one episode, in the order of its replies. Those that go on from each other share their messages. */
export function promptsOf(reads: readonly TalkRead[]): readonly ReadPrompt[] {
  let path: readonly Said[] = [];
  let talk: readonly ChatMessage[] = [];
  const prompts: ReadPrompt[] = [];
  for (const { said, isPartial } of reads.toReversed()) {
    const upTo = said?.length ?? 0;
    if (said !== undefined && path[upTo - 1] !== said) {
      path = pathTo(said);
      talk = path.map(({ message }) => message);
    }
    prompts.push({ talk, upTo, ...(isPartial && { fromTranscript: true as const }) });
  }
  return prompts.reverse();
}

function pathTo(last: Said): readonly Said[] {
  const path: Said[] = [];
  for (let at: Said | undefined = last; at !== undefined; at = at.before) path.push(at);
  return path.reverse();
}
