/** How the run of an answer ended: all tests passed, one did not, it broke a limit, or it did not get so far. */
const ENDINGS = [
  "passed",
  /** A test got another result. */
  "wrong",
  /** A test raised an exception that it should not have raised, or the answer could not be loaded. */
  "error",
  "time",
  "memory",
  "output",
  /** The interpreter ended before its tests did. */
  "crashed",
] as const;
export type TestsEnded = (typeof ENDINGS)[number];

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

const COUNTS = ["passed", "failed", "notRun"] as const;

function countsOf(value: unknown): TestCounts | undefined {
  if (!isObject(value) || !COUNTS.every((name) => Number.isSafeInteger(value[name]))) return undefined;
  const [passed, failed, notRun] = COUNTS.map((name) => Number(value[name]));
  return { passed: passed ?? 0, failed: failed ?? 0, notRun: notRun ?? 0 };
}

const TEXTS = ["input", "expected"] as const;

function failedTestOf(value: unknown): FailedTest | undefined {
  if (!isObject(value)) return undefined;
  const { name, actual } = value;
  if (typeof name !== "string" || typeof actual !== "string") return undefined;
  const texts = TEXTS.flatMap((key) => (typeof value[key] === "string" ? [[key, value[key]]] : []));
  return { name, actual, ...Object.fromEntries(texts) };
}

function groupsOf(value: unknown): TestEvidence["groups"] {
  if (!isObject(value)) return undefined;
  const groups = Object.entries(value).flatMap(([name, counts]) => {
    const read = countsOf(counts);
    return read === undefined ? [] : [[name, read] as const];
  });
  return groups.length === 0 ? undefined : Object.fromEntries(groups);
}

/** The evidence of a verdict by tests; undefined for that of another judge. A part of another form is left out: a file may hold anything. */
export function testEvidenceOf(evidence: unknown): TestEvidence | undefined {
  if (!isObject(evidence)) return undefined;
  const { containment, ended, ms } = evidence;
  const [counts, ending] = [countsOf(evidence), ENDINGS.find((one) => one === ended)];
  if (typeof containment !== "string" || typeof ms !== "number") return undefined;
  if (counts === undefined || ending === undefined) return undefined;
  const [groups, first] = [groupsOf(evidence["groups"]), failedTestOf(evidence["first"])];
  return {
    ...counts,
    containment,
    ended: ending,
    ms,
    ...(groups && { groups }),
    ...(first && { first }),
    ...(evidence["canBeForged"] === true && { canBeForged: true }),
  };
}
