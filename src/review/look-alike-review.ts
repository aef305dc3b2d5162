import { emptyFields, lookAlike, lookAlikeFinding } from "../llm/look-alike.ts";
import type { ChatRequest } from "../llm/chat-model.ts";
import { splitReasoning } from "../llm/reasoning.ts";
import { DIMENSIONS } from "../model/review.ts";
import type { Checked } from "../model/diagnostic.ts";
import { parseReview, type ReadReview } from "./parse-review.ts";

const label = (name: string): string => `${name.toUpperCase()} WHY`;

function fieldsOf({ comments, suggestions, edits }: ReadReview): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...DIMENSIONS.flatMap((name) => (comments[name] === undefined ? [] : [[label(name), comments[name]]])),
    ...suggestions.map((text, i) => [`SUGGESTION ${i + 1}`, text]),
    ...edits.map(({ why }, i) => [`EDIT ${i + 1}`, why]),
  ]) as Record<string, string>;
}

/**
 * Five scores of 0 are an empty form where nothing says why, or where the skill is accepted all the same. A teacher that finds a skill useless
 * says so in words of its own.
 */
function emptyScores({ scores, said, comments }: ReadReview, { messages }: ChatRequest): string | undefined {
  if (DIMENSIONS.some((name) => scores[name] !== 0)) return undefined;
  if (said === "ACCEPT")
    return "The reply only looks like one: all five scores are 0, and it accepts the skill.";
  const given = DIMENSIONS.flatMap((name) => comments[name] ?? []);
  const instructions = messages[0]?.content ?? "";
  const own = given.filter((text) => emptyFields({ text }, instructions).length === 0);
  return own.length > 0
    ? undefined
    : "The reply only looks like one: all five scores are 0, without a reason.";
}

/** `parseReview`, for which a reply that gives back the form or the prompt of its request is no review (HASP858). Never throws. */
export function readReply(reply: string, request: ChatRequest): Checked<ReadReview> {
  const read = parseReview(reply);
  const { value, diagnostics } = read;
  const why =
    value === undefined
      ? lookAlike({ request, reply: splitReasoning(reply).text })
      : (emptyScores(value, request) ?? lookAlike({ request, reply, fields: fieldsOf(value) }));
  if (why === undefined) return read;
  return { value: undefined, diagnostics: [lookAlikeFinding(why), ...diagnostics] };
}
