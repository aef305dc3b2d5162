import { counted } from "../model/counted.ts";
import { type Checked, type Diagnostic, START_OF_FILE } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import { csvEntries } from "./csv-entries.ts";
import { asRecord } from "./formats/records.ts";
import { type JsonEntry, jsonEntries } from "./json-entries.ts";
import { diagnosticLog, lineDiagnostic } from "./line-diagnostics.ts";

/** Verdicts of somebody else, such as of a benchmark, on episodes that a file names by their ids. */
export interface GivenVerdicts {
  readonly file: string;
  /** Name of the judge: that of the file without its folder. */
  readonly judge: string;
  readonly passed: ReadonlyMap<string, boolean>;
}

/** Columns that name an episode, and those that tell whether it passed; of each row the first that is there counts. */
const ID_COLUMNS = ["id", "episode", "episode_id", "instance_id", "session_id"] as const;
const PASSED_COLUMNS = ["passed", "resolved", "correct"] as const;
/** Characters of a stranger's text that a message shows. */
const SHOWN = 60;

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

function firstOf(row: Readonly<Record<string, unknown>>, columns: readonly string[]): unknown {
  return columns.map((column) => row[column]).find(isThere);
}

function asVerdict(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return undefined;
  const word = text.trim().toLowerCase();
  if (["true", "1", "yes"].includes(word)) return true;
  return ["false", "0", "no"].includes(word) ? false : undefined;
}

interface Row {
  readonly id: string;
  readonly passed: boolean;
}

/** The verdict of a row, or why it holds none. */
function rowOf({ value, problem }: JsonEntry): Row | string {
  if (problem !== undefined) return problem;
  const row = asRecord(value);
  const id = firstOf(row, ID_COLUMNS);
  if (typeof id !== "string" && typeof id !== "number")
    return `it names no episode (${ID_COLUMNS.join(", ")})`;
  const given = firstOf(row, PASSED_COLUMNS);
  if (given === undefined) return `it has no verdict (${PASSED_COLUMNS.join(", ")})`;
  const passed = asVerdict(given);
  if (passed === undefined)
    return `${(JSON.stringify(given) ?? "its verdict").slice(0, SHOWN)} is no verdict: true or false is expected`;
  return { id: String(id).trim(), passed };
}

const NEXT = 'Write CSV with the columns `id` and `passed`, or JSON lines: {"id": "…", "passed": true}.';

/** The verdicts of a CSV file with a header, of JSON lines or of a JSON array. HASP519 for rows without one, and for a file without any. */
export function readGivenVerdicts(text: string, file: string): Checked<GivenVerdicts> {
  const passed = new Map<string, boolean>();
  const log = diagnosticLog(file);
  const isJson = /^\uFEFF?\s{0,80}[[{]/.test(text);
  for (const entry of isJson ? jsonEntries(text) : csvEntries(text)) {
    const row = rowOf(entry);
    const found = (problem: string): void =>
      log.add(() =>
        lineDiagnostic({
          code: "HASP519",
          severity: "warning",
          file,
          line: entry.line,
          message: `${problem}. The row is left out.`,
          next: NEXT,
        }),
      );
    if (typeof row === "string") found(row);
    else if (passed.get(row.id) === !row.passed)
      found(`episode ${JSON.stringify(row.id).slice(0, SHOWN)} had the other verdict before`);
    else passed.set(row.id, row.passed);
  }
  if (passed.size > 0) {
    const judge = file.split(/[/\\]/).findLast((part) => part !== "") ?? file;
    return { value: { file, judge, passed }, diagnostics: log.list() };
  }
  const none: Diagnostic = {
    code: "HASP519",
    severity: "error",
    message: "The file holds no verdict.",
    next: NEXT,
    file,
    range: START_OF_FILE,
  };
  return { value: undefined, diagnostics: [...log.list(), none] };
}

/** The episode with the verdict on it behind those that it has. An outcome that nothing was known of follows from it. */
export function withGivenVerdict(episode: Episode, { judge, passed }: GivenVerdicts): Episode {
  const given = passed.get(episode.id);
  const { outcome, verdicts = [] } = episode;
  if (given === undefined || outcome === "abandoned") return episode;
  const verdict = { judge, score: given ? 1 : 0, passed: given };
  return {
    ...episode,
    outcome: outcome === "unjudged" ? (given ? "correct" : "wrong") : outcome,
    verdicts: [...verdicts, verdict],
  };
}

/** Ids that a message names. */
const NAMED = 5;

/** Verdicts on episodes that no file has (HASP517): a warning where none fits. `ids`: those of all episodes. */
export function unmatchedVerdicts(
  { file, passed }: GivenVerdicts,
  ids: ReadonlyMap<string, unknown>,
): readonly Diagnostic[] {
  const missing = [...passed.keys()].filter((id) => !ids.has(id));
  if (missing.length === 0) return [];
  const named = missing.slice(0, NAMED).map((id) => id.slice(0, SHOWN));
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : "";
  return [
    {
      code: "HASP517",
      severity: missing.length === passed.size ? "warning" : "information",
      message: `${missing.length} of ${counted(passed.size, "verdict")} ${missing.length === 1 ? "is" : "are"} on no imported episode: ${named.join(", ")}${more}.`,
      next: "Compare the ids with those of the episodes: `hasp replay <run>` lists them.",
      file,
      range: START_OF_FILE,
    },
  ];
}
