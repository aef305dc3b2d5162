import { parseJson } from "../model/read-json.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { outcomeSchema, type EpisodeHead, type Outcome } from "../model/episode.ts";
import { z } from "../model/zod.ts";
import { hashBytes } from "./hash.ts";
import type { FileStat, TraceFiles } from "./ports.ts";
import { sidecarPath } from "./run-paths.ts";
import { textLines, type TextLine } from "./text-lines.ts";

const INDEX_SCHEMA = "hasp.index/2";

/** Where one episode stands in its file. */
export interface IndexEntry {
  /** Byte offset of the line. */
  readonly offset: number;
  /** Bytes, without the newline. */
  readonly bytes: number;
  /** 0-based. */
  readonly line: number;
  /** `question` is clipped to 200 characters. */
  readonly head: EpisodeHead;
}

/** What is known of a file's first `scannedTo` bytes, which end with a newline. */
export interface IndexedPart {
  /** Bytes of the whole file at the time. */
  readonly size: number;
  readonly scannedTo: number;
  /** Lines in the scanned part. */
  readonly lines: number;
  readonly entries: readonly IndexEntry[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many findings there were; `diagnostics` holds the first of them. */
  readonly findings: number;
}

const position = z.object({ line: z.number().int(), character: z.number().int() });
const headerSchema = z.object({
  schema: z.literal(INDEX_SCHEMA),
  size: z.number().int().nonnegative(),
  mtimeMs: z.number(),
  scannedTo: z.number().int().nonnegative(),
  lines: z.number().int().nonnegative(),
  /** Of the first and last bytes of the scanned part. */
  headHash: z.string(),
  tailHash: z.string(),
  entries: z.number().int().nonnegative(),
  findings: z.number().int().nonnegative(),
  diagnostics: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(["error", "warning", "information", "hint"]),
      message: z.string(),
      next: z.string(),
      file: z.string(),
      range: z.object({ start: position, end: position }),
    }),
  ),
});
type Header = z.infer<typeof headerSchema>;

const BOUND_BYTES = 4_096;
const ENTRIES_A_LINE = 500;
const OUTCOMES = new Set<unknown>(outcomeSchema.options);

/** The sidecar's content where it belongs to the file as it is now, or to a beginning of it; else undefined. */
export async function loadSidecar(
  files: TraceFiles,
  path: string,
  stat: FileStat,
): Promise<IndexedPart | undefined> {
  const sidecar = sidecarPath(path);
  const size = (await files.stat(sidecar))?.size ?? 0;
  if (size === 0) return undefined;
  const lines = textLines(files.chunks(sidecar, 0, size));
  try {
    return await readSidecar(files, path, stat, lines);
  } finally {
    // Closes the file where the sidecar was not read to its end.
    await lines.return(undefined);
  }
}

async function readSidecar(
  files: TraceFiles,
  path: string,
  stat: FileStat,
  lines: AsyncGenerator<TextLine>,
): Promise<IndexedPart | undefined> {
  const first = await lines.next();
  const header = first.done === true ? undefined : parseHeader(first.value.text);
  if (header === undefined || !(await fits(files, path, stat, header))) return undefined;
  const entries: IndexEntry[] = [];
  for await (const { text } of lines) {
    if (!takeEntries(text, header, entries)) return undefined;
  }
  if (entries.length !== header.entries) return undefined;
  const diagnostics = header.diagnostics.map((d) => ({ ...d, file: path }));
  const { scannedTo, lines: lineCount, findings } = header;
  return { size: header.size, scannedTo, lines: lineCount, entries, diagnostics, findings };
}

function parseHeader(text: string | undefined): Header | undefined {
  const parsed = headerSchema.safeParse(parseJson(text ?? ""));
  return parsed.success ? parsed.data : undefined;
}

/** A file of the same size must be untouched; a longer one must begin with what was indexed. */
async function fits(files: TraceFiles, path: string, stat: FileStat, header: Header): Promise<boolean> {
  if (header.scannedTo > header.size || header.size > stat.size) return false;
  if (header.size === stat.size && header.mtimeMs !== stat.mtimeMs) return false;
  const bounds = await hashBounds(files, path, header.scannedTo);
  return bounds.headHash === header.headHash && bounds.tailHash === header.tailHash;
}

async function hashBounds(
  files: TraceFiles,
  path: string,
  scannedTo: number,
): Promise<{ headHash: string; tailHash: string }> {
  const bytes = Math.min(BOUND_BYTES, scannedTo);
  const head = await files.read(path, 0, bytes);
  const tail = await files.read(path, scannedTo - bytes, bytes);
  return { headHash: hashBytes(head), tailHash: hashBytes(tail) };
}

/** False where the line is no list of entries that lie in order within the scanned part. */
function takeEntries(text: string | undefined, header: Header, into: IndexEntry[]): boolean {
  const rows = parseJson(text ?? "");
  if (!Array.isArray(rows)) return false;
  return rows.every((row: unknown) => {
    const entry = entryOf(row);
    const end = (into.at(-1)?.offset ?? -1) + (into.at(-1)?.bytes ?? 0);
    if (entry === undefined || entry.offset <= end || entry.offset + entry.bytes > header.scannedTo)
      return false;
    into.push(entry);
    return true;
  });
}

/** The sixth is the sample; null if the head lacks it. */
type Row = [number, number, number, string, string, number | null, Outcome, number, string];

// By hand: zod takes ten times as long, and a large run has hundreds of thousands of rows.
function entryOf(row: unknown): IndexEntry | undefined {
  if (!Array.isArray(row) || row.length !== 9) return undefined;
  const numbers = [row[0], row[1], row[2], row[5] ?? 0, row[7]].every(
    (n) => Number.isSafeInteger(n) && n >= 0,
  );
  const texts = [row[3], row[4], row[8]].every((s) => typeof s === "string");
  if (!numbers || !texts || !OUTCOMES.has(row[6])) return undefined;
  const [offset, bytes, line, id, questionId, sample, outcome, length, question] = row as Row;
  const own = sample === null ? {} : { sample };
  return { offset, bytes, line, head: { id, questionId, ...own, outcome, length, question } };
}

/** Writes the sidecar, as a whole or not at all. */
export async function saveSidecar(
  files: TraceFiles,
  path: string,
  stat: FileStat,
  part: IndexedPart,
): Promise<void> {
  const header: Header = {
    schema: INDEX_SCHEMA,
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    scannedTo: part.scannedTo,
    lines: part.lines,
    ...(await hashBounds(files, path, part.scannedTo)),
    entries: part.entries.length,
    findings: part.findings,
    diagnostics: part.diagnostics.map((d) => ({ ...d, next: d.next ?? "", file: "" })),
  };
  await files.writeAtomic(sidecarPath(path), sidecarLines(header, part.entries));
}

async function* sidecarLines(header: Header, entries: readonly IndexEntry[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${JSON.stringify(header)}\n`);
  for (let i = 0; i < entries.length; i += ENTRIES_A_LINE) {
    const rows = entries.slice(i, i + ENTRIES_A_LINE).map(rowOf);
    yield encoder.encode(`${JSON.stringify(rows)}\n`);
  }
}

function rowOf({ offset, bytes, line, head }: IndexEntry): Row {
  const { id, questionId, sample, outcome, length, question } = head;
  return [offset, bytes, line, id, questionId, sample ?? null, outcome, length, question];
}
