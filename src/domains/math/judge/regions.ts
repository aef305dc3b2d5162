import { exactValue } from "../expression/evaluate.ts";
import { variablesOf, type Expression } from "../expression/expression.ts";
import { numericValue } from "../expression/numeric.ts";
import { compare, type Rational } from "../expression/rational.ts";
import type { Same } from "./same-unit-value.ts";
import { infinityOf, sameValue } from "./same-value.ts";
import type { Shape, ShapeOf, ValueShape } from "./shapes.ts";

interface Bound {
  readonly expression: Expression;
  /** As a double, which orders what has no exact value. */
  readonly near: number;
  readonly exact?: Rational;
}

/** Numbers between two bounds. */
interface Span {
  readonly from: Bound;
  readonly to: Bound;
  readonly hasFrom: boolean;
  readonly hasTo: boolean;
}

/** A part of the number line, as an answer writes it. */
export interface Region {
  readonly spans: readonly Span[];
  /** Of an inequality. */
  readonly variable?: string;
  /** It can be nothing else: `(1, 2)` may be a pair, `(1, 2]` may not. */
  readonly isCertain: boolean;
  /** Intervals between commas, or with "and": that they are united is only likely. */
  readonly isList: boolean;
}

/** Doubles that are nearer to each other cannot be put in order. */
const TOLERANCE = 1e-9;

class TooClose extends Error {}

/** Negative where the first is less; fails where that cannot be decided. */
function order(a: Bound, b: Bound): number {
  if (a.exact !== undefined && b.exact !== undefined) return compare(a.exact, b.exact);
  if (!Number.isFinite(a.near) || !Number.isFinite(b.near))
    return a.near === b.near ? 0 : a.near < b.near ? -1 : 1;
  if (Math.abs(a.near - b.near) > TOLERANCE * Math.max(1, Math.abs(a.near), Math.abs(b.near)))
    return a.near - b.near;
  if (sameValue(a.expression, b.expression) === true) return 0;
  throw new TooClose();
}

/** Undefined where the bounds are too close to be told apart. */
function decided<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof TooClose) return undefined;
    throw error;
  }
}

function boundOf({ expression, unit }: ValueShape): Bound | undefined {
  const infinite = infinityOf(expression);
  if (infinite !== undefined) return { expression, near: infinite * Number.POSITIVE_INFINITY };
  if (unit !== undefined || variablesOf(expression).length > 0) return undefined;
  const exact = exactValue(expression);
  const near = numericValue(expression, new Map());
  if (near === undefined || near.im !== 0 || !Number.isFinite(near.re)) return undefined;
  return { expression, near: near.re, ...(exact !== undefined && { exact }) };
}

function pointOf(shape: ValueShape): Span | undefined {
  const bound = boundOf(shape);
  return bound && Number.isFinite(bound.near)
    ? { from: bound, to: bound, hasFrom: true, hasTo: true }
    : undefined;
}

function spanOf({ members, open, close }: ShapeOf<"tuple">): Span | undefined {
  const [first, last, ...more] = members;
  if (first?.kind !== "value" || last?.kind !== "value" || more.length > 0) return undefined;
  const [from, to] = [boundOf(first), boundOf(last)];
  if (from === undefined || to === undefined) return undefined;
  const direction = decided(() => order(from, to));
  const isPoint = direction === 0 && open === "[" && close === "]";
  if (direction === undefined || (direction >= 0 && !isPoint)) return undefined;
  return { from, to, hasFrom: open === "[", hasTo: close === "]" };
}

/** The region that an answer may be. Undefined where it is not one, or a bound is not a number. */
export function regionOf(shape: Shape): Region | undefined {
  switch (shape.kind) {
    case "value": {
      const point = pointOf(shape);
      return point && { spans: [point], isCertain: false, isList: false };
    }
    case "named": {
      const point = shape.of.kind === "value" ? pointOf(shape.of) : undefined;
      return point && { spans: [point], variable: shape.name, isCertain: false, isList: false };
    }
    case "tuple":
      return ofTuple(shape);
    case "relation":
      return ofUnequal(shape);
    case "set":
      return ofSet(shape);
    default:
      return undefined;
  }
}

function ofTuple(shape: ShapeOf<"tuple">): Region | undefined {
  const span = spanOf(shape);
  if (span === undefined) return undefined;
  const { variable } = shape;
  const isInfinite = ![span.from, span.to].every(({ near }) => Number.isFinite(near));
  const isCertain = variable !== undefined || isInfinite || span.hasFrom !== span.hasTo;
  return { spans: [span], isCertain, isList: false, ...(variable !== undefined && { variable }) };
}

/** `x \ne 2`: all numbers below and above. */
function ofUnequal({ relation, left, right }: ShapeOf<"relation">): Region | undefined {
  const [variable, value] = left.kind === "variable" ? [left, right] : [right, left];
  if (relation !== "≠" || variable.kind !== "variable") return undefined;
  const bound = boundOf({ kind: "value", text: "", expression: value });
  if (bound === undefined || !Number.isFinite(bound.near)) return undefined;
  const infinity: Expression = { kind: "constant", name: "infinity" };
  const least: Bound = { expression: { kind: "negate", of: infinity }, near: Number.NEGATIVE_INFINITY };
  const most: Bound = { expression: infinity, near: Number.POSITIVE_INFINITY };
  const spans = [
    { from: least, to: bound, hasFrom: false, hasTo: false },
    { from: bound, to: most, hasFrom: false, hasTo: false },
  ];
  return { spans, variable: variable.name, isCertain: true, isList: false };
}

function ofSet({ members, join, isUnion, isBraced }: ShapeOf<"set">): Region | undefined {
  if (members.length === 0 || (isBraced && isUnion !== true && members.some(({ kind }) => kind !== "value")))
    return undefined;
  const isUnited = isUnion === true || join === "or";
  if (!isUnited && members.some(({ kind }) => kind === "relation")) return undefined;
  const parts = members.map(regionOf);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const variables = [...new Set(parts.flatMap(({ variable }) => variable ?? []))];
  const [variable, another] = variables;
  if (another !== undefined) return undefined;
  return {
    spans: parts.flatMap(({ spans }) => spans),
    isCertain: isUnion === true || parts.some(({ isCertain }) => isCertain),
    isList: !isUnited && members.some(({ kind }) => kind === "tuple"),
    ...(variable !== undefined && { variable }),
  };
}

/** The spans from left to right, those that touch as one. */
function united(spans: readonly Span[]): readonly Span[] {
  const sorted = spans.toSorted((a, b) => order(a.from, b.from) || Number(b.hasFrom) - Number(a.hasFrom));
  const merged: Span[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    const gap = last === undefined ? 1 : order(next.from, last.to);
    if (last === undefined || gap > 0 || (gap === 0 && !last.hasTo && !next.hasFrom)) {
      merged.push(next);
      continue;
    }
    const further = order(next.to, last.to);
    if (further > 0) merged[merged.length - 1] = { ...last, to: next.to, hasTo: next.hasTo };
    else if (further === 0) merged[merged.length - 1] = { ...last, hasTo: last.hasTo || next.hasTo };
  }
  return merged;
}

const isSameSpan = (a: Span, b: Span | undefined): boolean =>
  b !== undefined &&
  a.hasFrom === b.hasFrom &&
  a.hasTo === b.hasTo &&
  order(a.from, b.from) === 0 &&
  order(a.to, b.to) === 0;

/** Whether two regions have the same numbers. Undefined where that cannot be decided, as of lists that may be no unions. */
export function sameRegion(a: Region, b: Region): Same {
  if (a.variable !== undefined && b.variable !== undefined && a.variable !== b.variable) return false;
  const same = decided(() => {
    const [left, right] = [united(a.spans), united(b.spans)];
    return left.length === right.length && left.every((span, n) => isSameSpan(span, right[n]));
  });
  const isOpen = (one: Region): boolean => one.isList && (same === true || one.variable !== undefined);
  return isOpen(a) || isOpen(b) ? undefined : same;
}

/** The interval that all of these have in common: `x > 1` and `x < 3` is `(1, 3)`. Undefined where there is none, or it is not certain. */
export function common(intervals: readonly ShapeOf<"tuple">[]): ShapeOf<"tuple"> | undefined {
  const [first] = intervals;
  const isOfOne = intervals.every(({ variable }) => variable !== undefined && variable === first?.variable);
  const spans = intervals.flatMap((shape) => {
    const span = spanOf(shape);
    return span === undefined ? [] : [{ shape, span }];
  });
  if (first === undefined || !isOfOne || spans.length < intervals.length) return undefined;
  return decided(() => {
    const lower = spans.reduce((a, b) => (startsLater(b.span, a.span) ? b : a));
    const upper = spans.reduce((a, b) => (endsEarlier(b.span, a.span) ? b : a));
    const members = [...lower.shape.members.slice(0, 1), ...upper.shape.members.slice(1)];
    const met = { ...first, open: lower.shape.open, close: upper.shape.close, members };
    return spanOf(met) && met;
  });
}

function startsLater(one: Span, other: Span): boolean {
  const direction = order(one.from, other.from);
  return direction > 0 || (direction === 0 && !one.hasFrom);
}

function endsEarlier(one: Span, other: Span): boolean {
  const direction = order(one.to, other.to);
  return direction < 0 || (direction === 0 && !one.hasTo);
}
