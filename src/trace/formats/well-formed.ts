const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * A JSON value in which every lone surrogate, in texts and keys, is U+FFFD. JSON could write them as escapes, but readers
 * that keep texts as UTF-8 (Rust, Go, pydantic) refuse a document with one.
 */
export function wellFormed(value: unknown): { readonly value: unknown; readonly replaced: number } {
  let replaced = 0;
  const text = (given: string): string => {
    if (given.isWellFormed()) return given;
    replaced += given.match(LONE)?.length ?? 0;
    return given.toWellFormed();
  };
  const visit = (given: unknown): unknown => {
    if (typeof given === "string") return text(given);
    if (Array.isArray(given)) return given.map(visit);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, inner]) => [text(key), visit(inner)]));
  };
  const result = visit(value);
  return { value: result, replaced };
}
