import { addAll } from "../add-all.ts";
import { ownWords } from "../../../skill/asking/own-words.ts";
import type { Completion } from "../../../model/episode.ts";
import type { ToolResult } from "../../../model/coding-context.ts";
import { codingAction, joined, resultOf } from "../coding-turns.ts";
import { exitCodeIn } from "../exit-code.ts";
import type { Ledger } from "../ledger.ts";
import { asText, compact, type JsonRecord } from "../records.ts";
import { replyText } from "../talk.ts";
import { CLAUDE_CODE_TOOLS } from "../tools/claude-code.ts";
import type { AgentTurn, ReadPrompt, ToolCall, Turn } from "../turn.ts";
import { callIdsOf, isCall, isResult, resultText, saysNothing, spokenIn } from "./message-blocks.ts";
import { isPrinted, slashCommandIn } from "./slash-command.ts";
import type { AgentLine, HostEvent, TranscriptLine, UserLine } from "./transcript-line.ts";

/** What the program writes in the user's place when the user stops the agent. */
const INTERRUPTED = /^\[Request interrupted by user/;

/** What it writes there when a hook does not let the agent stop. */
const HELD_BACK = /^Stop hook feedback/;

/** Why a reply broke off before its end. */
const CUT_SHORT = new Set<unknown>(["max_tokens", "model_context_window_exceeded"]);

export interface TurnOptions {
  readonly cwd: string | undefined;
  readonly ledger: Ledger;
  readonly promptOf: (requestRef: string) => ReadPrompt | undefined;
  /** Episodes of the sub-agents that a call started or asked; none for a second call of the same id. */
  readonly takeSubAgentsOf: (callId: string) => readonly string[];
  /** Messages whose usage a turn has: their lines may have come apart, even into several paths. */
  readonly usageTold: Set<string>;
}

/** A turn of the agent while its lines come in. */
interface OpenTurn {
  readonly first: AgentLine;
  last: AgentLine;
  text: string;
  reasoning: string;
  readonly calls: ToolCall[];
  ends: boolean | undefined;
  readonly extra: Record<string, unknown>;
  readonly hooks: JsonRecord[];
  /** Words, thoughts and ids of calls so far: some versions write a block of a message again with the next. */
  readonly blocks: Set<unknown>;
}

/** Turns of a path under construction: those of the agent are finished at the end, since lines may still add to them. */
interface Draft extends TurnOptions {
  readonly turns: (Turn | OpenTurn)[];
  /** The latest turn of the agent. */
  open: OpenTurn | undefined;
  /** A person has spoken since: whatever comes is another message. */
  isOver: boolean;
  /** What is noted on the next turn of the agent. */
  next: { hooks: JsonRecord[]; compaction: JsonRecord | undefined };
  readonly hooksOfCalls: Map<string, readonly JsonRecord[]>;
  /** The results of calls, so that one which stands there twice counts once. */
  readonly answered: Map<unknown, string>;
  /** Calls of the path that are still to come, and the results that stand before them. */
  readonly ahead: Set<unknown>;
  readonly early: Map<unknown, (() => void)[]>;
}

/** The turns along a path of a conversation. */
export function turnsOf(lines: readonly TranscriptLine[], options: TurnOptions): readonly Turn[] {
  const draft: Draft = {
    ...options,
    turns: [],
    open: undefined,
    isOver: false,
    next: { hooks: [], compaction: undefined },
    hooksOfCalls: hooksByCall(lines),
    answered: new Map(),
    ahead: new Set(callIdsOf(lines)),
    early: new Map(),
  };
  lines.forEach((line, at) => {
    if (line.kind === "agent") takeAgent(draft, line);
    else if (line.kind === "user") takeUser(draft, line, () => replyTo(lines, at));
    else if (line.event !== undefined) takeEvent(draft, line.event);
  });
  // Nothing comes any more that they could be noted on.
  if (draft.open !== undefined) addAll(draft.open.hooks, draft.next.hooks);
  return draft.turns.map((turn) => ("first" in turn ? finished(draft, turn) : turn));
}

function takeAgent(draft: Draft, line: AgentLine): void {
  // Of a line that breaks off perhaps nothing is left.
  if (line.isCut && line.blocks.every(saysNothing)) return;
  const { open } = draft;
  if (open !== undefined && !draft.isOver && isSameMessage(open.last, line)) extend(draft, open, line);
  else {
    const { hooks, compaction } = draft.next;
    draft.next = { hooks: [], compaction: undefined };
    const turn: OpenTurn = {
      first: line,
      last: line,
      text: "",
      reasoning: "",
      calls: [],
      ends: undefined,
      extra: compaction === undefined ? {} : { compaction },
      hooks,
      blocks: new Set(),
    };
    draft.turns.push(turn);
    draft.open = turn;
    draft.isOver = false;
    draft.ledger.mapped("assistant messages", "thoughts and actions");
    extend(draft, turn, line);
  }
  for (const block of line.blocks.filter(isResult)) addResult(draft, block, {});
}

/** Whether two lines hold blocks of one message. Ids of messages may come again after a restart of what the agent talks to. */
function isSameMessage(a: AgentLine, b: AgentLine): boolean {
  if (a.messageId === undefined || a.messageId !== b.messageId) return false;
  const differs = (x: string | undefined, y: string | undefined): boolean =>
    x !== undefined && y !== undefined && x !== y;
  return !differs(a.request, b.request) && !differs(a.requestRef, b.requestRef);
}

function extend(draft: Draft, turn: OpenTurn, line: AgentLine): void {
  const fresh = line.blocks.filter((block) => isNew(turn, block));
  const again = line.blocks.length - fresh.length;
  if (again > 0) {
    const calls = line.blocks.filter(isCall).length - fresh.filter(isCall).length;
    draft.ledger.dropped("blocks that a message tells twice", "they are the same", again - calls);
    draft.ledger.dropped("calls of tools (tool_use) that a message tells twice", "they are the same", calls);
  }
  const { text, reasoning } = spokenIn(fresh);
  turn.last = line;
  turn.text = joined(turn.text, text);
  turn.reasoning = joined(turn.reasoning, reasoning);
  if (line.isCut) turn.ends = false;
  for (const block of fresh.filter(isCall)) {
    const { id } = block;
    draft.answered.delete(id);
    draft.ahead.delete(id);
    turn.calls.push(callOf(draft, block));
    draft.early.get(id)?.forEach((add) => add());
    draft.early.delete(id);
  }
}

function isNew({ blocks }: OpenTurn, block: JsonRecord): boolean {
  const told = isCall(block) ? block["id"] : (block["text"] ?? block["thinking"]);
  if (typeof told !== "string" || told === "") return true;
  const before = blocks.size;
  return blocks.add(told).size > before;
}

function callOf(draft: Draft, block: JsonRecord): ToolCall {
  const { cwd, takeSubAgentsOf, hooksOfCalls } = draft;
  const name = asText(block["name"]) ?? "";
  const id = asText(block["id"]);
  const args = block["input"];
  const agents = id === undefined ? [] : takeSubAgentsOf(id);
  const hooks = id === undefined ? [] : (hooksOfCalls.get(id) ?? []);
  // Once, as the agents: the id may come again.
  if (id !== undefined && hooks.length > 0) hooksOfCalls.set(id, []);
  const extra = compact({
    subAgents: agents.length === 0 ? undefined : agents,
    hooks: hooks.length === 0 ? undefined : hooks,
  });
  return { id, name, args, action: codingAction(CLAUDE_CODE_TOOLS, name, args, cwd), extra };
}

function finished(draft: Draft, turn: OpenTurn): AgentTurn {
  const { last, text, reasoning, extra } = turn;
  const [calls, hooks] = withHooks(turn);
  // Whatever comes next (the end of a task in the background, say) begins another turn.
  const ended = last.stopReason === "end_turn" && calls.length === 0 && text !== "";
  const ends = turn.ends ?? (ended ? true : CUT_SHORT.has(last.stopReason) ? false : undefined);
  const read = last.requestRef === undefined ? undefined : draft.promptOf(last.requestRef);
  return {
    kind: "agent",
    text,
    reasoning,
    calls,
    ...(ends === undefined ? {} : { ends }),
    usage: isTold(draft, last) ? undefined : last.usage,
    ...(read === undefined ? {} : { read, completion: replyOf(turn) }),
    extra: compact({
      timestamp: last.timestamp,
      uuid: last.uuid,
      cachedTokens: last.cached,
      hooks: hooks.length === 0 ? undefined : hooks,
      ...extra,
    }),
  };
}

/** Whether another turn has the usage of the message. Only its request tells a message from another one of the same id. */
function isTold({ usageTold }: TurnOptions, { messageId, request, requestRef }: AgentLine): boolean {
  if (messageId === undefined || (request ?? requestRef) === undefined) return false;
  const key = JSON.stringify([messageId, request, requestRef]);
  const isTwice = usageTold.has(key);
  usageTold.add(key);
  return isTwice;
}

/** The calls of a turn, and the hooks' answers about the turn: those about its first call stand with them. */
function withHooks({ calls, hooks }: OpenTurn): readonly [readonly ToolCall[], readonly JsonRecord[]] {
  const [first, ...others] = calls;
  const own = first?.extra?.["hooks"];
  if (first === undefined || hooks.length === 0 || !Array.isArray(own)) return [calls, hooks];
  return [[{ ...first, extra: { ...first.extra, hooks: [...hooks, ...own] } }, ...others], []];
}

/** The reply word for word: words and calls as text, its thoughts apart. */
function replyOf({ last, text, reasoning, calls }: OpenTurn): Completion {
  const finish = CUT_SHORT.has(last.stopReason) ? "length" : last.stopReason === "refusal" ? "other" : "stop";
  return { text: replyText({ text, calls }), ...(reasoning === "" ? {} : { reasoning }), finish };
}

function takeUser(draft: Draft, line: UserLine, replied: () => Reply): void {
  line.blocks.filter(isResult).forEach((block, i) => addResult(draft, block, i === 0 ? line.beside : {}));
  const { text } = spokenIn(line.blocks);
  if (text === "") return;
  const command = line.isProgram ? undefined : slashCommandIn(text);
  const isToProgram = command !== undefined && isForProgram(command.hasArguments, replied());
  if (line.isProgram || isToProgram || INTERRUPTED.test(text)) sayOfProgram(draft, line, text);
  else sayOfPerson(draft, command?.typed ?? text);
}

/** What comes after a line: the agent or the program with the text of the command, output, another person's words, or nothing. */
type Reply = "answered" | "printed" | "spoken" | "nothing";

function replyTo(lines: readonly TranscriptLine[], at: number): Reply {
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next];
    if (line?.kind === "agent") return "answered";
    if (line?.kind === "host" && line.event?.kind === "printed") return "printed";
    if (line?.kind !== "user") continue;
    if (isPrinted(spokenIn(line.blocks).text)) return "printed";
    return line.isProgram ? "answered" : "spoken";
  }
  return "nothing";
}

/** A command that the program answers itself is no prompt; nor is one without arguments after which the person speaks again. */
const isForProgram = (hasArguments: boolean, reply: Reply): boolean =>
  reply === "printed" || (reply === "spoken" && !hasArguments);

function sayOfProgram(draft: Draft, line: UserLine, text: string): void {
  const { open, ledger } = draft;
  const stopped = INTERRUPTED.test(text);
  const held = line.isProgram && HELD_BACK.test(text);
  if ((stopped || held) && open !== undefined && !draft.isOver && open.calls.length === 0) open.ends = held;
  ledger.mapped("words of the program in the user's place", "prelude or observations");
  if (line.isSummary)
    ledger.mapped("summaries of compactions", "observations; later prompts begin with them");
  draft.turns.push({ kind: "system", text, ...(line.isSummary ? { isFresh: true } : {}) });
}

function sayOfPerson(draft: Draft, text: string): void {
  draft.ledger.mapped("user messages", "question or prompts");
  draft.turns.push({ kind: "user", text });
  if (ownWords(text) !== "") draft.isOver = true;
}

function addResult(draft: Draft, block: JsonRecord, beside: UserLine["beside"]): void {
  const failed = block["is_error"] === true;
  const text = resultText(block);
  const id = block["tool_use_id"];
  if (draft.ahead.has(id)) {
    const others = draft.early.get(id) ?? [];
    draft.early.set(id, others);
    others.push(() => addResult(draft, block, beside));
    return;
  }
  if (id !== undefined && draft.answered.get(id) === text) {
    draft.ledger.dropped("results that stand there twice", "they are the same");
    return;
  }
  draft.answered.set(id, text);
  const result = resultOfBlock(failed, text, beside);
  const rest = failed ? { extra: { isError: true } } : {};
  draft.turns.push({ kind: "result", callId: asText(id), text, result, ...rest });
}

/** A result without `is_error` went well. A command's code is told only where it is not 0. */
function resultOfBlock(
  failed: boolean,
  text: string,
  { interrupted, exitCode }: UserLine["beside"],
): ToolResult | undefined {
  const code = failed ? (exitCodeIn(text) ?? exitCode) : undefined;
  return resultOf(code, interrupted !== true && !failed);
}

function takeEvent(draft: Draft, event: HostEvent): void {
  const { turns, open, next, ledger, hooksOfCalls } = draft;
  if (event.kind === "queued") {
    ledger.mapped(
      event.isProgram ? "notices in the middle of a turn" : "words typed in the middle of a turn",
      event.isProgram ? "observations" : "prompts of the next step",
    );
    turns.push({ kind: event.isProgram ? "system" : "user", text: event.text });
  } else if (event.kind === "printed") turns.push({ kind: "system", text: event.text });
  else if (event.kind === "compaction") next.compaction = event.about;
  else if (event.kind === "turn") endTurn(open);
  else if (event.kind === "hook") {
    if (event.callId !== undefined && hooksOfCalls.has(event.callId)) return;
    if (event.isAfter && open !== undefined) open.hooks.push(event.answer);
    else next.hooks.push(event.answer);
  }
}

/** Words without a call that end a turn are what the agent ended with. */
function endTurn(open: OpenTurn | undefined): void {
  if (open !== undefined && open.calls.length === 0 && open.text !== "") open.ends ??= true;
}

/** The answers of hooks about calls of the path, by the call. */
function hooksByCall(lines: readonly TranscriptLine[]): Map<string, readonly JsonRecord[]> {
  const found = new Map<string, JsonRecord[]>();
  for (const line of lines) {
    const event = line.kind === "host" ? line.event : undefined;
    if (event?.kind !== "hook" || event.callId === undefined) continue;
    const answers = found.get(event.callId) ?? [];
    found.set(event.callId, answers);
    answers.push(event.answer);
  }
  if (found.size === 0) return found;
  const calls = new Set(
    lines.flatMap((line) => (line.kind === "agent" ? line.blocks.map(({ id }) => id) : [])),
  );
  for (const id of found.keys()) if (!calls.has(id)) found.delete(id);
  return found;
}
