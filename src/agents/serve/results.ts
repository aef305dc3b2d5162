import { REFUSE } from "../../model/coding-tools.ts";
import type { Action } from "../../model/action.ts";
import type { Outcome, Proposal, Step } from "../../model/episode.ts";
import type { PfEvent } from "../../model/intervention.ts";
import type { Params } from "./protocol.ts";

/** How an episode ended. */
export interface Ended {
  readonly steps: number;
  readonly stopReason: string;
  readonly outcome: Outcome;
  readonly answer?: string;
}

/** A text of a skill, as the client gets it. */
export interface SkillText {
  readonly skill_id: string;
  readonly text: string;
}

/** The end of the message in which the agent's model reads the texts of a reply; absent where there are none, or nothing follows. */
interface Formed {
  readonly form?: string;
}

/** What the client reads before its next step; `stopped`: there is none, a budget is used up. */
export interface Next extends Formed {
  readonly instructions: readonly SkillText[];
  readonly stopped?: string;
  /** With `stopped`: an earlier answer that was not taken is the episode's after all. */
  readonly answer?: string;
}

interface ServedEvent {
  readonly skill_id: string;
  readonly status: string;
  readonly reason: string;
  readonly by?: string;
}

/** The texts that the client reads after an action has run. */
export interface Observed extends Next {
  /** Contexts of skills that looked at the observation: the agent reads them with it. Absent where there is none. */
  readonly injected?: readonly SkillText[];
}

/** The decision on one proposal. */
export interface Judged {
  /** What the client runs. While `hold_back`, the FINAL that would run if the agent insists. */
  readonly executed: Action;
  readonly injected: readonly SkillText[];
  /** The agent reads `injected` and proposes again in the same step. */
  readonly hold_back: boolean;
  readonly events: readonly ServedEvent[];
}

/** What else comes of a step: nothing where its action is to be run. */
export interface Outcomes extends Partial<Next> {
  /** A FINAL stands: the episode has this answer and is over. */
  readonly answer?: string;
  /** A FINAL was not taken: the agent reads this note, and goes on with the next step. */
  readonly again?: string;
  /** Another action than the proposed one is to be run: its model reads this line before the observation. */
  readonly rewritten?: string;
}

/** The reply has a text that the agent's model reads before it acts again. */
export function isRead(reply: Partial<Judged & Outcomes & Observed>): boolean {
  const { executed, injected = [], instructions = [], again, rewritten, stopped, answer } = reply;
  if (stopped !== undefined || answer !== undefined) return false;
  const hasText = again !== undefined || rewritten !== undefined || executed?.type === REFUSE;
  return hasText || injected.length > 0 || instructions.length > 0;
}

export const textOf = ({ skillId, text }: { skillId: string; text: string }): SkillText => ({
  skill_id: skillId,
  text,
});

export const eventOf = ({ skillId, status, reason, by }: PfEvent): ServedEvent => ({
  skill_id: skillId,
  status,
  reason,
  ...(by !== undefined && { by }),
});

/** How the tool ended, as an episode says it; undefined where the client said nothing. */
export function resultOf({ result }: Params<"observe">): Step["result"] {
  if (result === undefined) return undefined;
  const { exit_code: exitCode, ok } = result;
  return { ...(exitCode !== undefined && { exitCode }), ...(ok !== undefined && { ok }) };
}

/** `messages`: the id under which the record has the messages of the step. */
export function proposalOf(
  { thought, action, usage, completion, world }: Params<"step">,
  messages: string | undefined,
): Proposal {
  const { type, arg, raw } = action;
  const said = {
    thought,
    action: { type, arg, ...(raw !== undefined && { raw }) },
    ...(completion !== undefined && { completion }),
    ...(messages !== undefined && { messages }),
    ...(world !== undefined && { world }),
  };
  if (usage === undefined) return said;
  const { input_tokens: inputTokens, output_tokens: outputTokens, cost, latency_ms: latencyMs } = usage;
  const more = { ...(cost !== undefined && { cost }), ...(latencyMs !== undefined && { latencyMs }) };
  return { ...said, usage: { inputTokens, outputTokens, ...more } };
}
