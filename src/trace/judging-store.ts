import { counted } from "../model/counted.ts";
import { type Diagnostic, START_OF_FILE } from "../model/diagnostic.ts";
import { parseJson } from "../model/read-json.ts";
import { z } from "../model/zod.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";
import { MAX_LINE_BYTES, textLines } from "./text-lines.ts";

/** What the judge of a run needs besides gold, by question (`Question.material`). */
export type Materials = ReadonlyMap<string, string>;

const lineSchema = z.object({ questionId: z.string(), material: z.string() });

const encoder = new TextEncoder();

/** A question with its material, or without any. */
export interface WithMaterial {
  readonly id: string;
  readonly material?: string | undefined;
}

/**
 * The materials of a run, from `judging.jsonl` of its folder; none where it has no such file. A line that cannot be read is left out: its
 * question is then without material. Rejects on I/O errors.
 */
export async function readMaterials(files: TraceFiles, folder: string): Promise<Materials> {
  const path = runPaths(folder).judging;
  const size = (await files.stat(path))?.size ?? 0;
  const materials = new Map<string, string>();
  if (size === 0) return materials;
  for await (const { text } of textLines(files.chunks(path, 0, size))) {
    const { data } = lineSchema.safeParse(text === undefined ? undefined : parseJson(text));
    if (data !== undefined) materials.set(data.questionId, data.material);
  }
  return materials;
}

/**
 * Keeps the materials of these questions in a run folder, each question's once, beside those that are there. Nothing is written where none
 * of them brings any. Answers with the ids of those whose material is too long for a line: they are judged now, and never again from the
 * folder. Rejects on I/O errors.
 */
export async function keepMaterials(
  files: TraceFiles,
  folder: string,
  questions: Iterable<WithMaterial>,
): Promise<readonly string[]> {
  const brought = [...questions].flatMap(({ id, material }) =>
    material === undefined ? [] : { id, material },
  );
  if (brought.length === 0) return [];
  const known = await readMaterials(files, folder);
  const tooLong: string[] = [];
  const all = new Map(known);
  for (const { id, material } of brought) all.set(id, material);
  const isSame = all.size === known.size && brought.every(({ id, material }) => known.get(id) === material);
  if (isSame) return [];
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const [questionId, material] of all) {
      const line = encoder.encode(`${JSON.stringify({ questionId, material })}\n`);
      if (line.length > MAX_LINE_BYTES) tooLong.push(questionId);
      else yield line;
    }
  }
  await files.writeAtomic(runPaths(folder).judging, lines());
  return tooLong;
}

/** The finding about the questions whose material `keepMaterials` could not keep (HASP548); none where there are none. */
export function tooLongToKeep(ids: readonly string[]): readonly Diagnostic[] {
  if (ids.length === 0) return [];
  const named = ids.slice(0, 3).join(", ");
  const message = `What the judge needs of ${counted(ids.length, "question")} (${named}) is too long to be kept in the run folder.`;
  const next = "`hasp judge` will not be able to judge them from the run folder.";
  return [{ code: "HASP548", severity: "warning", message, next, range: START_OF_FILE }];
}
