import { z } from "../../model/zod.ts";
import { parseJson } from "../../model/read-json.ts";
import { targetSchema, type NamedTarget } from "../../model/target.ts";
import type { RemoteFiles } from "./ports.ts";

/** A line of `target.jsonl`, which is only ever appended to. */
const lineSchema = z.discriminatedUnion("kind", [
  /** The target that the job belongs to, before the first request. `root`: its folder there, absolute. */
  z.object({
    kind: z.literal("target"),
    at: z.string(),
    name: z.string(),
    target: targetSchema,
    root: z.string(),
  }),
  /** A submission begins; from here on it may exist at the target. */
  z.object({ kind: z.literal("prepared"), at: z.string(), number: z.number().int().positive() }),
  /** The target has confirmed it. `job`: the number at the scheduler. */
  z.object({
    kind: z.literal("submitted"),
    at: z.string(),
    number: z.number().int().positive(),
    job: z.string(),
  }),
  /** Files that were the same here and there, because they were sent or fetched: path here and SHA-256. */
  z.object({ kind: z.literal("same"), at: z.string(), files: z.record(z.string(), z.string()) }),
]);
type Line = z.infer<typeof lineSchema>;

/** All that is needed to find a job on its target, from any machine that can reach it. */
export interface TargetRecord extends NamedTarget {
  readonly root: string;
  /** The last submission; 0: none. */
  readonly number: number;
  /** Its number at the scheduler; undefined until the target has confirmed it. */
  readonly job: string | undefined;
  /** SHA-256 of files as they were here and there alike, by their path here. */
  readonly same: Readonly<Record<string, string>>;
}

const fileIn = (folder: string): string => `${folder}/target.jsonl`;

function folded(record: TargetRecord | undefined, line: Line): TargetRecord | undefined {
  if (line.kind === "target") {
    const { name, target, root } = line;
    return { number: 0, job: undefined, same: {}, ...record, name, target, root };
  }
  if (record === undefined) return undefined;
  if (line.kind === "prepared")
    return line.number > record.number ? { ...record, number: line.number, job: undefined } : record;
  // A confirmation that comes late belongs to an older submission, which is over.
  if (line.kind === "submitted")
    return line.number < record.number ? record : { ...record, number: line.number, job: line.job };
  return { ...record, same: { ...record.same, ...line.files } };
}

/** The record of a job's target; undefined for a job that was never sent to one. Lines of an interrupted writer are skipped. */
export async function readRecord(
  files: Pick<RemoteFiles, "stat" | "read">,
  folder: string,
): Promise<TargetRecord | undefined> {
  const stat = await files.stat(fileIn(folder));
  if (stat === undefined) return undefined;
  const text = new TextDecoder().decode(await files.read(fileIn(folder), 0, stat.size));
  return text
    .split("\n")
    .map((line) => lineSchema.safeParse(parseJson(line)).data)
    .filter((line) => line !== undefined)
    .reduce<TargetRecord | undefined>(folded, undefined);
}

/** Appends a line, which is on the disk when this resolves. */
export async function appendRecord(files: RemoteFiles, folder: string, line: Line): Promise<void> {
  const file = fileIn(folder);
  const stat = await files.stat(file);
  const last = stat === undefined || stat.size === 0 ? "\n" : await lastByte(files, file, stat.size);
  const text = `${last === "\n" ? "" : "\n"}${JSON.stringify(line)}\n`;
  await files.append(file, new TextEncoder().encode(text), { sync: true });
}

const lastByte = async (files: RemoteFiles, file: string, size: number): Promise<string> =>
  new TextDecoder().decode(await files.read(file, size - 1, 1));
