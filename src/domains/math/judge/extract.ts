import { findAnswer, lastBox } from "../find-answer.ts";

/** Texts beyond this are not searched from their beginning: an answer is at the end. */
const MAX_SEARCHED = 20_000;
const MAX_BOXES = 20;
/** Boxes that are looked at, with those around another one. */
const MAX_LOOKED_AT = 40;
/** A matrix has lines of its own, and so has a text of several cases. */
const MATRIX = /^.{0,200}\\begin\{/s;

/** Contents of the last boxes of a text, in its order. Of a box within a box, the inner one alone counts. */
export function boxesOf(text: string): readonly string[] {
  const searched = text.slice(-MAX_SEARCHED);
  const boxes: string[] = [];
  let next = searched.length;
  for (let looked = 0; looked < MAX_LOOKED_AT && boxes.length < MAX_BOXES; looked += 1) {
    const box = lastBox(searched, next);
    if (box === undefined) break;
    if (box.to <= next) boxes.unshift(box.text);
    next = box.from;
  }
  return boxes;
}

/** The answer within a text, as it is found in a reply; a matrix without a box or a label is the whole text. */
export function answerWithin(text: string): string {
  const searched = text.slice(-MAX_SEARCHED).trim();
  const found = findAnswer(searched);
  return found?.isUnmarked === true && MATRIX.test(searched) ? searched : (found?.text ?? "");
}

/** Longer than people say it in. */
const LONGEST_SENTENCE = 500;

/** The end of a sentence that says what something is: `12 apples` of "So there are 12 apples". Undefined unless it does so once. */
export function endOfSentence(text: string): string | undefined {
  if (text.length > LONGEST_SENTENCE) return undefined;
  const [, end, ...more] = text.split(/\s(?:is|are|equals|was|were)\s/);
  return more.length === 0 ? end : undefined;
}
