import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { AGENT } from "../model/domain-names.ts";
import type { Episode, Run, Step } from "../model/episode.ts";
import type { ImportReport } from "../model/import-report.ts";
import { callersFirst } from "./callers-first.ts";
import { createRun } from "./create-run.ts";
import { checkedLine } from "./checked-line.ts";
import { openIndex } from "./episode-index.ts";
import { findSources, type FoundSource } from "./find-sources.ts";
import type { AnswerReading } from "./formats/answers.ts";
import { type ImportFormat, isAgentFormat, isImportFormat } from "./formats/formats.ts";
import { type Ledger, openLedger } from "./formats/ledger.ts";
import { type GivenVerdicts, unmatchedVerdicts, withGivenVerdict } from "./given-verdicts.ts";
import type { ReadEpisode } from "./formats/turn.ts";
import { importFile, type ImportParts, type ImportPiece } from "./import-file.ts";
import {
  answersUnused,
  domainMissing,
  episodeTooLarge,
  FOREIGN_FORMAT,
  foreignFolder,
  isIoError,
  nothingInFolder,
  UNKNOWN_FORMAT,
  unreadableSource,
} from "./import-findings.ts";
import { placeTogether } from "./import-links.ts";
import { openReferenceCopier, type ReferenceCopier } from "./import-references.ts";
import { type ImportAccount, openAccount } from "./import-report.ts";
import { type OpenedSource, openSource } from "./import-source.ts";
import { emptyTally, type Tally } from "./import-tally.ts";
import { keepMaterials, tooLongToKeep } from "./judging-store.ts";
import type { DiagnosticLog } from "./line-diagnostics.ts";
import { withLogFiles } from "./log-files.ts";
import { type MessageFile, openMessageStore } from "./message-store.ts";
import type { Clock, Sha256, TraceFiles } from "./ports.ts";
import { contentOf, readRun } from "./run-folder.ts";
import { runPaths } from "./run-paths.ts";
import { keepReport } from "./stored-report.ts";
import { codexThreads } from "./thread-files.ts";

export interface ImportRequest {
  /** The files to read, in order, and folders that are searched for files. */
  readonly sources: readonly string[];
  /** Their format; without it, each file's is found by its content. */
  readonly format?: ImportFormat | undefined;
  /** The run folder to make, or to replace where an import of the same format made it. */
  readonly folder: string;
  /** How recorded answers are read; without it, files of them are refused. */
  readonly answers?: AnswerReading | undefined;
  /** Verdicts of somebody else on the episodes. */
  readonly verdicts?: GivenVerdicts | undefined;
  /** Their file, as a person named it. */
  readonly verdictFile?: string | undefined;
  /** The file with the questions of recorded answers, as a person named it. */
  readonly questions?: string | undefined;
  /** Findings about what the request names, which the report lists first. */
  readonly about?: readonly Diagnostic[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly episodes: number;
  readonly readBytes: number;
  readonly totalBytes: number;
}

export interface ImportedRun extends ImportReport {
  readonly run: Run;
}

/** Thrown inside the write, so that nothing is written; never leaves this file. */
class NothingToWrite extends Error {}

/** Ports of an import besides its files. */
export interface ImportPorts {
  readonly clock: Clock;
  readonly sha256: Sha256;
}

/**
 * Imports trajectory files into one run folder. The episodes replace those of an earlier import as a whole or not at
 * all. `value` is undefined where nothing was imported; `diagnostics` then say why. Rejects on I/O errors of the run folder and with
 * the signal's reason on abort, and leaves no half a run behind.
 */
export async function importRun(
  files: TraceFiles,
  { clock, sha256 }: ImportPorts,
  request: ImportRequest,
): Promise<Checked<ImportedRun>> {
  const { folder } = request;
  const account = openAccount();
  const nothing = (): Checked<never> => ({ value: undefined, diagnostics: account.diagnostics() });
  const { signal } = request;
  const {
    sources: found,
    others,
    diagnostics,
  } = await findSources(files, request.sources, { except: folder, signal });
  const { sources, logs } = await withLogFiles(files, await callersFirst(files, found, signal), signal);
  for (const finding of [...(request.about ?? []), ...diagnostics]) account.found(finding);
  const totalBytes = sources.reduce((sum, { size }) => sum + size, 0);
  const threads = await codexThreads(files, sources, signal);
  const reading: Reading = {
    files,
    request,
    sources,
    account,
    parts: { answers: request.answers, called: new Map(), threads, logs, sha256 },
    unread: [],
    readBytes: 0,
    totalBytes,
  };
  const opened = openSources(reading);
  const first = (await opened.next()).value;
  if (first === undefined) {
    const [folderGiven] = request.sources;
    if (reading.unread.length > 0 && folderGiven !== undefined)
      account.found(nothingInFolder(folderGiven, reading.unread.length + others.length));
    return nothing();
  }
  const target = await lookAt(files, folder);
  const known = request.format ?? (sources.length === 1 ? first.source.format : undefined);
  if (target.kind === "foreign" || isOfOther(target, known)) {
    account.found(foreignFolder(folder, target.found));
    return nothing();
  }
  const tally = emptyTally();
  // First, so that a folder which a kill leaves half made is recognised as ours.
  const description = describeRun(request, first.source.format, clock);
  if (target.kind === "new") await createRun(files, folder, description);
  const references = await openReferenceCopier(files, folder);
  const prompts = await openMessageStore(files, folder, { sha256, redact: (text) => text });
  try {
    const lines = convert(reading, { first, opened, tally, references, prompts, target });
    await files.writeAtomic(runPaths(folder).episodes, lines);
  } catch (error) {
    // Prompts that wait would be written behind the removal.
    await prompts.settled().catch(() => undefined);
    // With texts of skills in it the folder needs its run.json, by which the next import knows it for ours.
    if (target.kind === "new" && (await files.list(runPaths(folder).library)).length === 0)
      for (const path of [runPaths(folder).messages, runPaths(folder).run]) await files.remove(path);
    if (!(error instanceof NothingToWrite)) throw error;
    return nothing();
  }
  const source = labelOf(account);
  const run = await createRun(files, folder, { ...description, source, domain: tally.domain ?? AGENT });
  // Those of an earlier import may be of another file of questions.
  await files.remove(runPaths(folder).judging);
  const brought = Array.from(tally.materials, ([id, material]) => ({ id, material }));
  const unkept = tooLongToKeep(await keepMaterials(files, folder, brought));
  const { diagnostics: unreadable } = await openIndex(files, runPaths(folder).episodes);
  const order = orderOf(request);
  const idle = account.formats().includes("answers") ? [] : answersUnused(order);
  const { verdicts } = request;
  const unmatched = verdicts === undefined ? [] : unmatchedVerdicts(verdicts, tally.ids);
  for (const finding of [...unkept, ...unreadable, ...idle, ...unmatched]) account.found(finding);
  // Those whose names promised more come first.
  const unread = [...reading.unread, ...others];
  const report = account.report({ createdAt: run.createdAt, order }, unread);
  await keepReport(files, folder, report);
  return { value: { run, ...report }, diagnostics: account.diagnostics() };
}

const orderOf = ({
  sources,
  format,
  answers,
  questions,
  verdictFile,
}: ImportRequest): ImportReport["order"] => ({
  sources: [...sources],
  ...(format !== undefined && { format }),
  ...(answers !== undefined && { domain: answers.domain }),
  ...(questions !== undefined && { questions }),
  ...(verdictFile !== undefined && { verdicts: verdictFile }),
});

/** `source` of a run of these files. */
function labelOf(account: ImportAccount): string {
  const [first = MIXED, ...more] = account.formats();
  return more.length === 0 ? first : MIXED;
}

const MIXED = "mixed";

/** An import while it reads its sources. */
interface Reading {
  readonly files: TraceFiles;
  readonly request: ImportRequest;
  readonly sources: readonly FoundSource[];
  readonly account: ImportAccount;
  /** What all files are imported with. */
  readonly parts: Omit<ImportParts, "ledger">;
  /** Files in folders that were looked at, and are of no known format. */
  readonly unread: string[];
  /** Of the sources that are done. */
  readBytes: number;
  readonly totalBytes: number;
}

interface NextSource extends OpenedSource {
  readonly isNamed: boolean;
}

/** Opens one source after the other; those that cannot be imported are named in the account. */
async function* openSources(reading: Reading): AsyncGenerator<NextSource, undefined> {
  const { files, request, sources, account, unread } = reading;
  for (const { file, size, isNamed } of sources) {
    request.signal?.throwIfAborted();
    const opened = await openSource(files, file, request.format).catch((error: unknown) => {
      if (!isIoError(error)) throw error;
      return unreadableSource(file, error);
    });
    if (!("code" in opened)) {
      const { format, lacksQuestions = false } = opened.source;
      if (format !== "answers" || request.answers !== undefined) yield { ...opened, isNamed };
      else account.found(domainMissing(file, lacksQuestions, isNamed));
    } else if (opened.code === UNKNOWN_FORMAT && !isNamed) unread.push(file);
    else if (opened.code === FOREIGN_FORMAT && !isNamed)
      account.found({ ...opened, severity: "information" });
    else account.found(opened);
    reading.readBytes += size;
  }
  return undefined;
}

/** Inputs of the conversion besides the reading itself. */
interface Conversion {
  readonly first: NextSource;
  /** Those after it. */
  readonly opened: AsyncIterable<NextSource>;
  readonly tally: Tally;
  readonly references: ReferenceCopier;
  /** Where prompts go that the files themselves tell. */
  readonly prompts: MessageFile;
  readonly target: Target;
}

async function* convert(reading: Reading, conversion: Conversion): AsyncGenerator<Uint8Array> {
  const { account, request } = reading;
  const { first, opened, target } = conversion;
  yield* convertFile(reading, first, conversion);
  for await (const next of opened) yield* convertFile(reading, next, conversion);
  request.signal?.throwIfAborted();
  if (account.episodes() === 0) throw new NothingToWrite();
  await conversion.prompts.settled();
  if (!isOfOther(target, labelOf(account))) return;
  account.found(foreignFolder(request.folder, target.found));
  throw new NothingToWrite();
}

async function* convertFile(
  reading: Reading,
  next: NextSource,
  { tally, references, prompts }: Conversion,
): AsyncGenerator<Uint8Array> {
  const { request, account, totalBytes } = reading;
  const { source, isNamed } = next;
  const { file, format } = source;
  const ledger = openLedger();
  const own = account.file(source, isNamed);
  const place = { file, log: own.log, renamed: new Map(), hasSessions: isAgentFormat(format) };
  for await (const piece of piecesOf(reading, next, ledger, own.log)) {
    request.signal?.throwIfAborted();
    for (const [id, material] of piece.materials ?? []) tally.materials.set(id, material);
    for (const diagnostic of piece.diagnostics) own.log.add(() => diagnostic);
    for (const { episode, prompts: read } of placeTogether(piece.episodes, place, tally)) {
      const told = await withMessages(judged(episode, request.verdicts, ledger), read, prompts);
      const line = encode(told, file, own.log);
      if (line === undefined) continue;
      own.count(told);
      tally.domain ??= told.facts.domain;
      await references.take(told, source, piece.messages);
      yield* line;
    }
    const readBytes = reading.readBytes + piece.readBytes;
    request.onProgress?.({ episodes: account.episodes(), readBytes, totalBytes });
  }
  own.close(ledger.list());
}

/** The parts of a file, up to the place where it cannot be read. */
async function* piecesOf(
  { files, parts }: Reading,
  next: NextSource,
  ledger: Ledger,
  log: DiagnosticLog,
): AsyncGenerator<ImportPiece> {
  try {
    yield* importFile(files, next, { ...parts, ledger });
  } catch (error) {
    if (!isIoError(error)) throw error;
    log.add(() => unreadableSource(next.source.file, error));
  }
}

function judged(episode: Episode, verdicts: GivenVerdicts | undefined, ledger: Ledger): Episode {
  const own = verdicts === undefined ? episode : withGivenVerdict(episode, verdicts);
  if (own !== episode) ledger.mapped(`verdicts of ${verdicts?.judge}`, "outcome, verdicts");
  return own;
}

/** The episode whose proposals name what the agent read before them; that is stored, each message once. */
async function withMessages(
  episode: Episode,
  read: ReadEpisode["prompts"],
  store: MessageFile,
): Promise<Episode> {
  if (read === undefined || read.every((prompt) => prompt === undefined)) return episode;
  const conversation = store.conversation();
  const steps: Step[] = [];
  for (const [t, step] of episode.steps.entries()) {
    const prompt = read[t];
    const [first, ...more] = step.proposals;
    if (prompt === undefined || prompt.upTo === 0 || first === undefined) steps.push(step);
    else {
      const messages = conversation.read(prompt.talk, prompt.upTo);
      steps.push({ ...step, proposals: [{ ...first, messages }, ...more] });
    }
    if (store.isFull) await store.settled();
  }
  return { ...episode, steps };
}

/** The line of an episode; without `extra` where it could not be read again with it. */
function encode(episode: Episode, file: string, log: DiagnosticLog): readonly Uint8Array[] | undefined {
  const whole = checkedLine(episode);
  if (typeof whole !== "string") return whole;
  const { extra: _, ...rest } = episode;
  const steps = episode.steps.map(({ extra: _extra, ...step }) => step);
  const lean = checkedLine({ ...rest, steps });
  const isCut = typeof lean !== "string";
  log.add(() => episodeTooLarge(file, episode.id, isCut ? whole : lean, isCut));
  return isCut ? lean : undefined;
}

type Target =
  | { readonly kind: "new" }
  /** An import made it. `source`: of its episodes; undefined where a kill left it without. `found`: what it is, as a clause. */
  | { readonly kind: "ours"; readonly source: string | undefined; readonly found: string }
  | { readonly kind: "foreign"; readonly found: string };

async function lookAt(files: TraceFiles, folder: string): Promise<Target> {
  const first = await contentOf(files, folder);
  if (first === undefined) return { kind: "new" };
  const { run } = await readRun(files, folder);
  if (run === undefined)
    return { kind: "foreign", found: `holds ${JSON.stringify(first)} and no readable run.json` };
  const found = `is the run "${run.title}" from "${run.source}"`;
  const isImport = run.settings === undefined && (run.source === MIXED || isImportFormat(run.source));
  if (!isImport) return { kind: "foreign", found };
  const isWhole = (await files.stat(runPaths(folder).episodes)) !== undefined;
  return { kind: "ours", source: isWhole ? run.source : undefined, found };
}

/** Whether an import of another source made the folder; `source`: of this import, as far as it is known. */
function isOfOther(
  target: Target,
  source: string | undefined,
): target is Extract<Target, { readonly kind: "ours" }> {
  return (
    target.kind === "ours" && source !== undefined && target.source !== undefined && target.source !== source
  );
}

function describeRun({ folder, sources }: ImportRequest, label: string, clock: Clock): Omit<Run, "schema"> {
  const nameOf = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
  const more = sources.length > 1 ? ` and ${sources.length - 1} more` : "";
  return {
    id: nameOf(folder),
    title: `${nameOf(sources[0] ?? folder)}${more} (imported)`,
    domain: AGENT,
    createdAt: clock.now(),
    source: label,
  };
}
