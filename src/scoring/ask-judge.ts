import { ModelError } from "../llm/chat-model.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Judge, JudgeTask } from "./judge.ts";

/** The reply of a judge: a verdict, none, or the message of its failure. */
export type JudgeReply =
  | { readonly verdict: Verdict | undefined; readonly failure?: never }
  | { readonly verdict?: never; readonly failure: string };

/**
 * Asks a judge whose failure must not end the work on other answers. Rejects with ModelError, which `askEach` counts, and with the signal's
 * reason on abort; every other failure is a reply.
 */
export async function askJudge(
  judge: Pick<Judge, "judge">,
  task: JudgeTask,
  signal: AbortSignal,
): Promise<JudgeReply> {
  try {
    return { verdict: await judge.judge(task, signal) };
  } catch (error) {
    if (signal.aborted || error instanceof ModelError) throw error;
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
