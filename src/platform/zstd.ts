import zlib from "node:zlib";
import type { OpenZstdFrame } from "../trace/ports.ts";

/** Unpacks a frame of Zstandard with Node's own zlib. Node reads one frame and no more. */
const openFrame: OpenZstdFrame = (take) => {
  const stream = zlib.createZstdDecompress();
  const ended = Promise.withResolvers<undefined>();
  // Nobody may be waiting when it fails.
  ended.promise.catch(() => undefined);
  stream.on("error", ended.reject);
  stream.on("close", () => ended.resolve(undefined));
  stream.on("data", take);
  return {
    async push(packed) {
      if (stream.destroyed) return;
      await Promise.race([ended.promise, new Promise<void>((taken) => stream.write(packed, () => taken()))]);
    },
    async end() {
      stream.end();
      await ended.promise;
    },
    close: () => void stream.destroy(),
  };
};

/** Undefined where Node has no Zstandard: before 22.15. */
export const zstd: OpenZstdFrame | undefined =
  typeof (zlib as Partial<typeof zlib>).createZstdDecompress === "function" ? openFrame : undefined;
