import { HOOK_DEFAULTS, type HookSettings } from "../../evaluation/hook-settings.ts";
import { eventRecord } from "./event-record.ts";
import type { HookEvent } from "./event.ts";
import type { HostAdapter } from "./host.ts";
import { adapterFor } from "./hosts/hosts.ts";
import { decide, freshTurn, isSilent, openTurn, type Given } from "./judge-event.ts";
import { leave, recordLeft, settleLeft } from "./left-events.ts";
import { keep } from "./keep.ts";
import type { HeldSession } from "./session-store.ts";
import type { Turn } from "./turn.ts";
import { ALLOW, type HookVerdict } from "./verdict.ts";
import type { HookPorts, HookReply, HookRequest, Visit } from "./visit.ts";

const notJudged = (trouble: string): string =>
  `HASP could not judge this call, and no skill guards it: ${trouble.slice(0, 300)}`;

/** The reply to a call that could not be judged; a stop is never held. The reply tells the person if the host can show a text. */
function failed(
  adapter: HostAdapter,
  event: HookEvent,
  trouble: string,
  settings: Pick<HookSettings, "onFailure" | "rewrite">,
): HookReply {
  const closed = settings.onFailure === "closed" && event.kind === "pre";
  const text = `HASP could not judge this call (${trouble.slice(0, 300)}), and its setting on_failure is closed.`;
  const asked = event.kind === "pre" && adapter.abilities("pre").tell;
  const open: HookVerdict = asked ? { ...ALLOW, tell: notJudged(trouble) } : ALLOW;
  const verdict: HookVerdict = closed ? { ...ALLOW, kind: "refuse", text } : open;
  return { output: adapter.answer(event, verdict, settings), trouble };
}

/** What goes out where nobody could judge: the time was up, or everything failed. */
export function fallbackReply(
  request: HookRequest,
  settings: HookSettings | undefined,
  trouble: string,
): HookReply {
  const raw = eventRecord(request.text);
  if (raw === undefined) return { output: {}, trouble };
  const adapter = adapterFor(request.host, raw);
  const { value: event } = adapter.read(raw, request.event);
  return event === undefined
    ? { output: {}, trouble }
    : failed(adapter, event, trouble, settings ?? HOOK_DEFAULTS);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Answers one event of a host: reads it, judges it in its session, says what goes out (`ports.reply`), and then records what was decided.
 * Resolves once that is done, with the answer. Never rejects; the answer is one that the host takes, and nothing that fails while it is
 * recorded changes it.
 */
export async function answerHook(request: HookRequest, ports: HookPorts): Promise<HookReply> {
  let said: HookReply | undefined;
  const reply = (answer: HookReply): void => {
    said ??= answer;
    if (said === answer) ports.reply?.(answer);
  };
  const trouble = await work(request, ports, reply);
  const answer = said ?? { output: {} };
  if (said === undefined) ports.reply?.(answer);
  return trouble === undefined ? answer : { ...answer, trouble };
}

/** The event in its workspace; where there is none, the reply to it. */
async function openVisit(
  request: HookRequest,
  ports: HookPorts,
): Promise<{ readonly visit: Visit } | { readonly refused: HookReply }> {
  const raw = eventRecord(request.text);
  if (raw === undefined) return { refused: { output: {}, trouble: "the event is no JSON object" } };
  const adapter = adapterFor(request.host, raw);
  const { value: read, diagnostics } = adapter.read(raw, request.event);
  if (read === undefined)
    return { refused: { output: {}, trouble: diagnostics.map(({ message }) => message).join(" ") } };
  const event = { ...read, unattended: read.unattended || request.unattended === true };
  try {
    const place = await ports.place(event.cwd, event.sessionId);
    return { visit: { request, adapter, event, place, ports } };
  } catch (error) {
    return { refused: { output: adapter.answer(event, ALLOW, HOOK_DEFAULTS), trouble: wordsOf(error) } };
  }
}

/** Resolves with what went wrong while the answer was recorded. */
async function work(
  request: HookRequest,
  ports: HookPorts,
  reply: (answer: HookReply) => void,
): Promise<string | undefined> {
  const opened = await openVisit(request, ports);
  if ("refused" in opened) {
    reply(opened.refused);
    return undefined;
  }
  const { visit } = opened;
  const { adapter, event, place } = visit;
  try {
    if (event.kind === "session-end") return await endSession(visit, reply);
    if (event.kind !== "other") return await judgeAndRecord(visit, reply);
    reply({ output: adapter.answer(event, ALLOW, place.library.settings) });
  } catch (error) {
    reply(failed(adapter, event, wordsOf(error), place.library.settings));
  }
  return undefined;
}

/** The session for this process alone; undefined while another is at work on it, and where nothing can be written. */
async function take({ place, event }: Visit): Promise<{ held: HeldSession | undefined; trouble?: string }> {
  try {
    return { held: await place.store.take(event.sessionId) };
  } catch (error) {
    return { held: undefined, trouble: `not recorded: ${wordsOf(error)}` };
  }
}

interface Judged {
  readonly given: Given;
  /** Undefined where the session could not be used: there is nothing to record then. */
  readonly turn: Turn | undefined;
  readonly trouble?: string;
}

/** Judges the event in its session; where what is kept of that cannot be used, by itself. */
async function judgeEvent(visit: Visit, held: HeldSession | undefined): Promise<Judged> {
  try {
    const turn = await openTurn(visit, held);
    return { turn, given: await decide(visit, turn) };
  } catch (error) {
    const given = await decide(visit, await freshTurn(visit));
    return { turn: undefined, given, trouble: `judged without its session: ${wordsOf(error)}` };
  }
}

async function judgeAndRecord(visit: Visit, reply: (answer: HookReply) => void): Promise<string | undefined> {
  const { held, trouble } = await take(visit);
  try {
    const before = held === undefined ? trouble : await attempt(() => recordLeft(visit, held));
    const { turn, given, trouble: unused } = await judgeEvent(visit, held);
    reply({ output: given.output });
    // The session could not be taken, so nothing of it can be written.
    if (trouble !== undefined || turn === undefined) return trouble ?? unused;
    const after = await attempt(() => record(visit, held, turn, given));
    return before ?? after;
  } finally {
    held?.release();
    if (held !== undefined) await attempt(() => settleLeft(visit));
  }
}

/** The failure in words. The answer is out, so a failed record does not change it. */
async function attempt(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return `not recorded: ${wordsOf(error)}`;
  }
}

async function record(visit: Visit, held: HeldSession | undefined, turn: Turn, given: Given): Promise<void> {
  if (held === undefined) {
    // An answer that says nothing of an event that changes nothing needs no record.
    if (!(visit.event.kind === "session-start" && isSilent(given.output))) await leave(visit, turn, given);
    return settleLeft(visit);
  }
  await keep(visit, held, turn);
  if (visit.event.kind === "session-start") await endIdle(visit);
}

const POLL_MS = 15;

/** The end of a session decides nothing, so it may wait for the session; where that takes too long, another process records it. */
async function endSession(visit: Visit, reply: (answer: HookReply) => void): Promise<string | undefined> {
  const { adapter, event, place, ports, request } = visit;
  reply({ output: adapter.answer(event, ALLOW, place.library.settings) });
  const deadline = (request.budgetMs ?? place.library.settings.budgetMs) / 2;
  for (;;) {
    const { held, trouble } = await take(visit);
    if (trouble !== undefined) return trouble;
    if (held !== undefined) return attempt(() => endHeld(visit, held));
    if (ports.elapsed() + POLL_MS > deadline) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return attempt(async () =>
    leave(visit, await openTurn(visit, undefined), { verdict: ALLOW, output: undefined }),
  );
}

async function endHeld(visit: Visit, held: HeldSession): Promise<void> {
  try {
    await recordLeft(visit, held);
    await keep(visit, held, await openTurn(visit, held));
  } finally {
    held.release();
  }
}

/** Milliseconds after which a session that said nothing of its end has ended: some hosts never do, and a process can be killed. */
export const IDLE_MS = 86_400_000;
/** How many of them one event sees to: its host waits for it. */
const IDLE_AT_ONCE = 3;

async function endIdle(visit: Visit): Promise<void> {
  const { event, place, ports } = visit;
  const idle = await place.store.idle(ports.now() - IDLE_MS);
  for (const sessionId of idle.filter((id) => id !== event.sessionId).slice(0, IDLE_AT_ONCE)) {
    const end: HookEvent = { ...event, kind: "session-end", sessionId, reason: "idle for a day" };
    const ending: Visit = { ...visit, event: end };
    const { held } = await take(ending);
    if (held !== undefined) await endHeld(ending, held);
  }
}
