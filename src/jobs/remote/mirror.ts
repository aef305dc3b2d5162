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

async function keep(
  { files }: RemotePorts,
  { here }: Mirrored,
  offset: number,
  body: Uint8Array,
): Promise<void> {
  await files.makeFolder(parentOf(here));
  if (offset === 0) await files.writeAtomic(here, body);
  else await files.append(here, body);
}

/** A look at the job on its target. */
export interface Look {
  readonly seen: Sight;
  /** As the next request names it, to wait until it changes. */
  readonly key: string;
  /** Whether a file has more than one reply takes. */
  readonly hasMore: boolean;
}

/**
 * Brings the copies of state, log and metrics up to date, waiting up to `wait` seconds for something new. May be cut at any moment: the next
 * one continues. Rejects as `RemoteLink.call` does.
 */
export async function refreshMirror(
  ports: RemotePorts,
  link: RemoteLink,
  {
    folder,
    spec,
    record,
  }: { readonly folder: string; readonly spec: JobSpec; readonly record: TargetRecord },
  options: {
    readonly wait: number;
    readonly key?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Look> {
  const mirror = mirrored(folder, spec, record.target);
  const files = await Promise.all(
    mirror.map(async ({ base, path, here }) => ({ base, path, ...(await haveOf(ports, here)) })),
  );
  const request = {
    op: "look",
    root: record.root,
    kind: record.target.kind,
    job: spec.id,
    group: spec.group ?? spec.id,
    number: record.number,
    wait: options.wait,
    seen: options.key,
    files,
  };
  let hasMore = false;
  let last: RemoteFrame | undefined;
  const { signal } = options;
  for await (const frame of link.call(request, signal === undefined ? {} : { signal })) {
    last = frame;
    const grown = grownSchema.safeParse(frame.header).data;
    const one = grown === undefined ? undefined : mirror[grown.file];
    if (grown === undefined || one === undefined) continue;
    await keep(ports, one, grown.offset, frame.body);
    hasMore ||= grown.offset + frame.body.length < grown.size;
  }
  const { seen, key } = seenSchema.parse(last?.header);
  return { seen, key, hasMore };
}
