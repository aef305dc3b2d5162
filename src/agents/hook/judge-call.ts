import { codingAgent } from "../../domains/coding-agent/coding-agent.ts";
import { openSession, type Judgement } from "../../harness/session.ts";
import type { Control } from "../../model/control.ts";
import { teacherClient, type TeacherClient } from "../../harness/teacher.ts";
import type { Proposal } from "../../model/episode.ts";
import type { LiveEvent } from "../../trace/live-events.ts";
import { hookControl } from "./library.ts";
import { baseContext, change, closeHeld, contextNow, decided, type Turn } from "./turn.ts";

/** What Γ says of a proposal, and the reason of the PF that changed it. */
export interface Judged extends Judgement {
  readonly reason: string;
}

type JudgedEvent = Extract<LiveEvent, { event: "judged" }>;

/**
 * Γ on the next proposal of the session: the same session as in `hasp run` and `hasp serve` (harness/session.ts), opened where the process
 * before left it. Γ takes the first of several changes; what it leaves is not judged again in the same call, but in the agent's next one.
 */
export async function judgeNext(turn: Turn, proposal: Proposal): Promise<Judged> {
  const { state, library } = turn;
  const { steps: t, question, facts } = state;
  const control = hookControl(library);
  let judged: JudgedEvent | undefined;
  const task = {
    question,
    facts,
    control,
    host: await turn.host(),
    library: library.skills,
    domain: codingAgent,
    teacher: noTeacher(control),
    record(event: LiveEvent) {
      if (event.event === "judged") judged = event;
      turn.lines.push(event);
    },
  };
  // Opened for the first time, it selects and says why; what it then starts from is ours to say, as with every later proposal.
  const saved = state.saved ?? (await openSession(task)).save();
  const session = await openSession({ ...task, saved: { ...saved, context: contextNow(state) } });
  propose(turn, t, proposal);
  const judgement = await session.judge(t, proposal);
  change(turn, { saved: { ...session.save(), context: baseContext(state) } });
  const reason = judged?.events.find(
    ({ status, intervention }) => status === "applied" && intervention?.type === "MODIFY_ACTION",
  )?.reason;
  return { ...judgement, reason: reason ?? "" };
}

/** A hook asks no model. */
export function noTeacher(control: Control): TeacherClient {
  const { signal } = new AbortController();
  return teacherClient({ model: undefined, control, signal, redact: (text) => text, spend: () => {} });
}

/** The proposal, told to the record; the second one of a step after a FINAL that was held back. */
function propose(turn: Turn, t: number, proposal: Proposal): void {
  const { held, prompts, recent } = turn.state;
  const open = recent.filter(({ observation }) => observation === undefined).map(({ t }) => t);
  const first = held === undefined;
  turn.lines.push({
    event: "proposed",
    t,
    proposal,
    ...(first && prompts.length > 0 && { prompts: [...prompts] }),
    ...(first && open.length > 0 && { unanswered: open }),
  });
}

/** A proposal that no PF is asked about, with the reason; judging the record leaves it out as well (analysis/judge.ts). */
export function proposeUnasked(turn: Turn, proposal: Proposal, reason: string): void {
  // Judging the record leaves out whole steps: what was held back ends as one of its own.
  closeHeld(turn);
  const { steps: t } = turn.state;
  const events = turn.library.skills.map(({ skill: { skillId } }) => ({
    skillId,
    proposal: 0,
    status: "skipped" as const,
    reason,
  }));
  propose(turn, t, proposal);
  turn.lines.push({ event: "judged", t, events, injected: [] });
  decided(turn, { part: "hook_unasked", t, by: "code", reason });
}
