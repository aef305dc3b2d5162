import type { Expression, InlineValue, Operand } from "../model/explanation.ts";
import type { Decision, Term } from "./decision.ts";
import { oneLine } from "./one-line.ts";

/** A value that an instrumented run saw. */
export interface SeenTerm {
  readonly term: Term;
  readonly value: string;
}

/** One operand that settled the answer: in words, and as code. */
export interface Reason extends SeenTerm {
  readonly text: string;
  /** The expression to show, with a `!` before it; undefined where there is none, as for a loop that ran to its end. */
  readonly shown: Term | undefined;
  /** Whether the shown expression was true; undefined where truth decides nothing. */
  readonly holds: boolean | undefined;
  /** Values inside it, and those that its helper was called with. */
  readonly seen: readonly SeenTerm[];
}

/** An object of which only methods could tell something. */
const tellsNothing = ({ value }: SeenTerm): boolean => value === "{}";

const isInside = (inner: Term, outer: Term): boolean => inner.start >= outer.start && inner.end <= outer.end;

function inlineValue({ term, value }: SeenTerm, outer: Term, source: string): InlineValue {
  const start = oneLine(source.slice(outer.start, term.start)).length;
  return { start, end: start + term.text.length, value };
}

function valuesIn(shown: Term, seen: readonly SeenTerm[], source: string): InlineValue[] {
  const inside = seen.filter((one) => isInside(one.term, shown) && !tellsNothing(one));
  return [...new Map(inside.map((one) => [one.term, one])).values()]
    .map((one) => inlineValue(one, shown, source))
    .toSorted((a, b) => a.end - b.end);
}

function expressionOf({ shown, holds, seen }: Reason, source: string): Expression[] {
  if (shown === undefined) return [];
  const { text, line } = shown;
  return [{ text, line, ...(holds !== undefined && { holds }), values: valuesIn(shown, seen, source) }];
}

function returned(answer: Decision, reasons: readonly Reason[], source: string): Expression {
  const { text, line, kind } = answer;
  if (kind === "constant") return { text: `return ${text}`, line, holds: true, values: [] };
  const seen = reasons.flatMap((reason) => reason.seen);
  return { text, line, holds: true, values: valuesIn(answer, seen, source) };
}

/** Of a yes whose tests were false, such as `!(a || b)` or `return true` behind guards: first the returned expression, which was true. */
export function yesInSpite(answer: Decision, reasons: readonly Reason[], source: string): Expression[] {
  const outside = reasons.filter(({ shown }) => shown === undefined || !isInside(shown, answer));
  return [returned(answer, reasons, source), ...expressionsOf(outside, source)];
}

const key = (text: string, value: string): string => `${text} ${value}`;

/** The operands of an expression with their values. */
function valueKeys({ text, values }: Expression): string[] {
  return values.map(({ start, end, value }) => key(text.slice(start, end), value));
}

/** Nothing but one value, such as the test of a `switch`. */
function isOneValue({ text, values: [only, ...others] }: Expression): boolean {
  return only?.start === 0 && only.end === text.length && others.length === 0;
}

/**
 * The expressions that settled the answer, each once, in the order of the reasons. One that is a mere value is left out where another
 * expression shows that value.
 */
export function expressionsOf(reasons: readonly Reason[], source: string): Expression[] {
  const all = reasons.flatMap((reason) => expressionOf(reason, source));
  const known = new Set<string>();
  const unique = all.filter(({ text, values }) => {
    const own = JSON.stringify([text, values]);
    const isNew = !known.has(own);
    known.add(own);
    return isNew;
  });
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
      .filter((one) => !tellsNothing(one))
      .map(({ term, value }) => ({ expression: term.text, value, line: term.line })),
  );
  return operands.filter(({ expression, value }) => {
    const own = key(expression, value);
    if (shown.has(own)) return false;
    shown.add(own);
    return true;
  });
}
