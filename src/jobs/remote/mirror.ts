import type { JobSpec } from "../../model/job.ts";
import type { Target } from "../../model/target.ts";
import { taskFolder } from "../job-folder.ts";
import type { JobPart } from "../follow.ts";
import { metricsThere } from "./bundle.ts";
import type { RemoteFrame, RemoteLink, RemotePorts } from "./ports.ts";
import type { TargetRecord } from "./record.ts";
import { grownSchema, seenSchema, type Sight } from "./replies.ts";

/** Bytes by which a file that was written anew is told from one that grew; the target uses as many. */
const CHECKED_BYTES = 1_024;

/** The folders with a state and a log: those of the tasks, where a scheduler runs them side by side. */
export function partsOf(folder: string, { tasks }: JobSpec, { kind }: Target): readonly JobPart[] {
  if (tasks === undefined || kind === "ssh") return [{ folder, prefix: "" }];
  return Array.from({ length: tasks }, (_, i) => ({
    folder: taskFolder(folder, i + 1),
    prefix: `[${i + 1}] `,
  }));
}

/** The copies of the metrics of a job, in their order. */
export const metricsHere = (folder: string, spec: JobSpec): readonly string[] =>
  (spec.metrics ?? []).map((_, i) => `${folder}/metrics/${i + 1}.jsonl`);

/** A file there and its copy here. */
interface Mirrored {
  readonly base: "job" | "work";
  readonly path: string;
  readonly here: string;
}

function mirrored(folder: string, spec: JobSpec, target: Target): readonly Mirrored[] {
  const inJob = partsOf(folder, spec, target).flatMap((part) =>
    ["state.jsonl", "log.txt"].map((name): Mirrored => {
      const here = `${part.folder}/${name}`;
      return { base: "job", path: here.slice(folder.length + 1), here };
    }),
  );
  const there = metricsThere(folder, spec);
  const metrics = metricsHere(folder, spec).map((here, i): Mirrored => ({
    base: "work",
    path: there[i] ?? "",
    here,
  }));
  return [...inJob, ...metrics];
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/** How much of a file is here, and the hash of its end. */
async function haveOf({ files, hashBytes }: RemotePorts, path: string) {
  const size = (await files.stat(path))?.size ?? 0;
  const from = Math.max(0, size - CHECKED_BYTES);
  const check = size === 0 ? undefined : hashBytes(await files.read(path, from, size - from));
  return { offset: size, check };
}

/** New bytes of a file, from an offset on. */
interface Piece {
  readonly file: Mirrored;
  readonly offset: number;
  readonly body: Uint8Array;
}

/** The answer to a look at the job on its target. */
export interface Look {
  readonly seen: Sight;
  /** As the next request names it, to wait until it changes. */
  readonly key: string;
  /** Whether a file has more than one reply takes. */
  readonly hasMore: boolean;
  readonly pieces: readonly Piece[];
}

/** A job on its target. */
export interface MirroredJob {
  readonly folder: string;
  readonly spec: JobSpec;
  readonly record: TargetRecord;
}

/**
 * Asks for what the copies of state, log and metrics lack, waiting up to `wait` seconds for something new. Changes nothing here. Rejects as
 * `RemoteLink.call` does.
 */
export async function lookAt(
  ports: RemotePorts,
  link: RemoteLink,
  { folder, spec, record }: MirroredJob,
  { wait, key }: { readonly wait: number; readonly key?: string | undefined },
): Promise<Look> {
  const mirror = mirrored(folder, spec, record.target);
  const files = await Promise.all(
    mirror.map(async ({ base, path, here }) => ({ base, path, ...(await haveOf(ports, here)) })),
  );
  const { root, number, target } = record;
  const group = spec.group ?? spec.id;
  const request = {
    op: "look",
    root,
    kind: target.kind,
    job: spec.id,
    group,
    number,
    wait,
    seen: key,
    files,
  };
  const pieces: Piece[] = [];
  let hasMore = false;
  let last: RemoteFrame | undefined;
  for await (const frame of link.call(request)) {
    last = frame;
    const grown = grownSchema.safeParse(frame.header).data;
    const file = grown === undefined ? undefined : mirror[grown.file];
    if (grown === undefined || file === undefined) continue;
    pieces.push({ file, offset: grown.offset, body: frame.body });
    hasMore ||= grown.offset + frame.body.length < grown.size;
  }
  return { ...seenSchema.parse(last?.header), hasMore, pieces };
}

/** Whether a copy and a text from its beginning on are the same file, one of which has grown further. */
async function isBeginning(
  { files, hashBytes }: RemotePorts,
  path: string,
  body: Uint8Array,
  size: number,
): Promise<boolean> {
  const length = Math.min(size, body.length);
  return length > 0 && hashBytes(await files.read(path, 0, length)) === hashBytes(body.subarray(0, length));
}

/**
 * Adds what a look brought to the copies, as far as nobody else has added it meanwhile. For one caller at a time. False where a copy was begun
 * anew meanwhile, so that another look has to bring the rest.
 */
export async function keepPieces(ports: RemotePorts, { pieces }: Look): Promise<boolean> {
  const { files } = ports;
  let isWhole = true;
  for (const { file, offset, body } of pieces) {
    await files.makeFolder(parentOf(file.here));
    const size = (await files.stat(file.here))?.size ?? 0;
    if (offset === 0 && !(await isBeginning(ports, file.here, body, size)))
      await files.writeAtomic(file.here, body);
    else if (size < offset) isWhole = false;
    else if (size < offset + body.length) await files.append(file.here, body.subarray(size - offset));
  }
  return isWhole;
}
