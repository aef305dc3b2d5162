import type { ChatModel } from "../llm/chat-model.ts";
import type { Judge } from "./judge.ts";
import { judgeAnswer, JUDGE_PROMPT, JUDGE_SAMPLING, type AskJudge } from "./llm-judge.ts";

/** Puts the prompts of a judge to a model. */
export function asking(model: ChatModel, signal: AbortSignal): AskJudge {
  return async ({ system, user }) => {
    const messages = [
      { role: "system", content: system },
      { role: "user", content: user },
    ] as const;
    return (await model.chat({ messages, ...JUDGE_SAMPLING }, { signal })).text;
  };
}

/**
 * Model-based equivalence (MBE, SPEC §9) as a judge. No verdict where nothing is accepted as an answer, or the reply holds none. Rejects
 * with ModelError.
 */
export function modelJudge(model: ChatModel): Judge {
  const name = `${JUDGE_PROMPT} ${model.id}`;
  return {
    name,
    async judge({ question, answer, gold }, signal) {
      if (gold === undefined) return undefined;
      const { equivalent, by, reply, refused } = await judgeAnswer(
        { question, answer, gold },
        asking(model, signal),
      );
      if (equivalent === undefined) return undefined;
      const evidence = {
        by,
        ...(reply !== undefined && { reply }),
        ...(refused !== undefined && { refused }),
      };
      return { judge: name, score: equivalent ? 1 : 0, passed: equivalent, evidence };
    },
  };
}
