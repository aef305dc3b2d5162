import type { Completion } from "../../../model/episode.ts";
import type { Usage } from "../../../model/usage.ts";
import type { Ledger } from "../ledger.ts";
import { type Said, type SaidRead, saidTogether, sayAfter } from "../said.ts";
import { replyText, resultMessage } from "../talk.ts";

export interface Call {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: unknown;
  /** What came back, as the model reads it. */
  readonly outputs: string[];
  /** More was said before anything came back. */
  isLate?: boolean;
  /** Only its start was told so far, and no message that asks for it. */
  isUnasked?: boolean;
  /** How it ended: the code of a command, and whether the tool itself says that it went well. */
  exitCode?: number | undefined;
  ok?: boolean | undefined;
}

/** One reply of a model. */
export interface Response {
  readonly kind: "response";
  /** Its place among the events, and what had been said before. */
  readonly at: number;
  readonly before: Said | undefined;
  readonly eventId: string | undefined;
  readonly timestamp: string | undefined;
  readonly model: string | undefined;
  /** The reply's own id: several messages may be parts of one. */
  readonly apiCallId: string | undefined;
  /** A message told it; else the starts of its calls alone. */
  readonly isTold: boolean;
  readonly texts: string[];
  readonly reasoning: string[];
  readonly calls: Call[];
  readonly read: SaidRead | undefined;
  usage?: Usage | undefined;
  finish?: Completion["finish"];
  /** True: the agent ended here. False: it was stopped. */
  ends?: boolean;
}

export interface Words {
  readonly kind: "words";
  readonly at: number;
  readonly before: Said | undefined;
  readonly text: string;
  readonly isPersons: boolean;
}

export type Entry = Response | Words;

/** The agent of a session, or one of those that it called: what each said and read. */
export interface Talker {
  /** "" is the session's own. */
  readonly key: string;
  readonly entries: Entry[];
  /** Its calls by their ids, the latest of each. */
  readonly calls: Map<string, Call>;
  /** What was taken back, each time. */
  readonly branches: (readonly Entry[])[];
  /** The last reply; and the same while nothing has been said since. */
  last: Response | undefined;
  latest: Response | undefined;
  /** Calls whose results came after more was said. */
  late: Call[];
  /** What the model was told and said, the instructions first. */
  said: Said | undefined;
  /** The message that a prompt ends with, which may not grow any more. */
  closed: Said | undefined;
  instructions: string | undefined;
  /** How often what was said before was said anew. */
  changes: number;
  /** The file lacks what was read before. */
  isLost: boolean;
  /** What persons said, for a summary. */
  readonly asked: string[];
  /** What had been said when a summary was begun. */
  summedUpTo: { readonly said: Said | undefined } | undefined;
  /** Thoughts whose message has not come yet. */
  thought: string;
  /** Of a reply whose message has not come yet. */
  usage: Usage | undefined;
  /** Of all replies, those without a message too. */
  readonly usages: Map<string, Usage>;
  /** What the program counted at its end, where no reply tells. */
  counted: Usage | undefined;
  readonly about: {
    /** The call that began it, and the agent that made the call. */
    callId?: string | undefined;
    parent?: string | undefined;
    name?: string | undefined;
    model?: string | undefined;
    error?: string | undefined;
  };
}

/** A session that is being read. */
export interface Session {
  readonly ledger: Ledger;
  id: string;
  isNamed: boolean;
  cwd: string | undefined;
  model: string | undefined;
  agent: string;
  version: string | undefined;
  branch: string | undefined;
  events: number;
  /** Places of events by their ids. */
  readonly places: Map<string, number>;
  readonly talkers: Map<string, Talker>;
  /** Which agent a call began. */
  readonly begunBy: Map<string, string>;
  /** Calls of all agents: older versions do not say whose call has ended. */
  readonly calls: Map<string, Call>;
  /** Ids of messages. */
  readonly messages: Set<string>;
  /** Calls of the person's own. */
  readonly persons: Set<string>;
  /** The texts of skills by name. */
  readonly skills: Map<string, string>;
  /** What a hook said to an agent that wanted to stop. */
  heldBack: string | undefined;
  /** Replies have ids: a message without one is the program's own, in the model's place. */
  hasCallIds: boolean;
}

export function openSession(name: string, ledger: Ledger): Session {
  return {
    ledger,
    id: name,
    isNamed: false,
    cwd: undefined,
    model: undefined,
    agent: "copilot",
    version: undefined,
    branch: undefined,
    events: 0,
    places: new Map(),
    talkers: new Map(),
    begunBy: new Map(),
    calls: new Map(),
    messages: new Set(),
    persons: new Set(),
    skills: new Map(),
    heldBack: undefined,
    hasCallIds: false,
  };
}

export function talkerOf({ talkers }: Session, key: string): Talker {
  const known = talkers.get(key);
  if (known !== undefined) return known;
  const talker: Talker = {
    key,
    entries: [],
    calls: new Map(),
    branches: [],
    last: undefined,
    latest: undefined,
    late: [],
    said: undefined,
    closed: undefined,
    instructions: undefined,
    changes: 0,
    isLost: false,
    asked: [],
    summedUpTo: undefined,
    thought: "",
    usage: undefined,
    usages: new Map(),
    counted: undefined,
    about: {},
  };
  talkers.set(key, talker);
  return talker;
}

/** Past this, no prompt is told: what was said before is said anew each time. */
const MOST_CHANGES = 100;
const FEW = 8;

/** The latest reply and its results, in the order of its calls, before anything else is said. */
export function settle(talker: Talker): void {
  const { latest, late } = talker;
  if (latest !== undefined) {
    talker.said = sayAfter(talker.said, "assistant", completionOf(latest).text);
    for (const call of latest.calls)
      if (call.outputs.length === 0) call.isLate = true;
      else sayAs(talker, "user", resultMessage(outputOf(call)));
    talker.latest = undefined;
  }
  if (late.length === 0) return;
  talker.late = [];
  for (const call of late) sayAs(talker, "user", resultMessage(outputOf(call)));
}

export const outputOf = ({ outputs }: Call): string => outputs.join("\n\n");

function sayAs(talker: Talker, role: "user" | "system", content: string): void {
  const { said, closed } = talker;
  talker.said = said === closed ? sayAfter(said, role, content) : saidTogether(said, role, content);
}

/** What the model was told. */
export function tell(talker: Talker, role: "user" | "system", content: string): void {
  settle(talker);
  if (content !== "") sayAs(talker, role, content);
}

/** The instructions stand first, whenever the file tells them. */
export function instruct(talker: Talker, instructions: string): void {
  settle(talker);
  if (instructions === talker.instructions || talker.isLost) return;
  const messages = messagesOf(talker.said, undefined);
  if (talker.instructions !== undefined) messages.shift();
  talker.instructions = instructions;
  if (messages.length > FEW && isTooMuch(talker)) return;
  const isClosed = talker.said === talker.closed;
  sayAnew(talker, messages);
  if (isClosed && talker.closed !== undefined) talker.closed = talker.said;
}

function isTooMuch(talker: Talker): boolean {
  if (++talker.changes > MOST_CHANGES) talker.isLost = true;
  return talker.isLost;
}

/** The instructions and these. */
function sayAnew(talker: Talker, messages: readonly Said["message"][]): void {
  const { instructions } = talker;
  talker.said = instructions === undefined ? undefined : sayAfter(undefined, "system", instructions);
  for (const { role, content } of messages) talker.said = sayAfter(talker.said, role, content);
}

function messagesOf(last: Said | undefined, first: Said | undefined): Said["message"][] {
  const messages: Said["message"][] = [];
  for (let at = last; at !== undefined && at !== first; at = at.before) messages.push(at.message);
  return messages.reverse();
}

/** What the next reply answers. */
export function readBy(talker: Talker): SaidRead | undefined {
  settle(talker);
  talker.closed = talker.said;
  if (talker.isLost || talker.said === undefined) return undefined;
  return { said: talker.said, isPartial: true };
}

export function completionOf({ texts, reasoning, calls, finish = "stop" }: Response): Completion {
  const text = replyText({ text: texts.join("\n\n"), calls });
  return { text, finish, ...(reasoning.length === 0 ? {} : { reasoning: reasoning.join("\n\n") }) };
}

/** All that was said before a summary began is the summary, after what the persons asked for. */
export function sumUp(talker: Talker, summary: string): void {
  settle(talker);
  const since = talker.summedUpTo === undefined ? [] : messagesOf(talker.said, talker.summedUpTo.said);
  talker.summedUpTo = undefined;
  if (isTooMuch(talker)) return;
  sayAnew(talker, [{ role: "user", content: [...talker.asked, summary].join("\n\n") }, ...since]);
  talker.closed = talker.said;
}

/** A summary begins; what is said from now on stays beside it. */
export function beginSummary(talker: Talker): void {
  settle(talker);
  talker.summedUpTo = { said: talker.said };
  talker.closed = talker.said;
}

/** The conversation begins anew, with its instructions alone. */
export function clear(talker: Talker): void {
  settle(talker);
  talker.isLost = false;
  sayAnew(talker, []);
  talker.closed = talker.said;
  talker.asked.length = 0;
}

/** Some messages were cut out, and nobody tells which. */
export function lose(talker: Talker): void {
  talker.isLost = true;
}

/** What stands from here on is taken back, but for what is kept. */
export function takeBack(talker: Talker, from: number, isKept: (at: number) => boolean): void {
  const start = talker.entries.findLastIndex(({ at }) => at < from) + 1;
  const after = talker.entries.slice(start);
  const taken = after.filter(({ at }) => !isKept(at));
  const [first] = taken;
  if (first === undefined) return;
  talker.entries.length = start;
  for (const entry of after) if (isKept(entry.at)) talker.entries.push(entry);
  talker.branches.push(taken);
  talker.said = first.before;
  talker.closed = talker.said;
  talker.latest = undefined;
  talker.late = [];
}
