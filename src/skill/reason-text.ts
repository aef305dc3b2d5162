import type { Json } from "../model/step-context.ts";

const VALUE_CHARS = 200;
const VALUE_ENTRIES = 10;
/** In a sentence an expression or a value longer than this hides the rest. */
const SHOWN_CHARS = 60;

/** Truth as JavaScript sees it; a probe gives `null` for undefined and for what JSON cannot hold, such as NaN. */
export function isTruthy(value: Json): boolean {
  return Boolean(value);
}

/** The value with long texts and lists cut, at every depth. */
export function cutValue(value: Json): Json {
  if (typeof value === "string")
    return value.length > VALUE_CHARS ? `${value.slice(0, VALUE_CHARS)}…` : value;
  if (Array.isArray(value)) {
    const head = value.slice(0, VALUE_ENTRIES).map(cutValue);
    return value.length > VALUE_ENTRIES ? [...head, "…"] : head;
  }
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).slice(0, VALUE_ENTRIES);
  return Object.fromEntries(entries.map(([key, entry]) => [key, cutValue(entry)]));
}

function shorten(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function show(value: Json): string {
  return shorten(JSON.stringify(value));
}

/** `ctx.hasRead is true`. */
export function leafText(text: string, value: Json): string {
  return `${shorten(text)} is ${show(value)}`;
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
  readonly value: Json | undefined;
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
    right.value === undefined ? shorten(right.text) : `${shorten(right.text)} (${show(right.value)})`;
  const order = ORDER[operator];
  if (order !== undefined) return `${subject}, ${holds ? "" : "not "}${order} ${object}`;
  const isEqual = operator.startsWith("!") ? !holds : holds;
  if (!isEqual) return `${subject}, not ${object}`;
  return right.value === undefined ? subject : `${subject}, the same as ${shorten(right.text)}`;
}
