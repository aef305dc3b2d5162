import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keepPieces, type Look } from "../../../../src/jobs/remote/mirror.ts";
import type { RemotePorts } from "../../../../src/jobs/remote/ports.ts";

/** A disk with one file, as far as copies need it. */
function disk(): { readonly ports: RemotePorts; readonly text: () => string } {
  let bytes = new Uint8Array();
  const files = {
    makeFolder: async () => undefined,
    stat: async () => ({ size: bytes.length, mtimeMs: 0, isFile: true }),
    read: async (_path: string, offset: number, length: number) => bytes.slice(offset, offset + length),
    writeAtomic: async (_path: string, data: Uint8Array) => {
      bytes = data.slice();
    },
    append: async (_path: string, data: Uint8Array) => {
      bytes = Uint8Array.from([...bytes, ...data]);
    },
  };
  const hashBytes = (data: Uint8Array): string => createHash("sha256").update(data).digest("hex");
  return {
    ports: { files, hashBytes } as unknown as RemotePorts,
    text: () => new TextDecoder().decode(bytes),
  };
}

/** The answer to a look of somebody whose copy had `offset` bytes, when the file had `until`. */
const lookOf = (file: string, offset: number, until: number): Look => ({
  seen: { isThere: true, submission: null, isAlive: true, entries: [] },
  key: "",
  isMore: false,
  pieces: [
    {
      file: { kind: "log", base: "job", path: "log.txt", here: "/job/log.txt" },
      offset,
      body: new TextEncoder().encode(file.slice(offset, until)),
    },
  ],
});

test("however the answers of several lookers cross, a copy is a beginning of the file, and none of it comes twice", async () => {
  const file = "0123456789abcdefghij";
  // An answer has something new; one without a byte says that the file was cut back to nothing.
  const span = fc
    .tuple(fc.nat(file.length), fc.nat(file.length))
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  await fc.assert(
    fc.asyncProperty(fc.array(span, { maxLength: 12 }), async (spans) => {
      const { ports, text } = disk();
      let longest = 0;
      for (const [offset, until] of spans) {
        const before = text().length;
        const { isWhole } = await keepPieces(ports, lookOf(file, offset, until));
        expect(file.startsWith(text())).toBe(true);
        // Nothing that was here is lost, and what follows it is taken.
        expect(text().length).toBe(offset <= before ? Math.max(before, until) : before);
        expect(isWhole).toBe(offset <= before);
        longest = Math.max(longest, text().length);
      }
      expect(text().length).toBe(longest);
    }),
  );
});

test("a file that was written anew takes the place of its copy", async () => {
  const { ports, text } = disk();
  await keepPieces(ports, lookOf("step 1\nstep 2\nstep 3\n", 0, 21));
  await keepPieces(ports, lookOf("step 1\nother\n", 0, 13));
  expect(text()).toBe("step 1\nother\n");
});

test("a file that was cut back to nothing empties its copy", async () => {
  const { ports, text } = disk();
  await keepPieces(ports, lookOf("step 1\n", 0, 7));
  await keepPieces(ports, lookOf("", 0, 0));
  expect(text()).toBe("");
});
