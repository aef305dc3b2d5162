import { wordsOf } from "./words.ts";

/** Words that carry no content of their own. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can did do does for from had has have he her his how if in into is it its of on or she " +
    "than that the their them then there these they this those to was were what when where which who whom whose why will with would"
  ).split(" "),
);

/** The distinct words of a text without function words. */
export function contentWords(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).filter((word) => !FUNCTION_WORDS.has(word)));
}
