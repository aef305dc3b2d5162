import { parseJson } from "../../../model/read-json.ts";

/** Whole numbers, each of which is to be used once, and what they have to make. */
export interface GivenPuzzle {
  readonly numbers: readonly bigint[];
  readonly target: bigint;
}

const TARGET = 24n;
const MOST = 8;
/** Characters of a question in which a puzzle is looked for. */
const LOOKED_AT = 2_000;

/** Four whole numbers and nothing else: "4 5 6 10", "4, 5, 6, 10". */
const NUMBERS_ALONE = /^\s*\d{1,9}(?:(?:\s*,\s*|\s+)\d{1,9}){3}\s*$/;
/** Four whole numbers in a row, as a text lists them. */
const NUMBERS_LISTED =
  /(?<![\d.,/])\d{1,9}(?:(?:, ?| and |, and | ){1}\d{1,9}){3}(?!,? ?(?:and )?\d|[./]\d)/g;
const ASKS_FOR_24 =
  /\b(?:make|makes|get|obtain|reach|form|equals?|results? in|gives?|target)\b[^.?!\n]{0,60}\b24\b/i;
const NAMES_GAME = /\b(?:game of 24|24 game)\b/i;
const NAMES_RULE =
  /\b(?:each|every)\b[^.?!\n]{0,40}\bonce\b|\barithmetic operations\b|\bfour operations\b|\boperators?\b/i;
const ASKS_FOR_ANOTHER = /\bhow many\b|\bis it possible\b|\bin how\b|\bprobability\b/i;

/** The puzzle of a question: of its material, or where its text is four numbers or asks in words to make 24 of four numbers. */
export function puzzleOf(question: string, material?: string): GivenPuzzle | undefined {
  return puzzleOfMaterial(material) ?? puzzleOfText(question);
}

/** The puzzle of `{"puzzle": [4, 5, 6, 10], "target": 24}`, which the data set gives to its questions. */
export function puzzleOfMaterial(material: string | undefined): GivenPuzzle | undefined {
  if (material === undefined) return undefined;
  const read = parseJson(material);
  if (typeof read !== "object" || read === null || !("puzzle" in read) || !("target" in read))
    return undefined;
  const { puzzle, target } = read;
  if (!Array.isArray(puzzle) || puzzle.length === 0 || puzzle.length > MOST) return undefined;
  const whole = [...puzzle, target].every((one) => Number.isSafeInteger(one));
  return whole ? { numbers: puzzle.map(BigInt), target: BigInt(target as number) } : undefined;
}

function puzzleOfText(question: string): GivenPuzzle | undefined {
  const text = question.slice(0, LOOKED_AT);
  if (NUMBERS_ALONE.test(question)) return { numbers: wholeNumbers(question), target: TARGET };
  const asks = NAMES_GAME.test(text) || (ASKS_FOR_24.test(text) && NAMES_RULE.test(text));
  if (!asks || ASKS_FOR_ANOTHER.test(text)) return undefined;
  const [listed, another] = text.match(NUMBERS_LISTED) ?? [];
  return listed === undefined || another !== undefined
    ? undefined
    : { numbers: wholeNumbers(listed), target: TARGET };
}

function wholeNumbers(text: string): bigint[] {
  return (text.match(/\d+/g) ?? []).map(BigInt);
}
