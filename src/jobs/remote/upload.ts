import { bytesInWords } from "../../model/bytes-in-words.ts";
import type { BundleFile, RemoteLink, RemotePorts } from "./ports.ts";
import { missingSchema, readReply } from "./replies.ts";

/** A file with its content's name. */
export interface HashedFile extends BundleFile {
  readonly hash: string;
  readonly size: number;
}

export async function hashed(
  ports: RemotePorts,
  files: readonly BundleFile[],
): Promise<readonly HashedFile[]> {
  const found: HashedFile[] = [];
  for (const file of files) {
    const size = (await ports.files.stat(file.from))?.size ?? 0;
    found.push({ ...file, size, hash: await ports.hashFile(file.from) });
  }
  return found;
}

const encoder = new TextEncoder();

async function* bodyOf(
  { files, on }: RemotePorts,
  sent: readonly (HashedFile & { readonly have: number })[],
): AsyncGenerator<Uint8Array> {
  for (const { from, at, hash, size, have } of sent) {
    if (size > 1e6) on(`sending ${at} (${bytesInWords(size - have)})`);
    yield encoder.encode(`${JSON.stringify({ hash, offset: have, bytes: size - have })}\n`);
    for await (const piece of files.chunks(from, have, size)) yield piece.slice();
  }
  yield encoder.encode(`${JSON.stringify({ end: true, bytes: 0 })}\n`);
}

/** Sends the contents that the target lacks, each from the byte on at which an earlier try ended. Rejects as `RemoteLink.call` does. */
export async function upload(
  ports: RemotePorts,
  link: RemoteLink,
  root: string,
  files: readonly HashedFile[],
): Promise<void> {
  const byHash = new Map(files.map((file) => [file.hash, file]));
  const lacking = new Map<string, number>();
  for await (const { header } of link.call({ op: "missing", root, hashes: [...byHash.keys()] }))
    for (const { hash, have } of readReply(missingSchema, header, "missing").missing) lacking.set(hash, have);
  const sent = [...lacking].flatMap(([hash, have]) => {
    const file = byHash.get(hash);
    // A longer part is of no file that is here.
    return file === undefined ? [] : [{ ...file, have: have > file.size ? 0 : have }];
  });
  if (sent.length === 0) return;
  const bytes = sent.reduce((sum, { size, have }) => sum + size - have, 0);
  ports.on(`sending ${sent.length} of ${byHash.size} files, ${bytesInWords(bytes)}`);
  for await (const _ of link.call({ op: "put", root }, { body: bodyOf(ports, sent) }));
}
