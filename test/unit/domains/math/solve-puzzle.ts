type Part = readonly [value: number, text: string];

/** An expression of all numbers that makes the target, found by trying every way to join two parts; undefined where none does. */
export function solvePuzzle(numbers: readonly number[], target = 24): string | undefined {
  return search(
    numbers.map((number): Part => [number, String(number)]),
    target,
  );
}

function search(parts: readonly Part[], target: number): string | undefined {
  const [first, second] = parts;
  if (first === undefined) return undefined;
  if (second === undefined) return Math.abs(first[0] - target) < 1e-9 ? first[1] : undefined;
  for (const [i, left] of parts.entries())
    for (const [j, right] of parts.entries()) {
      if (i === j) continue;
      const others = parts.filter((_, at) => at !== i && at !== j);
      for (const joined of joinedWays(left, right)) {
        const found = search([...others, joined], target);
        if (found !== undefined) return found;
      }
    }
  return undefined;
}

function joinedWays([a, left]: Part, [b, right]: Part): Part[] {
  return [
    [a + b, `(${left} + ${right})`],
    [a - b, `(${left} - ${right})`],
    [a * b, `(${left} * ${right})`],
    ...(b === 0 ? [] : [[a / b, `(${left} / ${right})`] as const]),
  ];
}
