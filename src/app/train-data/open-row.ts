import { START_OF_FILE, type Checked, type Diagnostic } from "../../model/diagnostic.ts";
import { parseJson } from "../../model/read-json.ts";
import type { RowPlace } from "../../model/train-data.ts";
import { z } from "../../model/zod.ts";
import { lineDiagnostic } from "../../trace/line-diagnostics.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { textLines } from "../../trace/text-lines.ts";
import { entryOf, openRunAt } from "../open-run.ts";
import { needRecordPath } from "../record-path.ts";
import { checked, need } from "../refusal.ts";

const rowSchema = z.object({
  run: z.string(),
  episode: z.string(),
  question_id: z.string(),
  sample: z.number().int(),
  step: z.number().int().positive(),
});

/** A row with the step that it was made from. */
export interface OpenedRow extends RowPlace {
  readonly folder: OpenedRunFolder;
  /** Position of the episode in its run. */
  readonly index: number;
}

/** A line of a file, both 1-based as people name them. */
export interface RowName {
  readonly file: string;
  readonly line: number;
}

/** `a-sft.jsonl:12`; undefined where the text is none. */
export function parseRowName(text: string): RowName | undefined {
  const match = /^(.+):([1-9]\d{0,9})$/s.exec(text);
  return match?.[1] === undefined ? undefined : { file: match[1], line: Number(match[2]) };
}

function gone({ file, line }: RowName, message: string, next: string): Checked<never> {
  const diagnostic = lineDiagnostic({ code: "HASP628", file, line: line - 1, message, next });
  return { value: undefined, diagnostics: [diagnostic] };
}

async function lineOf(files: TraceFiles, { file, line }: RowName): Promise<string | undefined> {
  const size = (await files.stat(file))?.size ?? 0;
  for await (const one of textLines(files.chunks(file, 0, size))) if (one.line === line - 1) return one.text;
  return undefined;
}

const REBUILD = "Build the file again with `hasp train-data --refresh <folder>`.";

/** The place that a row names. HASP628 for a line that is no row of a step. */
export async function readRowPlace(files: TraceFiles, name: RowName): Promise<Checked<RowPlace>> {
  if ((await files.stat(name.file)) === undefined) {
    const missing: Diagnostic = {
      code: "HASP578",
      severity: "error",
      message: `There is no file ${name.file}.`,
      next: "Check the path.",
      file: name.file,
      range: START_OF_FILE,
    };
    return { value: undefined, diagnostics: [missing] };
  }
  const text = await lineOf(files, name);
  if (text === undefined) return gone(name, "The file has no such line.", "Lines are counted from 1.");
  const { data } = rowSchema.safeParse(parseJson(text));
  if (data === undefined)
    return gone(
      name,
      "This line is no row of a step.",
      "Rows of objective A and lines of steps.jsonl lead to steps.",
    );
  const { question_id: questionId, ...place } = data;
  return { value: { ...place, questionId }, diagnostics: [] };
}

/** The run that a row names, which is below the folder that relative names of `files` are of. HASP820 for another one. */
function runBelow(files: TraceFiles, file: string): (run: string) => Promise<Checked<OpenedRunFolder>> {
  const next = "Start `hasp` in the folder in which the data were built.";
  return (path) =>
    checked(async () =>
      need(await openRunAt(files, needRecordPath(files, { path, field: "run", file, next }))),
    );
}

/**
 * The step that a row names, which is at `name`. HASP628 where its run, episode or step is gone. `open` finds the run; by default by its
 * path, which is below the workspace (HASP820). Rejects on I/O errors.
 */
export async function openPlace(
  files: TraceFiles,
  place: RowPlace,
  name: RowName,
  open: (run: string) => Promise<Checked<OpenedRunFolder>> = runBelow(files, name.file),
): Promise<Checked<OpenedRow>> {
  const run = await open(place.run);
  if (run.value === undefined && run.diagnostics.some(({ code }) => code === "HASP820"))
    return { value: undefined, diagnostics: run.diagnostics };
  if (run.value === undefined) return gone(name, `Its run ${place.run} is gone.`, REBUILD);
  const { value: entry } = entryOf(run.value, place.episode);
  if (entry === undefined || entry.head.id !== place.episode)
    return gone(name, `Its episode ${place.episode} is gone from ${place.run}.`, REBUILD);
  if (place.step > entry.head.length)
    return gone(
      name,
      `Its step is gone: episode ${place.episode} of ${place.run} has ${entry.head.length} steps, not ${place.step}.`,
      REBUILD,
    );
  const index = run.value.index.entries.indexOf(entry);
  return { value: { ...place, folder: run.value, index }, diagnostics: [] };
}

/** The step that a row of a file was made from, as `openPlace` opens it; HASP628 also for a line that is no row of a step. */
export async function openRow(
  files: TraceFiles,
  name: RowName,
  open?: (run: string) => Promise<Checked<OpenedRunFolder>>,
): Promise<Checked<OpenedRow>> {
  const { value: place, diagnostics } = await readRowPlace(files, name);
  if (place === undefined) return { value: undefined, diagnostics };
  return openPlace(files, place, name, open);
}
