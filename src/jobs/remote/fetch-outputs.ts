import { refuse } from "../../app/refusal.ts";
import type { JobSpec } from "../../model/job.ts";
import { checkOutputs, outputsOf } from "./bundle.ts";
import { TargetRefusal, type RemoteLink, type RemotePorts } from "./ports.ts";
import { appendRecord, type TargetRecord } from "./record.ts";
import { manifestSchema, pieceSchema } from "./replies.ts";

/** A file of the outputs: there, and its place here. */
interface Output {
  readonly path: string;
  readonly size: number;
  readonly hash: string;
  readonly to: string;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

async function listed(
  link: RemoteLink,
  folder: string,
  spec: JobSpec,
  { root }: TargetRecord,
): Promise<readonly Output[]> {
  const outputs = outputsOf(folder, spec);
  const request = { op: "manifest", root, group: spec.group ?? spec.id, paths: outputs.map(({ at }) => at) };
  const found: Output[] = [];
  for await (const { header } of link.call(request)) {
    const file = manifestSchema.parse(header);
    const into = outputs.find(({ at }) => file.path === at || file.path.startsWith(`${at}/`));
    if (into !== undefined) found.push({ ...file, to: `${into.to}${file.path.slice(into.at.length)}` });
  }
  return found;
}

/** Outputs that are not here; refuses with HASP791 where one is here that a person, or another job, has changed since. */
async function lacking(
  { files, hashFile }: RemotePorts,
  outputs: readonly Output[],
  { same }: TargetRecord,
): Promise<readonly Output[]> {
  const wanted: Output[] = [];
  for (const one of outputs) {
    if ((await files.stat(one.to)) === undefined) {
      wanted.push(one);
      continue;
    }
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

async function receive(
  ports: RemotePorts,
  link: RemoteLink,
  { root }: TargetRecord,
  spec: JobSpec,
  one: Output,
  part: string,
): Promise<void> {
  const { files, hashFile } = ports;
  const offset = (await files.stat(part))?.size ?? 0;
  const request = {
    op: "get",
    root,
    group: spec.group ?? spec.id,
    files: [{ path: one.path, offset: offset > one.size ? 0 : offset }],
  };
  if (offset > one.size) await files.remove(part);
  if (offset === 0) await files.append(part, new Uint8Array());
  for await (const { header, body } of link.call(request))
    if (pieceSchema.parse(header).isWhole !== true) await files.append(part, body);
  if ((await hashFile(part)) === one.hash) return;
  await files.remove(part);
  throw new TargetRefusal("damaged", `${one.path} arrived damaged or changed while it was sent`);
}

/**
 * Brings the outputs of a job to their places, each verified by its SHA-256 before it has its name. What is here already is not sent again,
 * and a file that a cut link left half is continued. Answers the number of files that came. Refuses with HASP791 and
 * HASP811.
 */
export async function fetchOutputs(
  ports: RemotePorts,
  link: RemoteLink,
  {
    folder,
    spec,
    record,
  }: { readonly folder: string; readonly spec: JobSpec; readonly record: TargetRecord },
): Promise<number> {
  checkOutputs(folder, spec);
  const { files, clock, on } = ports;
  const wanted = await lacking(ports, await listed(link, folder, spec, record), record);
  for (const one of wanted) {
    const part = `${folder}/fetch/${one.hash}.part`;
    await files.makeFolder(parentOf(part));
    await receive(ports, link, record, spec, one, part);
    await files.makeFolder(parentOf(one.to));
    const { size } = one;
    await files.writeAtomic(one.to, copied(files, part, size));
    await files.remove(part);
    await appendRecord(files, folder, { kind: "same", at: clock.now(), files: { [one.to]: one.hash } });
    if (size > 1e6) on(`fetched ${one.path}`);
  }
  return wanted.length;
}

async function* copied(files: RemotePorts["files"], from: string, size: number): AsyncGenerator<Uint8Array> {
  for await (const piece of files.chunks(from, 0, size)) yield piece.slice();
}
