import { HOOK_DEFAULTS } from "../../evaluation/hook-settings.ts";
import type { ProjectCheck } from "../../model/coding-context.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import { isRecord, type JsonRecord } from "../../trace/formats/records.ts";
import { onAnswer, onCall } from "./calls.ts";
import { clipBytes } from "./clip.ts";
import type { HookEvent, HookHost } from "./event.ts";
import type { AnswerStyle, HostAdapter } from "./host.ts";
import { adapterFor } from "./hosts/hosts.ts";
import type { ActingLibrary } from "./library.ts";
import { afterEnd, endEpisode, onPrompt, onStart, onStop } from "./moments.ts";
import type { SessionState, SessionStore, WorldPort } from "./session-store.ts";
import { change, factsFor, freshSession, type Turn } from "./turn.ts";
import { ALLOW, type HookVerdict } from "./verdict.ts";

/** What a workspace offers to its sessions. */
export interface HookPlace {
  /** The folder that holds `.hasp`. */
  readonly root: string;
  readonly library: ActingLibrary;
  readonly store: SessionStore;
  readonly world: WorldPort;
  project(): Promise<readonly ProjectCheck[]>;
  /** The PFs of `library`, loaded. */
  host(): Promise<PfHost>;
}

export interface HookPorts {
  /** The workspace of a session that begins where the agent stands. */
  place(cwd: string | undefined, sessionId: string): Promise<HookPlace>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since this event began to be worked on. */
  elapsed(): number;
}

export interface HookRequest {
  readonly host: HookHost;
  /** The host's name of the event, where the command line gives it. */
  readonly event?: string | undefined;
  /** The event as it came: JSON, as far as it is. */
  readonly text: string;
  /** Replaces `hook.budget_ms`. */
  readonly budgetMs?: number | undefined;
}

/** What goes out. `output` undefined: nothing does, for the host wants nothing. */
export interface HookReply {
  readonly output: JsonRecord | undefined;
  /** What went wrong, for a log. */
  readonly trouble?: string;
}

function recordIn(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a call gets that could not be judged. A stop is never held for it. */
function failed(
  adapter: HostAdapter,
  event: HookEvent,
  trouble: string,
  settings: ActingLibrary["settings"],
): HookReply {
  const closed = settings.onFailure === "closed" && event.kind === "pre";
  const text = `HASP could not judge this call (${trouble.slice(0, 300)}), and its setting on_failure is closed.`;
  const verdict: HookVerdict = closed ? { ...ALLOW, kind: "refuse", text } : ALLOW;
  return { output: adapter.answer(event, verdict, settings), trouble };
}

/** What goes out where nobody could judge: the time was up, or everything failed. */
export function fallbackReply(
  request: HookRequest,
  settings: ActingLibrary["settings"] | undefined,
  trouble: string,
): HookReply {
  const raw = recordIn(request.text);
  if (raw === undefined) return { output: {}, trouble };
  const adapter = adapterFor(request.host, raw);
  const { value: event } = adapter.read(raw, request.event);
  return event === undefined
    ? { output: {}, trouble }
    : failed(adapter, event, trouble, settings ?? HOOK_DEFAULTS);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Answers one event of a host: reads it, judges it in its session, records what was decided, and says what goes out. Never rejects, and
 * whatever came, the answer is one that the host takes.
 */
export async function answerHook(request: HookRequest, ports: HookPorts): Promise<HookReply> {
  const raw = recordIn(request.text);
  if (raw === undefined) return { output: {}, trouble: "the event is no JSON object" };
  const adapter = adapterFor(request.host, raw);
  const { value: event, diagnostics } = adapter.read(raw, request.event);
  if (event === undefined)
    return { output: {}, trouble: diagnostics.map(({ message }) => message).join(" ") };
  let place: HookPlace;
  try {
    place = await ports.place(event.cwd, event.sessionId);
  } catch (error) {
    return { output: adapter.answer(event, ALLOW, { rewrite: "ask" }), trouble: wordsOf(error) };
  }
  const { settings } = place.library;
  const visit = { request, adapter, event, place, ports };
  try {
    const reply = await inSession(visit);
    if (event.kind === "session-start") await endIdle(visit);
    return reply;
  } catch (error) {
    return failed(adapter, event, wordsOf(error), settings);
  }
}

/** Milliseconds after which a session that said nothing of its end has ended: some hosts never do, and a process can be killed. */
export const IDLE_MS = 86_400_000;
/** How many of them one event sees to: it is waited for. */
const IDLE_AT_ONCE = 3;

async function endIdle(visit: Visit): Promise<void> {
  const { event, place, ports } = visit;
  const idle = await place.store.idle(ports.now() - IDLE_MS);
  for (const sessionId of idle.filter((id) => id !== event.sessionId).slice(0, IDLE_AT_ONCE)) {
    const end: HookEvent = { ...event, kind: "session-end", sessionId, reason: "idle for a day" };
    await inSession({ ...visit, event: end });
  }
}

interface Visit {
  readonly request: HookRequest;
  readonly adapter: HostAdapter;
  readonly event: HookEvent;
  readonly place: HookPlace;
  readonly ports: HookPorts;
}

async function inSession(visit: Visit): Promise<HookReply> {
  const { request, adapter, event, place, ports } = visit;
  const { library, store } = place;
  if (event.kind === "other") return { output: adapter.answer(event, ALLOW, library.settings) };
  const budget = request.budgetMs ?? library.settings.budgetMs;
  const deadline = performance.now() + budget - ports.elapsed();
  return store.exclusively(event.sessionId, deadline, async (locked) => {
    if (!locked) {
      const why = `another process kept the session for ${budget} ms`;
      await recordMissed(visit, why);
      return failed(adapter, event, why, library.settings);
    }
    return answerIn(visit, await openTurn(visit));
  });
}

/** An event that came while the session was taken: the live file says so, and nothing else changes. */
async function recordMissed({ event, place, request }: Visit, why: string): Promise<void> {
  const state = await place.store.state(event.sessionId);
  if (state?.started !== true || !place.library.settings.record) return;
  const value = JSON.stringify({ host: request.host, event: event.name, verdict: "missed" });
  const decision = { part: "hook_answer", by: "code", reason: `Not judged: ${why}.`, value };
  await place.store.append(state.episode, [JSON.stringify({ event: "decided", decision })]);
}

async function openTurn({ adapter, event, place, ports }: Visit): Promise<Turn> {
  const { store, library, root, world } = place;
  const found = await store.state(event.sessionId);
  const state = found ?? (await newSession(event, place));
  const turn: Turn = {
    event,
    adapter,
    library,
    world,
    host: () => place.host(),
    now: ports.now(),
    lines: [],
    degraded: [],
    state: state.facts.cwd === undefined ? { ...state, facts: { ...state.facts, cwd: root } } : state,
  };
  const { record } = library.settings;
  const size = record ? await store.size(state.episode) : state.offset;
  if (size !== state.offset) await catchUp(turn, store);
  return turn;
}

async function newSession(event: HookEvent, place: HookPlace): Promise<SessionState> {
  const facts = factsFor(place.root, await place.project());
  return freshSession(event.sessionId, 1, facts);
}

/** The live file is ahead of what was saved, or the other way round. */
async function catchUp(turn: Turn, store: SessionStore): Promise<void> {
  // Seldom needed, and it loads what reads whole episodes.
  const { closingLines, rebuilt } = await import("./rebuild.ts");
  const { episode } = turn.state;
  const lines = await store.lines(episode);
  const closing = closingLines(lines, episode).map((line) => JSON.stringify(line));
  if (closing.length > 0) await store.append(episode, closing);
  turn.state = await rebuilt(
    { ...turn, state: freshSession(turn.event.sessionId, turn.state.part, turn.state.facts) },
    [...lines, ...closing],
  );
}

function decide(turn: Turn): Promise<HookVerdict> | HookVerdict {
  const { kind, tool } = turn.event;
  if (kind === "prompt") return onPrompt(turn);
  if (kind === "stop" || kind === "subagent-stop") return onStop(turn);
  if (kind === "session-start") return onStart(turn);
  if (tool === undefined) return ALLOW;
  if (kind === "pre") return onCall(turn, tool);
  return kind === "post" || kind === "post-failure" ? onAnswer(turn, tool) : ALLOW;
}

/** The person hears once in a session that the workspace has skills which do not act. */
function told(turn: Turn, verdict: HookVerdict): HookVerdict {
  const { untrusted } = turn.library;
  if (untrusted === undefined || turn.state.toldOfTrust) return verdict;
  if (!turn.adapter.abilities(turn.event.kind).tell) return verdict;
  change(turn, { toldOfTrust: true });
  const { own } = untrusted;
  const what = own.length === 0 ? "hook settings" : `${own.length} skill${own.length === 1 ? "" : "s"}`;
  const names = own.length === 0 ? "" : ` (${own.slice(0, 5).join(", ")}${own.length > 5 ? ", …" : ""})`;
  const tell = `HASP: this workspace has ${what} of its own${names} that do not act until you say yes: hasp hook trust`;
  return { ...verdict, tell };
}

/** No text longer than the host takes. */
function fitted(verdict: HookVerdict, { textLimit }: HostAdapter): HookVerdict {
  const all = verdict.injects.join("\n\n");
  const joined = clipBytes(all, textLimit);
  const text = verdict.text === undefined ? undefined : clipBytes(verdict.text, textLimit);
  const cut = joined !== all || text !== verdict.text;
  return {
    ...verdict,
    reason: clipBytes(verdict.reason, textLimit),
    injects: joined === "" ? [] : [joined],
    ...(text !== undefined && { text }),
    degraded: cut ? [...verdict.degraded, "clipped"] : verdict.degraded,
  };
}

async function answerIn(visit: Visit, turn: Turn): Promise<HookReply> {
  const { adapter, event, place, ports, request } = visit;
  const style: AnswerStyle = place.library.settings;
  const t = turn.state.steps;
  const known = turn.lines.length;
  const decided = event.kind === "session-end" ? ALLOW : await decide(turn);
  const verdict = fitted(told(turn, decided), adapter);
  const output = adapter.answer(event, verdict, style);
  const ms = Math.round(ports.elapsed() * 10) / 10;
  const silent = output === undefined || Object.keys(output).length === 0;
  const isStep = turn.lines.slice(known).some(({ event: kind }) => kind === "proposed");
  if (turn.state.started && event.kind !== "session-end" && (isStep || !silent))
    turn.lines.push(answerLine(turn, { verdict, output, ms, t: isStep ? t : undefined, request }));
  await keep(visit, turn);
  return { output };
}

interface Given {
  readonly verdict: HookVerdict;
  readonly output: JsonRecord | undefined;
  readonly ms: number;
  readonly t: number | undefined;
  readonly request: HookRequest;
}

/** Characters of an answer that the record holds. */
const SHOWN = 20_000;

function answerLine({ event }: Turn, { verdict, output, ms, t, request }: Given): Turn["lines"][number] {
  const { kind, degraded } = verdict;
  const whole = JSON.stringify(output) ?? "";
  const value = {
    host: event.host,
    event: event.name,
    ...(event.toolUseId !== undefined && { toolUseId: event.toolUseId }),
    verdict: kind,
    output: whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : output,
    degraded,
    ms,
    ...(request.budgetMs !== undefined && { budget: request.budgetMs }),
  };
  const reason = `${event.host} ${event.name}: ${kind}${degraded.length > 0 ? ` (${degraded.join(", ")})` : ""}.`;
  const decision = { part: "hook_answer", by: "code", reason, value: JSON.stringify(value) } as const;
  return { event: "decided", decision: { ...decision, ...(t !== undefined && { t }) } };
}

/** First the record, then the state: what is lost between the two is rebuilt from the record. */
async function keep({ event, place }: Visit, turn: Turn): Promise<void> {
  const { store, library } = place;
  const { record } = library.settings;
  const ends = event.kind === "session-end" && endEpisode(turn, stopReasonOf(event));
  const { episode } = turn.state;
  if (record && turn.lines.length > 0)
    await store.append(
      episode,
      turn.lines.map((line) => JSON.stringify(line)),
    );
  if (ends && record) await store.finish(episode);
  const state = ends ? afterEnd(turn) : turn.state;
  const offset = record ? await store.size(state.episode) : 0;
  await store.save(event.sessionId, { ...state, offset });
}

function stopReasonOf({ reason }: HookEvent): string {
  return reason === undefined ? "session_end" : `session_end: ${reason.slice(0, 60)}`;
}
