import type { Diagnostic } from "../model/diagnostic.ts";
import { EPISODE_SCHEMA } from "../model/episode.ts";
import type { HeadResult } from "./episode-head.ts";
import { lineDiagnostic } from "./line-diagnostics.ts";
import { MAX_LINE_BYTES } from "./text-lines.ts";

/** The line broke off or never was JSON. */
export function notJson(file: string, line: number, endsLikeJson: boolean): Diagnostic {
  return lineDiagnostic({
    code: "HASP501",
    file,
    line,
    message: endsLikeJson
      ? "this is not valid JSON, so it is no episode."
      : "the line breaks off before its JSON ends, so the episode is lost.",
    next: endsLikeJson
      ? "Repair or delete the line; the other episodes are not affected."
      : "Delete the line, or record or import the episode again; the other episodes are not affected.",
  });
}

export function foreignSchema(file: string, line: number, schema: unknown): Diagnostic {
  const named =
    typeof schema === "string" ? `has the schema ${JSON.stringify(schema.slice(0, 60))}` : "names no schema";
  return lineDiagnostic({
    code: "HASP502",
    file,
    line,
    message: `this is JSON, but it ${named} where "${EPISODE_SCHEMA}" belongs.`,
    next: "Import files of other programs with `hasp import`; delete the line if it came here by mistake.",
  });
}

export function malformedEpisode(file: string, line: number, problem: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP503",
    file,
    line,
    message: `the episode does not fit ${EPISODE_SCHEMA}: ${problem}.`,
    next: "Repair the named field, or delete the line; docs/formats.md describes the schema.",
  });
}

export function lineTooLong(file: string, line: number): Diagnostic {
  return lineDiagnostic({
    code: "HASP504",
    file,
    line,
    message: `the line is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB and is not read.`,
    next: "Check that the file is an episode file with one episode a line.",
  });
}

/** `why`: a clause that names the limit. */
export function pastLimit(file: string, line: number, why: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP504",
    file,
    line,
    message: `the line is not read: ${why}.`,
    next: "Delete the line; the other episodes are not affected. docs/formats.md lists the limits.",
  });
}

/** The finding that a line's own content gives, or undefined where it is an episode. */
export function findingOf(file: string, line: number, result: HeadResult): Diagnostic | undefined {
  if (result.kind === "not-json") return notJson(file, line, true);
  if (result.kind === "past-limit") return pastLimit(file, line, result.why);
  if (result.kind === "foreign") return foreignSchema(file, line, result.schema);
  if (result.kind === "malformed") return malformedEpisode(file, line, result.problem);
  return undefined;
}
