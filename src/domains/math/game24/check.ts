import { equal, rational, toText, type Rational } from "../expression/rational.ts";
import type { GivenPuzzle } from "./puzzle.ts";
import { readSolution } from "./solution.ts";

/** A proposed answer beside its puzzle. */
export interface CheckedSolution {
  /** Why it does not solve the puzzle: "it uses 5 twice; it makes 26". Absent: it does. */
  readonly problem?: string;
  /** Value of its expression. */
  readonly value?: Rational;
  /** Numbers that the puzzle does not have, or has not so often. */
  readonly foreign: readonly string[];
  /** Numbers of the puzzle that it leaves out. */
  readonly unused: readonly string[];
}

/** Checks `(10 - 6) * (5 - 4) * 4`, or the same with `= 24`, by the rule alone: each number exactly once, and they make the target. */
export function checkSolution({ numbers, target }: GivenPuzzle, answer: string): CheckedSolution {
  const [left = "", ...others] = answer.split("=", 3);
  const read = readSolution(left);
  if ("problem" in read) return { problem: read.problem, foreign: [], unused: [] };
  const given = numbers.map(String);
  const foreign = without(read.numbers, given);
  const unused = without(given, read.numbers);
  const isTarget = equal(read.value, rational(target) ?? read.value);
  const problems = [
    ...[...new Set(foreign)].map((number) => usedTooOften(number, read.numbers, given)),
    ...(unused.length === 0 ? [] : [`it leaves out ${unused.join(", ")}`]),
    ...(isTarget ? [] : [`it makes ${toText(read.value)}`]),
    ...wrongRightSide(others, target),
  ];
  const problem = problems.length === 0 ? {} : { problem: problems.join("; ") };
  return { ...problem, value: read.value, foreign, unused };
}

/** Entries that are left when each of the others takes away one that is the same. */
function without(entries: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return entries.filter((entry) => {
    const at = left.indexOf(entry);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function usedTooOften(number: string, used: readonly string[], given: readonly string[]): string {
  const times = (list: readonly string[]): number => list.filter((one) => one === number).length;
  return times(given) === 0
    ? `it uses ${number}, which the puzzle does not have`
    : `it uses ${number} ${often(times(used))}, and the puzzle has it ${often(times(given))}`;
}

function often(times: number): string {
  return ["never", "once", "twice"][times] ?? `${times} times`;
}

function wrongRightSide(sides: readonly string[], target: bigint): string[] {
  if (sides.length > 1) return ["it has more than one equals sign"];
  return sides
    .map((side) => side.trim())
    .filter((side) => side !== String(target))
    .map((side) =>
      side === "" ? "it ends with an equals sign" : `it says that it makes \`${side.slice(0, 40)}\``,
    );
}
