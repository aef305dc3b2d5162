import type { CheckKind } from "../../model/coding-context.ts";

/** Characters at the end of an output that are looked at; verdicts stand there. */
const TAIL = 20_000;

interface Tells {
  readonly failed: readonly RegExp[];
  readonly passed: readonly RegExp[];
}

/** What the widespread tools write when they are done. Every repetition is bounded by its line. */
const TELLS: Readonly<Record<CheckKind, Tells>> = {
  test: {
    failed: [
      /^\s*Tests?:?\s+[^\n]{0,200}?\b[1-9]\d* failed/m,
      /^\s*Test (?:Files|Suites):?\s+[^\n]{0,200}?\b[1-9]\d* failed/m,
      /^=* ?[^\n]{0,200}?\b[1-9]\d* (?:failed|errors?)\b[^\n]{0,200} in [\d.]+s/m,
      /^(?:--- FAIL|FAIL)\b/m,
      /^test result: FAILED/m,
      /^\s*[1-9]\d* failing\b/m,
      /^[#ℹ] fail [1-9]/m,
      /^FAILED \((?:failures|errors)=/m,
      /^(?:FAILURES|ERRORS)!/m,
      /\b\d+ examples?, [1-9]\d* failures?/,
      /^Tests run: [^\n]{0,100}(?:Failures|Errors): [1-9]/m,
      /\bBUILD (?:FAILURE|FAILED)\b/,
      /^Failed!\s+-/m,
      /^=+ tests finished: [^\n]{0,200}\b[1-9]\d* (?:failed|exceptions?)/m,
      /^DO \*NOT\* COMMIT!/m,
    ],
    passed: [
      /^\s*Tests:?\s+(?:\d+ (?:skipped|todo), )*\d+ passed/m,
      /^=* ?[^\n]{0,200}?\b\d+ passed\b[^\n]{0,200} in [\d.]+s/m,
      /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/m,
      /^test result: ok/m,
      /^\s*\d+ passing\b/m,
      /^[#ℹ] fail 0$/m,
      /^Ran \d+ tests? in [^\n]*\n+OK\b/m,
      /^OK \(\d+ tests?/m,
      /\b[1-9]\d* examples?, 0 failures/,
      /\bBUILD SUCCESS(?:FUL)?\b/,
      /^Passed!\s+-/m,
      /^=+ tests finished: [1-9]\d* passed/m,
    ],
  },
  lint: {
    failed: [
      /[✖×x] [1-9]\d* problems? \([1-9]\d* errors?/,
      /^Found [1-9]\d* errors?\b/m,
      /^Found \d+ warnings? and [1-9]\d* errors?/m,
      /\b\d+ files? inspected, [1-9]\d* offenses?/,
    ],
    passed: [
      /^All checks passed!/m,
      /^Found \d+ warnings? and 0 errors/m,
      /\binspected, no offenses/,
      /^0 issues\.?$/m,
    ],
  },
  types: {
    failed: [
      /\berror TS\d+:/,
      /^Found [1-9]\d* errors?\b/m,
      /^\s*[1-9]\d* errors?, \d+ warnings?/m,
      /^error(?:\[E\d+\])?: /m,
    ],
    passed: [
      /^Success: no issues found/m,
      /^\s*0 errors, \d+ warnings?/m,
      /^Found 0 errors/m,
      /^svelte-check found 0 errors/m,
    ],
  },
  build: {
    failed: [
      /\bBUILD (?:FAILURE|FAILED)\b/,
      /^Build FAILED/m,
      /^error(?:\[E\d+\])?: /m,
      /^make(?:\[\d+\])?: \*\*\* /m,
      /\berror TS\d+:/,
    ],
    passed: [
      /\bBUILD SUCCESS(?:FUL)?\b/,
      /^Build succeeded/m,
      /^✓ built in /m,
      /^\s*Finished `?(?:dev|release|test)/m,
    ],
  },
  format: {
    failed: [
      /^\[warn\] Code style issues/m,
      /^\[error\] /m,
      /\bfiles? would be reformatted/,
      /^would reformat /m,
    ],
    passed: [
      /^All matched files use Prettier code style/m,
      /\bfiles? (?:would be )?left unchanged/,
      /^All done!/m,
    ],
  },
};

/** What any tool, or the shell, writes where the command failed. */
const BROKEN = [
  /^npm (?:ERR!|error) /m,
  /\bELIFECYCLE\b/,
  /^(?:\S+: )?(?:(?:line )?\d+: )?\S+: (?:command )?not found$/m,
  /^(?:Process |Command )?exit(?:ed)?(?: with)? (?:code|status):? [1-9]/im,
];

/** Whether an output says that the check passed; undefined where it does not tell. */
export function passedByOutput(kind: CheckKind, output: string): boolean | undefined {
  // Colours stand between the words that tell.
  const tail = withoutColours(output.slice(-TAIL));
  const { failed, passed } = TELLS[kind];
  if (failed.some((pattern) => pattern.test(tail))) return false;
  // A tool that says itself that all is well is not belied by what else stands in the output.
  if (passed.some((pattern) => pattern.test(tail))) return true;
  return BROKEN.some((pattern) => pattern.test(tail)) ? false : undefined;
}

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

export const withoutColours = (text: string): string => text.replaceAll(COLOUR, "");
