import type { Action } from "../../model/action.ts";
import type { Proposal } from "../../model/episode.ts";
import { CODING_FINAL } from "../../model/coding-tools.ts";
import type { Finished } from "../../trace/live-events.ts";
import { hashText } from "../../trace/hash.ts";
import { taskEndsIn } from "../../domains/coding-agent/background.ts";
import { splitWords } from "../../skill/asking/own-words.ts";
import { recordDegraded, remember } from "./calls.ts";
import { clipSaid } from "./clip.ts";
import { carryStop } from "./degrade.ts";
import { judgeNext } from "./judge-call.ts";
import {
  begin,
  change,
  closeHeld,
  closeOpen,
  decided,
  endStep,
  freshSession,
  latestTasks,
  type Turn,
} from "./turn.ts";
import { ALLOW, type HookVerdict } from "./verdict.ts";

/** Milliseconds within which an event without an id counts as the same one: what an agent does anew takes a model's time. */
const TWICE_MS = 400;

function again(turn: Turn, key: string): HookVerdict | undefined {
  const given = turn.state.answers.find((one) => one.key === key);
  return given !== undefined && turn.now - given.at <= TWICE_MS ? given.verdict : undefined;
}

/** Texts that earlier answers had no room for. */
function takeLate(turn: Turn): readonly string[] {
  const { late } = turn.state;
  if (late.length === 0 || !turn.adapter.abilities(turn.event.kind).inject) return [];
  change(turn, { late: [] });
  return late;
}

/** Who wrote a prompt, where no person did: some hosts send the text that held the agent back as the next prompt. */
function authorOf({ event, state }: Turn, prompt: string): string | undefined {
  const isOurs = state.answers.some(
    ({ verdict: { kind, text = "" } }) => kind === "hold" && text.trim() === prompt.trim(),
  );
  return isOurs ? "hasp" : event.author;
}

/** A prompt that is no person's word: recorded as what it is, and in no list of what the person said. */
function hearOther(turn: Turn, author: string, said: string): void {
  begin(turn, "");
  decided(turn, {
    part: "hook_prompt",
    t: turn.state.steps,
    by: "code",
    value: said,
    reason: `Not a person: ${author}.`,
  });
}

/** A person has spoken, or the host in their place: what it puts in (`<task-notification>`, …) is nobody's word and not recorded. */
export function onPrompt(turn: Turn): HookVerdict {
  const { prompt = "" } = turn.event;
  const author = authorOf(turn, prompt);
  const { own, host } = splitWords(prompt);
  const isHost = own === "" && host !== "";
  const said = clipSaid(host === "" || isHost ? prompt : own);
  const key = `prompt:${hashText(said)}`;
  const before = again(turn, key);
  if (before !== undefined) return before;
  closeOpen(turn);
  closeHeld(turn);
  if (host !== "") noteTasks(turn, host);
  if (author !== undefined) hearOther(turn, author, said);
  else if (!isHost) {
    if (turn.state.started) change(turn, { prompts: [...turn.state.prompts, said] });
    else begin(turn, said);
    change(turn, { holds: 0, callsSinceHold: 0 });
  }
  const injects = takeLate(turn);
  const answer: HookVerdict = { ...ALLOW, injects, degraded: injects.length > 0 ? ["late-context"] : [] };
  remember(turn, key, answer);
  return answer;
}

/** The host tells the agent that tasks in the background have ended: what came of them counts when it wants to stop. */
function noteTasks(turn: Turn, words: string): void {
  const ended = turn.state.started ? taskEndsIn(words) : [];
  if (ended.length === 0) return;
  decided(turn, {
    part: "hook_tasks",
    t: turn.state.steps,
    by: "code",
    value: JSON.stringify(ended),
    reason: `The host told the agent: ${ended.map(({ id, state }) => `${id} ${state}`).join(", ")}.`,
  });
  change(turn, { tasks: latestTasks([...(turn.state.tasks ?? []), ...ended]) });
}

/** The tasks in the background that the host tells of, as a stop is judged with them. */
function tasksAtStop({ event, state }: Turn): Pick<Proposal, "world"> {
  const running = (event.running ?? []).map((id) => ({ id, state: "running" as const }));
  const tasks = [...running, ...(state.tasks ?? [])];
  return tasks.length === 0 ? {} : { world: { tasks } };
}

/**
 * Whether the agent may be kept from stopping. An agent that was held back and has called no tool since would only say the same again,
 * and one that was held too often runs for ever.
 */
function mayHold({ adapter, event, state, library }: Turn): boolean {
  if (!adapter.abilities(event.kind).hold || state.holds >= library.settings.maxHolds) return false;
  return !event.stopHookActive || state.callsSinceHold > 0;
}

/** The agent wants to stop. */
export async function onStop(turn: Turn): Promise<HookVerdict> {
  const said = clipSaid(turn.event.said ?? "");
  const { stopHookActive } = turn.event;
  const key = `stop:${turn.state.steps}:${stopHookActive}:${hashText(said)}`;
  const before = again(turn, key);
  if (before !== undefined) return before;
  begin(turn, "");
  closeOpen(turn);
  const proposed: Action = { type: CODING_FINAL, arg: said };
  const judged = await judgeNext(turn, { thought: "", action: proposed, ...tasksAtStop(turn) });
  const carried = carryStop({
    proposed,
    wanted: judged.executed,
    injected: judged.injected.map(({ text }) => text),
    holdBack: judged.holdBack,
    mayHold: mayHold(turn),
    reason: judged.reason,
  });
  const { executed, verdict, degraded } = carried;
  if (degraded !== undefined && !judged.holdBack) recordDegraded(turn, judged.executed, degraded);
  if (executed === undefined) change(turn, { held: { arg: said } });
  else endStep(turn, executed);
  if (verdict.kind === "hold") change(turn, { holds: turn.state.holds + 1, callsSinceHold: 0 });
  const answer = { ...ALLOW, ...verdict, degraded: degraded === undefined ? [] : [degraded] };
  remember(turn, key, answer);
  return answer;
}

/** The session begins or goes on: nothing is recorded, for there may be nothing to come. */
export function onStart(turn: Turn): HookVerdict {
  const injects = takeLate(turn);
  return { ...ALLOW, injects, degraded: injects.length > 0 ? ["late-context"] : [] };
}

/** Ends the episode. True where there is one to be folded. */
export function endEpisode(turn: Turn, stopReason: string): boolean {
  if (!turn.state.started) return false;
  closeOpen(turn);
  closeHeld(turn);
  const { state } = turn;
  const finished: Finished = {
    event: "finished",
    outcome: "unjudged",
    stopReason,
    ...(state.late.length > 0 && { extra: { lostContext: [...state.late] } }),
  };
  turn.lines.push(finished);
  return true;
}

/** The session as it would begin anew, after its end. */
export function afterEnd({ state, event }: Turn): ReturnType<typeof freshSession> {
  const next = freshSession(event.sessionId, state.part + 1, state.facts);
  return { ...next, noticed: state.noticed };
}
