import type { Action } from "../../model/action.ts";
import { FINAL } from "../../model/action-types.ts";
import {
  type DomainFacts,
  EPISODE_SCHEMA,
  type Episode,
  type Origin,
  type Outcome,
  type Proposal,
  type Step,
} from "../../model/episode.ts";
import { CODING_ACTIONS } from "../../model/coding-tools.ts";
import { AGENT, CODING_AGENT } from "../../model/domain-names.ts";
import type { Usage } from "../../model/usage.ts";
import { splitWords } from "../../skill/asking/own-words.ts";
import { hashText } from "../hash.ts";
import { actionOfCall } from "./call-action.ts";
import { settledTurns } from "./coding-turns.ts";
import { OpenCalls } from "./open-calls.ts";
import { type PromptSource, withPrompts } from "./talk.ts";
import type { AgentTurn, ReadEpisode, ReadPrompt, ToolCall, Turn } from "./turn.ts";
import { sumOfUsages } from "./counts.ts";
import { compact } from "./records.ts";

/** Agents rarely know a limit of their own; this one says that none is known (docs/formats.md, "Imports"). */
export const NO_KNOWN_LIMIT = 10_000;

/** Calls of one turn that a step counts as still unanswered: each of 50,000 naming all before it would be a billion numbers. */
const MOST_UNANSWERED = 100;

type ResultTurn = Extract<Turn, { kind: "result" }>;

/** What an importer knows of an episode besides what was said. */
export interface Conversation {
  readonly id: string;
  readonly source: string;
  readonly turns: readonly Turn[];
  /** It is a coding agent's, in this folder where it is known. */
  readonly coding?: { readonly cwd: string | undefined } | undefined;
  /** Where the format names the task itself; else the first words of the user are the question. */
  readonly question?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** The episode that it came out of. */
  readonly origin?: Origin | undefined;
  /** How much of what the agent read the turns tell; undefined: nothing that a model could be trained on, but for turns with `read`. */
  readonly prompts?: PromptSource | undefined;
  readonly answer?: string | undefined;
  readonly gold?: readonly string[] | undefined;
  readonly stopReason?: string | undefined;
  readonly maxSteps?: number | undefined;
  readonly settings?: Record<string, unknown> | undefined;
  readonly cost?: Usage | undefined;
  readonly extra?: Record<string, unknown> | undefined;
}

interface Draft {
  readonly coding: boolean;
  /** What the agent read before each step. */
  readonly read: (ReadPrompt | undefined)[];
  readonly steps: Step[];
  /** What a person said since the latest step of a coding agent. */
  prompts: string[];
  /** Ids of calls to the steps that made them. */
  readonly calls: Map<string, number>;
  readonly waiting: OpenCalls;
  readonly before: { question: string | undefined; readonly prelude: string[] };
}

/**
 * The episode of a conversation. Each call of a tool is a step, the first of a turn with its thought; a turn without a
 * call is a FINAL where the format says that the agent ended there, else `other`. What the tools, the user and the system
 * said after a step is its observation; what they said before the first, but for the question, is the prelude. What a person says to
 * a coding agent after the question is a prompt of the next step.
 */
export function episodeOf(conversation: Conversation): ReadEpisode {
  const { coding, prompts: source } = conversation;
  const draft: Draft = {
    coding: coding !== undefined,
    read: [],
    steps: [],
    prompts: [],
    calls: new Map(),
    waiting: new OpenCalls(),
    before: { question: conversation.question, prelude: [] },
  };
  const told = source === undefined ? conversation.turns : withPrompts(conversation.turns, source);
  const turns = coding === undefined ? told : settledTurns(told);
  turns.forEach((turn, index) => take(draft, turn, index));
  if (draft.coding) markUnanswered(draft);
  const question = draft.before.question ?? "";
  const last = draft.coding ? draft.steps.slice(-1) : draft.steps;
  const final = last.findLast((step) => step.executed.type === FINAL);
  const answer = conversation.answer ?? final?.executed.arg;
  const prelude = draft.before.prelude.join("\n\n");
  const cost = conversation.cost ?? sumOfUsage(draft.steps);
  const { outcome, origin } = conversation;
  const episode: Episode = {
    schema: EPISODE_SCHEMA,
    id: conversation.id,
    questionId: `q-${hashText(question)}`,
    // The run that it is imported into gives it a number of its own where the question has others.
    sample: 1,
    outcome: outcome ?? "unjudged",
    length: draft.steps.length,
    question,
    source: conversation.source,
    ...(origin === undefined ? {} : { origin }),
    facts: factsOf(conversation, draft.steps),
    ...(conversation.settings === undefined ? {} : { settings: conversation.settings }),
    library: [],
    ...(prelude === "" ? {} : { prelude }),
    steps: draft.steps,
    ...(answer === undefined ? {} : { answer }),
    ...(conversation.gold === undefined ? {} : { gold: [...conversation.gold] }),
    stopReason: conversation.stopReason ?? (answer === undefined ? "halted" : "final"),
    ...(cost === undefined ? {} : { cost }),
    ...extraOf(conversation.extra, draft.prompts),
  };
  return { episode, prompts: draft.read };
}

function factsOf({ coding, maxSteps }: Conversation, steps: readonly Step[]): DomainFacts {
  const seen = new Set(steps.map((step) => step.executed.type));
  const types = [...seen].filter((type) => type !== "other" && type !== "invalid");
  const own = types.filter((type) => !CODING_ACTIONS.includes(type));
  return {
    domain: coding === undefined ? AGENT : CODING_AGENT,
    actionTypes: coding === undefined ? types : [...CODING_ACTIONS, ...own],
    searchReturnsText: false,
    maxSteps: maxSteps ?? NO_KNOWN_LIMIT,
    ...(coding?.cwd === undefined ? {} : { cwd: coding.cwd }),
  };
}

/** A person's last words, which no step followed, are kept. */
function extraOf(
  extra: Record<string, unknown> | undefined,
  prompts: readonly string[],
): { readonly extra?: Record<string, unknown> } {
  if (prompts.length > 0) return { extra: { ...extra, promptsAfterLastStep: prompts } };
  return extra === undefined ? {} : { extra };
}

/** Calls whose answers never came: the person said no, or the file ends. */
function markUnanswered(draft: Draft): void {
  for (const t of draft.waiting.all()) {
    const step = draft.steps[t];
    if (step !== undefined) draft.steps[t] = { ...step, extra: { ...step.extra, unanswered: true } };
  }
}

/** Text that a host says to a coding agent in the user's place is the system's. */
function take(draft: Draft, turn: Turn, index: number): void {
  if (!draft.coding || turn.kind !== "user") return takeTurn(draft, turn, index);
  const { own, host } = splitWords(turn.text);
  if (host === "") return takeTurn(draft, turn, index);
  takeTurn(draft, { kind: "system", text: host }, index);
  if (own !== "") takeTurn(draft, { ...turn, text: own }, index);
}

function takeTurn(draft: Draft, turn: Turn, index: number): void {
  if (turn.kind === "agent") {
    for (const step of stepsOf(turn, index, draft)) addStep(draft, step);
    return;
  }
  if (turn.kind === "result") {
    observe(draft, stepOfResult(draft, turn.callId), turn.text, turn);
    return;
  }
  const isPrompt = draft.before.question !== undefined || draft.steps.length > 0;
  if (draft.coding && turn.kind === "user" && isPrompt) {
    // The question itself may stand among the turns as well.
    if (draft.steps.length > 0 || turn.text !== draft.before.question) draft.prompts.push(turn.text);
  } else if (draft.steps.length > 0) observe(draft, draft.steps.length - 1, turn.text, noticeIn(turn.text));
  else if (turn.kind === "user" && draft.before.question === undefined) draft.before.question = turn.text;
  else if (turn.text !== draft.before.question) draft.before.prelude.push(turn.text);
}

/** The host tells of a task in the background; in the answer of a tool the same words would be the tool's. */
const noticeIn = (text: string): Partial<Pick<ResultTurn, "extra">> =>
  text.includes("<task-notification>") ? { extra: { notified: true } } : {};

interface NewStep {
  readonly step: Step;
  readonly call: ToolCall | undefined;
  readonly read: ReadPrompt | undefined;
}

function addStep(draft: Draft, { step, call, read }: NewStep): void {
  draft.steps.push(step);
  draft.read.push(read);
  if (call === undefined) return;
  draft.waiting.add(step.t, call.id !== undefined);
  if (call.id !== undefined) draft.calls.set(call.id, step.t);
}

/** A result belongs to the call it names, else to the first that waits for one and could be meant, else to the last step. */
function stepOfResult({ calls, steps, waiting }: Draft, callId: string | undefined): number {
  const named = callId === undefined ? undefined : calls.get(callId);
  const meant = callId === undefined ? waiting.first() : waiting.firstNameless();
  const t = named ?? meant;
  if (t !== undefined) waiting.answer(t);
  return t ?? steps.length - 1;
}

function observe(
  draft: Draft,
  t: number,
  text: string,
  { extra, result }: Partial<Pick<ResultTurn, "extra" | "result">> = {},
): void {
  const step = draft.steps[t];
  // A result before any call: text that the agent was given.
  if (step === undefined) {
    draft.before.prelude.push(text);
    return;
  }
  const observation =
    step.observation === "" || text === "" ? step.observation + text : `${step.observation}\n\n${text}`;
  const merged = extra === undefined ? step.extra : { ...step.extra, ...extra };
  draft.steps[t] = {
    ...step,
    observation,
    ...(result === undefined ? {} : { result }),
    ...(merged === undefined ? {} : { extra: merged }),
  };
}

function stepsOf(turn: AgentTurn, index: number, draft: Draft): NewStep[] {
  const from = draft.steps.length;
  const prompts = draft.prompts.splice(0);
  const calls = turn.calls.length === 0 ? [undefined] : turn.calls;
  const words = [turn.reasoning, turn.text].filter((part) => part !== "").join("\n\n");
  return calls.map((call, place) => {
    const action = call === undefined ? messageAction(turn) : (call.action ?? actionOfCall(call));
    const thought = place > 0 ? "" : call === undefined ? turn.reasoning : words;
    const usage = place === 0 && turn.usage !== undefined ? { usage: turn.usage } : {};
    // The reply is that of the whole turn, so only its first step has it.
    const reply = place === 0 ? replyOf(turn) : {};
    // Calls of one turn were decided together: `turn` says so.
    const together = calls.length > 1 ? { turn: index } : {};
    const named = call?.id === undefined ? {} : { callId: call.id };
    const extra = compact({ ...together, ...named, ...(place === 0 ? turn.extra : {}), ...call?.extra });
    const waiting = draft.coding ? Math.min(place, MOST_UNANSWERED) : 0;
    const open = Array.from({ length: waiting }, (_, before) => from + place - waiting + before);
    const step: Step = {
      t: from + place,
      ...(place === 0 && prompts.length > 0 ? { prompts } : {}),
      ...(open.length === 0 ? {} : { unanswered: open }),
      proposals: [{ thought, action, ...reply, ...usage }],
      events: [],
      executed: action,
      injected: [],
      observation: "",
      ...(extra === undefined ? {} : { extra }),
    };
    return { step, call, read: place === 0 ? turn.read : undefined };
  });
}

/** What a proposal says of the reply that it was read from, and of what came before it. */
function replyOf({ read, completion }: AgentTurn): Pick<Proposal, "completion" | "fromTranscript"> {
  if (completion === undefined) return {};
  return { completion, ...(read?.fromTranscript === true && { fromTranscript: true as const }) };
}

function messageAction({ text, ends }: AgentTurn): Action {
  if (ends === true) return { type: FINAL, arg: text };
  return text === "" ? { type: "invalid", arg: "", raw: "" } : { type: "other", arg: text, raw: text };
}

/** Of all steps together; undefined where none tells. */
function sumOfUsage(steps: readonly Step[]): Usage | undefined {
  return sumOfUsages(
    steps.flatMap((step) => step.proposals.flatMap(({ usage }) => (usage === undefined ? [] : [usage]))),
  );
}
