import type { Explanation, Expression } from "./explanation.ts";

/** A stretch of an expression as it is shown: its source, and the value that ends there. */
export interface Stretch {
  readonly source: string;
  /** Absent where no operand with a value ends here. */
  readonly value?: string;
  /** Source of the operand whose value it is. */
  readonly operand?: string;
}

/** An expression cut where values stand. */
export function stretchesOf({ text, values }: Expression): Stretch[] {
  let from = 0;
  const stretches = values.map(({ start, end, value }): Stretch => {
    const source = text.slice(from, end);
    from = Math.max(from, end);
    return { source, value, operand: text.slice(start, end) };
  });
  return from < text.length ? [...stretches, { source: text.slice(from) }] : stretches;
}

/** The expression with each value in a comment behind its operand: `ctx.readCount /* 0 *\/ === 0`. */
export function annotated(expression: Expression): string {
  return stretchesOf(expression)
    .map(({ source, value }) => (value === undefined ? source : `${source} /* ${value} */`))
    .join("");
}

/** Of expressions that are shown together: a value that one has shown is left out of those after it. */
export function eachValueOnce(expressions: readonly Expression[]): Expression[] {
  const shown = new Set<string>();
  return expressions.map((expression) => ({
    ...expression,
    values: expression.values.filter(({ start, end, value }) => {
      const key = `${expression.text.slice(start, end)} ${value}`;
      const isNew = !shown.has(key);
      shown.add(key);
      return isNew;
    }),
  }));
}

/** Whether an expression was true, as a shape and a word. */
export const TRUTH_MARKS = {
  true: { shape: "✓", word: "true" },
  false: { shape: "✗", word: "false" },
} as const;

function markOf({ holds }: Expression): string {
  if (holds === undefined) return "";
  const { shape, word } = TRUTH_MARKS[`${holds}`];
  return `${shape} ${word}: `;
}

/** Lines that explain a decision in a terminal: what decided, as code; what was tested before it; then the other values. */
export function explanationLines({ expressions, operands }: Explanation): string[] {
  return [
    ...eachValueOnce(expressions).map(
      (expression) => `${markOf(expression)}${annotated(expression)}  (line ${expression.line})`,
    ),
    ...operands.map(({ expression, value, line }) => `${expression} = ${value}  (line ${line})`),
  ];
}
