import type { Diagnostic, Fix, Range, Severity } from "../model/diagnostic.ts";
import { sourceText, type SourceText } from "./source-text.ts";

/** Collects what is wrong with one file. */
export interface Report {
  readonly file: string;
  /** The text that is looked at, for fixes; empty where nobody gave it. */
  readonly source: SourceText;
  readonly diagnostics: readonly Diagnostic[];
  error(code: string, range: Range, message: string, next?: string, fixes?: readonly Fix[]): void;
  warning(code: string, range: Range, message: string, next?: string, fixes?: readonly Fix[]): void;
  information(code: string, range: Range, message: string, next?: string, fixes?: readonly Fix[]): void;
  hint(code: string, range: Range, message: string, next?: string, fixes?: readonly Fix[]): void;
}

export function reportOn(file: string, source: SourceText = sourceText("")): Report {
  const diagnostics: Diagnostic[] = [];
  const add = (
    severity: Severity,
    code: string,
    range: Range,
    message: string,
    next?: string,
    fixes: readonly Fix[] = [],
  ): void => {
    const more = { ...(next !== undefined && { next }), ...(fixes.length > 0 && { fixes }) };
    diagnostics.push({ code, severity, message, file, range, ...more });
  };
  return {
    file,
    source,
    diagnostics,
    error: (...found) => add("error", ...found),
    warning: (...found) => add("warning", ...found),
    information: (...found) => add("information", ...found),
    hint: (...found) => add("hint", ...found),
  };
}
