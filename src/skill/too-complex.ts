import type { Diagnostic } from "../model/diagnostic.ts";
import type { SourceText } from "./source-text.ts";

/** A file that exceeds what reading or checking one file may cost. */
export const TOO_COMPLEX = "HASP220";

/** The limit that a file exceeds; `failure`: the compiler itself fails on it. */
export type ComplexityLimit = "depth" | "time" | "memory" | "failure";

const WHY: Readonly<Record<ComplexityLimit, readonly [message: string, next: string]>> = {
  depth: ["The code is nested too deeply to be read.", "Break the expression up into functions."],
  time: [
    "Checking the file takes longer than one file may take, so it was stopped.",
    "Make types, unions and expressions smaller: move long lists into arrays, chains of `else if` into a Map.",
  ],
  memory: [
    "Checking the file needs more memory than one file may use, so it was stopped.",
    "Make types, unions and expressions smaller: a combination of unions has as many members as their product.",
  ],
  failure: ["The TypeScript compiler fails on this file.", "Simplify the code that was written last."],
};

/** Of an error that reading or checking a file has thrown; undefined where it is not of this kind. */
export function limitOfError(error: unknown): "depth" | "memory" | undefined {
  if (!(error instanceof RangeError)) return undefined;
  // The others are of texts, maps and arrays that have outgrown what the engine allows.
  return error.message.includes("call stack") ? "depth" : "memory";
}

/** The file is named and left out; all others are read and checked as usual. `detail`: the words of the compiler's failure. */
export function tooComplex(
  file: string,
  text: SourceText,
  limit: ComplexityLimit,
  detail?: string,
): Diagnostic & { readonly next: string } {
  const [message, next] = WHY[limit];
  return {
    code: TOO_COMPLEX,
    severity: "error",
    message: detail === undefined ? message : `${message.slice(0, -1)}: ${detail}`,
    next,
    file,
    range: text.firstLine(),
  };
}

/** The same of a cases.yaml. */
export function casesTooComplex(file: string, text: SourceText, limit: ComplexityLimit): Diagnostic {
  const { severity, range } = tooComplex(file, text, limit);
  const exceeded = limit === "failure" ? "cannot be read" : `exceeds the ${limit} that one file may take`;
  const message = `Reading the file ${exceeded}, so it was stopped.`;
  return {
    code: "HASP300",
    severity,
    message,
    next: "Keep the cases that tell most, in plain YAML.",
    file,
    range,
  };
}
