/** Characters as people and other programs count them: code points, of which an emoji has one or more and two UTF-16 units each. */
export function characters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const isLead = (text.charCodeAt(i) & 0xfc00) === 0xd800;
    if (isLead && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    count++;
  }
  return count;
}

/** The beginning of a text, at most that many characters long. */
export function firstCharacters(text: string, most: number): string {
  // No text has more characters than units, or half as many.
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join("");
}
