import type { TaskEnd } from "../../domains/coding-agent/background.ts";
import { codingAgent } from "../../domains/coding-agent/coding-agent.ts";
import { openSession } from "../../harness/session.ts";
import type { SavedSession } from "../../harness/session-state.ts";
import { parseJson } from "../../model/read-json.ts";
import type { Decision } from "../../model/decision.ts";
import type { Episode, Step } from "../../model/episode.ts";
import { initialContext } from "../../trace/context-at.ts";
import { asRecord, asText } from "../../trace/formats/records.ts";
import type { LiveEvent } from "../../trace/live-events.ts";
import { foldLive } from "../../trace/live-fold.ts";
import { hashOf } from "./calls.ts";
import { noTeacher } from "./judge-call.ts";
import { hookControl } from "./library.ts";
import type { RecentStep, SessionState } from "./session-store.ts";
import { after, latestTasks, type Turn } from "./turn.ts";

const jsonOf = (text: unknown): unknown => (typeof text === "string" ? parseJson(text) : undefined);

/** Steps whose answers the live file has. */
function observedIn(lines: readonly string[]): ReadonlySet<unknown> {
  const events = lines.map((line) => asRecord(jsonOf(line)));
  return new Set(events.filter(({ event }) => event === "observed").map(({ t }) => t));
}

/** The hosts' ids of calls, by step. */
function keysIn(decisions: readonly Decision[]): ReadonlyMap<number, string> {
  return new Map(
    decisions.flatMap(({ part, t, value }) => {
      const id = part === "hook_answer" ? asText(asRecord(jsonOf(value))["toolUseId"]) : undefined;
      return id === undefined || t === undefined ? [] : [[t, id] as const];
    }),
  );
}

/** The ends of tasks that the host told; our own lines, so they are as we wrote them. */
function tasksIn(decisions: readonly Decision[]): Pick<SessionState, "tasks"> {
  const ended = decisions.flatMap(({ part, value }) => {
    const told = part === "hook_tasks" ? jsonOf(value) : [];
    return Array.isArray(told) ? (told as TaskEnd[]) : [];
  });
  return ended.length === 0 ? {} : { tasks: latestTasks(ended) };
}

function recentOf(step: Step, isAnswered: boolean, key: string): RecentStep {
  const { t, executed, observation, result, extra, prompts, proposals, injected } = step;
  const brought = { ...(result !== undefined && { result }), ...(extra !== undefined && { extra }) };
  const asked = hashOf(proposals.at(-1)?.action ?? executed);
  const told = hashOf(executed);
  return {
    t,
    executed,
    key,
    asked,
    ...(prompts !== undefined && { prompts }),
    ...(told !== asked && { told }),
    ...(isAnswered && { observation, ...brought }),
    texts: isAnswered ? [] : injected.map(({ text }) => text),
  };
}

/**
 * The session as its live file tells it, where what was saved beside it is missing or older: a process was killed between the two. What a
 * person said since the last step is not in the file, and answers that were given are forgotten.
 */
export async function rebuilt(turn: Turn, lines: readonly string[]): Promise<SessionState> {
  const { state } = turn;
  const episode = foldLive(lines, state.episode).value;
  if (episode === undefined) return state;
  const { question, facts, steps, decisions = [] } = episode;
  const base = { ...state, started: true, question, facts, steps: steps.length, ...tasksIn(decisions) };
  if (steps.length === 0) return base;
  const observed = observedIn(lines);
  const open = steps.findIndex(({ t }) => !observed.has(t));
  const first = open < 0 ? steps.length : open;
  const keys = keysIn(decisions);
  return {
    ...base,
    saved: await savedAfter(turn, episode, first),
    recent: steps
      .slice(first)
      .map((step) => recentOf(step, observed.has(step.t), keys.get(step.t) ?? `#${step.t}`)),
  };
}

/** What PFs carry after all steps, with the context before step `first`. */
async function savedAfter({ library, host }: Turn, episode: Episode, first: number): Promise<SavedSession> {
  const { question, facts, steps, decisions = [] } = episode;
  const control = hookControl(library);
  const domain = codingAgent;
  const session = await openSession({
    question,
    facts,
    control,
    domain,
    host: await host(),
    library: library.skills,
    teacher: noTeacher(control),
    record: () => {},
    prefix: { steps, decisions, finalAction: domain.finalAction },
  });
  const start = initialContext(question, facts, domain.contextRules);
  const context = steps
    .slice(0, first)
    .reduce((then, step) => after(then, recentOf(step, true, ""), facts), start);
  return { ...session.save(), context };
}

/** Lines that close a step which a killed process left half told, so that the next one can begin: what was proposed last stands. */
export function closingLines(lines: readonly string[], episode: string): LiveEvent[] {
  const open = foldLive(lines, episode).value?.steps.at(-1);
  const action = open?.proposals.at(-1)?.action;
  if (open?.notRun === undefined || action === undefined) return [];
  const { t } = open;
  return [
    { event: "executed", t, action },
    { event: "observed", t, observation: "", extra: { unanswered: true } },
  ];
}
