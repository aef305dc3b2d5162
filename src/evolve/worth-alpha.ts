/** The chance of admitting any useless candidate of a whole evolution. */
export const WORTH_ALPHA = 0.05;

/** The part of `WORTH_ALPHA` that an epoch gets, of an evolution that was begun with so many epochs. */
function dealtTo(epoch: number, planned: number): number {
  const part = WORTH_ALPHA / (planned + 1);
  const added = epoch - planned;
  // Epochs that are added later share one part: a half, a sixth, a twelfth … of it.
  return added <= 0 ? part : part / (added * (added + 1));
}

/**
 * The chance of admitting any useless candidate that the next epoch may spend, in an evolution that was begun with `planned` epochs. `earlier`:
 * for each epoch before it whether each tested candidate passed. An epoch in which nothing was tested or all passed leaves its part to the
 * next one.
 */
export function alphaOfNext(planned: number, earlier: readonly (readonly boolean[])[]): number {
  let left = 0;
  for (const [i, passed] of earlier.entries())
    left = passed.every(Boolean) ? left + dealtTo(i + 1, planned) : 0;
  return left + dealtTo(earlier.length + 1, planned);
}
