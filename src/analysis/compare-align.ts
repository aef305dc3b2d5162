/**
 * The longest common subsequence of two lists, weighted: pairs of places that stand side by side. Equal beginnings and ends are taken
 * off first; what is left is aligned where its table stays small, and else paired in its order (`capped`).
 */
export interface Alignment {
  /** In order; a side that has nothing there is absent. */
  readonly rows: readonly { readonly a?: number; readonly b?: number }[];
  readonly capped: boolean;
}

/** Cells of the table: two middles of 2,000 steps, 16 MB. */
const MOST_CELLS = 4_000_000;

/**
 * @param likeness how alike the items at these places are: 0 for not at all, small whole numbers above it, `most` for equal.
 * Items that are not alike at all never match; where neither side of a gap has a match, its items are paired in their order.
 */
export function align(
  lengthA: number,
  lengthB: number,
  likeness: (a: number, b: number) => number,
  most: number,
): Alignment {
  const shorter = Math.min(lengthA, lengthB);
  let start = 0;
  while (start < shorter && likeness(start, start) === most) start++;
  let end = 0;
  while (end < shorter - start && likeness(lengthA - 1 - end, lengthB - 1 - end) === most) end++;
  const [middleA, middleB] = [lengthA - start - end, lengthB - start - end];
  const capped = middleA * middleB > MOST_CELLS;
  const within = (a: number, b: number): number => likeness(start + a, start + b);
  const matches = capped ? [] : bestMatches(middleA, middleB, within);
  const pairs = [
    ...sequence(start, (i) => [i, i] as const),
    ...matches.map(([a, b]) => [start + a, start + b] as const),
    ...sequence(end, (i) => [lengthA - end + i, lengthB - end + i] as const),
  ];
  return { rows: fillGaps(pairs, lengthA, lengthB), capped };
}

function sequence<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** The matches with the greatest sum of likeness, in order. */
function bestMatches(
  lengthA: number,
  lengthB: number,
  likeness: (a: number, b: number) => number,
): [number, number][] {
  const width = lengthB + 1;
  // best[a * width + b]: of what begins at a and b.
  const best = new Uint32Array((lengthA + 1) * width);
  const at = (a: number, b: number): number => best[a * width + b] ?? 0;
  const matched = (a: number, b: number): number => {
    const alike = likeness(a, b);
    return alike === 0 ? 0 : alike + at(a + 1, b + 1);
  };
  for (let a = lengthA - 1; a >= 0; a--)
    for (let b = lengthB - 1; b >= 0; b--)
      best[a * width + b] = Math.max(matched(a, b), at(a + 1, b), at(a, b + 1));
  const pairs: [number, number][] = [];
  for (let a = 0, b = 0; a < lengthA && b < lengthB;) {
    if (at(a, b) > 0 && at(a, b) === matched(a, b)) pairs.push([a++, b++]);
    else if (at(a, b) === at(a + 1, b)) a++;
    else b++;
  }
  return pairs;
}

/** What stands between two matches is put side by side in its order. */
function fillGaps(
  pairs: readonly (readonly [number, number])[],
  lengthA: number,
  lengthB: number,
): Alignment["rows"] {
  const rows: { a?: number; b?: number }[] = [];
  let [nextA, nextB] = [0, 0];
  for (const [a, b] of [...pairs, [lengthA, lengthB] as const]) {
    while (nextA < a || nextB < b)
      rows.push({ ...(nextA < a ? { a: nextA++ } : {}), ...(nextB < b ? { b: nextB++ } : {}) });
    if (a < lengthA || b < lengthB) rows.push({ a: nextA++, b: nextB++ });
  }
  return rows;
}
