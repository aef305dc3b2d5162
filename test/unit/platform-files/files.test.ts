import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeFiles } from "../../../src/platform/files.ts";

const files = nodeFiles();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/hasp-files-`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function collect(path: string, from: number, to: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of files.chunks(path, from, to)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

test("chunks give the asked range, over several buffers and at the end of a file that shrank", async () => {
  const path = `${folder}/big`;
  const content = Buffer.alloc(9_000_001, Buffer.from(Array.from({ length: 251 }, (_, i) => i)));
  writeFileSync(path, content);
  expect((await collect(path, 0, content.length)).equals(content)).toBe(true);
  expect((await collect(path, 4_194_000, 8_400_000)).equals(content.subarray(4_194_000, 8_400_000))).toBe(
    true,
  );
  expect((await collect(path, content.length - 3, content.length + 99)).length).toBe(3);
  expect((await collect(path, 5, 5)).length).toBe(0);
});

/** What this process holds open, where the system tells (Linux). */
function openPaths(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  });
}

test("a reader that stops early leaves no file open", async () => {
  const path = `${folder}/big`;
  writeFileSync(path, Buffer.alloc(9_000_000));
  for await (const piece of files.chunks(path, 0, 9_000_000)) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  expect(openPaths()).not.toContain(path);
  rmSync(path);
  expect(await files.stat(path)).toBeUndefined();
});

test("what is absent is undefined, empty or absent, and removing it is fine", async () => {
  const path = `${folder}/none`;
  expect(await files.stat(path)).toBeUndefined();
  expect(await files.stat(`${folder}/none/below`)).toBeUndefined();
  expect(await files.list(path)).toEqual([]);
  expect(await files.exists(path)).toBe(false);
  expect(await files.readText(path, 10)).toEqual({ kind: "absent" });
  expect(await files.readText(folder, 10)).toEqual({ kind: "absent" });
  await files.remove(path);
  await expect(files.read(path, 0, 1)).rejects.toThrow("ENOENT");
});

test("a text over the cap is not read", async () => {
  await files.writeText(`${folder}/a/b/text`, "ümlaut");
  expect(await files.readText(`${folder}/a/b/text`, 7)).toEqual({
    kind: "text",
    text: "ümlaut",
    bytes: Buffer.from("ümlaut"),
  });
  expect(await files.readText(`${folder}/a/b/text`, 6)).toEqual({ kind: "too-large", size: 7 });
});

test("an atomic write that fails leaves the old content and no rest", async () => {
  const path = `${folder}/file`;
  await files.writeText(path, "old");
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("half");
    await Promise.resolve();
    throw new Error("out of luck");
  }
  await expect(files.writeAtomic(path, failing())).rejects.toThrow("out of luck");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(await files.list(folder)).toEqual(["file"]);
});

test("pieces of an atomic write become one file, and appends go to its end", async () => {
  const path = `${folder}/file`;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("one ");
    await Promise.resolve();
    yield Buffer.from("two ");
  }
  await files.writeAtomic(path, pieces());
  await files.append(path, Buffer.from("three"), { sync: true });
  expect(readFileSync(path, "utf8")).toBe("one two three");
  expect(Buffer.from(await files.read(path, 4, 3)).toString()).toBe("two");
});
