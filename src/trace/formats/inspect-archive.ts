import type { OpenZstdFrame } from "../ports.ts";
import { breakOff } from "./break-off.ts";
import {
  type FormatProblem,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  warning,
} from "./format-reader.ts";
import { headerOf, type InspectHeader } from "./inspect/header.ts";
import { type PartedSample, partedSample, partOf } from "./inspect/chunked.ts";
import { sampleResult } from "./inspect/sample.ts";
import { readJsonDocument } from "./json-document.ts";
import { isRecord } from "./records.ts";
import { type ZipEntry, zipEntries, type ZipEvent } from "./zip-entries.ts";
import { NO_ZSTD } from "./zip-header.ts";

/** Characters of an entry's name that a message shows. */
const SHOWN_NAME = 200;

const WANTED = /^(?:samples\/.+\.json|header\.json|_journal\/start\.json)$/;
/** What is also in the samples and in the header, or tells of the run as a whole. */
const BESIDE = /^(?:_journal\/.*|(?:summaries|reductions|results)\.json)$/;

/** What an archive is read with. */
export interface ArchiveOptions extends ReaderOptions {
  readonly zstd: OpenZstdFrame | undefined;
  /** Bytes at which the entries begin that the archive's directory lists; undefined: all are read. */
  readonly listed: ReadonlySet<number> | undefined;
}

/**
 * An Inspect log as `.eval`: a zip with one entry a sample, or several. Entries are taken as they come, so that a large log needs the
 * memory of its largest sample, and one that breaks off yields the samples before the break.
 */
export async function* inspectArchive(
  chunks: AsyncIterable<Uint8Array>,
  options: ArchiveOptions,
): AsyncGenerator<FormatResult & { readonly readBytes: number }> {
  const reader = archiveReader(options);
  for await (const event of zipEntries(chunks, { wanted: wantedIn(options), zstd: options.zstd })) {
    const result = event.kind === "entry" ? reader.read(event.entry) : withProblem(archiveProblem(event));
    yield { ...result, readBytes: event.readBytes };
  }
  yield { ...reader.end(), readBytes: 0 };
}

const withProblem = (...problems: FormatProblem[]): FormatResult => ({ episodes: [], problems });

/** Which entries are read. Each of the others is named. */
function wantedIn({ listed, ledger }: ArchiveOptions): (name: string, at: number) => boolean {
  return (name, at) => {
    if (listed !== undefined && !listed.has(at)) {
      ledger.dropped("entries that the archive no longer lists", "they were written again, or taken out");
      return false;
    }
    if (WANTED.test(name) && partOf(name) !== "beside") return true;
    if (name.endsWith("/")) return false;
    if (BESIDE.test(name) || partOf(name) === "beside")
      ledger.dropped("entries beside the samples", "the samples and the header say the same");
    else ledger.unknown(`entry ${name.slice(0, SHOWN_NAME)}`);
    return false;
  };
}

/** What an entry holds. */
interface EntryValue {
  readonly value: unknown;
  /** Characters of its text. */
  readonly size: number;
  readonly isCut: boolean;
}

interface ArchiveReader {
  read(entry: ZipEntry): FormatResult;
  end(): FormatResult;
}

function archiveReader(options: ArchiveOptions): ArchiveReader {
  let header: InspectHeader = { evaluation: {}, plan: undefined };
  let samples = 0;
  let parted: PartedSample | undefined;
  /** A part of it breaks off. */
  let isPartCut = false;

  /** The sample in parts that has come to its end. */
  function finishParted(): FormatResult {
    if (parted === undefined) return NOTHING;
    const { name } = parted;
    const whole = parted.whole();
    const isCut = isPartCut;
    parted = undefined;
    isPartCut = false;
    samples++;
    if (whole !== undefined) return brokenOff(sampleResult(whole, header, 0, options), isCut);
    return withProblem(
      unreadable(`samples/${name}`, "its first part is missing, or its parts are too large"),
    );
  }
  function readPart(name: string, { value, size, isCut }: EntryValue): FormatResult | undefined {
    const part = partOf(name);
    if (part === undefined || part === "beside") return undefined;
    const before = parted?.name === part.sample ? NOTHING : finishParted();
    parted ??= partedSample(part.sample);
    parted.add(part, value, size);
    isPartCut ||= isCut;
    return before;
  }
  function readValue(name: string, entry: EntryValue): FormatResult {
    const ofPart = readPart(name, entry);
    if (ofPart !== undefined) return ofPart;
    const { value, isCut } = entry;
    const before = finishParted();
    if (!name.startsWith("samples/")) {
      if (isRecord(value)) header = headerOf(value);
      return before;
    }
    samples++;
    if (value === undefined) return before;
    return joined(before, brokenOff(sampleResult(value, header, 0, options), isCut));
  }
  return {
    read({ name, text, why = "" }) {
      if (text === undefined) {
        if (name.startsWith("samples/")) samples++;
        return withProblem(unreadable(name, why));
      }
      const { value, broken, notNumbers } = readJsonDocument(text);
      options.ledger.dropped("NaN and Infinity", "JSON has no such numbers; null stands there", notNumbers);
      const problem = why === "" ? broken?.why : why;
      const result = readValue(name, { value, size: text.length, isCut: problem !== undefined });
      return problem === undefined ? result : joined(withProblem(unreadable(name, problem)), result);
    },
    end() {
      const last = finishParted();
      if (samples > 0) return last;
      const next = "Log with samples (`log_samples`).";
      return joined(last, withProblem(warning(0, "the archive holds no sample.", next)));
    },
  };
}

function joined(a: FormatResult, b: FormatResult): FormatResult {
  return { episodes: [...a.episodes, ...b.episodes], problems: [...a.problems, ...b.problems] };
}

/** The episodes of a sample, part of which is missing. */
function brokenOff({ episodes, problems }: FormatResult, isCut: boolean): FormatResult {
  if (!isCut) return { episodes, problems };
  return { episodes: episodes.map((one) => ({ ...one, episode: breakOff(one.episode) })), problems };
}

function archiveProblem(event: Exclude<ZipEvent, { kind: "entry" }>): FormatProblem {
  const next = "Copy the log again.";
  return event.kind === "stop"
    ? warning(0, `the archive is not read to its end: ${event.why}; samples before are imported.`, next)
    : warning(0, `the archive is damaged at byte ${event.at}; samples before and after are imported.`, next);
}

function unreadable(name: string, why: string): FormatProblem {
  const convert = "write it as JSON: inspect log convert --to json";
  const next =
    why === NO_ZSTD
      ? `Use Node 22.15 or newer, or ${convert}.`
      : `Copy the log again, or ${convert}. docs/formats.md lists the limits.`;
  return warning(
    0,
    `the entry ${JSON.stringify(name.slice(0, SHOWN_NAME))} cannot be read in full: ${why}.`,
    next,
  );
}
