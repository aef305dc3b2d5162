import { keepMaterials, readMaterials } from "../trace/judging-store.ts";
import { counted } from "../model/counted.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import { copyLibraries } from "../trace/library-store.ts";
import { copyMessages, encodeMessage, messageIds } from "../trace/message-copy.ts";
import { openMessages, type Messages } from "../trace/message-reader.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { runPaths } from "../trace/run-paths.ts";
import { finding } from "./merge-inputs.ts";

/** Names of texts; older records have shorter ones, and kept no texts. */
const TEXTS_HASH = /^[0-9a-f]{32}$/;

/** References of a chosen episode into the run folder that it is taken from. */
export interface Reference {
  readonly folder: string;
  readonly questionId: string;
  readonly sample: number;
  /** Ids, in the order of the episode. */
  readonly messages: readonly string[];
  /** Names of the texts of its skills. */
  readonly texts: readonly string[];
}

export function referenceOf(folder: string, episode: Episode): Reference {
  const { questionId, sample, library } = episode;
  const texts = library.map(({ hash }) => hash).filter((hash) => TEXTS_HASH.test(hash));
  return { folder, questionId, sample, messages: messageIds(episode), texts };
}

function lacking(folder: string, missing: number, thing: string, next: string): Diagnostic {
  const message = `${folder} lacks ${counted(missing, thing)} that its episodes refer to; the merged run does as well.`;
  return finding("HASP587", folder, message, next, "warning");
}

/** A warning for each folder in which something is missing. */
function warnings(missing: readonly (readonly [folder: string, id: string])[], thing: string, next: string) {
  const folders = Map.groupBy(missing, ([folder]) => folder);
  return [...folders].map(([folder, found]) =>
    lacking(folder, new Set(found.map(([, id]) => id)).size, thing, next),
  );
}

/**
 * Writes the messages that the episodes refer to into the folder of a merged run: each once, in order of first reference, from the run
 * that the episode is taken from. Warns of those that it lacks (HASP587). Rejects on I/O errors and on abort.
 */
export async function mergeMessages(
  files: TraceFiles,
  target: string,
  references: readonly Reference[],
  signal: AbortSignal | undefined,
): Promise<readonly Diagnostic[]> {
  const opened = new Map<string, Messages>();
  for (const { folder, messages } of references)
    if (messages.length > 0 && !opened.has(folder)) opened.set(folder, await openMessages(files, folder));
  const already = new Set<string>();
  const missing: (readonly [string, string])[] = [];
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const { folder, messages } of references) {
      signal?.throwIfAborted();
      const from = opened.get(folder);
      if (from === undefined) continue;
      for await (const message of copyMessages(from, messages, already)) yield encodeMessage(message);
      missing.push(...messages.filter((id) => !already.has(id)).map((id) => [folder, id] as const));
    }
  }
  if (opened.size > 0) await files.writeAtomic(runPaths(target).messages, lines());
  return warnings(
    missing.filter(([, id]) => !already.has(id)),
    "message",
    "Put the messages.jsonl of the machine that made the run beside its episodes.jsonl, and merge again.",
  );
}

/**
 * Copies the kept libraries of all runs into the folder of a merged run; of a file that two runs keep differently, that of the first.
 * Warns of texts that the episodes refer to and no run has (HASP587). Rejects on I/O errors.
 */
export async function mergeLibraries(
  files: TraceFiles,
  target: string,
  folders: readonly string[],
  references: readonly Reference[],
): Promise<readonly Diagnostic[]> {
  const kept = new Set<string>();
  for (const folder of folders) await copyLibraries(files, [folder, target], kept);
  const hashes = new Set([...kept].map((path) => path.split("/")[1]));
  const missing = references.flatMap(({ folder, texts }) =>
    texts.filter((hash) => !hashes.has(hash)).map((hash) => [folder, hash] as const),
  );
  return warnings(
    missing,
    "skill text",
    "Put the library folder of the machine that made the run beside its episodes.jsonl, and merge again.",
  );
}

/** Keeps what the judges of these runs need of their questions in the folder of the merged run. Rejects on I/O errors. */
export async function mergeMaterials(
  files: TraceFiles,
  target: string,
  folders: readonly string[],
): Promise<void> {
  const all = new Map<string, string>();
  for (const folder of folders)
    for (const [id, material] of await readMaterials(files, folder)) all.set(id, material);
  await keepMaterials(
    files,
    target,
    [...all].map(([id, material]) => ({ id, material })),
  );
}
