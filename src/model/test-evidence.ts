/** How the run of an answer ended: all tests passed, one did not, it broke a limit, or it did not get so far. */
export type TestsEnded =
  | "passed"
  /** A test got another result. */
  | "wrong"
  /** A test raised an exception that it should not have raised, or the answer could not be loaded. */
  | "error"
  | "time"
  | "memory"
  | "output"
  /** The interpreter ended before its tests did. */
  | "crashed";

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
}

/** The first test that an answer did not pass. Texts are cut. */
export interface FailedTest {
  /** The test in its own words or its number: `base 3`, `test_empty_list`. */
  readonly name: string;
  /** The call or the standard input, as Python: `middle([1, 2, 3])`. */
  readonly input?: string;
  readonly expected?: string;
  /** What came instead: a value, the words of an exception, or of the limit that was broken. */
  readonly actual: string;
}

/** Evidence of a verdict by tests (`Verdict.evidence`), as it stands in records. */
export interface TestEvidence extends TestCounts {
  /** What contained the answer, with its Python: `bubblewrap 0.8.0, Python 3.11.7`. */
  readonly containment: string;
  /** The same by group, where there are several: `base`, `plus`. */
  readonly groups?: Readonly<Record<string, TestCounts>>;
  readonly ended: TestsEnded;
  readonly first?: FailedTest;
  /** Of the answer's tests, in milliseconds. */
  readonly ms: number;
  /** Its tests compare inside the process of the answer, which can forge their result (docs/limits.md). */
  readonly canBeForged?: true;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The evidence of a verdict by tests; undefined for that of another judge. */
export function testEvidenceOf(evidence: unknown): TestEvidence | undefined {
  if (!isObject(evidence) || typeof evidence["containment"] !== "string") return undefined;
  const { passed, failed, notRun, ended } = evidence;
  const isWhole = [passed, failed, notRun].every(Number.isSafeInteger) && typeof ended === "string";
  return isWhole ? (evidence as unknown as TestEvidence) : undefined;
}
