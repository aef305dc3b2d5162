/** An element of a text, and the text around it. */
export interface TextElement {
  readonly before: string;
  /** Without blanks around it. */
  readonly inside: string;
  readonly after: string;
}

/** The first element of this name that has an end. Not by a pattern: a text of blanks or of beginnings would take the square of its length. */
export function elementIn(text: string, name: string): TextElement | undefined {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const start = text.indexOf(open);
  const end = start === -1 ? -1 : text.indexOf(close, start);
  if (end === -1) return undefined;
  return {
    before: text.slice(0, start),
    inside: text.slice(start + open.length, end).trim(),
    after: text.slice(end + close.length),
  };
}
