import type { TestCounts, TestEvidence, TestsEnded } from "./test-evidence.ts";

/** In words; without the ends that the counts say already. */
const ENDED: Readonly<Partial<Record<TestsEnded, string>>> = {
  error: "it raised an exception",
  time: "it ran out of time",
  memory: "it ran out of memory",
  output: "it printed too much",
  crashed: "the interpreter ended before the tests did",
};

/** `3 of 6 tests passed, 2 failed, 1 not run` */
export function countWords({ passed, failed, notRun }: TestCounts): string {
  const total = passed + failed + notRun;
  return [
    `${passed} of ${total} ${total === 1 ? "test" : "tests"} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ].join(", ");
}

/** No test was begun: the answer holds no program, or none that could be loaded. */
export const isUnloaded = ({ passed, failed, ended }: TestEvidence): boolean =>
  ended !== "passed" && passed + failed === 0;

/** What ended the run of an answer; undefined where the counts say it. */
export const endedWords = (evidence: TestEvidence): string | undefined =>
  evidence.ended === "error" && isUnloaded(evidence) ? "no program could be loaded" : ENDED[evidence.ended];

/** `base 3 of 3, plus 1 of 4`; undefined where the tests have no groups. */
export function groupWords({ groups = {} }: TestEvidence): string | undefined {
  const words = Object.entries(groups).map(
    ([name, { passed, failed, notRun }]) => `${name} ${passed} of ${passed + failed + notRun}`,
  );
  return words.length === 0 ? undefined : words.join(", ");
}

/** `3 of 6 tests passed, 2 failed, 1 not run (base 3 of 3, plus 0 of 3): it ran out of time` */
export function testWords(evidence: TestEvidence): string {
  const [groups, ended] = [groupWords(evidence), endedWords(evidence)];
  return `${countWords(evidence)}${groups === undefined ? "" : ` (${groups})`}${ended === undefined ? "" : `: ${ended}`}`;
}

/** What a person must know of tests whose result the answer can write itself. */
export const CAN_BE_FORGED =
  "These tests compare inside the answer's own process, so an answer written to deceive can make them pass (docs/limits.md).";
