import { ModelError } from "../llm/chat-model.ts";
import type { Verdict } from "../model/verdict.ts";
import { verdictIn, whyNoVerdict, type Judge, type JudgeTask } from "./judge.ts";

/** A verdict, the reason why there is none if the judge gives one, or the message of its failure. */
export type JudgeReply =
  | { readonly verdict: Verdict | undefined; readonly why: string | undefined; readonly failure?: never }
  | { readonly verdict?: never; readonly why?: never; readonly failure: string };

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
    const judgement = await judge.judge(task, signal);
    return { verdict: verdictIn(judgement), why: whyNoVerdict(judgement) };
  } catch (error) {
    if (signal.aborted || error instanceof ModelError) throw error;
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
