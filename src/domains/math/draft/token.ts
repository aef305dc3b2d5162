/** Piece of a text with mathematics in it. Blanks, dollar signs of LaTeX and marks of layout are left out. */
export interface Token {
  readonly kind: TokenKind;
  /** As an expression writes it: `*` for `\times`; as written for words. */
  readonly text: string;
  /** Offsets in the text that was read. */
  readonly start: number;
  readonly end: number;
  /** No blank stands before it. */
  readonly glued: boolean;
  /** The sign `÷`: unlike a slash it makes no fraction of the numbers beside it. */
  readonly divides?: true;
  /** Words in the arguments of a group: units. */
  readonly words?: readonly string[];
}

export type TokenKind =
  | "number"
  /** An operand with arguments of its own: a fraction, a root. */
  | "group"
  | "variable"
  | "operator"
  /** Behind its operand: `%`, `!`, `^{2}`. */
  | "postfix"
  | "open"
  | "close"
  | "currency"
  | "word"
  /** `=` and `≈`; any other relation has the text `other`. */
  | "relation"
  /** A calculator's mark `<<2*3=6>>`, with its inside as the text. */
  | "mark"
  /** End of a line, of a sentence or of a part of it. */
  | "wall"
  | "dots"
  /** Not read: a date, a time, "5th". No side beside it can be read whole. */
  | "opaque";
