import { sameAction, type Action } from "../../model/action.ts";
import type { World } from "../../model/coding-context.ts";
import type { Proposal } from "../../model/episode.ts";
import { CODING_TOOLS } from "../../model/coding-tools.ts";
import type { Degradation } from "../../model/hook-degradations.ts";
import { argOfInput } from "../../trace/canonical-input.ts";
import { hashText } from "../../trace/hash.ts";
import { clipAnswer, clipInput, MAX_INPUT } from "./clip.ts";
import { carryCall, changedText, type Carried } from "./degrade.ts";
import type { HookTool } from "./event.ts";
import { judgeNext, proposeUnasked } from "./judge-call.ts";
import type { RecentStep } from "./session-store.ts";
import { begin, change, decided, settle, takeStep, type Turn } from "./turn.ts";
import { ALLOW, type HookVerdict } from "./verdict.ts";
import { worldFor } from "./world.ts";

/** Milliseconds within which one call may reach us twice where the host gives it no id. */
const TWICE_MS = 1_000;

interface AskedCall {
  readonly tool: HookTool;
  readonly action: Action;
  /** What tells it from other calls. */
  readonly hash: string;
  /** Characters of its input. */
  readonly size: number;
  /** `action` holds a part of the input only. */
  readonly isCut: boolean;
}

/** Tools of which a part says enough to judge by: a command, or the path of a file. Of an edit it would say something else. */
const JUDGED_IN_PART: ReadonlySet<string> = new Set([
  CODING_TOOLS.Bash,
  CODING_TOOLS.PowerShell,
  CODING_TOOLS.Write,
]);

/** The call in canonical words, as the record has it. */
function askedCall(turn: Turn, tool: HookTool): AskedCall {
  const { type, input } = turn.adapter.canonical(tool, turn.state.facts.cwd);
  const arg = argOfInput(type, input);
  const size = arg.length;
  const isCut = size > MAX_INPUT;
  const kept = isCut ? clipInput(input, type) : arg;
  return { tool, action: { type, arg: kept }, hash: hashOf({ type, arg: kept }, size), size, isCut };
}

/** What tells a call from others; `size`: the characters of its whole input. */
export function hashOf({ type, arg }: Action, size = arg.length): string {
  return hashText(`${type} ${size} ${arg}`);
}

const openSteps = ({ state }: Turn): readonly RecentStep[] =>
  state.recent.filter(({ observation }) => observation === undefined);

/** The key of a call: the host's id; where it has none, that of the same call a moment ago, else a new one. */
function keyOf(turn: Turn, { hash }: AskedCall): string {
  const { toolUseId, at = turn.now } = turn.event;
  if (toolUseId !== undefined) return toolUseId;
  const same = openSteps(turn).find(
    (step) => step.asked === hash && Math.abs((step.at ?? 0) - at) <= TWICE_MS,
  );
  return same?.key ?? `#${turn.state.steps}`;
}

export function givenBefore(turn: Turn, key: string): HookVerdict | undefined {
  return turn.state.answers.find((given) => given.key === key)?.verdict;
}

/** The same event again, perhaps from a host that reads another one's configuration: the same answer, in its words. */
function again(turn: Turn, call: AskedCall, key: string): HookVerdict | undefined {
  const given = turn.state.answers.find((one) => one.key === `pre:${key}`);
  if (given === undefined || given.host === turn.event.host || given.verdict.kind !== "change")
    return given?.verdict;
  const step = turn.state.recent.find((one) => one.key === key);
  if (step === undefined) return given.verdict;
  return { ...given.verdict, ...carry(turn, call, step.executed, given.verdict.reason).verdict };
}

function carry(turn: Turn, { tool, action, isCut }: AskedCall, wanted: Action, reason: string): Carried {
  const { adapter, event, state, library } = turn;
  const nobodyToAsk = event.unattended && adapter.asks && library.settings.rewrite === "ask";
  const abilities = adapter.abilities(event.kind);
  // Other inputs would be made of the part that was judged, and lose the rest.
  const can = isCut || event.isSkillLine === true ? { ...abilities, change: false } : abilities;
  const { cwd } = state.facts;
  return carryCall({ adapter, can, tool, proposed: action, wanted, cwd, nobodyToAsk, reason });
}

/** What of the texts the agent reads with which answer. A refused call has no later one. */
function place(turn: Turn, { verdict }: Carried, texts: readonly string[]) {
  const { adapter, event } = turn;
  const atPre = adapter.abilities("pre").inject && event.isSkillLine !== true;
  if (texts.length === 0) return { now: [], later: [], late: [], verdict };
  if (verdict.kind !== "refuse") {
    if (event.isSkillLine === true) return { now: [], later: [], late: texts, verdict };
    if (adapter.abilities("post").inject) return { now: [], later: texts, late: [], verdict };
    return atPre
      ? { now: texts, later: [], late: [], verdict }
      : { now: [], later: [], late: texts, verdict };
  }
  if (atPre) return { now: texts, later: [], late: [], verdict };
  return {
    now: [],
    later: [],
    late: [],
    verdict: { ...verdict, text: [verdict.text, ...texts].join("\n\n") },
  };
}

interface JudgedCall extends Carried {
  readonly texts: readonly string[];
  /** The text that tells the agent of the change, if the change is carried out. */
  readonly changed?: string;
}

async function judgeCall(turn: Turn, call: AskedCall): Promise<JudgedCall> {
  const proposal: Proposal = { thought: "", action: call.action };
  if (call.isCut && !JUDGED_IN_PART.has(call.action.type)) {
    proposeUnasked(turn, proposal, `The input has ${call.size} characters; PFs see up to ${MAX_INPUT}.`);
    return { verdict: ALLOW, executed: call.action, texts: [] };
  }
  const world = turn.seen ?? (await worldFor(turn, proposal));
  const seen = Object.keys(world).length === 0 ? proposal : { ...proposal, world };
  const { executed: wanted, injected, holdBack, reason } = await judgeNext(turn, seen);
  // Only a FINAL is held back, and a tool that is called so has another type.
  if (holdBack) throw new Error("A call was held back.");
  const carried = carry(turn, call, wanted, reason);
  if (!sameAction(carried.executed, wanted)) recordDegraded(turn, wanted, carried.degraded);
  return {
    ...carried,
    texts: injected.map(({ text }) => text),
    ...(carried.verdict.kind === "change" && { changed: changedText(wanted, reason) }),
  };
}

/** What Γ wanted of the step under way, which the host cannot do. */
export function recordDegraded(turn: Turn, wanted: Action, degraded: Degradation | undefined): void {
  decided(turn, {
    part: "hook_degraded",
    t: turn.state.steps,
    by: "code",
    reason: degraded ?? "",
    value: JSON.stringify({ type: wanted.type, arg: wanted.arg }),
  });
}

/** A call is about to run. */
export async function onCall(turn: Turn, tool: HookTool): Promise<HookVerdict> {
  begin(turn, "");
  const call = askedCall(turn, tool);
  const key = keyOf(turn, call);
  const before = again(turn, call, key);
  if (before !== undefined) return before;
  const carried = await judgeCall(turn, call);
  const placed = place(turn, carried, carried.texts);
  const notes: Degradation[] = carried.degraded === undefined ? [] : [carried.degraded];
  if (placed.late.length > 0) notes.push("late-context");
  const answer = { ...ALLOW, ...placed.verdict, injects: placed.now, degraded: notes };
  const { executed, changed } = carried;
  settleCall(turn, call, key, { executed, answer, later: placed.later, changed });
  change(turn, { late: [...turn.state.late, ...placed.late] });
  return answer;
}

interface Settled {
  readonly executed: Action;
  readonly answer: HookVerdict;
  /** Texts that the agent reads with the call's answer. */
  readonly later: readonly string[];
  readonly changed?: string | undefined;
}

/** The step of a call that was answered: what runs of it, and what later events tell it by. */
function settleCall(turn: Turn, call: AskedCall, key: string, settled: Settled): void {
  const { executed, answer, later, changed } = settled;
  const refused = answer.kind === "refuse";
  const isOver = refused || turn.event.isSkillLine === true;
  const t = turn.state.steps;
  turn.lines.push({ event: "executed", t, action: executed });
  const unanswered = refused ? {} : { extra: { unanswered: true } };
  if (isOver) turn.lines.push({ event: "observed", t, observation: "", ...unanswered });
  takeStep(turn, {
    executed,
    key,
    asked: call.hash,
    at: turn.event.at ?? turn.now,
    texts: later,
    ...(changed !== undefined && { changed }),
    ...(answer.kind === "change" && { told: toldHash(turn, call.tool, answer.input) }),
    ...(isOver && { observation: "", ...unanswered }),
  });
  change(turn, { callsSinceHold: turn.state.callsSinceHold + (refused ? 0 : 1) });
  remember(turn, `pre:${key}`, answer);
}

interface GivenCall {
  readonly verdict: HookVerdict;
  /** Undefined: the call as it was proposed. */
  readonly executed: Action | undefined;
  readonly world: World | undefined;
  /** Why no PF is asked. */
  readonly reason: string;
}

/** The step of a call whose answer is out already, and that no PF is asked about. */
export function settleGivenCall(
  turn: Turn,
  tool: HookTool,
  { verdict, executed, world, reason }: GivenCall,
): void {
  const call = askedCall(turn, tool);
  proposeUnasked(turn, { thought: "", action: call.action, ...(world !== undefined && { world }) }, reason);
  const ran = executed ?? call.action;
  const changed = verdict.kind === "change" ? changedText(ran, "") : undefined;
  const settled = { executed: ran, answer: verdict, later: [], changed };
  settleCall(turn, call, keyOf(turn, call), settled);
}

function toldHash(turn: Turn, tool: HookTool, input: unknown): string {
  return askedCall(turn, { name: tool.name, input }).hash;
}

/** Answers that are remembered, and how many of them with everything that was in them. */
const REMEMBERED = 64;
const WHOLE = 8;
const SMALL = 4_000;

export function remember(turn: Turn, key: string, verdict: HookVerdict): void {
  const given = { key, at: turn.now, host: turn.event.host, verdict };
  const answers = [...turn.state.answers, given].slice(-REMEMBERED);
  const old = answers.length - WHOLE;
  change(turn, {
    answers: answers.filter((one, i) => i >= old || JSON.stringify(one.verdict).length <= SMALL),
  });
}

function follow(turn: Turn, t: number, followed: boolean, reason: string): void {
  decided(turn, { part: "hook_followed", t, by: "code", value: followed, reason });
}

/** The host ran what it was told, and that is not what the agent wrote. */
const ranChanged = ({ told }: RecentStep, ran: AskedCall): boolean => told !== undefined && ran.hash === told;

/** What the host ran, next to what it was told. */
function compare(turn: Turn, step: RecentStep, ran: AskedCall): void {
  const { t, asked, told } = step;
  if (ranChanged(step, ran)) follow(turn, t, true, "The host ran the changed call.");
  else if (told !== undefined && ran.hash === asked)
    follow(turn, t, false, "The host ran the call as it was proposed, without our change.");
  else if (ran.hash !== (told ?? asked))
    follow(turn, t, false, `The host ran another input than it was told: ${ran.action.arg.slice(0, 300)}`);
}

/** A call whose own event never came, or that was refused: it did run, so later steps must know of it. */
function adopt(turn: Turn, call: AskedCall, key: string): RecentStep | undefined {
  const given = givenBefore(turn, `pre:${key}`)?.kind;
  const refused = given === "refuse";
  const asked =
    given === undefined
      ? "The host did not ask before it ran."
      : "Its answer came after the agent had stopped.";
  const reason = refused ? "The host ran it although it was refused." : asked;
  proposeUnasked(turn, { thought: "", action: call.action }, reason);
  const t = turn.state.steps;
  if (refused) follow(turn, t, false, reason);
  turn.lines.push({ event: "executed", t, action: call.action });
  takeStep(turn, { executed: call.action, key, asked: call.hash, texts: [] });
  return turn.state.recent.find((step) => step.t === t);
}

/** A call has run, or failed. */
export function onAnswer(turn: Turn, tool: HookTool): HookVerdict {
  const call = askedCall(turn, tool);
  const { toolUseId, response } = turn.event;
  const open = openSteps(turn);
  const known =
    toolUseId === undefined
      ? open.find(({ asked, told }) => (told ?? asked) === call.hash || asked === call.hash)
      : open.find(({ key }) => key === toolUseId);
  const before = toolUseId === undefined ? undefined : givenBefore(turn, `post:${toolUseId}`);
  if (known === undefined && before !== undefined) return before;
  begin(turn, "");
  const step = known ?? adopt(turn, call, toolUseId ?? `#${turn.state.steps}`);
  if (step === undefined) return ALLOW;
  if (known !== undefined) compare(turn, known, call);
  const { text = "", ok, exitCode } = response ?? {};
  const result = { ...(ok !== undefined && { ok }), ...(exitCode !== undefined && { exitCode }) };
  const brought = Object.keys(result).length === 0 ? {} : { result };
  const observation = clipAnswer(text);
  turn.lines.push({ event: "observed", t: step.t, observation, ...brought });
  change(turn, {
    recent: turn.state.recent.map((one) => (one.t === step.t ? { ...one, observation, ...brought } : one)),
  });
  settle(turn);
  const changed = step.changed !== undefined && ranChanged(step, call) ? [step.changed] : [];
  const answer = { ...ALLOW, injects: [...changed, ...step.texts] };
  remember(turn, `post:${step.key}`, answer);
  return answer;
}
