import type { Diagnostic, Severity } from "../model/diagnostic.ts";

/** Past this many, further findings of one file are counted and not kept: a foreign file may have a million lines. */
const MAX_DIAGNOSTICS = 1_000;

interface LineFinding {
  readonly code: string;
  readonly severity?: Severity;
  readonly file: string;
  /** 0-based. The message gets the 1-based number in front. */
  readonly line: number;
  readonly message: string;
  readonly next: string;
}

/** A diagnostic about a whole line of a JSONL file: `Line 12: …`. */
export function lineDiagnostic(finding: LineFinding): Diagnostic {
  return {
    code: finding.code,
    severity: finding.severity ?? "error",
    message: `Line ${finding.line + 1}: ${finding.message}`,
    next: finding.next,
    file: finding.file,
    range: { start: { line: finding.line, character: 0 }, end: { line: finding.line + 1, character: 0 } },
  };
}

export interface DiagnosticLog {
  /** `make` is not called for what is only counted. */
  add(make: () => Diagnostic): void;
  /** What was kept in the order of the lines, and one more that says how many were not. */
  list(): readonly Diagnostic[];
  /** All that were added, kept or not. */
  count(): number;
  kept(): readonly Diagnostic[];
}

/** Collects diagnostics of one file, the first `MAX_DIAGNOSTICS` of them. */
export function diagnosticLog(
  file: string,
  before: readonly Diagnostic[] = [],
  beforeCount = 0,
): DiagnosticLog {
  const kept = [...before];
  let count = Math.max(beforeCount, kept.length);
  return {
    add(make) {
      count++;
      if (kept.length < MAX_DIAGNOSTICS) kept.push(make());
    },
    list() {
      const sorted = kept.toSorted((a, b) => a.range.start.line - b.range.start.line);
      return count > kept.length ? [...sorted, omitted(file, count - kept.length, sorted.at(-1))] : sorted;
    },
    count: () => count,
    kept: () => kept,
  };
}

function omitted(file: string, more: number, last: Diagnostic | undefined): Diagnostic {
  const line = last?.range.start.line ?? 0;
  return lineDiagnostic({
    code: "HASP505",
    file,
    line,
    message: `${more} more findings follow after this line and are not listed.`,
    next: "Check that this is the file you meant: most of it cannot be read.",
  });
}
