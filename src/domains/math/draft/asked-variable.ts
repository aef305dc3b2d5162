import { readAsking } from "./asking.ts";

/** Something made of the variable's values is asked for, or a value that is not exact. */
const MADE_OF =
  /\b(?:sum|product|difference|how many|number of|average|mean|total|ratio|maximum|minimum|in terms of|nearest|round\w*|approximat\w*)\b/i;
const ADJECTIVES = String.raw`(?:(?:the|all|an?|any|both|each|possible|positive|negative|non-?negative|non-?zero|real|exact|whole|integer|rational|numerical|unique|only|smallest|largest|least|greatest|first|second|two|three|other|correct) ){0,5}`;
const NOUN = "(?:value|values|number|numbers|integer|integers|solution|solutions|root|roots)";
const ASKS = "(?:what(?: is| are|'s)?|which|find|determine|compute|calculate)";
/** Behind the variable: the end of what is asked for. */
const ENDS = String.raw`(?=\s?(?:$|[.?!,:;]|(?:if|when|such|given|for|from|that|where|in|so|with|satisf\w+|makes?|is|are|does|do|will)\b))`;

/** In front of an equation: "solve", "find the roots of", "solve for x in the equation". */
const SOLVES = new RegExp(
  String.raw`(?:\bsolve|${ASKS} ${ADJECTIVES}(?:solutions?|roots?|zeros) (?:of|to|for))(?:,? ?:?(?: (?:for|in|the|this|following|linear|quadratic|cubic|equation|[a-z]\b))){0,8} ?[:,]? ?$`,
  "i",
);
const ASKS_MORE = new RegExp(String.raw`\b(?:how|${ASKS}|evaluate|simplify)\b`, "i");
/** Characters in front of an equation. */
const IN_FRONT = 120;

/** Offsets of an equation in its question. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Whether the question asks for the variable of an equation of it, and not for "x + 1", "twice x", "f(x)" or "the sum of all x". */
export type AsksFor = (variable: string, at: Place) => boolean;

/** Reads which variables a question asks for. */
export function askedVariables(question: string): AsksFor {
  if (MADE_OF.test(question)) return () => false;
  const { clause } = readAsking(question);
  return (variable, at) =>
    /^[A-Za-z]$/.test(variable) && (names(clause, variable) || saysSolve(question, at));
}

/** "what is x", "find all values of x such that", "what must x be". */
function names(clause: string, variable: string): boolean {
  const direct = `^${ASKS} ${ADJECTIVES}(?:${NOUN} (?:of |for )?)?${variable}${ENDS}`;
  const mustBe = `^what (?:must|does|should|can|could) ${variable} (?:be|equal)\\b`;
  return new RegExp(`${direct}|${mustBe}`, "i").test(clause);
}

/** "Solve 2x + 3 = 11." Nothing is asked for behind it. */
function saysSolve(question: string, { start, end }: Place): boolean {
  const inFront = plain(question.slice(Math.max(0, start - IN_FRONT), start));
  return SOLVES.test(inFront) && !ASKS_MORE.test(question.slice(end));
}

function plain(text: string): string {
  return text.replaceAll(/\$|\\[()[\]]/g, " ").replaceAll(/\s+/g, " ");
}
