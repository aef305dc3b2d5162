import type { DomainTexts } from "../../domains/texts.ts";
import type { StepContext } from "../../model/step-context.ts";
import { freshQuery, tellingWords } from "../../skill/fresh-query.ts";

/** Characters of evidence that a teacher sees; about 750 tokens. */
const EVIDENCE_CHARS = 3_000;
/** Characters of a question that stands for a query, where it has no telling word. */
const LONGEST_QUERY = 80;

/** The end of what was read, else of the latest results: what stands last, the policy has answered from. */
export function evidenceOf({ allReadContents, lastSearchResultsText }: StepContext): string {
  const texts = allReadContents.length > 0 ? allReadContents.join("\n---\n") : lastSearchResultsText;
  return texts === "" ? "(nothing)" : texts.slice(-EVIDENCE_CHARS);
}

/** What the agent answers from, with a heading: what it has found, or its thought where the domain has nothing to find. */
export function groundsOf(context: StepContext, { found }: Pick<DomainTexts, "found">): string {
  if (found !== undefined) return `${found}:\n${evidenceOf(context)}`;
  const thought = context.thought.slice(-EVIDENCE_CHARS);
  return `What it thought:\n${thought === "" ? "(nothing)" : thought}`;
}

/** Words of the answer that a verifying search takes along. */
const ANSWER_WORDS = 4;

/** A short search for what the question asks, with the answer's words, that has not run yet where there is one. */
export function verifyingQuery(context: StepContext, answer = ""): string {
  const wishes = { with: tellingWords(answer).slice(0, ANSWER_WORDS) };
  return (
    freshQuery(context, wishes) ??
    freshQuery(context, { ...wishes, besides: [] }) ??
    context.question.slice(0, LONGEST_QUERY).trim()
  );
}
