import type { ContextRules } from "../../trace/context-at.ts";

/**
 * How search tools say that they found nothing: a Wikipedia tool that names similar titles, its lookup, a web search
 * that printed an empty result, and plain words.
 */
const NOTHING_FOUND = [
  /^could not find \[/i,
  /^could not find that page\b/i,
  /^no results?\b[^a-z]*(?:found\b.{0,80})?$/is,
  /^there are no search results\b/i,
  /^no (?:good )?search results? (?:was |were )?found\b/i,
  /^(?:none|null|\[\s*\]|\{\s*\})$/i,
];

/** Words that say outright that accounts differ. */
const CONFLICT =
  /\b(?:contradict(?:s|ed|ory|ion|ions)?|conflicting|disput(?:ed|es)|contrary to|disagree(?:s|d|ment)?|inconsistent with|erroneously|incorrectly|mistakenly|debunked|discrepanc(?:y|ies)|other sources|some sources)\b/gi;
/** Words that set one statement against another, common in sound prose. */
const CONTRAST =
  /\b(?:however|although|whereas|despite|nevertheless|on the other hand|in contrast|while others|others say)\b/gi;
/** As many as SPEC §3 (adversarial_distraction) takes for a sign. */
const CONTRASTS = 3;

export const webSearchRules: ContextRules = {
  isEmptySearch(observation) {
    const text = observation.trim();
    return text === "" || NOTHING_FOUND.some((pattern) => pattern.test(text));
  },
  contradicts(text) {
    const conflicts = text.match(CONFLICT)?.length ?? 0;
    return conflicts > 0 || (text.match(CONTRAST)?.length ?? 0) >= CONTRASTS;
  },
};
