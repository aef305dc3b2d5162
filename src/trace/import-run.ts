import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Episode, Outcome, Run } from "../model/episode.ts";
import { encodeLine, serialiseEpisode, unreadable } from "./episode-file.ts";
import { openIndex } from "./episode-index.ts";
import { AGENT } from "../model/domain-names.ts";
import type { AnswerReading } from "./formats/answers.ts";
import type { CalledAgents } from "./formats/called-agents.ts";
import type { ImportFormat } from "./formats/formats.ts";
import { type GivenVerdicts, unmatchedVerdicts, withGivenVerdict } from "./given-verdicts.ts";
import { type Ledger, openLedger } from "./formats/ledger.ts";
import { importFile, type ImportSource, lookAtSource } from "./import-file.ts";
import { domainMissing, episodeTooLarge, foreignFolder, nothingFound, oddities } from "./import-findings.ts";
import { keepMaterials, tooLongToKeep } from "./judging-store.ts";
import { diagnosticLog, type DiagnosticLog } from "./line-diagnostics.ts";
import { type ImportedFile, noCounts } from "./import-counts.ts";
import { countEpisode, emptyTally, type Tally, withPlace } from "./import-tally.ts";
import type { ReadEpisode } from "./formats/turn.ts";
import { type MessageStore, openMessageStore } from "./message-store.ts";
import type { Clock, Sha256, TraceFiles } from "./ports.ts";
import { createRun } from "./create-run.ts";
import { openReferenceCopier, type ReferenceCopier } from "./import-references.ts";
import { contentOf, readRun } from "./run-folder.ts";
import { runPaths } from "./run-paths.ts";
import { MAX_LINE_BYTES } from "./text-lines.ts";

export interface ImportRequest {
  /** The files to read, in order. */
  readonly sources: readonly string[];
  /** Their format; without it, each file's is found by its content. */
  readonly format?: ImportFormat | undefined;
  /** The run folder to make, or to replace where an import of the same format made it. */
  readonly folder: string;
  /** How recorded answers are read; without it, files of them are refused. */
  readonly answers?: AnswerReading | undefined;
  /** Verdicts of somebody else on the episodes. */
  readonly verdicts?: GivenVerdicts | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly episodes: number;
  readonly readBytes: number;
  readonly totalBytes: number;
}

export interface ImportedRun {
  readonly run: Run;
  readonly episodes: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Steps whose action could not be read. */
  readonly invalidSteps: number;
  readonly files: readonly ImportedFile[];
}

/** Thrown inside the write, so that nothing is written; never leaves this file. */
class NothingToImport extends Error {}

/** Ports of an import besides its files. */
export interface ImportPorts {
  readonly clock: Clock;
  readonly sha256: Sha256;
}

/**
 * Imports trajectory files into one run folder. The episodes replace those of an earlier import as a whole or not at
 * all. `value` is undefined where nothing was imported; `diagnostics` then say why. Rejects on I/O errors and with the
 * signal's reason on abort, and leaves no half a run behind.
 */
export async function importRun(
  files: TraceFiles,
  { clock, sha256 }: ImportPorts,
  request: ImportRequest,
): Promise<Checked<ImportedRun>> {
  const { folder } = request;
  const { sources, refused } = await lookAtAll(files, request);
  const [first] = sources;
  if (first === undefined) return { value: undefined, diagnostics: refused };
  const formats = new Set(sources.map(({ format }) => format));
  const label = formats.size === 1 ? first.format : "mixed";
  const target = await lookAt(files, folder, label);
  if (target.kind === "foreign")
    return { value: undefined, diagnostics: [...refused, foreignFolder(folder, target.found)] };
  const tally = emptyTally();
  const logs = sources.map(({ file }) => diagnosticLog(file));
  // First, so that a folder which a kill leaves half made is recognised as ours.
  const description = describeRun(request, label, clock);
  if (target.kind === "new") await createRun(files, folder, description);
  const found = (): Diagnostic[] => [...refused, ...logs.flatMap((log) => log.list())];
  const references = await openReferenceCopier(files, folder);
  const prompts = await openMessageStore(files, folder, { sha256, redact: (text) => text });
  try {
    const lines = convert(files, request, { sources, logs, tally, references, prompts, sha256 });
    await files.writeAtomic(runPaths(folder).episodes, lines);
  } catch (error) {
    // With texts of skills in it the folder needs its run.json, by which the next import knows it for ours.
    if (target.kind === "new" && (await files.list(runPaths(folder).library)).length === 0)
      for (const path of [runPaths(folder).messages, runPaths(folder).run]) await files.remove(path);
    if (!(error instanceof NothingToImport)) throw error;
    return { value: undefined, diagnostics: [...found(), nothingFound(first.file, label)] };
  }
  const run = await createRun(files, folder, { ...description, domain: tally.domain ?? AGENT });
  // Those of an earlier import may be of another file of questions.
  await files.remove(runPaths(folder).judging);
  const brought = Array.from(tally.materials, ([id, material]) => ({ id, material }));
  const unkept = tooLongToKeep(await keepMaterials(files, folder, brought));
  const { diagnostics: unread } = await openIndex(files, runPaths(folder).episodes);
  const { episodes, outcomes, invalidSteps, files: imported } = tally;
  const unmatched = request.verdicts === undefined ? [] : unmatchedVerdicts(request.verdicts, tally.ids);
  return {
    value: { run, episodes, outcomes, invalidSteps, files: imported },
    diagnostics: [...found(), ...unkept, ...unread, ...unmatched],
  };
}

async function lookAtAll(
  files: TraceFiles,
  { sources: paths, format, answers }: ImportRequest,
): Promise<{ readonly sources: readonly ImportSource[]; readonly refused: readonly Diagnostic[] }> {
  const sources: ImportSource[] = [];
  const refused: Diagnostic[] = [];
  for (const path of paths) {
    const looked = await lookAtSource(files, path, format);
    if ("code" in looked) refused.push(looked);
    else if (looked.format === "answers" && answers === undefined)
      refused.push(domainMissing(path, looked.lacksQuestions === true));
    else sources.push(looked);
  }
  return { sources, refused };
}

/** Inputs of one import, and what it counts. */
interface Conversion {
  readonly sources: readonly ImportSource[];
  /** One for each source. */
  readonly logs: readonly DiagnosticLog[];
  readonly tally: Tally;
  readonly references: ReferenceCopier;
  /** Where prompts go that the files themselves tell. */
  readonly prompts: MessageStore;
  readonly sha256: Sha256;
}

async function* convert(
  files: TraceFiles,
  request: ImportRequest,
  { sources, logs, tally, references, prompts, sha256 }: Conversion,
): AsyncGenerator<Uint8Array> {
  const totalBytes = sources.reduce((sum, { size }) => sum + size, 0);
  let bytesBefore = 0;
  const called: CalledAgents = new Map();
  for (const [i, source] of sources.entries()) {
    const ledger = openLedger();
    const log = logs[i] ?? diagnosticLog(source.file);
    const counts = noCounts();
    const parts = { ledger, answers: request.answers, called, sha256 };
    for await (const piece of importFile(files, source, parts)) {
      request.signal?.throwIfAborted();
      for (const [id, material] of piece.materials ?? []) tally.materials.set(id, material);
      for (const diagnostic of piece.diagnostics) log.add(() => diagnostic);
      for (const one of piece.episodes) {
        const placed = withPlace(one.episode, source.file, tally, log);
        const own = judged(placed, request.verdicts, ledger);
        const told = withMessages(own, one.prompts, prompts);
        const line = encode(told, source.file, log);
        if (line === undefined) continue;
        countEpisode(tally, counts, own);
        await references.take(told, source, piece.messages);
        await prompts.settled();
        yield line;
      }
      request.onProgress?.({
        episodes: tally.episodes,
        readBytes: bytesBefore + piece.readBytes,
        totalBytes,
      });
    }
    bytesBefore += source.size;
    const { file, format } = source;
    const listed = ledger.list();
    for (const finding of oddities(file, counts, listed)) log.add(() => finding);
    tally.files.push({ file, format, ...counts, ...listed });
  }
  request.signal?.throwIfAborted();
  if (tally.episodes === 0) throw new NothingToImport();
}

function judged(episode: Episode, verdicts: GivenVerdicts | undefined, ledger: Ledger): Episode {
  const own = verdicts === undefined ? episode : withGivenVerdict(episode, verdicts);
  if (own !== episode) ledger.mapped(`verdicts of ${verdicts?.judge}`, "outcome, verdicts");
  return own;
}

/** The episode whose proposals name what the agent read before them; that is stored, each message once. */
function withMessages(episode: Episode, read: ReadEpisode["prompts"], store: MessageStore): Episode {
  if (read === undefined || read.every((prompt) => prompt === undefined)) return episode;
  const conversation = store.conversation();
  const steps = episode.steps.map((step, t) => {
    const prompt = read[t];
    const [first, ...more] = step.proposals;
    if (prompt === undefined || prompt.upTo === 0 || first === undefined) return step;
    const messages = conversation.read(prompt.talk, prompt.upTo);
    return { ...step, proposals: [{ ...first, messages }, ...more] };
  });
  return { ...episode, steps };
}

/** The line of an episode; without `extra` where it could not be read again with it. */
function encode(episode: Episode, file: string, log: DiagnosticLog): Uint8Array | undefined {
  const whole = encodeChecked(episode);
  if (typeof whole !== "string") return whole;
  const { extra: _, ...rest } = episode;
  const steps = episode.steps.map(({ extra: _extra, ...step }) => step);
  const lean = encodeChecked({ ...rest, steps });
  const isCut = typeof lean !== "string";
  log.add(() => episodeTooLarge(file, episode.id, isCut ? whole : lean, isCut));
  return isCut ? lean : undefined;
}

/** The line, or why our own reader could not read it. */
function encodeChecked(episode: Episode): Uint8Array | string {
  try {
    const text = serialiseEpisode(episode);
    const line = encodeLine(text);
    if (line.length > MAX_LINE_BYTES) return `it is over ${MAX_LINE_BYTES / 1024 / 1024} MiB`;
    return unreadable(episode, text) ?? line;
  } catch (error) {
    // A text of more than half a gigabyte cannot be made at all.
    if (error instanceof RangeError) return `it is over ${MAX_LINE_BYTES / 1024 / 1024} MiB`;
    throw error;
  }
}

type Target = { readonly kind: "new" | "ours" } | { readonly kind: "foreign"; readonly found: string };

async function lookAt(files: TraceFiles, folder: string, label: string): Promise<Target> {
  const first = await contentOf(files, folder);
  if (first === undefined) return { kind: "new" };
  const { run } = await readRun(files, folder);
  if (run === undefined)
    return { kind: "foreign", found: `holds ${JSON.stringify(first)} and no readable run.json` };
  if (run.source !== label || run.settings !== undefined)
    return { kind: "foreign", found: `is the run "${run.title}" from "${run.source}"` };
  return { kind: "ours" };
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
