/** Between the parts of a run's title (evaluation/run-title.ts). */
const GAP = " · ";

function sharedParts(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((part, i) => part !== b[i]);
  return differs === -1 ? a.length : differs;
}

/**
 * Titles as rows show them, in the same order: the parts that a title begins with as another one does come last, because a narrow view cuts
 * off the end of a row.
 */
export function rowNames(titles: readonly string[]): readonly string[] {
  const split = titles.map((title) => title.split(GAP));
  return split.map((parts, i) => {
    const others = split.filter((_, other) => other !== i);
    const shared = Math.max(0, ...others.map((other) => sharedParts(parts, other)));
    return shared === parts.length
      ? parts.join(GAP)
      : [...parts.slice(shared), ...parts.slice(0, shared)].join(GAP);
  });
}
