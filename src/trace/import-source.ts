import type { Diagnostic } from "../model/diagnostic.ts";
import { parseJson } from "../model/read-json.ts";
import { encodingOf, type TextEncodingName } from "../model/text-encoding.ts";
import { lacksQuestion } from "./formats/answers.ts";
import { detectFormat, type ImportFormat } from "./formats/formats.ts";
import { foreignHead, foreignValue } from "./formats/foreign.ts";
import { type JsonDocument, readJsonDocument } from "./formats/json-document.ts";
import {
  documentTooLarge,
  emptyFile,
  foreignFile,
  MAX_DOCUMENT_BYTES,
  missingSource,
  notPlainSource,
  packedSource,
  unknownFormat,
  unknownInUtf16,
} from "./import-findings.ts";
import type { TraceFiles } from "./ports.ts";
import { decodeUtf8, textLines } from "./text-lines.ts";
import { inUtf8 } from "./utf16-chunks.ts";
import { isZstd, unpackedChunks } from "./zstd.ts";

/** A file and how it is to be read. */
export interface ImportSource {
  readonly file: string;
  readonly size: number;
  readonly format: ImportFormat;
  readonly layout: "lines" | "document" | "archive";
  /** Its lines are packed with Zstandard, or in UTF-16. */
  readonly wrap?: LineWrap;
  /** Recorded answers whose first row has no text of its question: a file of questions has to give it. */
  readonly lacksQuestions?: true;
}

/** What the lines of a file are wrapped in. */
type LineWrap = "zstd" | Exclude<TextEncodingName, "utf-8">;

/** The bytes of lines in UTF-8; `found`: of what is damaged. Without Zstandard packed ones stay as they are. */
export function unwrapped(
  files: TraceFiles,
  chunks: AsyncIterable<Uint8Array>,
  wrap: LineWrap | undefined,
  found: (why: string) => void,
): AsyncIterable<Uint8Array> {
  if (wrap === undefined) return chunks;
  if (wrap !== "zstd") return inUtf8(chunks, wrap);
  return files.zstd === undefined ? chunks : unpackedChunks(chunks, files.zstd, found);
}

/** Lines that are looked at before a file counts as one document: the first ones may be damaged. */
const LINES_LOOKED_AT = 50;
/** Bytes in which most files show what they are; the rest is read only where these do not tell. */
const HEAD_BYTES = 64 * 1024;
/** Bytes that show what begins a file. */
const START_BYTES = 256;

/** Formats in which a line is an episode or nothing. */
export type LineFormat = "hasp" | "reflexion" | "fireact";
export const isLineFormat = (format: ImportFormat): format is LineFormat =>
  format === "hasp" || format === "reflexion" || format === "fireact";

/** A document that was read to recognise it, and need not be read again. */
export interface WholeDocument {
  readonly text: string;
  readonly json: JsonDocument;
}

/** A source that is about to be imported. */
export interface OpenedSource {
  readonly source: ImportSource;
  readonly whole?: WholeDocument | undefined;
  /** All its bytes, of a small file of lines. */
  readonly bytes?: Uint8Array | undefined;
}

/** `openSource` without what was read of the file. */
export async function lookAtSource(
  files: TraceFiles,
  file: string,
  forced?: ImportFormat,
): Promise<ImportSource | Diagnostic> {
  const opened = await openSource(files, file, forced);
  return "code" in opened ? opened : opened.source;
}

/**
 * Finds out what a file is by its content; `forced` overrules the format, not the layout. Answers why not where it cannot be
 * read. What had to be read whole for this comes along.
 */
export async function openSource(
  files: TraceFiles,
  file: string,
  forced?: ImportFormat,
): Promise<OpenedSource | Diagnostic> {
  const there = await files.stat(file);
  if (there === undefined) return missingSource(file);
  if (!there.isFile) return notPlainSource(file);
  const { size } = there;
  if (size === 0 && forced === undefined) return emptyFile(file);
  const head = await files.read(file, 0, Math.min(size, HEAD_BYTES));
  const as = (seen: Pick<ImportSource, "format" | "layout" | "lacksQuestions">): ImportSource => ({
    file,
    size,
    ...seen,
    format: forced ?? seen.format,
  });
  if (head[0] === 0x50 && head[1] === 0x4b)
    return { source: { file, size, format: "inspect", layout: "archive" } };
  const encoding = encodingOf(head);
  const wrap = isZstd(head) ? "zstd" : encoding === "utf-8" ? undefined : encoding;
  if (wrap !== undefined) return openWrapped(files, { file, size, wrap }, forced);
  const start = decodeUtf8([head.subarray(0, START_BYTES)]);
  const foreign = forced === undefined ? foreignHead(start, file) : undefined;
  if (foreign !== undefined) return foreignFile(file, foreign);
  const [begin = ""] = /^\s*[[{]/.exec(start) ?? [];
  const { seen, first } = await recognisedInLines(files, { file, size, head });
  // The rows of an array may stand in lines that are values by themselves.
  const isRows = (forced ?? seen?.format) === "answers" && begin.endsWith("[");
  if (seen !== undefined && !isRows) {
    const { whole, isLines, ...found } = seen;
    // A part of a document may stand in a line that is a value by itself, too.
    const document =
      isLines || size > MAX_DOCUMENT_BYTES ? undefined : await wholeDocument(files, file, size);
    if (document !== undefined) {
      const told = recognised(document.json.value);
      const known = told === undefined ? foreignValue(document.json.value) : undefined;
      if (known !== undefined) return foreignFile(file, known);
      return { source: as({ layout: "document", ...(told ?? found) }), whole: document };
    }
    if (whole === undefined || (forced !== undefined && isByLines(forced)))
      return { source: as({ layout: "lines", ...found }), bytes: head.length < size ? undefined : head };
    return { source: as({ layout: "document", ...found }), whole };
  }
  if (forced !== undefined && isByLines(forced) && !isRows)
    return { source: as({ layout: "lines", format: forced }) };
  if (size > MAX_DOCUMENT_BYTES) return forced === undefined ? unknownFormat(file) : documentTooLarge(file);
  if (forced !== undefined) return { source: as({ layout: "document", format: forced }) };
  if (begin === "") return unknownFormat(file);
  const whole = await readWhole(files, file, size);
  const found = recognised(whole.json.value);
  if (found !== undefined) return { source: as({ layout: "document", ...found }), whole };
  const known = foreignValue(whole.json.value) ?? foreignValue(first);
  return known === undefined ? unknownFormat(file) : foreignFile(file, known);
}

/** Of a file in a wrap the lines alone are read. */
async function openWrapped(
  files: TraceFiles,
  source: Required<Pick<ImportSource, "file" | "size" | "wrap">>,
  forced: ImportFormat | undefined,
): Promise<OpenedSource | Diagnostic> {
  const { file, size, wrap } = source;
  if (wrap === "zstd" && files.zstd === undefined) return packedSource(file);
  const chunks = unwrapped(files, files.chunks(file, 0, size), wrap, () => undefined);
  const { found } = await firstRecognised(chunks);
  const format = forced ?? found?.format;
  if (format === undefined) return wrap === "zstd" ? unknownFormat(file) : unknownInUtf16(file);
  const lacks = found?.lacksQuestions === true && ({ lacksQuestions: true } as const);
  return { source: { ...source, layout: "lines", format, ...lacks } };
}

/** A file that is one JSON document, though it may break off in its last line. */
async function wholeDocument(
  files: TraceFiles,
  file: string,
  size: number,
): Promise<WholeDocument | undefined> {
  const whole = await readWhole(files, file, size);
  const { broken } = whole.json;
  if (broken === undefined) return whole;
  const before = whole.text.slice(0, broken.at);
  // Such a first line is a value by itself, but for numbers that JSON does not know.
  const isLine = before.includes("\n") && !before.trim().includes("\n");
  return isLine || whole.text.trimEnd().includes("\n", broken.at) ? undefined : whole;
}

/** Formats whose files are lines, whatever stands in them. */
function isByLines(format: ImportFormat): format is LineFormat | "answers" {
  return format === "answers" || isLineFormat(format);
}

type Recognised = Pick<ImportSource, "format" | "lacksQuestions">;

function recognised(value: unknown): Recognised | undefined {
  const format = detectFormat(value);
  if (format === undefined) return undefined;
  return { format, ...(format === "answers" && lacksQuestion(value) && { lacksQuestions: true }) };
}

interface Head {
  readonly file: string;
  readonly size: number;
  /** The first bytes of the file. */
  readonly head: Uint8Array;
}

/**
 * The first recognised line. `isLines`: the first line is a value by itself, so the file is no document over several lines. Of a file
 * that is one line, what was read comes along.
 */
async function recognisedInLines(files: TraceFiles, { file, size, head }: Head): Promise<InLines> {
  const isWhole = head.length >= size;
  const ended = isWhole ? head : head.subarray(0, head.lastIndexOf(NEWLINE) + 1);
  const inHead = await firstRecognised(once(ended));
  const { found, looked, first } =
    inHead.found !== undefined || inHead.looked >= LINES_LOOKED_AT || isWhole
      ? inHead
      : await firstRecognised(files.chunks(file, 0, size));
  if (found === undefined) return { seen: undefined, first };
  const { text, value, readBytes, format, ...more } = found;
  const isDocument = looked === 1 && readBytes >= size && !isByLines(format);
  const whole = isDocument ? { whole: { text, json: { value, notNumbers: 0 } } } : {};
  return { seen: { format, isLines: first !== undefined, ...more, ...whole }, first };
}

const NEWLINE = 10;

/** Bytes as the chunks of a file. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** `first`: the value of the first line, where it is one. */
interface InLines {
  readonly seen: (Recognised & Pick<OpenedSource, "whole"> & { readonly isLines: boolean }) | undefined;
  readonly first: unknown;
}

interface RecognisedLine extends Recognised {
  readonly text: string;
  readonly value: unknown;
  readonly readBytes: number;
}

async function firstRecognised(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly found?: RecognisedLine; readonly looked: number; readonly first: unknown }> {
  let looked = 0;
  let first: unknown;
  for await (const { text, readBytes } of textLines(chunks)) {
    looked++;
    if (text === undefined) return { looked: LINES_LOOKED_AT, first };
    const value = parseJson(text);
    if (looked === 1) first = value;
    const seen = recognised(value);
    if (seen !== undefined) return { found: { ...seen, text, value, readBytes }, looked, first };
    if (looked >= LINES_LOOKED_AT) break;
  }
  return { looked, first };
}

/** A document with its text. Rejects on I/O errors. */
export async function readWhole(files: TraceFiles, file: string, size: number): Promise<WholeDocument> {
  const text = await wholeText(files, file, size);
  return { text, json: readJsonDocument(text) };
}

export async function wholeText(files: TraceFiles, file: string, size: number): Promise<string> {
  return decodeUtf8([await files.read(file, 0, size)]);
}
