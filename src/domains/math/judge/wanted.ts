/** Readings of an answer that the words of its question decide. */
export interface Wanted {
  /** It asks for a percentage: `25` is 25%. */
  readonly percent: boolean;
  /** It speaks of percent, whatever it asks for. */
  readonly saysPercent: boolean;
  /** It speaks of a ratio: `3:4` is 3/4, and 6:8. */
  readonly ratio: boolean;
}

const MAX_SEARCHED = 20_000;

const ASKS_PERCENT = /\b(?:what|which|how many|as an?|in|the)\s{1,5}per\s?cent(?:age)?\b/i;

/** A sentence that asks, or says how to write the answer. */
const ASKS =
  /\?\s*$|^\W*(?:please |then )?(?:find|compute|determine|calculate|evaluate|express|write|give|state|round|enter|convert|answer|your answer|the answer)\b/i;
const ASKING_WORD =
  /\b(?:what|which|how|find|compute|determine|calculate|evaluate|express|write|give|state|by how)\b/i;
const FORM_IN_FRONT = /^\W*(?:in|as an?)\s{1,5}per\s?cent/i;
const PREMISE_BEHIND = /[,\s](?:if|given|provided|assuming|when|since|because)\s.*$/is;

/** The sentences of a question that ask, without premises such as "if the percentage of girls is 40"; the last one where none asks. */
function askedIn(question: string): string {
  const sentences = question.trim().split(/(?<=[.?!])\s+/);
  const asking = sentences.filter((one) => ASKS.test(one));
  return (asking.length > 0 ? asking : sentences.slice(-1)).map(withoutPremise).join(" ");
}

function withoutPremise(sentence: string): string {
  const start = FORM_IN_FRONT.test(sentence) ? 0 : sentence.search(ASKING_WORD);
  return sentence.slice(Math.max(0, start)).replace(PREMISE_BEHIND, "");
}

export function wantedBy(question: string): Wanted {
  const searched = question.slice(-MAX_SEARCHED);
  return {
    percent: ASKS_PERCENT.test(askedIn(searched)),
    saysPercent: /per\s?cent|%/i.test(searched),
    ratio: /\bratio\b/i.test(searched),
  };
}
