import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { HISTORY_SCHEMA, historyEntrySchema, type HistoryEntry } from "../model/library-history.ts";
import { parseJson } from "../model/read-json.ts";
import type { LibraryFiles } from "./library-files.ts";

export const HISTORY_FILE = "library_history.json";
const MAX_BYTES = 200_000_000;

interface StoredHistory {
  /** The file as it is, with all that is not ours; undefined where there is no file. */
  readonly raw: Readonly<Record<string, unknown>> | undefined;
  /** As they are, readable or not. */
  readonly entries: readonly unknown[];
}

function finding(
  code: string,
  severity: Diagnostic["severity"],
  file: string,
  parts: readonly [string, string],
) {
  const [message, next] = parts;
  return { code, severity, message, next, file, range: START_OF_FILE };
}

async function stored(
  files: Pick<LibraryFiles, "readText">,
  folder: string,
): Promise<Checked<StoredHistory>> {
  const file = `${folder}/${HISTORY_FILE}`;
  const broken = (message: string): Checked<StoredHistory> => ({
    value: undefined,
    diagnostics: [
      finding("HASP660", "error", file, [message, "Fix it, or move it away; it is not replaced."]),
    ],
  });
  const found = await files.readText(file, MAX_BYTES);
  if (found.kind === "absent") return { value: { raw: undefined, entries: [] }, diagnostics: [] };
  if (found.kind === "too-large")
    return broken(
      `The history has ${(found.size / 1e6).toFixed(1)} MB; at most ${MAX_BYTES / 1e6} MB are read.`,
    );
  const value = parseJson(found.text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return broken("The history is no JSON object.");
  const raw = value as Readonly<Record<string, unknown>>;
  if (raw["schema"] !== HISTORY_SCHEMA) return broken(`The history is not of the form "${HISTORY_SCHEMA}".`);
  if (!Array.isArray(raw["entries"])) return broken("`entries` of the history is no list.");
  return { value: { raw, entries: raw["entries"] as readonly unknown[] }, diagnostics: [] };
}

/**
 * The decisions and changes of a library of generated skills, oldest first; none where it has no history. Undefined where the file cannot be
 * read (HASP660); an entry that cannot be read is left out with a warning (HASP661). Rejects on I/O errors.
 */
export async function readHistory(
  files: Pick<LibraryFiles, "readText">,
  folder: string,
): Promise<Checked<readonly HistoryEntry[]>> {
  const { value, diagnostics } = await stored(files, folder);
  if (value === undefined) return { value: undefined, diagnostics };
  const entries: HistoryEntry[] = [];
  const wrong: Diagnostic[] = [];
  value.entries.forEach((entry, i) => {
    const read = historyEntrySchema.safeParse(entry);
    if (read.success) entries.push(read.data);
    else {
      const [issue] = read.error.issues;
      const why = `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "unreadable"}`;
      const parts = [
        `Entry ${i + 1} of the history cannot be read: ${why}.`,
        "It is kept, and not shown.",
      ] as const;
      wrong.push(finding("HASP661", "warning", `${folder}/${HISTORY_FILE}`, parts));
    }
  });
  return { value: entries, diagnostics: wrong };
}

/**
 * Adds entries whose key the history does not have, as one replacement of the file. The caller keeps others out. Answers why nothing was
 * written (a file that cannot be read is never replaced), or nothing. Rejects on I/O errors.
 */
export async function appendHistory(
  files: Pick<LibraryFiles, "readText" | "writeText">,
  folder: string,
  added: readonly HistoryEntry[],
): Promise<readonly Diagnostic[]> {
  const { value, diagnostics } = await stored(files, folder);
  if (value === undefined) return diagnostics;
  const keys = new Set(value.entries.map((entry) => (entry as Partial<HistoryEntry> | null)?.key));
  const fresh = added.filter(({ key }) => !keys.has(key));
  if (fresh.length === 0) return [];
  const history = { schema: HISTORY_SCHEMA, ...value.raw, entries: [...value.entries, ...fresh] };
  await files.writeText(`${folder}/${HISTORY_FILE}`, `${JSON.stringify(history, null, 2)}\n`);
  return [];
}
