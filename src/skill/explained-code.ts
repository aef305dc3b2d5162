import type { Expression, InlineValue, Operand } from "../model/explanation.ts";
import type { Json } from "../model/step-context.ts";
import type { Term } from "./decision.ts";
import { oneLine } from "./one-line.ts";
import { cutValue } from "./reason-text.ts";

/** A value that an instrumented run saw. */
export interface SeenTerm {
  readonly term: Term;
  readonly value: Json;
}

/** One operand that settled the answer: in words, and as code. */
export interface Reason extends SeenTerm {
  readonly text: string;
  /** The expression to show, with a `!` before it; undefined where there is none, as for a loop that ran to its end. */
  readonly shown: Term | undefined;
  /** Values inside it, and those that its helper was called with. */
  readonly seen: readonly SeenTerm[];
}

/** A regular expression, a set, a function's object: JSON holds nothing of it. */
function isEmptyObject(value: Json): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

const isInside = (inner: Term, outer: Term): boolean => inner.start >= outer.start && inner.end <= outer.end;

function inlineValue({ term, value }: SeenTerm, outer: Term, source: string): InlineValue {
  const start = oneLine(source.slice(outer.start, term.start)).length;
  return { start, end: start + term.text.length, value: cutValue(value) };
}

function expressionOf({ shown, seen }: Reason, source: string): Expression[] {
  if (shown === undefined) return [];
  const values = seen
    .filter(({ term, value }) => isInside(term, shown) && !isEmptyObject(value))
    .map((one) => inlineValue(one, shown, source))
    .toSorted((a, b) => a.end - b.end);
  return [{ text: shown.text, line: shown.line, values }];
}

const key = (text: string, value: unknown): string => `${text} ${JSON.stringify(value)}`;

/** The operands of an expression with their values. */
function valueKeys({ text, values }: Expression): string[] {
  return values.map(({ start, end, value }) => key(text.slice(start, end), value));
}

/** Nothing but one value, such as the test of a `switch`. */
function isOneValue({ text, values: [only, ...others] }: Expression): boolean {
  return only?.start === 0 && only.end === text.length && others.length === 0;
}

/**
 * The expressions that settled the answer, each once, in the order in which they were tested. One that is a mere value is left out
 * where another expression shows that value.
 */
export function expressionsOf(reasons: readonly Reason[], source: string): Expression[] {
  const all = reasons.flatMap((reason) => expressionOf(reason, source));
  const last = new Map(
    all.map((expression) => [JSON.stringify([expression.text, expression.values]), expression]),
  );
  const unique = all.filter((expression) => [...last.values()].includes(expression));
  return unique.filter(
    (expression) =>
      !isOneValue(expression) ||
      !unique.some(
        (other) => other !== expression && valueKeys(other).includes(valueKeys(expression)[0] ?? ""),
      ),
  );
}

/** Values that no expression shows, each once. */
export function otherOperands(reasons: readonly Reason[], expressions: readonly Expression[]): Operand[] {
  const shown = new Set(expressions.flatMap(valueKeys));
  const operands = reasons.flatMap(({ seen }) =>
    seen
      .filter(({ value }) => !isEmptyObject(value))
      .map(({ term, value }) => ({ expression: term.text, value: cutValue(value), line: term.line })),
  );
  return operands.filter(({ expression, value }) => {
    const own = key(expression, value);
    if (shown.has(own)) return false;
    shown.add(own);
    return true;
  });
}
