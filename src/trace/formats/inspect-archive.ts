import { Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { asRecord, isRecord, type JsonRecord } from "./records.ts";
import { type FormatProblem, type FormatResult, type ReaderOptions, warning } from "./format-reader.ts";
import { type InspectHeader, sampleResult, withoutArgs } from "./inspect.ts";
import { readJsonDocument } from "./json-document.ts";

/** Largest entry that is unpacked: 256 MiB, as for a document by itself. */
const MAX_ENTRY_BYTES = 256 * 1024 * 1024;

interface Entry {
  readonly name: string;
  /** Undefined where it could not be unpacked. */
  readonly text: string | undefined;
  readonly why?: string;
}

const WANTED = /^(?:samples\/.+\.json|header\.json|_journal\/start\.json)$/;

/**
 * An Inspect log as `.eval`: a zip with one entry a sample. Entries are taken as they come, so that a large log needs the
 * memory of its largest sample, and one that breaks off yields the samples before the break.
 */
export async function* inspectArchive(
  chunks: AsyncIterable<Uint8Array>,
  options: ReaderOptions,
): AsyncGenerator<FormatResult & { readonly readBytes: number }> {
  let header: InspectHeader = { evaluation: {}, plan: undefined };
  let ended = false;
  let samples = 0;
  for await (const { entries, readBytes, whole } of unpacked(chunks)) {
    const results = entries.map((entry): FormatResult => {
      if (entry.text === undefined)
        return { episodes: [], problems: [unreadable(entry.name, entry.why ?? "")] };
      const { value, broken, notNumbers } = readJsonDocument(entry.text);
      options.ledger.dropped("NaN and Infinity", "JSON has no such numbers; null stands there", notNumbers);
      if (!entry.name.startsWith("samples/")) {
        if (isRecord(value)) header = headerOf(value);
        return { episodes: [], problems: [] };
      }
      samples++;
      const problems = broken === undefined ? [] : [unreadable(entry.name, broken.why)];
      const result = sampleResult(value, header, 0, options);
      return { ...result, problems: [...problems, ...result.problems] };
    });
    ended = whole;
    yield {
      episodes: results.flatMap((result) => result.episodes),
      problems: results.flatMap((result) => result.problems),
      readBytes,
    };
  }
  const problems: FormatProblem[] = [];
  if (!ended)
    problems.push(
      warning(0, "the archive breaks off; samples before the break are imported.", "Copy the log again."),
    );
  if (samples === 0)
    problems.push(warning(0, "the archive holds no sample.", "Log with samples (`log_samples`)."));
  yield { episodes: [], problems, readBytes: 0 };
}

function headerOf(value: JsonRecord): InspectHeader {
  return { evaluation: withoutArgs(asRecord(value["eval"])), plan: value["plan"] };
}

function unreadable(name: string, why: string): FormatProblem {
  return warning(
    0,
    `the entry ${JSON.stringify(name)} cannot be read in full: ${why}.`,
    "Copy the log again, or log it as JSON.",
  );
}

/** The wanted entries of a zip, as the pieces of the file complete them. */
async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{
  readonly entries: readonly Entry[];
  readonly readBytes: number;
  readonly whole: boolean;
}> {
  const ready: Entry[] = [];
  const open = new Map<UnzipFile, string>();
  const unzip = new Unzip((file) => {
    if (WANTED.test(file.name)) collect(file, open, ready);
  });
  unzip.register(UnzipInflate);
  let readBytes = 0;
  let failed = false;
  let tail = new Uint8Array(0);
  for await (const chunk of chunks) {
    readBytes += chunk.length;
    tail = lastBytes(tail, chunk);
    try {
      // A copy: the next piece may reuse this one's memory.
      if (!failed) unzip.push(new Uint8Array(chunk), false);
    } catch (error) {
      failed = true;
      ready.push({ name: "(archive)", text: undefined, why: String(error) });
    }
    yield { entries: ready.splice(0), readBytes, whole: false };
  }
  for (const name of open.values()) ready.push({ name, text: undefined, why: "it breaks off" });
  yield { entries: ready.splice(0), readBytes, whole: hasEnd(tail) };
}

function collect(file: UnzipFile, open: Map<UnzipFile, string>, ready: Entry[]): void {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  open.set(file, file.name);
  const fail = (why: string): void => {
    if (open.delete(file)) ready.push({ name: file.name, text: undefined, why });
  };
  file.ondata = (error, data, final) => {
    if (error !== null) return fail(error.message);
    bytes += data.length;
    if (bytes > MAX_ENTRY_BYTES) return fail("it is larger than 256 MiB");
    text += decoder.decode(data, { stream: !final });
    if (final && open.delete(file)) ready.push({ name: file.name, text });
  };
  try {
    file.start();
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** The end record of a zip stands in its last 64 KiB. */
const TAIL_BYTES = 66_000;
const END_MARK = [0x50, 0x4b, 0x05, 0x06];

function lastBytes(before: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  if (chunk.length >= TAIL_BYTES) return new Uint8Array(chunk.subarray(-TAIL_BYTES));
  const both = new Uint8Array(before.length + chunk.length);
  both.set(before);
  both.set(chunk, before.length);
  return new Uint8Array(both.subarray(-TAIL_BYTES));
}

function hasEnd(tail: Uint8Array): boolean {
  for (let at = tail.length - 22; at >= 0; at--)
    if (END_MARK.every((byte, i) => tail[at + i] === byte)) return true;
  return false;
}
