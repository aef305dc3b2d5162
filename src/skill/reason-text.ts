/** In a sentence an expression or a value longer than this hides the rest. */
const SHOWN_CHARS = 60;

/** All values of JavaScript that are not true, as they are written. */
const FALSY: ReadonlySet<string> = new Set(["false", "0", "-0", "0n", "NaN", '""', "null", "undefined"]);

/** Truth of a value as it is written in code. */
export function isTruthy(value: string): boolean {
  return !FALSY.has(value);
}

export function isBoolean(value: string | undefined): boolean {
  return value === "true" || value === "false";
}

function shorten(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

/** `ctx.hasRead is true`. */
export function leafText(text: string, value: string): string {
  return `${shorten(text)} is ${shorten(value)}`;
}

export interface Comparison {
  readonly operator: string;
  readonly holds: boolean;
  readonly left: Side;
  readonly right: Side;
}

/** Without a value the text is a literal. */
interface Side {
  readonly text: string;
  readonly value: string | undefined;
}

const TURNED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const ORDER: Readonly<Record<string, string>> = {
  "<": "less than",
  "<=": "at most",
  ">": "more than",
  ">=": "at least",
};

/** `actionType is "FINAL", not "SEARCH"`, `ctx.readCount is 2, more than 0`. */
export function comparisonText({ operator, holds, left, right }: Comparison): string {
  if (left.value === undefined && right.value !== undefined) {
    return comparisonText({ operator: TURNED[operator] ?? operator, holds, left: right, right: left });
  }
  const subject = left.value === undefined ? shorten(left.text) : leafText(left.text, left.value);
  const object =
    right.value === undefined ? shorten(right.text) : `${shorten(right.text)} (${shorten(right.value)})`;
  const order = ORDER[operator];
  if (order !== undefined) return `${subject}, ${holds ? "" : "not "}${order} ${object}`;
  const isEqual = operator.startsWith("!") ? !holds : holds;
  if (!isEqual) return `${subject}, not ${object}`;
  return right.value === undefined ? subject : `${subject}, the same as ${shorten(right.text)}`;
}
