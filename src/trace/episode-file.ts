import type { Checked } from "../model/diagnostic.ts";
import { episodeSchema, type Episode } from "../model/episode.ts";
import { readJson } from "../model/read-json.ts";
import { firstIssue, isEpisodeSchema, schemaOf } from "./episode-head.ts";
import type { EpisodeIndex } from "./episode-index.ts";
import { fromEpisode1 } from "./episode-v1.ts";
import type { IndexEntry } from "./index-sidecar.ts";
import { foreignSchema, lineTooLong, malformedEpisode, notJson, pastLimit } from "./line-findings.ts";
import type { TraceFiles } from "./ports.ts";
import { decodeUtf8, MAX_LINE_BYTES } from "./text-lines.ts";

const NEWLINE = 10;
const encoder = new TextEncoder();
/** In the order of a line. */
export const EPISODE_KEYS = Object.keys(episodeSchema.shape) as (keyof Episode)[];

/** One line without its newline: the keys in the order of the schema, so that the index fields stand in front. */
export function serialiseEpisode(episode: Episode): string {
  return JSON.stringify(Object.fromEntries(EPISODE_KEYS.map((key) => [key, episode[key]])));
}

/** The bytes of the line, with its newline. */
export function encodeEpisode(episode: Episode): Uint8Array {
  return encoder.encode(`${serialiseEpisode(episode)}\n`);
}

/** A line on its way to the end of a file. */
interface Waiting {
  readonly line: Uint8Array;
  readonly sync: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The lines that wait for the append under way at each file, by its absolute path: two at once would take each other's unfinished line for a torn one. */
const waitingAt = new Map<string, Waiting[]>();

/** Adds an episode as the last line: see `appendLine`. */
export async function appendEpisode(
  files: TraceFiles,
  path: string,
  episode: Episode,
  options: { readonly sync?: boolean } = {},
): Promise<void> {
  await appendLine(files, path, encodeEpisode(episode), options);
}

/**
 * Adds a line, which ends with a newline. One that an earlier writer left unfinished is closed first, so it stays the
 * only one that is lost. With `sync` the line is on the disk when this resolves. Lines that come while another append to
 * the file is under way follow it together, in their order: they share one write and one sync.
 */
export async function appendLine(
  files: TraceFiles,
  path: string,
  line: Uint8Array,
  { sync = false }: { readonly sync?: boolean } = {},
): Promise<void> {
  // Hooks append too, in a Node that may be too old for `Promise.withResolvers`.
  await new Promise<void>((resolve, reject) => {
    const waiting: Waiting = { line, sync, resolve, reject };
    const file = files.absolute(path);
    const others = waitingAt.get(file);
    if (others === undefined) {
      waitingAt.set(file, [waiting]);
      void appendWaiting(files, path, file);
    } else others.push(waiting);
  });
}

/** Appends until nothing waits. */
async function appendWaiting(files: TraceFiles, path: string, file: string): Promise<void> {
  for (let batch = waitingAt.get(file) ?? []; batch.length > 0; batch = waitingAt.get(file) ?? []) {
    waitingAt.set(file, []);
    const sync = batch.some((one) => one.sync);
    try {
      await appendNow(files, path, join(batch.map(({ line }) => line)), { sync });
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  waitingAt.delete(file);
}

async function appendNow(
  files: TraceFiles,
  path: string,
  lines: Uint8Array,
  options: { readonly sync?: boolean },
): Promise<void> {
  const data = (await endsOpen(files, path)) ? join([Uint8Array.of(NEWLINE), lines]) : lines;
  await files.append(path, data, options);
}

async function endsOpen(files: TraceFiles, path: string): Promise<boolean> {
  const stat = await files.stat(path);
  if (stat === undefined || stat.size === 0) return false;
  const [last] = await files.read(path, stat.size - 1, 1);
  return last !== NEWLINE;
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const all = new Uint8Array(pieces.reduce((bytes, { length }) => bytes + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The `n`th readable episode of an indexed file (0-based), read and validated in full. RangeError past the last. */
export async function readEpisode(
  files: TraceFiles,
  index: EpisodeIndex,
  n: number,
): Promise<Checked<Episode>> {
  const entry = index.entries[n];
  if (entry === undefined) throw new RangeError(`No episode ${n} among ${index.entries.length}`);
  return readEntry(files, index.path, entry);
}

/** Every readable episode in order, one in memory at a time. */
export async function* readEpisodes(
  files: TraceFiles,
  index: EpisodeIndex,
): AsyncGenerator<Checked<Episode>> {
  for (const entry of index.entries) yield await readEntry(files, index.path, entry);
}

async function readEntry(files: TraceFiles, path: string, entry: IndexEntry): Promise<Checked<Episode>> {
  if (entry.bytes > MAX_LINE_BYTES) return { value: undefined, diagnostics: [lineTooLong(path, entry.line)] };
  const bytes = await files.read(path, entry.offset, entry.bytes);
  return parseEpisode(decodeUtf8([bytes]), path, entry.line);
}

/** Validates one line. `line` is 0-based and only names the place. */
export function parseEpisode(text: string, file: string, line: number): Checked<Episode> {
  const { value, problem: excess } = readJson(text);
  if (excess !== undefined) {
    const found =
      excess.kind === "syntax"
        ? notJson(file, line, text.trimEnd().endsWith("}"))
        : pastLimit(file, line, excess.why);
    return { value: undefined, diagnostics: [found] };
  }
  const schema = schemaOf(value);
  if (!isEpisodeSchema(schema)) return { value: undefined, diagnostics: [foreignSchema(file, line, schema)] };
  const parsed = episodeSchema.safeParse(fromEpisode1(value));
  const problem = parsed.success ? misnumbered(parsed.data) : firstIssue(parsed.error);
  if (problem !== undefined || !parsed.success) {
    return { value: undefined, diagnostics: [malformedEpisode(file, line, problem ?? "unknown")] };
  }
  return { value: parsed.data, diagnostics: [] };
}

/** Why our own reader would not take an episode, as a clause for a message; undefined where it would. */
export function misformed(episode: Episode): string | undefined {
  const parsed = episodeSchema.safeParse(episode);
  return parsed.success ? misnumbered(parsed.data) : firstIssue(parsed.error);
}

/** What the schema cannot say: `length` counts the steps, and step `t` stands at place `t`. */
function misnumbered(episode: Episode): string | undefined {
  if (episode.length !== episode.steps.length) {
    return `\`length\` is ${episode.length}, but there are ${episode.steps.length} steps`;
  }
  const wrong = episode.steps.findIndex((step, i) => step.t !== i);
  return wrong === -1 ? undefined : `\`steps.${wrong}.t\` is ${episode.steps[wrong]?.t}, not ${wrong}`;
}
