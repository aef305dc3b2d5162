import { findAnswer, lastBox } from "../find-answer.ts";

/** Texts beyond this are not searched from their beginning: an answer is at the end. */
const MAX_SEARCHED = 20_000;
const MAX_BOXES = 20;
/** A matrix has lines of its own, and so has a text of several cases. */
const MATRIX = /^.{0,200}\\begin\{/s;

/** What the boxes of a text hold, the last ones, in the order of the text. A box within a box is not counted apart. */
export function boxesOf(text: string): readonly string[] {
  const boxes: string[] = [];
  let before = text.slice(-MAX_SEARCHED);
  while (boxes.length < MAX_BOXES) {
    const box = lastBox(before);
    if (box === undefined) break;
    boxes.unshift(box.text);
    before = before.slice(0, box.from);
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

/** What a sentence says something is: `12 apples` of "So there are 12 apples". Undefined where it says that of nothing, or of several. */
export function endOfSentence(text: string): string | undefined {
  if (text.length > LONGEST_SENTENCE) return undefined;
  const [, end, ...more] = text.split(/\s(?:is|are|equals|was|were)\s/);
  return more.length === 0 ? end : undefined;
}
