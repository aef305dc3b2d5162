const MOST_SHORT = 4;

/** The words of a question that are long, or are written with a capital or a digit; the whole question where it has none. */
export function contentQuery(question: string): string {
  const [first = "", ...others] = question.match(/[\p{L}\p{N}]+/gu) ?? [];
  const isContent = (word: string): boolean => word.length > MOST_SHORT || /[\p{Lu}\p{N}]/u.test(word);
  // The first word has its capital from the sentence.
  const words = [...(first.length > MOST_SHORT + 1 ? [first] : []), ...others.filter(isContent)];
  return words.length === 0 ? question : words.join(" ");
}
