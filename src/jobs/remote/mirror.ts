import type { JobSpec } from "../../model/job.ts";
import type { Target } from "../../model/target.ts";
import { taskFolder } from "../job-folder.ts";
import type { JobPart } from "../follow.ts";
import { printableLine } from "../../model/printable.ts";
import { parseJson } from "../../model/read-json.ts";
import type { z } from "../../model/zod.ts";
import { metricsThere } from "./bundle.ts";
import { ReplyError, type RemoteLink, type RemotePorts } from "./ports.ts";
import type { TargetRecord } from "./record.ts";
import { grownSchema, noAnswer, readReply, seenSchema, sightSchema, type Sight } from "./replies.ts";

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

const MB = 1024 * 1024;

/**
 * Most bytes of the copies of a kind, of each and of all together: a target may write without end. States are read whole with every look; a log
 * or metrics beyond it are on the target alone.
 */
const MOST_BYTES = {
  state: { each: MB, all: 16 * MB },
  metrics: { each: 64 * MB, all: 256 * MB },
  log: { each: 256 * MB, all: 1024 * MB },
} as const;

/** A file there and its copy here. */
interface Mirrored {
  readonly kind: keyof typeof MOST_BYTES;
  readonly base: "job" | "work";
  readonly path: string;
  readonly here: string;
}

function mirrored(folder: string, spec: JobSpec, target: Target): readonly Mirrored[] {
  const parts = partsOf(folder, spec, target);
  const inJob = (kind: "state" | "log", name: string): readonly Mirrored[] =>
    parts.map((part) => {
      const here = `${part.folder}/${name}`;
      return { kind, base: "job", path: here.slice(folder.length + 1), here };
    });
  const there = metricsThere(folder, spec);
  const metrics = metricsHere(folder, spec).map((here, i): Mirrored => ({
    kind: "metrics",
    base: "work",
    path: there[i] ?? "",
    here,
  }));
  // A reply is bounded: the states come first.
  return [...inJob("state", "state.jsonl"), ...metrics, ...inJob("log", "log.txt")];
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/** How much of a file is here, and the hash of its end. */
async function haveOf({ files, hashBytes }: RemotePorts, path: string) {
  const size = (await files.stat(path))?.size ?? 0;
  const from = Math.max(0, size - CHECKED_BYTES);
  const check = size === 0 ? undefined : hashBytes(await files.read(path, from, size - from));
  return { offset: size, check };
}

/** A file as a look asks for it. `room`: bytes by which its copy may grow. */
interface Asked {
  readonly file: Mirrored;
  readonly offset: number;
  readonly check: string | undefined;
  readonly room: number;
}

/** The files that a look asks for: those whose copies may grow. */
async function askedFiles(ports: RemotePorts, mirror: readonly Mirrored[]): Promise<readonly Asked[]> {
  const have = await Promise.all(mirror.map(async (file) => ({ file, ...(await haveOf(ports, file.here)) })));
  const held = { state: 0, metrics: 0, log: 0 };
  for (const { file, offset } of have) held[file.kind] += offset;
  return have.flatMap((one) => {
    const { each, all } = MOST_BYTES[one.file.kind];
    const room = Math.min(each - one.offset, all - held[one.file.kind]);
    if (room <= 0 && one.file.kind === "state")
      throw new ReplyError("size", `its ${one.file.path} has more than a state has`);
    return room > 0 ? [{ ...one, room }] : [];
  });
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
  /** Whether some file has more than one reply takes. */
  readonly isMore: boolean;
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
  const asked = await askedFiles(ports, mirrored(folder, spec, record.target));
  const { root, number, target } = record;
  const request = {
    op: "look",
    root,
    kind: target.kind,
    job: spec.id,
    group: spec.group ?? spec.id,
    number,
    wait,
    seen: key,
    files: asked.map(({ file: { base, path }, offset, check, room }) => ({
      base,
      path,
      offset,
      check,
      room,
    })),
  };
  const growth = new Map<Asked, Growth>();
  const sight: Uint8Array[] = [];
  let last: z.infer<typeof seenSchema> | undefined;
  for await (const { header, body } of link.call(request)) {
    if (header["file"] !== undefined) addGrowth(growth, asked, readReply(grownSchema, header, "look"), body);
    else if (body.length > 0) sight.push(body);
    if (header["key"] !== undefined) last = readReply(seenSchema, header, "look");
  }
  if (last === undefined) throw noAnswer("look");
  const text = new TextDecoder().decode(joined(sight));
  const seen = readReply(sightSchema, parseJson(text) ?? text, "look");
  const pieces = [...growth].map(([{ file }, { from, bodies }]) => ({
    file,
    offset: from,
    body: joined(bodies),
  }));
  return { ...last, seen, pieces };
}

/** Received bytes of a file: `from` (inclusive) to `to` (exclusive). */
interface Growth {
  readonly from: number;
  to: number;
  readonly bodies: Uint8Array[];
}

/** Adds bytes of a file: they continue its copy or what came of it before, or begin it anew, and end where the copy must. */
function addGrowth(
  growth: Map<Asked, Growth>,
  asked: readonly Asked[],
  { file: index, offset }: z.infer<typeof grownSchema>,
  body: Uint8Array,
): void {
  const one = asked[index];
  if (one === undefined) throw new ReplyError("form", "it answers look with a file that nobody asked for");
  const name = printableLine(one.file.path);
  const known = growth.get(one);
  const isNext = known === undefined ? offset === 0 || offset === one.offset : offset === known.to;
  if (!isNext)
    throw new ReplyError("form", `it answers look with another part of ${name} than was asked for`);
  const to = offset + body.length;
  if (to > one.offset + one.room) throw new ReplyError("size", `it sends more of ${name} than was asked for`);
  if (known === undefined) growth.set(one, { from: offset, to, bodies: [body] });
  else {
    known.to = to;
    known.bodies.push(body);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
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

/** The result of adding pieces to the copies. */
export interface Kept {
  /** False where a copy was begun anew meanwhile, so that another look has to bring the rest. */
  readonly isWhole: boolean;
  /** Bytes by which copies have grown. */
  readonly grown: number;
}

/** Adds what a look brought to the copies, as far as nobody else has added it meanwhile. For one caller at a time. */
export async function keepPieces(ports: RemotePorts, { pieces }: Pick<Look, "pieces">): Promise<Kept> {
  const { files } = ports;
  let [isWhole, grown] = [true, 0];
  for (const { file, offset, body } of pieces) {
    await files.makeFolder(parentOf(file.here));
    const size = (await files.stat(file.here))?.size ?? 0;
    if (offset === 0 && !(await isBeginning(ports, file.here, body, size)))
      await files.writeAtomic(file.here, body);
    else if (size < offset) isWhole = false;
    else if (size < offset + body.length) {
      await files.append(file.here, body.subarray(size - offset));
      grown += offset + body.length - size;
    }
  }
  return { isWhole, grown };
}
