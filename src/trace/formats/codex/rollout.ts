import type { ToolResult } from "../../../model/coding-context.ts";
import type { Completion } from "../../../model/episode.ts";
import type { Usage } from "../../../model/usage.ts";
import type { Ledger } from "../ledger.ts";
import type { SaidRead } from "../said.ts";
import { replyText } from "../talk.ts";
import { type CodexTalk, openTalk, type TalkMark, type TalkState } from "./talk.ts";
import type { ThreadPlace } from "./threads.ts";

/** A call: the model's own, or one that its script made. */
export interface Call {
  readonly id: string | undefined;
  readonly name: string;
  args: unknown;
  /** Milliseconds since 1970, where the file says when it was asked for. */
  readonly at: number | undefined;
  /** What the script of this call ran, in the order in which the file tells it. */
  readonly nested: Call[];
  /** What the model read of it. */
  readonly outputs: string[];
  /** What it printed, where the file tells that beside what the model read. */
  printed?: string | undefined;
  result?: ToolResult | undefined;
  /** Threads of agents that it started. */
  agents?: readonly string[] | undefined;
  /** It is over, whether or not the model was told what it gave. */
  isOver?: boolean;
}

/** One reply of the model. */
export interface Response {
  readonly kind: "response";
  readonly texts: string[];
  readonly reasoning: string[];
  readonly calls: Call[];
  readonly timestamp: string | undefined;
  /** What the model read, as far as the file tells it. */
  readonly read: SaidRead | undefined;
  usage?: Usage | undefined;
  /** The file says that the agent ended here; false: that it was stopped. */
  ends?: boolean;
}

/** Words of a person, or of the program in their place. */
export interface Words {
  readonly kind: "words";
  readonly text: string;
  /** Undefined: nothing but its words tells who said it, or an event that comes later. */
  isPersons: boolean | undefined;
}

export type Entry = Response | Words;

/** Turns that were taken back together, and where they left the others. */
export interface Branch {
  /** From 1, in the order in which they were taken back. */
  readonly number: number;
  readonly segments: readonly Segment[];
}

/** A turn: words of a person and all that followed, up to the next words. Whole segments are taken back. */
export interface Segment {
  readonly entries: Entry[];
  readonly usages: Usage[];
  /** Branches that left after it. */
  readonly branches: Branch[];
  /** A person may have said some of its words. */
  hasWords: boolean;
  /** What had been read and said before it. */
  readonly before: TalkMark;
}

/** The session that a rollout file tells, while it is read. */
export interface Rollout {
  readonly ledger: Ledger;
  segments: Segment[];
  /** Branches that left before the first segment that stands. */
  readonly roots: Branch[];
  branches: number;
  /** The reply that is still being told. */
  open: Response | undefined;
  latest: Response | undefined;
  talk: CodexTalk;
  /** The file said that a turn begins, and has not said that it ended. */
  isInTurn: boolean;
  /** Words that an event told, and that no message has said so far; and messages that no event has told so far. */
  readonly told: Map<string, number>;
  readonly untold: Map<string, Words[]>;
  hasTyped: boolean;
  /** Calls by id, of the model and of scripts. */
  readonly calls: Map<string, Call>;
  /** Calls of scripts, in order; and the last of those that say that they run on, by the number of their cell. */
  readonly scripts: Call[];
  readonly cells: Map<string, Call>;
  hasNested: boolean;
  /** Ids of replies whose usage is known. */
  readonly counted: Set<string>;
  /** The latest totals of `token_count`, which comes again without a new reply. */
  totals: string;
  /** The totals of a thread whose file tells nothing else. */
  soFar: Usage;
  readonly about: About;
  readonly places: Places;
}

/** Places of the file at which others leave it. */
export interface Places {
  readonly segment: string | undefined;
  /** Those that were not reached so far, the first one first. */
  readonly ahead: number[];
  /** Of those that were: the segments that stand before them, and what had been said. */
  readonly reached: { readonly ordinal: number; readonly segments: number; readonly talk: TalkState }[];
  /** From this line on the thread took back what the file holds. */
  readonly takenFrom: number | undefined;
}

/** What the file says of the session as a whole. */
export interface About {
  id: string | undefined;
  cwd: string | undefined;
  model: string | undefined;
  version: string | undefined;
  branch: string | undefined;
  /** The thread that called this one. */
  parent: string | undefined;
  /** Its own name among the agents of the session. */
  agentPath: string | undefined;
  forkedFrom: string | undefined;
  /** Of a file that is not the first of its thread, its name among them. */
  segment: string | undefined;
  /** The place in another file at which this one continues it. */
  base: ThreadPlace | undefined;
  /** Lines with a smaller number are the parent's: this thread was given them to read. */
  ownFrom: number;
  error: string | undefined;
}

export const NO_PLACES: Places = { segment: undefined, ahead: [], reached: [], takenFrom: undefined };

export function openRollout(ledger: Ledger, places = NO_PLACES): Rollout {
  const talk = openTalk();
  return {
    ledger,
    segments: [newSegment(talk)],
    roots: [],
    branches: 0,
    open: undefined,
    latest: undefined,
    talk,
    isInTurn: false,
    told: new Map(),
    untold: new Map(),
    hasTyped: false,
    calls: new Map(),
    scripts: [],
    cells: new Map(),
    hasNested: false,
    counted: new Set(),
    totals: "",
    soFar: { inputTokens: 0, outputTokens: 0 },
    places,
    about: {
      id: undefined,
      cwd: undefined,
      model: undefined,
      version: undefined,
      branch: undefined,
      parent: undefined,
      agentPath: undefined,
      forkedFrom: undefined,
      segment: undefined,
      base: undefined,
      ownFrom: 0,
      error: undefined,
    },
  };
}

function newSegment(talk: CodexTalk): Segment {
  return { entries: [], usages: [], branches: [], hasWords: false, before: talk.mark() };
}

/** Begins a turn of its own for what comes next. */
export function startSegment(rollout: Rollout): void {
  closeResponse(rollout);
  rollout.segments.push(newSegment(rollout.talk));
}

/** Leaves out all that was said and done so far; the model has read it. */
export function forget(rollout: Rollout): void {
  closeResponse(rollout);
  if (rollout.latest?.calls.some(isUnanswered) === true) rollout.talk.blur();
  rollout.latest = undefined;
  rollout.isInTurn = false;
  rollout.segments = [newSegment(rollout.talk)];
  rollout.roots.length = 0;
  rollout.branches = 0;
  rollout.scripts.length = 0;
  for (const known of [rollout.told, rollout.untold, rollout.calls, rollout.cells]) known.clear();
  rollout.hasTyped = false;
}

/** The turn that is being told. */
export function segmentOf(rollout: Rollout): Segment {
  const last = rollout.segments.at(-1);
  if (last !== undefined) return last;
  const segment = newSegment(rollout.talk);
  rollout.segments.push(segment);
  return segment;
}

/** The reply that is being told; a new one where the last was answered. */
export function responseOf(rollout: Rollout, timestamp: string | undefined): Response {
  // Codex makes up the answer of a call that has none.
  if (rollout.open === undefined && rollout.latest?.calls.some(isUnanswered) === true) rollout.talk.blur();
  const read = rollout.open === undefined ? rollout.talk.read() : undefined;
  rollout.open ??= { kind: "response", texts: [], reasoning: [], calls: [], timestamp, read };
  if (rollout.latest !== rollout.open) segmentOf(rollout).entries.push(rollout.open);
  rollout.latest = rollout.open;
  return rollout.open;
}

const isUnanswered = ({ outputs, isOver }: Call): boolean => outputs.length === 0 && isOver !== true;

/** What the reply says, as the model would read it again. */
export function completionOf({ texts, reasoning, calls }: Response): Completion {
  const thoughts = reasoning.join("\n\n");
  const text = replyText({ text: texts.join("\n\n"), calls });
  return { text, ...(thoughts === "" ? {} : { reasoning: thoughts }), finish: "stop" };
}

/** Ends the reply: what is told next answers it. */
export function closeResponse(rollout: Rollout): void {
  const { open, talk } = rollout;
  rollout.open = undefined;
  if (open !== undefined) talk.say("assistant", completionOf(open).text);
}

export function addWords(rollout: Rollout, text: string, isPersons: boolean | undefined): Words {
  closeResponse(rollout);
  const words: Words = { kind: "words", text, isPersons };
  segmentOf(rollout).entries.push(words);
  return words;
}

/** Words of a person, or perhaps of one. They begin a turn, but for those that are said while one runs. */
export function addPersonsWords(rollout: Rollout, text: string, isPersons: boolean | undefined): Words {
  if (!rollout.isInTurn && segmentOf(rollout).hasWords) startSegment(rollout);
  segmentOf(rollout).hasWords = true;
  return addWords(rollout, text, isPersons);
}

/** Adds a call to the reply. */
export function addCall(rollout: Rollout, response: Response, call: Call): Call {
  response.calls.push(call);
  if (call.id !== undefined) rollout.calls.set(call.id, call);
  return call;
}

export function newCall(
  call: Pick<Call, "id" | "name" | "args"> & { readonly at?: number | undefined },
): Call {
  return { at: undefined, nested: [], outputs: [], ...call };
}
