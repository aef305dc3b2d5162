import type { Diagnostic } from "../model/diagnostic.ts";
import type { ImportedKind, ImportFinding, LedgerEntry } from "../model/import-report.ts";

/** Kinds over all files that are told apart. */
const KINDS_KEPT = 1_000;
/** Findings that are kept word for word: 50,000 files may have a thousand each. */
const FINDINGS_KEPT = 10_000;
/** Places of findings of one code that a report names. */
const PLACES_NAMED = 5;

/** Counts kinds of things over all files. */
export function kindCounter() {
  const kinds = new Map<string, ImportedKind>();
  const lastFile = new Map<ImportedKind, string>();
  return {
    add({ what, to, times }: LedgerEntry, file: string): void {
      const key = `${what}\n${to}`;
      const isFull = kinds.size >= KINDS_KEPT && !kinds.has(key);
      const [name, place] = isFull ? ["(more)", "not listed"] : [what, to];
      const named = `${name}\n${place}`;
      const kind = kinds.get(named) ?? { what: name, to: place, times: 0, files: 0, first: file };
      kinds.set(named, kind);
      kind.times += times;
      if (lastFile.get(kind) !== file) kind.files++;
      lastFile.set(kind, file);
    },
    list: (): ImportedKind[] => [...kinds.values()].toSorted((a, b) => b.times - a.times),
  };
}

const SEVERITIES = ["error", "warning", "information", "hint"] as const;

/** Counts findings by code, and keeps the first ones. Lists the worst and most frequent first. */
export function findingCounter() {
  const kept: Diagnostic[] = [];
  const byCode = new Map<string, ImportFinding>();
  const lastFile = new Map<ImportFinding, string | undefined>();
  return {
    add(finding: Diagnostic): void {
      const { code, severity, next, file, message, range } = finding;
      if (kept.length < FINDINGS_KEPT) kept.push(finding);
      const key = `${severity} ${code}`;
      const all = byCode.get(key) ?? {
        code,
        severity,
        ...(next !== undefined && { next }),
        times: 0,
        files: 0,
        places: [],
      };
      byCode.set(key, all);
      all.times++;
      if (!lastFile.has(all) || lastFile.get(all) !== file) all.files++;
      lastFile.set(all, file);
      const isOfLine = range.end.line > range.start.line || range.start.line > 0;
      if (all.places.length < PLACES_NAMED)
        all.places.push({
          ...(file !== undefined && { file }),
          ...(isOfLine && { line: range.start.line + 1 }),
          message,
        });
    },
    kept: (): readonly Diagnostic[] => kept,
    list: (): ImportFinding[] =>
      [...byCode.values()].toSorted(
        (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.times - a.times,
      ),
  };
}
