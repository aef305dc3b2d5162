import { testEvidenceOf, type TestEvidence } from "../../model/test-evidence.ts";
import type { Detectors } from "../detectors/detectors.ts";
import type { Detector, EpisodeView } from "../detectors/episode-view.ts";
import type { CodeDraft } from "./code-types.d.ts";
import { readCode } from "./read-code.ts";

/** A program that did not pass its tests, or of which nobody says so. */
interface Unproven {
  readonly tests: TestEvidence | undefined;
  readonly draft: CodeDraft;
}

interface Failed extends Unproven {
  readonly tests: TestEvidence;
}

function unprovenIn({ episode: { question, answer, verdicts = [] } }: EpisodeView): Unproven | undefined {
  // Another program may have given the first verdict, without evidence.
  const [tests] = verdicts.flatMap(({ evidence }) => testEvidenceOf(evidence) ?? []);
  if (tests?.ended === "passed" || answer === undefined) return undefined;
  return { tests, draft: readCode({ question, answer }) };
}

/** The detector of a program by the reason that it gives; undefined where it finds nothing. */
function onProgram(reasonOf: (unproven: Unproven) => string | undefined): Detector {
  return (view) => {
    const unproven = unprovenIn(view);
    const reason = unproven && reasonOf(unproven);
    return reason === undefined ? undefined : { steps: [view.final ?? 0], reason };
  };
}

/** The same of tests that were run. */
const onTests = (reasonOf: (failed: Failed) => string | undefined): Detector =>
  onProgram(({ tests, draft }) => (tests === undefined ? undefined : reasonOf({ tests, draft })));

const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

const DOES_NOT_PARSE = /^(?:SyntaxError|IndentationError|TabError)\b/;
/** In Python's words: those of the judge on an entry that is not there are another's matter. */
const NAMES_NOTHING =
  /^(?:NameError(?!: \w+ is not defined$)|ModuleNotFoundError|ImportError|AttributeError)\b/;

/** The unfinished part of the program; undefined where the program is complete. */
function unfinished({ tests: { first }, draft: { problem, functions } }: Failed): string | undefined {
  if (problem !== undefined) return `the program does not parse at ${quoted(problem.text)}`;
  if (first !== undefined && DOES_NOT_PARSE.test(first.actual)) return first.actual;
  const stub = functions.find(({ isStub, isUsed, isNested }) => isStub && (isUsed || !isNested));
  if (stub !== undefined) return `${stub.name} has no body`;
  if (first === undefined || first.actual !== "None" || first.expected === undefined) return undefined;
  const path = functions.find(({ returns }) => returns === "some paths" || returns === "no path");
  return first.expected === "None" || path === undefined ? undefined : `${path.name} ends without a value`;
}

/** The name that nothing defines; undefined where there is none. */
function undefinedName({ tests: { first }, draft: { undefinedNames } }: Failed): string | undefined {
  if (first !== undefined && NAMES_NOTHING.test(first.actual)) return first.actual;
  const [name] = undefinedNames;
  return first === undefined && name !== undefined ? `nothing defines ${name.name}` : undefined;
}

function missingForm({ draft: { source, entries } }: Unproven): string | undefined {
  if (source.trim() === "") return "the answer has no program";
  const missing = entries.find(({ isDefined }) => !isDefined);
  return missing && `the program defines no ${missing.name}`;
}

function wrongResult(failed: Failed): string | undefined {
  const { passed, failed: count, notRun, ended, first } = failed.tests;
  const others = [missingForm, unfinished, undefinedName];
  if (count === 0 || others.some((reasonOf) => reasonOf(failed) !== undefined)) return undefined;
  const name = first === undefined ? "" : `, the first at ${quoted(first.name)}`;
  return `${count} of ${passed + count + notRun} tests failed (${ended})${name}`;
}

/** The detectors of SPEC §10.8 for programs: they look at the evidence of the judge and at the program that it judged. */
export const CODE_DETECTORS: Detectors = {
  reasoning_hallucination: {
    detect: onTests(undefinedName),
    pattern: {
      group: "evidence",
      abstraction: "The program uses a name, a module or a method that does not exist.",
      trigger: "A final answer that reads a name which neither the program nor the language defines.",
      hint: "Quote the line with the name, and have the import or the definition written.",
    },
  },
  format_mismatch: {
    detect: onProgram(missingForm),
    pattern: {
      group: "format",
      abstraction: "The answer has no program, or not the function or class that the task names.",
      trigger: "A final answer without a definition of a name that the task gives.",
      hint: "Quote the name from the task, and have the program written under it.",
    },
  },
  incomplete_implementation: { detect: onTests(unfinished) },
  incomplete_logic: { detect: onTests(wrongResult) },
};
