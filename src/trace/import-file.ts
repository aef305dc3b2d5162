import type { Diagnostic } from "../model/diagnostic.ts";
import { parseEpisode } from "./episode-file.ts";
import { breakOff } from "./formats/break-off.ts";
import { type AnswerReading, answerReader, type AnswerResult } from "./formats/answers.ts";
import { readerOf } from "./formats/formats.ts";
import type { CalledAgents } from "./formats/called-agents.ts";
import type { CodexThreads } from "./formats/codex/threads.ts";
import type { SharedLogs } from "./formats/otel/shared-logs.ts";
import { type FormatReader, type FormatResult, refuse } from "./formats/format-reader.ts";
import { inspectArchive } from "./formats/inspect-archive.ts";
import { readJsonDocument } from "./formats/json-document.ts";
import { type JsonPart, jsonParts } from "./formats/json-parts.ts";
import { listedEntries } from "./formats/zip-directory.ts";
import type { Ledger } from "./formats/ledger.ts";
import { damaged, damagedPack, notNumbers, problemDiagnostic, wrongNumber } from "./import-findings.ts";
import {
  isLineFormat,
  type LineFormat,
  once,
  type OpenedSource,
  readWhole,
  unwrapped,
  type WholeDocument,
  wholeText,
} from "./import-source.ts";
import { folderOf } from "./run-paths.ts";
import { lineImporter } from "./import-react.ts";
import { readMaterials } from "./judging-store.ts";
import { type JsonEntry, jsonEntries } from "./json-entries.ts";
import { lineDiagnostic } from "./line-diagnostics.ts";
import type { StoredPrompt } from "./message-reader.ts";
import type { ReadEpisode } from "./formats/turn.ts";
import type { Sha256, TraceFiles } from "./ports.ts";
import { lineBatches, type TextLine } from "./text-lines.ts";

/** What a part of a file gave. */
export interface ImportPiece {
  readonly episodes: readonly ReadEpisode[];
  readonly diagnostics: readonly Diagnostic[];
  /** Stored messages that the file holds itself, among them those that the episodes refer to. */
  readonly messages?: readonly StoredPrompt[] | undefined;
  /** What the judge needs of the episodes' questions besides gold, by question. */
  readonly materials?: ReadonlyMap<string, string> | undefined;
  /** Bytes of the file up to and with this part. */
  readonly readBytes: number;
}

/** What a file is imported with. */
export interface ImportParts {
  readonly ledger: Ledger;
  /** How recorded answers are read; a file of them gives nothing without. */
  readonly answers?: AnswerReading | undefined;
  readonly called?: CalledAgents | undefined;
  readonly threads?: CodexThreads | undefined;
  readonly logs?: SharedLogs | undefined;
  readonly sha256?: Sha256 | undefined;
}

/** The episodes of a file, part by part. Rejects on I/O errors only. */
export async function* importFile(
  files: TraceFiles,
  opened: OpenedSource,
  { answers, ...parts }: ImportParts,
): AsyncGenerator<ImportPiece> {
  const { ledger } = parts;
  const { source, bytes: read } = opened;
  const { file, size, format, layout, wrap } = source;
  const [base = "", folder] = file.split(/[/\\]/).toReversed();
  const options = { name: base.replace(/\.[^.]*$/, ""), folder, ...parts };
  const damage: Diagnostic[] = [];
  const bytes = (): AsyncIterable<Uint8Array> =>
    read === undefined ? files.chunks(file, 0, size) : once(read);
  const chunks = (): AsyncIterable<Uint8Array> =>
    unwrapped(files, bytes(), wrap, (why) => damage.push(damagedPack(file, why)));
  if (layout === "archive") {
    const listed = await listedEntries((offset, length) => files.read(file, offset, length), size);
    const archive = { ...options, listed, zstd: files.zstd };
    for await (const { readBytes, ...result } of inspectArchive(chunks(), archive))
      yield { ...pieceOf(file, result, ledger), readBytes };
  } else if (format === "answers") {
    if (answers !== undefined) yield* importAnswers(files, opened, chunks, { ...options, reading: answers });
  } else if (isLineFormat(format)) {
    // What its judge needs stands beside the episodes of a run.
    if (format === "hasp")
      yield { ...NOTHING_YET, materials: await readMaterials(files, folderOf(file)), readBytes: 0 };
    yield* importLines(chunks(), strictLine(format, file, ledger));
  } else if (layout === "lines") {
    const target = { reader: readerOf(format, options), file, ledger };
    for await (const piece of importLines(chunks(), (line) => lenientLine(target, line)))
      yield { ...piece, readBytes: Math.min(piece.readBytes, size) };
    const last = endOf(target);
    yield { ...last, diagnostics: [...last.diagnostics, ...damage], readBytes: size };
  } else {
    const whole = opened.whole ?? (await readWhole(files, file, size));
    yield* importDocument({ reader: readerOf(format, options), file, ledger }, whole, size);
  }
}

const NOTHING_YET = { episodes: [], diagnostics: [] } as const;

type LineReader = (line: TextLine) => Omit<ImportPiece, "readBytes">;

/** Bytes without an episode or a finding after which the caller hears of the import all the same. */
const SILENT_BYTES = 256 * 1024;

async function* importLines(
  chunks: AsyncIterable<Uint8Array>,
  read: LineReader,
): AsyncGenerator<ImportPiece> {
  let heard = 0;
  for await (const lines of lineBatches(chunks))
    for (const line of lines) {
      const piece = read(line);
      const { readBytes } = line;
      const isEmpty = piece.episodes.length === 0 && piece.diagnostics.length === 0;
      if (isEmpty && piece.materials === undefined && readBytes - heard < SILENT_BYTES) continue;
      heard = readBytes;
      yield { ...piece, readBytes };
    }
}

function strictLine(format: LineFormat, file: string, ledger: Ledger): LineReader {
  const read =
    format === "hasp"
      ? ({ line, text }: TextLine) => parseEpisode(text ?? "", file, line)
      : lineImporter(format, file);
  return (line) => {
    const { value, diagnostics } = read(line);
    if (value !== undefined) ledger.mapped(`${format} episodes`, "episodes");
    else ledger.dropped("lines", "they are no episodes");
    return { episodes: value === undefined ? [] : [{ episode: value }], diagnostics };
  };
}

/** Rows of recorded answers. A row is read as a whole or not at all: a cut one would have an answer that nobody gave. */
async function* importAnswers(
  files: TraceFiles,
  { source: { file, size, layout }, whole }: OpenedSource,
  chunks: () => AsyncIterable<Uint8Array>,
  options: Parameters<typeof answerReader>[0],
): AsyncGenerator<ImportPiece> {
  const reader = answerReader(options);
  const pieceOfRow = ({ materials, ...result }: AnswerResult) => ({
    ...pieceOf(file, result, options.ledger),
    materials,
  });
  if (layout === "document") {
    for (const entry of jsonEntries(whole?.text ?? (await wholeText(files, file, size))))
      yield { ...pieceOfRow(reader.read(entry)), readBytes: 0 };
  } else yield* importLines(chunks(), (line) => pieceOfRow(reader.read(rowIn(line))));
  yield { ...pieceOf(file, reader.end(), options.ledger), readBytes: size };
}

function rowIn({ line, text }: TextLine): JsonEntry {
  const named = { line, name: undefined, source: text ?? "" };
  if (text === undefined) return { ...named, value: undefined, problem: "the line is over 64 MiB" };
  const { value, broken, excess } = readJsonDocument(text);
  const problem = excess?.why ?? (broken && `it is not complete JSON: ${broken.why}`);
  return problem === undefined ? { ...named, value } : { ...named, value: undefined, problem };
}

/** The reader of one file. */
interface Target {
  readonly reader: FormatReader;
  readonly file: string;
  readonly ledger: Ledger;
}

function lenientLine(target: Target, { line, text }: TextLine): Omit<ImportPiece, "readBytes"> {
  if (text === undefined) {
    const next = "Write it as a document of its own, or shorten it.";
    return {
      episodes: [],
      diagnostics: [
        lineDiagnostic({
          code: "HASP530",
          file: target.file,
          line,
          message: "the line is over 64 MiB.",
          next,
        }),
      ],
    };
  }
  return readText(target, line, { text, json: readJsonDocument(text) });
}

function readText(
  target: Target,
  line: number,
  { text, json }: WholeDocument,
): Omit<ImportPiece, "readBytes"> {
  const { file } = target;
  const { value, broken, excess, notNumbers: count } = json;
  const odd = count === 0 ? [] : [notNumbers(file, count)];
  if (value === undefined) {
    const message = excess === undefined ? "this is no JSON." : `it is left out: ${excess.why}.`;
    const next = "Repair or delete it; the rest is imported without it. docs/formats.md lists the limits.";
    return { episodes: [], diagnostics: [lineDiagnostic({ code: "HASP530", file, line, message, next })] };
  }
  if (broken === undefined) {
    const { diagnostics, ...read } = episodesOf(target, value, line);
    return { ...read, diagnostics: [...odd, ...diagnostics] };
  }
  const before = text.slice(0, broken.at);
  const lastLine = before.lastIndexOf("\n");
  const at = line + (lastLine === -1 ? 0 : before.split("\n").length - 1);
  const { episodes, diagnostics, messages } = episodesOf(target, value, line, true);
  return {
    messages,
    episodes: episodes.map((one, i) =>
      i === episodes.length - 1 ? { ...one, episode: breakOff(one.episode) } : one,
    ),
    diagnostics: [damaged(file, at, broken.at - lastLine - 1, broken.why), ...odd, ...diagnostics],
  };
}

/** A document, or several one after the other. */
function* importDocument(target: Target, whole: WholeDocument, size: number): Generator<ImportPiece> {
  const [first, ...more] = jsonParts(whole.text);
  const isOne = more.length === 0;
  yield {
    ...readText(target, 0, isOne || first === undefined ? whole : documentIn(first)),
    readBytes: isOne ? size : 0,
  };
  for (const part of more) {
    const between = foreignLines(target, part);
    if (part.text === "") yield { ...between, readBytes: 0 };
    else {
      const read = readText(target, part.line, documentIn(part));
      yield { ...read, diagnostics: [...between.diagnostics, ...read.diagnostics], readBytes: 0 };
    }
  }
  yield { ...endOf(target), readBytes: size };
}

const documentIn = ({ text }: JsonPart): WholeDocument => ({ text, json: readJsonDocument(text) });

function foreignLines({ file }: Target, { line, foreign }: JsonPart): Omit<ImportPiece, "readBytes"> {
  if (foreign === 0) return { episodes: [], diagnostics: [] };
  const which = foreign === 1 ? "1 line before this place is" : `${foreign} lines before this place are`;
  const message = `${which} no JSON and left out.`;
  const next = "Nothing to do where a program printed them.";
  const finding = { code: "HASP530", severity: "information", file, line, message, next } as const;
  return { episodes: [], diagnostics: [lineDiagnostic(finding)] };
}

function episodesOf(
  { reader, file, ledger }: Target,
  value: unknown,
  line: number,
  isCut = false,
): Omit<ImportPiece, "readBytes"> {
  return pieceOf(
    file,
    guarded(() => reader.read(value, line, isCut), line),
    ledger,
    line,
  );
}

function endOf({ reader, file, ledger }: Target): Omit<ImportPiece, "readBytes"> {
  return pieceOf(
    file,
    guarded(() => reader.end(), 0),
    ledger,
  );
}

/** A value within all limits may still say the same long text so often that no text can hold it all: then only this value is lost. */
function guarded(read: () => FormatResult, line: number): FormatResult {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const why = /string length/i.test(error.message)
      ? "it would fill more than half a gigabyte when it is imported"
      : `reading it failed (${error.message})`;
    const message = `${why}, so it is left out.`;
    return refuse(line, message, "Split it, or delete what repeats in it.");
  }
}

function pieceOf(
  file: string,
  { episodes, problems, messages }: FormatResult,
  ledger: Ledger,
  line = 0,
): Omit<ImportPiece, "readBytes"> {
  const numbers = ledger.takeWrongNumbers().map((number) => wrongNumber(file, line, number));
  return {
    episodes,
    messages,
    diagnostics: [...problems.map((problem) => problemDiagnostic(file, problem)), ...numbers],
  };
}
