import { refuse } from "../../app/refusal.ts";
import { sha256Schema } from "../../model/foreign-schemas.ts";
import type { JobSpec } from "../../model/job.ts";
import { hostOf } from "../../model/target.ts";
import { checkOutputs, outputsOf } from "./bundle.ts";
import { clashOf, placeOfOutput } from "./output-place.ts";
import { ReplyError, TargetRefusal, type RemoteFiles, type RemoteLink, type RemotePorts } from "./ports.ts";
import { appendRecord, type TargetRecord } from "./record.ts";
import { manifestSchema, pieceSchema, readReply, shown } from "./replies.ts";
import { limitsOfFiles } from "./reply-limits.ts";

/** Most files that a job may bring here, and their bytes: the checkpoints of the largest students are below a terabyte. */
const MOST_FILES = 10_000;
const MOST_BYTES = 4e12;

/** A file of the outputs: there, and its place here. */
interface Output {
  readonly path: string;
  readonly size: number;
  readonly hash: string;
  readonly to: string;
}

/** A job whose outputs are fetched. */
interface Fetched {
  readonly folder: string;
  readonly spec: JobSpec;
  readonly record: TargetRecord;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

const NEXT =
  "Nothing was fetched. Look at what the job writes on the target, and at who else can write there; then fetch again.";

const whose = ({ spec, record }: Fetched): string =>
  `The target ${record.name} (${hostOf(record.target)}) of the job ${spec.id}`;

/** The place of a file that the target names. Refuses with HASP812 what is no output. */
function placed(job: Fetched, { path, size, hash }: Omit<Output, "to">): Output {
  const place = placeOfOutput(outputsOf(job.folder, job.spec), path);
  if (place.fault !== undefined)
    refuse("HASP812", `${whose(job)} names the output ${shown(path)}, which ${place.fault}.`, NEXT);
  if (!sha256Schema.safeParse(hash).success)
    refuse(
      "HASP812",
      `${whose(job)} gives the output ${shown(path)} the hash ${shown(hash)}, which is no SHA-256.`,
      NEXT,
    );
  return { path, size, hash, to: place.to };
}

/** Refuses with HASP816 files that cannot all be here. One that is in two outputs is listed twice, and is one. */
function distinct(job: Fetched, found: readonly Output[]): readonly Output[] {
  const one = [...new Map(found.map((file) => [`${file.hash} ${file.size} ${file.to}`, file])).values()];
  const clash = clashOf(one.map(({ to }) => to));
  if (clash !== undefined)
    refuse(
      "HASP816",
      `${whose(job)} names ${shown(clash[0])} and ${shown(clash[1])}, which cannot both be here.`,
      "Nothing was fetched. Have the job give them other names; case and Unicode form tell no two files apart.",
    );
  return one;
}

async function listed(link: RemoteLink, job: Fetched): Promise<readonly Output[]> {
  const { folder, spec, record } = job;
  const paths = outputsOf(folder, spec).map(({ at }) => at);
  const request = { op: "manifest", root: record.root, group: spec.group ?? spec.id, paths };
  const found: Output[] = [];
  let bytes = 0;
  for await (const { header } of link.call(request)) {
    const file = placed(job, readReply(manifestSchema, header, "manifest"));
    found.push(file);
    bytes += file.size;
    if (found.length > MOST_FILES)
      throw new ReplyError("size", `it names more than ${MOST_FILES.toLocaleString("en")} outputs`);
    if (bytes > MOST_BYTES)
      throw new ReplyError("size", `its outputs have more than ${MOST_BYTES / 1e12} TB`);
  }
  return distinct(job, found);
}

/** Outputs that are not here; refuses with HASP791 where one is here that a person, or another job, has changed since. */
async function lacking(
  { files, hashFile }: RemotePorts,
  outputs: readonly Output[],
  { same }: TargetRecord,
): Promise<readonly Output[]> {
  const wanted: Output[] = [];
  for (const one of outputs) {
    const there = await files.stat(one.to);
    if (there === undefined) {
      wanted.push(one);
      continue;
    }
    // A folder or a pipe has no hash.
    if (!there.isFile)
      refuse("HASP791", `${one.to} is here, and is no file.`, "Move it away; then fetch again.", one.to);
    const here = await hashFile(one.to);
    if (here === one.hash) continue;
    if (same[one.to] !== here)
      refuse(
        "HASP791",
        `${one.to} was changed here since the job began, and differs from the job's own.`,
        "Move it away, or rename it; then fetch again.",
        one.to,
      );
    wanted.push(one);
  }
  return wanted;
}

/** The folder of files that are on their way, in that of the job. */
const arrivalsOf = (folder: string): string => `${folder}/fetch`;
const partOf = (folder: string, { hash }: Output): string => `${arrivalsOf(folder)}/${hash}.part`;

const PART = /^[\da-f]{64}\.part$/;
const TEMPORARY = /\.[\da-f]{8}\.tmp$/;

/** Removes what fetches that were killed have left: parts that no wanted file continues, and half copies of the wanted ones. */
async function removeLeftovers(files: RemoteFiles, folder: string, wanted: readonly Output[]): Promise<void> {
  const continued = new Set(wanted.map((one) => partOf(folder, one)));
  const parts = (await files.list(arrivalsOf(folder)))
    .filter((name) => PART.test(name))
    .map((name) => `${arrivalsOf(folder)}/${name}`)
    .filter((path) => !continued.has(path));
  const places = new Set(wanted.map(({ to }) => to));
  const copies: string[] = [];
  for (const parent of new Set(wanted.map(({ to }) => parentOf(to))))
    for (const name of await files.list(parent))
      if (TEMPORARY.test(name) && places.has(`${parent}/${name.replace(TEMPORARY, "")}`))
        copies.push(`${parent}/${name}`);
  for (const path of [...parts, ...copies]) await files.remove(path);
}

/** Adds what the part of a file lacks; it never has more bytes than the file. */
async function receive(
  ports: RemotePorts,
  link: RemoteLink,
  { folder, spec, record: { root } }: Fetched,
  one: Output,
): Promise<void> {
  const { files, hashFile } = ports;
  const part = partOf(folder, one);
  const had = (await files.stat(part))?.size ?? 0;
  if (had > one.size) await files.remove(part);
  let offset = had > one.size ? 0 : had;
  if (offset === 0) await files.append(part, new Uint8Array());
  const wanted = { path: one.path, offset, bytes: one.size - offset };
  const request = { op: "get", root, group: spec.group ?? spec.id, files: [wanted] };
  for await (const { header, body } of link.call(request, { limits: limitsOfFiles(wanted.bytes) })) {
    if (readReply(pieceSchema, header, "get").isWhole === true) continue;
    offset += body.length;
    if (offset > one.size) {
      await files.remove(part);
      throw new ReplyError("size", `it sends more of ${shown(one.path)} than the ${one.size} bytes it has`);
    }
    await files.append(part, body);
  }
  if ((await hashFile(part)) === one.hash) return;
  await files.remove(part);
  throw new TargetRefusal("damaged", `${one.path} arrived damaged or changed while it was sent`);
}

/**
 * Brings the outputs of a job to their places, each verified by its SHA-256 before it has its name. What is here already is not sent again,
 * and a file that a cut link left half is continued. Answers the number of files that came. Refuses with HASP791, HASP811,
 * HASP812 and HASP816.
 */
export async function fetchOutputs(ports: RemotePorts, link: RemoteLink, job: Fetched): Promise<number> {
  const { folder, spec, record } = job;
  checkOutputs(folder, spec);
  const { files, clock, on } = ports;
  const outputs = await listed(link, job);
  await files.makeFolder(arrivalsOf(folder));
  return ports.exclusive(arrivalsOf(folder), async () => {
    const wanted = await lacking(ports, outputs, record);
    await removeLeftovers(files, folder, wanted);
    for (const one of wanted) {
      await receive(ports, link, job, one);
      await files.makeFolder(parentOf(one.to));
      const { size, to, hash } = one;
      await files.writeAtomic(to, copied(files, partOf(folder, one), size));
      await files.remove(partOf(folder, one));
      await appendRecord(files, folder, { kind: "same", at: clock.now(), files: { [to]: hash } });
      if (size > 1e6) on(`fetched ${one.path}`);
    }
    return wanted.length;
  });
}

async function* copied(files: RemoteFiles, from: string, size: number): AsyncGenerator<Uint8Array> {
  for await (const piece of files.chunks(from, 0, size)) yield piece.slice();
}
