import type { TraceFiles } from "../../trace/ports.ts";

/** Bytes that are handed on at once. */
const PIECE = 256 * 1024;

/** A file that is written whole: its lines reach the disk beside it, and take its place with `commit`. */
export interface LineSink {
  readonly path: string;
  /** Resolves when there is room for more. Rejects with the failure of the disk. */
  add(line: Uint8Array): Promise<void>;
  /** Puts on the disk all that was added, beside the file of before. Rejects with the failure of the disk. */
  flush(): Promise<void>;
  /**
   * The file takes the place of the one before. Without a line there is none, which answers false, and one of before is removed; an empty
   * one, if the file may be empty.
   */
  commit(): Promise<boolean>;
  /** Nothing of it stays; the file of before is as it was. */
  discard(): Promise<void>;
}

/** Opens a sink for one file of a folder; neither is made before a piece is full, or the sink is flushed. */
export function lineSink(
  files: Pick<TraceFiles, "writeAtomic" | "remove" | "makeFolder">,
  folder: string,
  name: string,
  { mayBeEmpty }: { readonly mayBeEmpty: boolean } = { mayBeEmpty: false },
): LineSink {
  const path = `${folder}/${name}`;
  let pending: Uint8Array[] = [];
  let held = 0;
  let writing: Promise<void> | undefined;
  let next = Promise.withResolvers<Uint8Array | undefined>();
  let taken = Promise.withResolvers<void>();

  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = await next.promise;
      if (piece === undefined) return;
      next = Promise.withResolvers();
      yield piece;
      taken.resolve();
    }
  }

  async function flush(): Promise<void> {
    const isToBegin = mayBeEmpty && writing === undefined;
    if (held === 0 && !isToBegin) return;
    const piece = new Uint8Array(held);
    let at = 0;
    for (const line of pending) {
      piece.set(line, at);
      at += line.length;
    }
    [pending, held] = [[], 0];
    if (writing === undefined) {
      await files.makeFolder(folder);
      writing = files.writeAtomic(path, pieces());
    }
    taken = Promise.withResolvers();
    next.resolve(piece);
    // A write that fails never takes the piece.
    await Promise.race([taken.promise, writing]);
  }

  return {
    path,
    flush,
    async add(line) {
      pending.push(line);
      held += line.length;
      if (held >= PIECE) await flush();
    },
    async commit() {
      await flush();
      if (writing === undefined) {
        await files.remove(path);
        return false;
      }
      next.resolve(undefined);
      await writing;
      return true;
    },
    async discard() {
      if (writing === undefined) return;
      next.promise.catch(() => undefined);
      next.reject(new Error("Discarded"));
      await writing.catch(() => undefined);
    },
  };
}
