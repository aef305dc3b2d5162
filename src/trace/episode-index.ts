import type { Diagnostic } from "../model/diagnostic.ts";
import { parseHead, readHead } from "./episode-head.ts";
import { diagnosticLog, type DiagnosticLog } from "./line-diagnostics.ts";
import { findingOf, lineTooLong, notJson } from "./line-findings.ts";
import { HEAD_BYTES, lineScanner, type ScannedLine } from "./line-scan.ts";
import { loadSidecar, saveSidecar, type IndexedPart, type IndexEntry } from "./index-sidecar.ts";
import type { FileStat, TraceFiles } from "./ports.ts";
import { decodeUtf8, MAX_LINE_BYTES } from "./text-lines.ts";

export interface EpisodeIndex {
  readonly path: string;
  /** The readable lines in file order. A line whose head is fine may still fail when it is read in full. */
  readonly entries: readonly IndexEntry[];
  /** Lines that are no episodes. */
  readonly diagnostics: readonly Diagnostic[];
  /** Bytes of the file when it was indexed. */
  readonly size: number;
}

export interface IndexOptions {
  /** Write the sidecar file (default true). A folder that refuses it costs only the next opening its speed. */
  readonly save?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

/** Lines that have to be read in full, because their head is not in the schema's order. */
interface Doubt {
  readonly offset: number;
  readonly bytes: number;
  readonly line: number;
}

interface Building {
  readonly path: string;
  readonly entries: IndexEntry[];
  readonly log: DiagnosticLog;
  readonly doubts: Doubt[];
}

const CLOSING_BRACE = 125;

/**
 * Index of an episode file: what a list shows, and where each episode stands. Reads the sidecar beside it, scans only
 * what came after it, and all of the file where the sidecar is missing, damaged or of another file. An absent file is
 * an empty index. Rejects on I/O errors and on abort.
 */
export async function openIndex(
  files: TraceFiles,
  path: string,
  options: IndexOptions = {},
): Promise<EpisodeIndex> {
  const stat = await files.stat(path);
  if (stat === undefined) return { path, entries: [], diagnostics: [], size: 0 };
  const known = await loadSidecar(files, path, stat);
  const building = beginFrom(path, known);
  const complete = await scan(files, building, stat, known, options);
  if (options.save !== false && known?.size !== stat.size) {
    await saveSidecar(files, path, stat, complete).catch(() => undefined);
  }
  return { path, entries: building.entries, diagnostics: building.log.list(), size: stat.size };
}

function beginFrom(path: string, known: IndexedPart | undefined): Building {
  const log = diagnosticLog(path, known?.diagnostics, known?.findings);
  return { path, entries: [...(known?.entries ?? [])], log, doubts: [] };
}

/** Adds the lines after the known part. What it returns leaves out a last line that is still being written. */
async function scan(
  files: TraceFiles,
  building: Building,
  stat: FileStat,
  known: IndexedPart | undefined,
  options: IndexOptions,
): Promise<IndexedPart> {
  const start = { offset: known?.scannedTo ?? 0, line: known?.lines ?? 0 };
  const scanner = lineScanner(start, (line) => takeLine(building, line));
  let done = start.offset;
  for await (const chunk of files.chunks(building.path, start.offset, stat.size)) {
    options.signal?.throwIfAborted();
    scanner.push(chunk);
    await settleDoubts(files, building);
    done += chunk.length;
    options.onProgress?.(done, stat.size);
  }
  const complete = snapshot(building, stat, scanner.position());
  scanner.end();
  await settleDoubts(files, building);
  return complete;
}

function snapshot(
  building: Building,
  stat: FileStat,
  position: { readonly offset: number; readonly line: number },
): IndexedPart {
  return {
    size: stat.size,
    scannedTo: position.offset,
    lines: position.line,
    entries: building.entries.slice(),
    diagnostics: building.log.kept().slice(),
    findings: building.log.count(),
  };
}

function takeLine(building: Building, scanned: ScannedLine): void {
  const { line, offset, bytes } = scanned;
  if (scanned.lastByte !== CLOSING_BRACE) return building.log.add(() => notJson(building.path, line, false));
  const head = parseHead(scanned.head);
  if (head !== undefined) building.entries.push({ offset, bytes, line, head });
  else if (bytes <= HEAD_BYTES) settle(building, { offset, bytes, line }, decodeUtf8([scanned.head]));
  else building.doubts.push({ offset, bytes, line });
}

async function settleDoubts(files: TraceFiles, building: Building): Promise<void> {
  if (building.doubts.length === 0) return;
  for (const doubt of building.doubts) {
    if (doubt.bytes > MAX_LINE_BYTES) building.log.add(() => lineTooLong(building.path, doubt.line));
    else settle(building, doubt, decodeUtf8([await files.read(building.path, doubt.offset, doubt.bytes)]));
  }
  building.doubts.length = 0;
  building.entries.sort((a, b) => a.offset - b.offset);
}

function settle(building: Building, place: Doubt, text: string): void {
  const result = readHead(text);
  if (result.kind === "episode") building.entries.push({ ...place, head: result.head });
  const finding = findingOf(building.path, place.line, result);
  if (finding !== undefined) building.log.add(() => finding);
}
