import { closingLine, sumOf } from "./counts.mts";
import type { Result } from "./run-stages.mts";

/** Meaning and limits of the processor seconds. */
const COUNTED =
  "Processor: user and system seconds of a stage's processes. Those of one that detaches and ends between two looks," +
  " a second apart, are missing.";

/** All lines about the results; the very last is `N passed, N failed`. */
export function summaryOf(results: readonly Result[], omitted: readonly string[]): string[] {
  return [
    ...tableOf(results),
    COUNTED,
    ...results.flatMap(({ name, counts }) =>
      [...counts.skips, ...counts.faults].map((line) => `${name}: ${line}`),
    ),
    ...results.flatMap(({ name, notRun }) => (notRun === undefined ? [] : [`${name}: not run: ${notRun}`])),
    ...omitted,
  ]
    .map((line) => `[hasp] ${line}`)
    .concat(closingLine(sumOf(results.map(({ counts }) => counts))));
}

function tableOf(results: readonly Result[]): string[] {
  const ran = results.flatMap(({ name, counts, use }) => (use === undefined ? [] : [{ name, counts, use }]));
  const rows = ran.map(({ name, counts, use: { wallSeconds, processorSeconds } }) => [
    name,
    seconds(wallSeconds),
    seconds(processorSeconds),
    `  ${closingLine(counts)}`,
  ]);
  const processor = sumOrNothing(ran.map(({ use }) => use.processorSeconds));
  return [["stage", "wall", "processor", ""], ...rows, ["all", "", seconds(processor), ""]].map(
    ([name = "", wall = "", cpu = "", counts = ""]) =>
      `${name.padEnd(12)}${wall.padStart(10)}${cpu.padStart(12)}${counts}`.trimEnd(),
  );
}

const seconds = (value: number | undefined): string => (value === undefined ? "?" : `${value.toFixed(1)} s`);

function sumOrNothing(values: readonly (number | undefined)[]): number | undefined {
  return values.includes(undefined) ? undefined : values.reduce((sum: number, one) => sum + (one ?? 0), 0);
}

/** Whether something failed, or nothing has passed. */
export function isFailure(results: readonly Result[]): boolean {
  const { passed, failed } = sumOf(results.map(({ counts }) => counts));
  return failed > 0 || passed === 0;
}
