import type { Library } from "../../analysis/library.ts";
import { keepLibrary } from "../../trace/library-store.ts";
import { openMessageStore, type MessageStore } from "../../trace/message-store.ts";
import type { Sha256, TraceFiles } from "../../trace/ports.ts";
import type { Redactor } from "../../llm/redact.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { keepMaterials, tooLongToKeep, type WithMaterial } from "../../trace/judging-store.ts";

/** Services that keep beside the episodes what they refer to by hash. */
export interface RecordingServices {
  readonly files: TraceFiles;
  readonly sha256: Sha256;
  readonly redactor: Redactor;
}

/** Puts the texts of the library into a run folder, and opens its messages. Rejects on I/O errors. */
export async function openRecording(
  { files, sha256, redactor }: RecordingServices,
  folder: string,
  { kept }: Pick<Library, "kept">,
): Promise<MessageStore> {
  await keepLibrary(files, folder, kept, { sha256, hide: (text) => redactor.redact(text) });
  return openMessageStore(files, folder, { sha256, redact: (text) => redactor.redact(text) });
}

/**
 * Keeps in a run folder what its judge needs of these questions, so that it can judge again. Warns of what is too long to be kept
 * (HASP548). Rejects on I/O errors.
 */
export async function keepJudging(
  { files, redactor }: Pick<RecordingServices, "files" | "redactor">,
  folder: string,
  questions: readonly WithMaterial[],
): Promise<readonly Diagnostic[]> {
  const hidden = questions.map(({ id, material }) => ({
    id,
    material: material && redactor.redact(material),
  }));
  return tooLongToKeep(await keepMaterials(files, folder, hidden));
}

/** The part of the services of a run that records. */
export function recordingOf({
  files,
  sha256,
  models,
}: Pick<RecordingServices, "files" | "sha256"> & {
  readonly models: Pick<RecordingServices, "redactor">;
}): RecordingServices {
  return { files, sha256, redactor: models.redactor };
}
