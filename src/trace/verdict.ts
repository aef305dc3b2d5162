/**
 * How the two public trajectory files print the judgement: Reflexion's and FireAct's environments say it in the last
 * observation, and once a policy's text repeats it. Case matters: a thought may well speak of whether an "answer is correct".
 */
const VERDICT =
  /(?:\bObservation(?: \d{1,4})?:\s{0,8})?(?:Answer is (?:IN)?CORRECT|(?:Episode finished,\s{0,8})?reward = (?:True|False))/g;

/** The text without any judgement of the answer; one that stood within a text leaves `…`, so that its halves form no other. */
export function stripVerdict(text: string): string {
  const rest = text.split(VERDICT);
  if (rest.length === 1) return text;
  return rest
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" … ");
}

/** `stripVerdict` on every string of a JSON value; keys stay. */
export function stripVerdicts(value: unknown): unknown {
  if (typeof value === "string") return stripVerdict(value);
  if (Array.isArray(value)) return value.map(stripVerdicts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, stripVerdicts(inner)]));
}
