import { isCodingTool } from "../../model/coding-tools.ts";
import type { JsonRecord } from "../../trace/formats/records.ts";
import { isAbsolutePath, pathInFolder } from "../../trace/tool-path.ts";
import { onAnswer, onCall } from "./calls.ts";
import { clipBytes } from "./clip.ts";
import type { HostAdapter } from "./host.ts";
import { onPrompt, onStart, onStop } from "./moments.ts";
import { withNotices } from "./notices.ts";
import type { HeldSession, SessionState } from "./session-store.ts";
import { factsFor, freshSession, type Turn } from "./turn.ts";
import { ALLOW, type HookVerdict } from "./verdict.ts";
import type { Visit } from "./visit.ts";

/** The verdict on one event, and the output that carries it. */
export interface Given {
  readonly verdict: HookVerdict;
  readonly output: JsonRecord | undefined;
}

export const isSilent = (output: JsonRecord | undefined): boolean =>
  output === undefined || Object.keys(output).length === 0;

function turnOf({ adapter, event, place, ports }: Visit, state: SessionState): Turn {
  const { library, root, world } = place;
  return {
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
}

/** The folder in the workspace that the agent began in, which may be below the root. Relative paths start there. */
function startFolder({ event: { cwd }, place: { root } }: Visit): string {
  return cwd !== undefined && isAbsolutePath(cwd) && pathInFolder(cwd, root) !== cwd ? cwd : root;
}

async function firstState(visit: Visit): Promise<SessionState> {
  const { event, place } = visit;
  return freshSession(event.sessionId, 1, factsFor(startFolder(visit), await place.project()));
}

/** The event as the first of a session of which nothing is known. */
export async function freshTurn(visit: Visit): Promise<Turn> {
  return turnOf(visit, await firstState(visit));
}

/**
 * The session as this event finds it. With `held`, what a killed process left half told is closed first; without, what was saved last counts,
 * and nothing is written.
 */
export async function openTurn(visit: Visit, held: HeldSession | undefined): Promise<Turn> {
  const { store, library } = visit.place;
  const turn = turnOf(visit, (await store.state(visit.event.sessionId)) ?? (await firstState(visit)));
  if (held !== undefined && library.settings.record) await catchUp(turn, visit, held);
  return turn;
}

/** The live file may be ahead of what was saved, or the other way round. */
async function catchUp(turn: Turn, { place: { store } }: Visit, held: HeldSession): Promise<void> {
  if ((await store.size(turn.state.episode)) === turn.state.offset) return;
  // Seldom needed, and it loads what reads whole episodes.
  const { closingLines, rebuilt } = await import("./rebuild.ts");
  const { episode, part, facts, noticed } = turn.state;
  const lines = await store.lines(episode);
  const closing = closingLines(lines, episode).map((line) => JSON.stringify(line));
  if (closing.length > 0) await held.append(episode, closing);
  const fresh: SessionState = { ...freshSession(turn.event.sessionId, part, facts), noticed };
  turn.state = await rebuilt({ ...turn, state: fresh }, [...lines, ...closing]);
}

function judge(turn: Turn): Promise<HookVerdict> | HookVerdict {
  const { kind, tool } = turn.event;
  if (kind === "prompt") return onPrompt(turn);
  if (kind === "stop" || kind === "subagent-stop") return onStop(turn);
  if (kind === "session-start") return onStart(turn);
  if (tool === undefined) return ALLOW;
  if (kind === "pre") return onCall(turn, tool);
  return kind === "post" || kind === "post-failure" ? onAnswer(turn, tool) : ALLOW;
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

/** Judges the event. Afterwards `turn` holds the new state and the lines for the record. */
export async function decide(visit: Visit, turn: Turn): Promise<Given> {
  const { adapter, event, place } = visit;
  const { steps: t } = turn.state;
  const known = turn.lines.length;
  const verdict = fitted(withNotices(turn, await judge(turn)), adapter);
  const given = { verdict, output: adapter.answer(event, verdict, place.library.settings) };
  tellAnswer(
    visit,
    turn,
    given,
    turn.lines.slice(known).some(({ event: kind }) => kind === "proposed") ? t : undefined,
  );
  return given;
}

/** Characters of an answer that the record holds. */
const SHOWN = 20_000;

/** Tells the record what went out. `t`: the step that it was about. */
export function tellAnswer(visit: Visit, turn: Turn, given: Given, t: number | undefined): void {
  if (!turn.state.started || (t === undefined && isSilent(given.output))) return;
  const { request, ports, event } = visit;
  const { kind, degraded } = given.verdict;
  const whole = JSON.stringify(given.output) ?? "";
  const value = {
    host: event.host,
    event: event.name,
    ...(event.toolUseId !== undefined && { toolUseId: event.toolUseId }),
    // The step has the canonical tool.
    ...(event.tool !== undefined && !isCodingTool(event.tool.name) && { tool: event.tool.name }),
    verdict: kind,
    output: whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : given.output,
    degraded,
    ms: Math.round(ports.elapsed() * 10) / 10,
    ...(request.budgetMs !== undefined && { budget: request.budgetMs }),
  };
  const reason = `${event.host} ${event.name}: ${kind}${degraded.length > 0 ? ` (${degraded.join(", ")})` : ""}.`;
  const decision = { part: "hook_answer", by: "code", reason, value: JSON.stringify(value) } as const;
  turn.lines.push({ event: "decided", decision: { ...decision, ...(t !== undefined && { t }) } });
}
