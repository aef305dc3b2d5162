import type { Diagnostic, Range, Severity } from "../model/diagnostic.ts";

/** Collects what is wrong with one file. */
export interface Report {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  error(code: string, range: Range, message: string, next?: string): void;
  warning(code: string, range: Range, message: string, next?: string): void;
  information(code: string, range: Range, message: string, next?: string): void;
}

export function reportOn(file: string): Report {
  const diagnostics: Diagnostic[] = [];
  const add = (severity: Severity, code: string, range: Range, message: string, next?: string): void => {
    diagnostics.push({ code, severity, message, file, range, ...(next === undefined ? {} : { next }) });
  };
  return {
    file,
    diagnostics,
    error: (code, range, message, next) => add("error", code, range, message, next),
    warning: (code, range, message, next) => add("warning", code, range, message, next),
    information: (code, range, message, next) => add("information", code, range, message, next),
  };
}
