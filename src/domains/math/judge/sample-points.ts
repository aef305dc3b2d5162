import type { Values } from "../expression/evaluate.ts";
import { add, multiply, rational, type Rational } from "../expression/rational.ts";

/** More variables have no values that all differ. */
export const MAX_VARIABLES = 12;
const PRIMES = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/** Points near zero, where roots, logarithms and high powers have values. */
const NEAR = 6;
/** At the others a value is up to as large; pieces of a function may begin there, and signs of the variables differ. */
const SCALES = [9, 80, 700, 6_000, 500_000, 400_000_000];
/** Factorials and powers of -1 have values at whole numbers alone: two even ones and two odd ones. */
const WHOLE = [5, 40, 11, 18];

/** A value of a variable: no two variables have the same one at a point. */
function valueAt(variable: number, point: number): Rational {
  const size = 2 * PRIMES[(variable * 5 + point * 7) % PRIMES.length]! + point;
  const scale = SCALES[point - NEAR];
  const isNegative = scale === undefined ? point % 3 === 2 : (variable + point) % 2 === 1;
  const num = size * (scale ?? 1);
  return rational(isNegative ? -num : num, 43 + 4 * variable + 10 * point)!;
}

function pointOf(names: readonly string[], value: (variable: number) => Rational): Values {
  return new Map(names.map((name, n) => [name, value(n)]));
}

/** Points at which functions are compared: six near zero, six further away, four whole ones. Each is computed when it is needed. */
export function* samplePoints(names: readonly string[]): Generator<Values> {
  for (let point = 0; point < NEAR + SCALES.length; point += 1)
    yield pointOf(names, (variable) => valueAt(variable, point));
  for (const [n, least] of WHOLE.entries())
    yield pointOf(names, (variable) => rational(n === 1 ? least - 3 * variable : least + 3 * variable)!);
}

const SHARES = [
  [2, 11],
  [3, 8],
  [4, 7],
  [7, 9],
  [12, 13],
] as const;

/** Five points between each two of the roots, which are in order, and on either side of all. */
export function pointsBetween(name: string, roots: readonly Rational[]): readonly (readonly Values[])[] {
  const [first, last] = [roots[0], roots.at(-1)];
  if (first === undefined || last === undefined) return [];
  const far = (from: Rational, by: number): Rational => add(from, rational(by)!) ?? from;
  const ends = [far(first, -40), ...roots, far(last, 40)];
  return ends.slice(1).map((end, n) =>
    SHARES.flatMap(([num, den]) => {
      const start = ends[n]!;
      const parts = [multiply(start, rational(den - num, den)!), multiply(end, rational(num, den)!)] as const;
      const value = parts[0] && parts[1] && add(parts[0], parts[1]);
      return value === undefined ? [] : [new Map([[name, value]])];
    }),
  );
}
