import { closeResponse, type Rollout, type Segment, type Words } from "./rollout.ts";

/** Takes the last turns of a person back: they stand as a branch that left the session before them. */
export function rollBack(rollout: Rollout, turns: unknown): void {
  closeResponse(rollout);
  const asked = typeof turns === "number" && turns > 0 ? turns : 0;
  const taken: Segment[] = [];
  for (let left = asked; left > 0;) {
    const segment = rollout.segments.pop();
    if (segment === undefined) break;
    taken.push(segment);
    if (hasPersons(rollout, segment)) left--;
  }
  rollout.ledger.mapped("events thread_rolled_back", "abandoned branches");
  const segments = taken.reverse();
  const [first] = segments;
  rollout.isInTurn = false;
  rollout.latest = undefined;
  if (first === undefined) return;
  rollout.talk.goBack(first.before);
  // Nothing that was taken back can be called again, or told again.
  rollout.untold.clear();
  rollout.told.clear();
  rollout.cells.clear();
  rollout.scripts.length = 0;
  if (segments.every(({ entries }) => entries.length === 0)) return;
  addBranch(rollout, segments);
}

function addBranch(rollout: Rollout, segments: readonly Segment[]): void {
  const branch = { number: ++rollout.branches, segments };
  (rollout.segments.at(-1)?.branches ?? rollout.roots).push(branch);
}

/** Turns the segments after the first `count` into an abandoned branch: another file continues the thread before them. */
export function takeBackAfter(rollout: Rollout, count: number): void {
  const taken = rollout.segments.splice(count);
  if (taken.some(({ entries }) => entries.length > 0)) addBranch(rollout, taken);
}

/** Whether a person said the words, as far as the file has told so far. */
export function arePersons({ hasTyped }: Pick<Rollout, "hasTyped">, words: Words): boolean {
  return words.isPersons ?? !hasTyped;
}

function hasPersons(rollout: Rollout, { entries, hasWords }: Segment): boolean {
  return hasWords && entries.some((entry) => entry.kind === "words" && arePersons(rollout, entry));
}
