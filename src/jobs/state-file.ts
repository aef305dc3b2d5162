import { z } from "../model/zod.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { JobRecord } from "../model/job.ts";
import { parseJson } from "../model/read-json.ts";
import { jobPaths, type JobFiles } from "./job-folder.ts";

const attempt = z.number().int().positive();
/** ISO 8601 in UTC. */
const at = z.string();

/** A line of `state.jsonl`, which is only ever appended to. Lines of kinds that are not known are skipped. */
const lineSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("attempt"),
    attempt,
    at,
    backend: z.string(),
    /** A word that every process of this attempt has in its environment, and no other. */
    token: z.uuid(),
    /** Bytes of `log.txt` before it. */
    log: z.number().int().nonnegative(),
    /** The submission that it belongs to, on a target. */
    submission: z.number().int().positive().optional(),
  }),
  z.object({ kind: z.literal("serving"), attempt, at }),
  z.object({ kind: z.literal("served"), attempt, at, policy: z.string() }),
  /** A command begins. */
  z.object({ kind: z.literal("command"), attempt, at, command: z.number().int().nonnegative() }),
  /** Somebody asked the attempt to end. */
  z.object({ kind: z.literal("stop"), attempt, at }),
  z.object({
    kind: z.literal("end"),
    attempt,
    at,
    /** `interrupted`: the machine wanted its place back, and the job resumes in the next attempt. */
    status: z.enum(["succeeded", "failed", "stopped", "interrupted"]),
    command: z.number().int().nonnegative().optional(),
    exitCode: z.number().int().optional(),
    signal: z.string().optional(),
    reason: z.string().optional(),
    lastLines: z.array(z.string()).optional(),
  }),
]);
export type StateLine = z.infer<typeof lineSchema>;
type LineOf<Kind extends StateLine["kind"]> = Extract<StateLine, { kind: Kind }>;

/** One execution of the job from its first command. */
export interface Attempt {
  readonly began: LineOf<"attempt">;
  /** The command that began last. */
  readonly command: number | undefined;
  readonly isStopAsked: boolean;
  readonly end: LineOf<"end"> | undefined;
}

/** `state.jsonl`, folded. */
export interface JobState {
  readonly attempts: readonly Attempt[];
  /** Bytes that were read; appending after another writer's half line needs a line break first. */
  readonly size: number;
  readonly endsInLine: boolean;
}

/** Lines that cannot be read of which a reader hears: more than one is rare. */
const MOST_WARNINGS = 100;

const NO_STATE: JobState = { attempts: [], size: 0, endsInLine: true };

function unreadable(file: string, line: number): Diagnostic {
  return {
    code: "HASP724",
    severity: "warning",
    message: `Line ${line + 1} of ${file} cannot be read and is skipped: its writer was interrupted.`,
    next: "Nothing is to be done: the job's other lines count.",
    file,
    range: START_OF_FILE,
  };
}

function folded(attempts: readonly Attempt[], line: StateLine): readonly Attempt[] {
  const number = line.attempt;
  if (line.kind === "attempt") {
    const isNext = number === attempts.length + 1;
    const begun = { began: line, command: undefined, isStopAsked: false, end: undefined };
    return isNext ? [...attempts, begun] : attempts;
  }
  return attempts.map((one, i) => (i === number - 1 ? advanced(one, line) : one));
}

function advanced(one: Attempt, line: Exclude<StateLine, { kind: "attempt" }>): Attempt {
  if (one.end !== undefined) return one;
  if (line.kind === "command") return { ...one, command: line.command };
  if (line.kind === "stop") return { ...one, isStopAsked: true };
  return line.kind === "end" ? { ...one, end: line } : one;
}

/** Of a line that is of no kind that is known. */
const NOT_READ = { success: false } as const;

const isKnown = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  ["attempt", "serving", "served", "command", "stop", "end"].includes(String(value.kind));

/** Reads how far a job is. A line that cannot be read is skipped with a warning (HASP724). Rejects on I/O errors. */
export async function readState(
  files: JobFiles,
  folder: string,
): Promise<Checked<JobState> & { value: JobState }> {
  const { state: file } = jobPaths(folder);
  const stat = await files.stat(file);
  if (stat === undefined) return { value: NO_STATE, diagnostics: [] };
  const bytes = await files.read(file, 0, stat.size);
  const text = new TextDecoder().decode(bytes);
  const endsInLine = text === "" || text.endsWith("\n");
  const lines = text.split("\n");
  // The last one is still being written.
  lines.pop();
  let attempts: readonly Attempt[] = [];
  const diagnostics: Diagnostic[] = [];
  lines.forEach((line, i) => {
    if (line === "") return;
    const value = parseJson(line);
    const read = isKnown(value) ? lineSchema.safeParse(value) : NOT_READ;
    if (read.success) attempts = folded(attempts, read.data);
    else if ((value === undefined || isKnown(value)) && diagnostics.length < MOST_WARNINGS)
      diagnostics.push(unreadable(file, i));
  });
  return { value: { attempts, size: bytes.length, endsInLine }, diagnostics };
}

/** Appends a line, which is on the disk when this resolves. A half line of an interrupted writer is ended first. */
export async function appendState(files: JobFiles, folder: string, line: StateLine): Promise<void> {
  const { value } = await readState(files, folder);
  const text = `${value.endsInLine ? "" : "\n"}${JSON.stringify(line)}\n`;
  await files.append(jobPaths(folder).state, new TextEncoder().encode(text), { sync: true });
}

/** A job's record without regard to whether its runner lives: one that has no end counts as running. */
export function recordOf({ attempts }: JobState): JobRecord {
  const last = attempts.at(-1);
  if (last === undefined) return { status: "prepared" };
  const { began, end, command } = last;
  const status = end?.status ?? "running";
  const record: JobRecord = {
    status: status === "interrupted" ? "lost" : status,
    attempt: began.attempt,
    startedAt: began.at,
    ...(command !== undefined && { command }),
  };
  if (end === undefined) return record;
  const { exitCode, signal, reason, lastLines } = end;
  return {
    ...record,
    endedAt: end.at,
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(reason !== undefined && { reason }),
    ...(lastLines !== undefined && { lastLines }),
  };
}
