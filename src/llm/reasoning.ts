/** How a reply begins with a model's thoughts: DeepSeek's and Qwen's form, and Mistral's. */
export const REASONING_BEGINS = /^\s*(?:<think(?:ing)?>|\[THINK\])/i;
export const REASONING_ENDS = /<\/think(?:ing)?>|\[\/THINK\]/i;
/** An end whose beginning is in the prompt, as some templates have it: it begins the reply or ends a line. */
const ENDS_ALONE = /^\s*<\/think(?:ing)?>|<\/think(?:ing)?>[^\S\n]*(?:\n|$)/i;

export interface SplitReply {
  /** The thoughts, without their tags; empty where there are none. */
  readonly reasoning: string;
  readonly text: string;
}

/** Tells the thoughts of a reasoning model from its reply. Thoughts without an end are all that the reply has. */
export function splitReasoning(whole: string): SplitReply {
  const begin = REASONING_BEGINS.exec(whole);
  const end = (begin === null ? ENDS_ALONE : REASONING_ENDS).exec(whole);
  const from = begin?.[0].length ?? 0;
  if (end === null)
    return begin === null
      ? { reasoning: "", text: whole }
      : { reasoning: whole.slice(from).trim(), text: "" };
  return {
    reasoning: whole.slice(from, end.index).trim(),
    text: whole.slice(end.index + end[0].length).trimStart(),
  };
}
