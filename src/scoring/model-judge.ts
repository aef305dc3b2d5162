import type { ChatModel, ChatRequest } from "../llm/chat-model.ts";
import { guessInputTokens } from "../llm/tokens.ts";
import type { Judge, JudgeCall, JudgeTask } from "./judge.ts";
import {
  firstPrompt,
  judgeAnswer,
  JUDGE_PROMPT,
  JUDGE_SAMPLING,
  type AskJudge,
  type JudgePrompt,
} from "./llm-judge.ts";

const requestOf = ({ system, user }: JudgePrompt): ChatRequest => ({
  messages: [
    { role: "system", content: system },
    { role: "user", content: user },
  ],
  ...JUDGE_SAMPLING,
});

/** Puts the prompts of a judge to a model. */
export function asking(model: ChatModel, signal: AbortSignal): AskJudge {
  return async (prompt) => (await model.chat(requestOf(prompt), { signal })).text;
}

function callOf({ question, answer, gold, likeness }: JudgeTask): JudgeCall | undefined {
  const prompt = gold && firstPrompt({ question, answer, gold, likeness });
  if (prompt === undefined) return undefined;
  return { inputTokens: guessInputTokens(requestOf(prompt)), outputTokens: JUDGE_SAMPLING.maxTokens };
}

/**
 * Model-based equivalence (MBE, SPEC §9) as a judge. No verdict where nothing is accepted as an answer, or the reply holds none. Rejects
 * with ModelError.
 */
export function modelJudge(model: ChatModel): Judge {
  const name = `${JUDGE_PROMPT} ${model.id}`;
  return {
    name,
    callOf,
    async judge({ question, answer, gold, likeness }, signal) {
      if (gold === undefined) return undefined;
      const { equivalent, by, reply, refused } = await judgeAnswer(
        { question, answer, gold, likeness },
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
