/** Source text as a person reads it in a line: each run of white space is one blank. */
export function oneLine(source: string): string {
  return source.replaceAll(/\s+/g, " ");
}
