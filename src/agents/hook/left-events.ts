import type { Action } from "../../model/action.ts";
import { CODING_FINAL } from "../../model/coding-tools.ts";
import type { Proposal } from "../../model/episode.ts";
import { settleGivenCall } from "./calls.ts";
import { clipSaid } from "./clip.ts";
import { eventRecord } from "./event-record.ts";
import { adapterFor } from "./hosts/hosts.ts";
import { decide, openTurn, tellAnswer, type Given } from "./judge-event.ts";
import { proposeUnasked } from "./judge-call.ts";
import { keep } from "./keep.ts";
import type { HeldSession, KeptEvent, LeftEvent } from "./session-store.ts";
import { begin, change, closeOpen, endStep, type Turn } from "./turn.ts";
import type { HookVerdict } from "./verdict.ts";
import type { Visit } from "./visit.ts";

// Events that were answered while another process held their session. Each is recorded by the next process that holds it, as if it had come
// then; the answer stays what went out.

function executedIn({ lines }: Turn): Action | undefined {
  return lines.flatMap((line) => (line.event === "executed" ? line.action : [])).at(-1);
}

function proposedIn({ lines }: Turn): Proposal | undefined {
  return lines.flatMap((line) => (line.event === "proposed" ? line.proposal : [])).at(-1);
}

/** Leaves an event, with its answer, for whoever holds the session. `turn`: as it stands after the answer. */
export async function leave(
  { request, event, place, ports }: Visit,
  turn: Turn,
  given: Given,
): Promise<void> {
  const { verdict, output } = given;
  const executed = executedIn(turn);
  const world = proposedIn(turn)?.world;
  await place.store.leave(event.sessionId, {
    schema: "hasp.hook-event/1",
    host: event.host,
    ...(request.event !== undefined && { named: request.event }),
    text: request.text,
    ...(event.unattended && { unattended: true }),
    at: turn.now,
    ms: ports.elapsed(),
    verdict,
    ...(output !== undefined && { output }),
    ...(executed !== undefined && { executed }),
    ...(world !== undefined && { world }),
  });
}

function visitOf(visit: Visit, left: LeftEvent): Visit | undefined {
  const raw = eventRecord(left.text);
  if (raw === undefined) return undefined;
  const adapter = adapterFor(left.host, raw);
  const { value: read } = adapter.read(raw, left.named);
  if (read === undefined || read.sessionId !== visit.event.sessionId) return undefined;
  const event = { ...read, unattended: left.unattended === true };
  const ports = { now: () => left.at, elapsed: () => left.ms };
  return {
    ...visit,
    adapter,
    event,
    ports,
    request: { host: left.host, event: left.named, text: left.text },
  };
}

const partsOf = ({ kind, input, text, injects }: HookVerdict): string =>
  JSON.stringify([kind, input, text, injects]);

const UNKNOWN = "Answered while another event of this session was being recorded, and judged without it.";

/** The step of an event whose answer today's session would not have given: the record says what was answered, and asks nobody. */
function recordGiven(turn: Turn, { verdict, executed, world }: LeftEvent): void {
  const { tool, kind, said = "" } = turn.event;
  const answered = `${UNKNOWN} The answer was ${verdict.kind}${verdict.text === undefined ? "" : `: ${verdict.text.slice(0, 300)}`}.`;
  begin(turn, "");
  if (kind === "pre" && tool !== undefined)
    return settleGivenCall(turn, tool, { verdict, executed, world, reason: answered });
  closeOpen(turn);
  const action: Action = { type: CODING_FINAL, arg: clipSaid(said) };
  proposeUnasked(turn, { thought: "", action }, answered);
  endStep(turn, action);
  if (verdict.kind === "hold") change(turn, { holds: turn.state.holds + 1, callsSinceHold: 0 });
}

/** Keeps texts that the agent should have read with this answer, for a later answer. */
function keepUnread(turn: Turn, computed: HookVerdict, given: HookVerdict): void {
  const unread = computed.injects.filter((text) => !given.injects.includes(text));
  if (unread.length > 0) change(turn, { late: [...turn.state.late, ...unread] });
}

/** Goes through the event as if it had come now, with the world as it was. */
async function recordOne(visit: Visit, turn: Turn, left: LeftEvent): Promise<void> {
  const { steps } = turn.state;
  const given: Given = { verdict: left.verdict, output: left.output };
  const trial: Turn = { ...turn, seen: left.world ?? {}, lines: [], degraded: [] };
  const computed = await decide(visit, trial);
  const lines = trial.lines.filter(
    (line) => !(line.event === "decided" && line.decision.part === "hook_answer"),
  );
  const isStep = lines.some(({ event }) => event === "proposed");
  if (isStep && partsOf(computed.verdict) !== partsOf(given.verdict)) recordGiven(turn, left);
  else {
    turn.state = trial.state;
    turn.lines.push(...lines);
    keepUnread(turn, computed.verdict, given.verdict);
  }
  tellAnswer(visit, turn, given, isStep ? steps : undefined);
}

/** One that cannot be read or judged is dropped: its answer is out, and the others are not to wait for it. */
async function recordKept(visit: Visit, held: HeldSession, kept: KeptEvent): Promise<void> {
  const { event: left } = kept;
  const leftVisit = attempt(() => visitOf(visit, left));
  if (leftVisit !== undefined) {
    const turn = await openTurn(leftVisit, held);
    const judged = await recordOne(leftVisit, turn, left).then(
      () => true,
      () => false,
    );
    if (judged) await keep(leftVisit, held, turn);
  }
  await kept.drop();
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Records what was left while other processes held the session, in the order it came. Rejects where it cannot be written. */
export async function recordLeft(visit: Visit, held: HeldSession): Promise<void> {
  for (const kept of await held.left()) await recordKept(visit, held, kept);
}

/** Times that one process sees to events that were left while it held the session itself. */
const ROUNDS = 3;

/** Records what nobody else will: events that were left between the last look of the process that held the session and its end. */
export async function settleLeft(visit: Visit): Promise<void> {
  const { store } = visit.place;
  const { sessionId } = visit.event;
  for (let round = 0; round < ROUNDS && (await store.hasLeft(sessionId)); round++) {
    const held = await store.take(sessionId);
    // Whoever holds it looks again once it is done.
    if (held === undefined) return;
    try {
      await recordLeft(visit, held);
    } finally {
      held.release();
    }
  }
}
