/** Sessions of other programs, as training data are made of them: chats with calls of tools, in the form of OpenAI. */

export interface ChatLine {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
  readonly reasoning?: string;
}

export interface Chat {
  readonly id: string;
  readonly messages: readonly ChatLine[];
}

/** A call of a reply. */
export const toolCall = (id: string, name: string, args: object): object => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});

export const calls = (content: string | null, ...made: readonly object[]): ChatLine => ({
  role: "assistant",
  content,
  tool_calls: made,
});

export const answered = (id: string, content: string): ChatLine => ({
  role: "tool",
  tool_call_id: id,
  content,
});

export const SYSTEM = "You look after a garden.";
export const QUESTION = "Which bed needs water?";

/** A chat with so many steps: one call of a tool each, and an answer at the end. */
export function chatOf(id: string, steps: number, question = QUESTION): Chat {
  const looks = Array.from({ length: steps - 1 }, (_, i) => [
    calls(`I look at bed ${i}.`, toolCall(`${id}-${i}`, "look", { bed: i })),
    answered(`${id}-${i}`, `bed ${i} is wet`),
  ]);
  return {
    id,
    messages: [
      { role: "system", content: SYSTEM },
      { role: "user", content: question },
      ...looks.flat(),
      { role: "assistant", content: "None." },
    ],
  };
}
