import { exactValue } from "../expression/evaluate.ts";
import { toText } from "../expression/rational.ts";
import { Comparison } from "./compare.ts";
import { answerWithin, boxesOf, endOfSentence } from "./extract.ts";
import { readShape } from "./read-shape.ts";
import type { Same } from "./same-unit-value.ts";
import type { Shape } from "./shapes.ts";
import { wantedBy, type Wanted } from "./wanted.ts";

/** Characters of a reading in a verdict. */
const LONGEST_READING = 80;

export interface Compared {
  /** Undefined: it cannot be decided, for the reason in `why`. */
  readonly same: Same;
  /** How the two were read: exact values, else the texts. */
  readonly given: string;
  readonly accepted: string;
  readonly why?: string;
}

function reading(shape: Shape): string {
  const exact = shape.kind === "value" ? exactValue(shape.expression) : undefined;
  const unit = shape.kind === "value" && shape.unit !== undefined ? ` ${shape.unit}` : "";
  const text = exact === undefined ? shape.text : `${toText(exact)}${unit}`;
  return text.length > LONGEST_READING ? `${text.slice(0, LONGEST_READING)}…` : text;
}

function whyUndecided(given: Shape, accepted: Shape): string {
  if (accepted.kind === "unread") return "The accepted answer cannot be read as math.";
  if (given.kind === "unread") return "The answer cannot be read as math.";
  if (given.kind === "words" && accepted.kind === "words") return "Different words may mean the same.";
  if (given.kind === "words" || accepted.kind === "words") return "One is in words, the other is not.";
  return "The two cannot be compared exactly.";
}

const isText = ({ kind }: Shape): boolean => kind === "words" || kind === "unread";

/** Another reading of an answer that is not the accepted one: several boxes together, or the end of a sentence. */
function readOtherwise(text: string, last: Shape, accepted: Shape): Shape | undefined {
  const boxes = "members" in accepted ? boxesOf(text) : [];
  if (boxes.length > 1 && "members" in accepted && boxes.length === accepted.members.length)
    return readShape(boxes.join(" , "));
  if (!isText(last) || isText(accepted)) return undefined;
  const end = endOfSentence(answerWithin(text));
  const shape = end === undefined ? undefined : readShape(end);
  return shape === undefined || isText(shape) ? undefined : shape;
}

function compareWith(accepted: Shape, text: string, wanted: Wanted): Compared {
  const comparison = new Comparison(wanted);
  const last = readShape(answerWithin(text));
  const first = comparison.same(last, accepted);
  const other = first === true ? undefined : readOtherwise(text, last, accepted);
  const given = other ?? last;
  const same = other === undefined ? first : comparison.same(other, accepted);
  const read = { same, given: reading(given), accepted: reading(accepted) };
  return same === undefined ? { ...read, why: whyUndecided(given, accepted) } : read;
}

/**
 * Compares an answer with an accepted one, by what they mean as mathematics. Never fails. The work on any text is bounded: by the length
 * that is read, the members of a list, and the comparisons of one judgement.
 * `question`: decides between two readings, such as those of `25` and `25%`.
 */
export function compareAnswers(answer: string, accepted: string, question: string): Compared {
  return compareWith(readShape(answerWithin(accepted)), answer, wantedBy(question));
}

/** The judge can read an accepted answer; if not, it decides only on answers with the same text. */
export function canRead(accepted: string): boolean {
  const { kind } = readShape(answerWithin(accepted));
  return kind !== "unread" && kind !== "empty" && kind !== "broken";
}
