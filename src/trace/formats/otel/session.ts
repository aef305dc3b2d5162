import { parseJson } from "../../../model/read-json.ts";
import { asText } from "../records.ts";
import { replyText } from "../talk.ts";
import type { ToolCall } from "../turn.ts";
import { CallBook, type OpenCall, openCall } from "./calls.ts";
import { type AgentDraft, type Draft, instruct, openDraft, openTalk } from "./draft.ts";
import { type Heard, hearRequest, openHeard } from "./heard.ts";
import type { Message } from "./messages.ts";
import { type Notes, noteLimit, parsedAttribute } from "./notes.ts";
import { completionOf, finishOf, promptOf } from "./prompts.ts";
import { extraOf } from "./span-extra.ts";
import { toolOf } from "./span-role.ts";
import { usageOf } from "./span-usage.ts";
import { failureOf, type Span, textAt } from "./span.ts";
import { finishReasons, repliesOf, type SpanTalk, talkOf } from "./span-talk.ts";
import type { Item } from "./span-tree.ts";
import { resultText, type ToolAnswer } from "./parts.ts";

export interface CallPlace {
  readonly draft: Draft;
  readonly turn: AgentDraft;
}

/** One conversation while its spans are read in the order of time. */
export interface Session {
  readonly notes: Notes;
  /** A new question after a last word begins an episode of its own: no span of an agent says that it is one task. */
  readonly loose: boolean;
  /** What the span of the agent tells that those of its chats may lack. */
  readonly given: Given;
  readonly heard: Heard;
  readonly calls: CallBook;
  readonly drafts: Draft[];
  /** Where each call stands. */
  readonly places: Map<OpenCall, CallPlace>;
  /** Which call each tool's span told. */
  readonly told: Map<Span, OpenCall>;
  /** Results that spans told, by their text: messages repeat them, some without an id. */
  readonly results: Map<string, number>;
}

export type Given = Pick<SpanTalk, "system" | "tools">;

export function openSession(
  notes: Notes,
  about: { readonly loose: boolean; readonly question: string | undefined; readonly given: Given },
): Session {
  const { loose, question, given } = about;
  return {
    notes,
    loose,
    given,
    heard: openHeard(),
    calls: new CallBook(),
    drafts: [openDraft(question)],
    places: new Map(),
    told: new Map(),
    results: new Map(),
  };
}

const current = ({ drafts }: Session): Draft => drafts.at(-1) as Draft;

/** Reads the spans of a conversation, in their order. */
export function takeItems(session: Session, items: readonly Item[]): void {
  /** What was looked up after the last word of the agent: for its next question, if there is one. */
  const held: Item[] = [];
  const release = (): void => {
    for (const item of held.splice(0)) takeTool(session, item);
  };
  for (const item of items) {
    if (item.role === "chat") takeChat(session, item.span, release);
    else if (item.role === "lookup" && session.loose && hasEnded(current(session))) held.push(item);
    else takeTool(session, item);
    current(session).spans.push(item.span);
  }
  release();
}

const hasEnded = ({ lastAgent }: Draft): boolean => lastAgent !== undefined && lastAgent.calls.length === 0;

function takeChat(session: Session, span: Span, beforeReply: () => void): void {
  const { notes } = session;
  const talk = withGiven(talkOf(span, notes), session.given);
  const { said, others } = repliesOf(span, talk.output);
  const isSystem = ({ role }: Message): boolean => role === "system";
  const messages = talk.input.filter((message) => !isSystem(message));
  const ended = hasEnded(current(session));
  const { fresh, line } = hearRequest(session.heard, {
    messages,
    said,
    ended,
    cut: talk.inputCut,
  });
  const asksAnew = ended && session.loose && fresh.some(({ role, text }) => role === "user" && text !== "");
  if (asksAnew) session.drafts.push(openDraft(undefined));
  const draft = current(session);
  instruct(draft, [...talk.system, ...talk.input.filter(isSystem)]);
  if (draft.opened) hear(session, fresh);
  else openTalk(draft, messages);
  draft.question ??= typedWords(span);
  beforeReply();
  const failure = failureOf(span);
  if (failure !== undefined && (said === undefined || isEmpty(said))) {
    draft.failures.push({ ...extraOf(span), failure });
    notes.ledger.kept("chats that failed", "extra.failedChats of the episode");
    return;
  }
  reply(session, span, { said, others, talk, prompt: line });
}

/** A request with the instructions and tools of its agent, where it tells none itself. */
function withGiven(talk: SpanTalk, { system, tools }: Given): SpanTalk {
  const isInstructed = talk.system.length > 0 || talk.input.some(({ role }) => role === "system");
  return {
    ...talk,
    system: isInstructed ? talk.system : system,
    tools: talk.tools.length > 0 ? talk.tools : tools,
  };
}

/** What a person typed, as VS Code has it beside messages that may lack it. */
export function typedWords(span: Span): string | undefined {
  const event = span.events.find(({ name }) => name === "user_message");
  const given = textAt(span, "copilot_chat.user_request") ?? asText(event?.attributes["content"]);
  if (given === undefined) return undefined;
  return /^\[\s*\{/.test(given) ? resultText(parseJson(given) ?? given) : given;
}

const isEmpty = ({ text, calls, reasoning }: Message): boolean =>
  text === "" && reasoning === "" && calls.length === 0;

/** What a request tells that was not heard before. */
function hear(session: Session, messages: readonly Message[]): void {
  const draft = current(session);
  for (const message of messages) {
    if (message.role === "assistant") recall(session, message);
    for (const answer of message.answers) {
      const call = answered(session, answer);
      const { text, failed } = answer;
      if (call === "told") continue;
      // The call itself is not in the trace.
      if (call === undefined) draft.turns.push({ kind: "system", text });
      else settle(session, call, text, failed === true);
      session.notes.ledger.mapped("results in messages", "observations");
    }
    if (message.role === "assistant" || message.text === "") continue;
    draft.turns.push({ kind: message.role === "user" ? "user" : "system", text: message.text });
    session.notes.ledger.mapped("messages to the model", "question, prelude or observations");
  }
}

/** The call that a result in a message answers; `told`: a span told this result. */
function answered(session: Session, { id, text }: ToolAnswer): OpenCall | "told" | undefined {
  const { calls, results, places } = session;
  if (id !== undefined) {
    const call = calls.byId(id);
    return call?.answered === true ? "told" : call;
  }
  const times = results.get(text) ?? 0;
  if (times > 0) results.set(text, times - 1);
  const waiting = times > 0 ? "told" : calls.firstWaiting();
  return waiting ?? (places.size > 0 ? "told" : undefined);
}

/** A reply whose span is not in the trace, as a later request repeats it; only its calls can tell it from those that are. */
function recall(session: Session, message: Message): void {
  const { calls, text, reasoning } = message;
  if (calls.length === 0 || calls.some(({ id }) => id === undefined || session.calls.byId(id) !== undefined))
    return;
  if (isRepeated(session, calls)) return;
  push(session, {
    text,
    reasoning,
    calls: calls.map(openCall),
    usage: undefined,
    read: undefined,
    completion: undefined,
    extra: { fromHistory: true },
    start: undefined,
    silent: false,
    done: false,
  });
  session.notes.ledger.mapped("replies without a span", "steps");
}

/** The calls of the reply before that nothing answered yet, under other ids; these are noted. */
function isRepeated(session: Session, repeated: readonly ToolCall[]): boolean {
  const waiting = (current(session).lastReply?.calls ?? []).filter(({ answered }) => !answered);
  const found = repeated.flatMap(({ id, name, args }) => {
    const at = waiting.findIndex((call) => call.name === name && sameArguments(call.args, args));
    return at === -1 ? [] : waiting.splice(at, 1).map((call) => ({ id, call }));
  });
  if (found.length < repeated.length) return false;
  for (const { id, call } of found) if (id !== undefined) session.calls.alias(id, call);
  return true;
}

const sameArguments = (a: unknown, b: unknown): boolean => argumentsText(a) === argumentsText(b);

const argumentsText = (args: unknown): string =>
  JSON.stringify(typeof args === "string" ? (parseJson(args) ?? args) : args);

function settle(session: Session, call: OpenCall, text: string, failed: boolean): void {
  call.answered = true;
  const draft = session.places.get(call)?.draft ?? current(session);
  draft.turns.push({ kind: "result", callId: call.id, text, ...(failed && { result: { ok: false } }) });
}

function push(session: Session, turn: Omit<AgentDraft, "kind" | "ends">): void {
  const draft = current(session);
  const agent: AgentDraft = { kind: "agent", ends: false, ...turn };
  draft.turns.push(agent);
  draft.lastAgent = agent;
  for (const [at, call] of agent.calls.entries()) {
    call.place = at;
    place(session, call, { draft, turn: agent });
  }
}

function place(session: Session, call: OpenCall, at: CallPlace): void {
  session.calls.add(call);
  session.places.set(call, at);
}

interface Reply {
  readonly said: Message | undefined;
  readonly others: readonly Message[];
  readonly talk: SpanTalk;
  readonly prompt: Parameters<typeof promptOf>[1];
}

function reply(session: Session, span: Span, { said, others, talk, prompt }: Reply): void {
  const { notes } = session;
  const { ledger } = notes;
  const reason = said?.finish ?? asText(finishReasons(span)[0]);
  const read = promptOf(talk, prompt);
  if (read !== undefined) ledger.mapped("requests of chats", "prompts");
  else if (talk.input.length > 0)
    ledger.dropped("requests of chats as prompts", "parts of them are no words, or were cut");
  ledger.mapped("chat spans", "thoughts and actions");
  const extra = {
    span: extraOf(span),
    ...(others.length === 0 ? {} : { otherChoices: others.map(plainReply) }),
    ...(said === undefined || said.others.length === 0 ? {} : { parts: said.others }),
    ...(talk.outputCut ? { cut: true } : {}),
  };
  ledger.kept("further choices", "extra of the step", others.length);
  const calls = (said?.calls ?? []).map(openCall);
  const shared = {
    reasoning: said?.reasoning ?? "",
    usage: usageOf(span, ledger),
    read,
    completion: said === undefined ? undefined : completionOf(said, talk.outputCut, reason),
    extra,
    start: span.start,
    silent: said === undefined || isEmpty(said),
  };
  const text = said?.text ?? "";
  const done =
    said !== undefined && finishOf(reason) === "stop" && !talk.outputCut && failureOf(span) === undefined;
  const answers = said?.answers ?? [];
  // The provider ran the tools itself, and the model went on in the same reply.
  const isTwofold = calls.length > 0 && answers.length > 0 && text !== "";
  push(session, { ...shared, calls, text: isTwofold ? "" : text, done: done && !isTwofold });
  for (const answer of answers) {
    const call = answered(session, answer);
    if (typeof call === "object") settle(session, call, answer.text, answer.failed === true);
  }
  const draft = current(session);
  draft.lastReply = draft.lastAgent;
  if (!isTwofold) return;
  const nothing = { reasoning: "", usage: undefined, read: undefined, completion: undefined };
  push(session, { ...nothing, calls: [], text, extra: undefined, start: span.start, silent: false, done });
  draft.lastReply = draft.lastAgent;
}

function plainReply(message: Message): Record<string, unknown> {
  const { reasoning, finish } = message;
  return {
    text: replyText(message),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(finish === undefined ? {} : { finish }),
  };
}

/** The call of a tool's span is the model's own where a chat before tells it; else it is read off the span. */
function takeTool(session: Session, { span, role }: Item): void {
  const { calls, notes } = session;
  const tool = toolOf(span, role);
  notes.ledger.mapped(
    role === "lookup" ? "memory and retrieval spans" : "tool spans",
    "actions and observations",
  );
  const known = role === "lookup" ? undefined : calls.forSpan(tool.id, tool.name);
  const call = known ?? addCall(session, span, { ...tool, role });
  call.hasSpan = true;
  call.id ??= tool.id ?? `span:${span.spanId}`;
  call.args ??= tool.args;
  // Of a reply that was cut the name may be half.
  if (tool.name.startsWith(call.name)) call.name = tool.name;
  call.extra = { ...call.extra, toolSpan: extraOf(span) };
  session.told.set(span, call);
  noteLimit(tool.result, "gen_ai.tool.call.result", notes);
  parsedAttribute(tool.args, "gen_ai.tool.call.arguments", notes);
  if (tool.result === "" || call.answered) return;
  settle(session, call, tool.result, tool.failed);
  session.results.set(tool.result, (session.results.get(tool.result) ?? 0) + 1);
}

interface NewCall extends Pick<ReturnType<typeof toolOf>, "id" | "name" | "args"> {
  readonly role: Item["role"];
}

function addCall(session: Session, span: Span, { id, name, args, role }: NewCall): OpenCall {
  const call = openCall({ id: id ?? `span:${span.spanId}`, name, args });
  const draft = current(session);
  const before = draft.lastAgent;
  // The chat before said nothing that was recorded: this is what it called.
  if (role === "tool" && before?.silent === true) {
    call.place = before.calls.push(call) - 1;
    place(session, call, { draft, turn: before });
    return call;
  }
  const nothing = { text: "", reasoning: "", usage: undefined, read: undefined, completion: undefined };
  push(session, {
    ...nothing,
    calls: [call],
    extra: undefined,
    start: span.start,
    silent: false,
    done: false,
  });
  return call;
}
