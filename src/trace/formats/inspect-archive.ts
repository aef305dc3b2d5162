import { asRecord, isRecord, type JsonRecord } from "./records.ts";
import { type FormatProblem, type FormatResult, type ReaderOptions, warning } from "./format-reader.ts";
import { type InspectHeader, sampleResult, withoutArgs } from "./inspect.ts";
import { readJsonDocument } from "./json-document.ts";
import { type ZipEntry, zipEntries, type ZipEvent } from "./zip-entries.ts";

/** Characters of an entry's name that a message shows. */
const SHOWN_NAME = 200;

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
  let samples = 0;

  function readEntry({ name, text, why }: ZipEntry): FormatResult {
    if (name.startsWith("samples/")) samples++;
    if (text === undefined) return { episodes: [], problems: [unreadable(name, why ?? "")] };
    const { value, broken, notNumbers } = readJsonDocument(text);
    options.ledger.dropped("NaN and Infinity", "JSON has no such numbers; null stands there", notNumbers);
    const problems = broken === undefined ? [] : [unreadable(name, broken.why)];
    if (!name.startsWith("samples/")) {
      if (isRecord(value)) header = headerOf(value);
      return { episodes: [], problems };
    }
    if (value === undefined) return { episodes: [], problems };
    const result = sampleResult(value, header, 0, options);
    return { ...result, problems: [...problems, ...result.problems] };
  }
  for await (const event of zipEntries(chunks, (name) => WANTED.test(name))) {
    const result =
      event.kind === "entry" ? readEntry(event.entry) : { episodes: [], problems: [archiveProblem(event)] };
    yield { ...result, readBytes: event.readBytes };
  }
  if (samples > 0) return;
  const problem = warning(0, "the archive holds no sample.", "Log with samples (`log_samples`).");
  yield { episodes: [], problems: [problem], readBytes: 0 };
}

function archiveProblem(event: Exclude<ZipEvent, { kind: "entry" }>): FormatProblem {
  const next = "Copy the log again.";
  return event.kind === "stop"
    ? warning(0, `the archive is not read to its end: ${event.why}; samples before are imported.`, next)
    : warning(0, `the archive is damaged at byte ${event.at}; samples before and after are imported.`, next);
}

function headerOf(value: JsonRecord): InspectHeader {
  return { evaluation: withoutArgs(asRecord(value["eval"])), plan: value["plan"] };
}

function unreadable(name: string, why: string): FormatProblem {
  return warning(
    0,
    `the entry ${JSON.stringify(name.slice(0, SHOWN_NAME))} cannot be read in full: ${why}.`,
    "Copy the log again, or write it as JSON: inspect log convert --to json. docs/formats.md lists the limits.",
  );
}
