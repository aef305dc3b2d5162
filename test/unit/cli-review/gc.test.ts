import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collectGarbage } from "../../../src/cli/commands/gc.ts";
import { bytesInWords } from "../../../src/model/bytes-in-words.ts";
import { findGarbage, removeGarbage } from "../../../src/cli/garbage.ts";
import { EXIT, type Terminal } from "../../../src/cli/terminal.ts";
import { commandContext } from "../../support/cli-context.ts";

const DAY = 86_400_000;
const NOW = Date.now();
let root: string;
let workspace: string;
let lines: string[];
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hasp-gc-"));
  workspace = path.join(root, "workspace");
  lines = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const terminal: Terminal = {
  json: false,
  context: commandContext().context,
  line: (text = "") => void lines.push(text),
  result: () => undefined,
  diagnostics: () => undefined,
  progress: () => undefined,
  endProgress: () => undefined,
};
const gc = (options: { olderThan?: number; dryRun?: boolean; live?: boolean } = {}): Promise<number> =>
  collectGarbage(workspace, { olderThan: 30, ...options }, { terminal, now: NOW });

async function put(file: string, days: number, text = "0123456789"): Promise<string> {
  const at = path.join(workspace, file);
  await mkdir(path.dirname(at), { recursive: true });
  await writeFile(at, text);
  const then = new Date(NOW - days * DAY);
  await utimes(at, then, then);
  return at;
}
const has = (file: string): boolean => existsSync(path.join(workspace, file));

async function fill(): Promise<void> {
  await put(".hasp/cache/replies/ab/old.json", 31);
  await put(".hasp/cache/replies/cd/young.json", 2);
  await put(".hasp/runs/first/episodes.jsonl", 400);
  await put(".hasp/runs/first/episodes.index.0a1b2c3d.tmp", 1);
  await put(".hasp/runs/first/live/e1.jsonl", 400);
  await put(".hasp/types/hasp.d.ts", 400);
  await put(".hasp/cache/replies/ef/being-written.json.0a1b2c3d.tmp", 0);
  await put("skills/x/notes.tmp", 400);
}

describe("hasp gc", () => {
  it("leaves what episodes refer to: messages, and the texts of skills", async () => {
    const kept = [
      "messages.jsonl",
      "library/0a1b/web-search/first/SKILL.md",
      "library/0a1b/web-search/first/pf.ts",
    ];
    for (const file of kept) await put(`.hasp/runs/first/${file}`, 400);
    expect(await gc({ olderThan: 0, live: true })).toBe(EXIT.fine);
    for (const file of kept) expect(has(`.hasp/runs/first/${file}`), file).toBe(true);
  });

  it("removes old cached replies and abandoned temporary files, and nothing else", async () => {
    await fill();
    expect(await gc()).toBe(EXIT.fine);
    expect(has(".hasp/cache/replies/ab")).toBe(false);
    expect(has(".hasp/runs/first/episodes.index.0a1b2c3d.tmp")).toBe(false);
    for (const kept of [
      ".hasp/cache/replies/cd/young.json",
      ".hasp/cache/replies/ef/being-written.json.0a1b2c3d.tmp",
      ".hasp/runs/first/episodes.jsonl",
      ".hasp/runs/first/live/e1.jsonl",
      ".hasp/types/hasp.d.ts",
      "skills/x/notes.tmp",
    ])
      expect(has(kept)).toBe(true);
    expect(lines).toEqual([
      "removed 1 file (cached), 10 bytes",
      "removed 1 file (temporary), 10 bytes",
      "kept 1 file of the cache, 10 bytes, younger than 30 days (--older-than 0 takes them too)",
    ]);
  });

  it("removes the folder of a run that was being merged when it was killed", async () => {
    await put(".hasp/runs/both.0a1b2c3d.tmp/episodes.jsonl", 1);
    await put(".hasp/runs/both.0a1b2c3d.tmp/run.json", 1);
    await put(".hasp/runs/now.1a1b2c3d.tmp/episodes.jsonl", 0);
    await put(".hasp/runs/my.tmp/episodes.jsonl", 400);
    await gc();
    expect((await readdir(path.join(workspace, ".hasp/runs"))).toSorted()).toEqual([
      "my.tmp",
      "now.1a1b2c3d.tmp",
    ]);
  });

  it("with --dry-run says what would go and how much, and removes nothing", async () => {
    await fill();
    const before = await readdir(workspace, { recursive: true });
    expect(await gc({ dryRun: true, olderThan: 0 })).toBe(EXIT.fine);
    expect(await readdir(workspace, { recursive: true })).toEqual(before);
    expect(lines).toContain(".hasp/cache/replies/cd/young.json  10 bytes");
    expect(lines).toContain("would remove 2 files (cached), 20 bytes");
  });

  it("empties the cache with --older-than 0, and keeps its folder", async () => {
    await fill();
    await rm(path.join(workspace, ".hasp/cache/replies/ef"), { recursive: true });
    await gc({ olderThan: 0 });
    expect(await readdir(path.join(workspace, ".hasp/cache"))).toEqual([]);
  });

  it("takes interrupted episodes only when it is told to, and only old ones", async () => {
    await fill();
    await put(".hasp/runs/first/live/e2.jsonl", 0);
    await gc({ live: true, olderThan: 0 });
    expect(has(".hasp/runs/first/live/e1.jsonl")).toBe(false);
    expect(has(".hasp/runs/first/live/e2.jsonl")).toBe(true);
    expect(has(".hasp/runs/first/episodes.jsonl")).toBe(true);
  });

  it("refuses when .hasp is a link, or a file", async () => {
    const elsewhere = path.join(root, "elsewhere");
    await mkdir(path.join(elsewhere, "cache"), { recursive: true });
    await writeFile(path.join(elsewhere, "cache/mine.json"), "x");
    await mkdir(workspace);
    await symlink(elsewhere, path.join(workspace, ".hasp"), "junction");
    await expect(gc({ olderThan: 0 })).rejects.toThrow("is a link");
    expect(existsSync(path.join(elsewhere, "cache/mine.json"))).toBe(true);
    await rm(path.join(workspace, ".hasp"));
    await writeFile(path.join(workspace, ".hasp"), "");
    await expect(gc()).rejects.toThrow("is no folder");
  });

  it("follows no link inside .hasp, also where the whole cache is one", async () => {
    const elsewhere = path.join(root, "elsewhere");
    await mkdir(elsewhere);
    await writeFile(path.join(elsewhere, "mine.json"), "x");
    await writeFile(path.join(elsewhere, "mine.tmp"), "x");
    await put(".hasp/cache/replies/ab/old.json", 31);
    await symlink(elsewhere, path.join(workspace, ".hasp/cache/replies/zz"), "junction");
    await symlink(elsewhere, path.join(workspace, ".hasp/runs"), "junction");
    expect(await gc({ olderThan: 0 })).toBe(EXIT.fine);
    expect(await readdir(elsewhere)).toEqual(["mine.json", "mine.tmp"]);
    expect(lines).toContain("left .hasp/cache/replies/zz: it is a link");
    await rm(path.join(workspace, ".hasp/cache"), { recursive: true });
    await symlink(elsewhere, path.join(workspace, ".hasp/cache"), "junction");
    await gc({ olderThan: 0 });
    expect(await readdir(elsewhere)).toEqual(["mine.json", "mine.tmp"]);
    expect(lines).toContain("left .hasp/cache: it is a link");
  });

  it("does not enter a folder that became a link after it was looked at", async () => {
    const elsewhere = path.join(root, "elsewhere");
    await mkdir(elsewhere);
    await writeFile(path.join(elsewhere, "old.json"), "x");
    await put(".hasp/cache/replies/ab/old.json", 31);
    const { removable } = await findGarbage(workspace, { olderThanMs: 0, live: false, now: NOW });
    expect(removable).toHaveLength(1);
    await rm(path.join(workspace, ".hasp/cache/replies/ab"), { recursive: true });
    await symlink(elsewhere, path.join(workspace, ".hasp/cache/replies/ab"), "junction");
    expect(await removeGarbage(workspace, removable)).toMatchObject({
      failures: [{ message: expect.stringContaining("ab is a link and leads to") as string }],
      inUse: [],
    });
    expect(await readdir(elsewhere)).toEqual(["old.json"]);
  });

  it("has nothing to do without a .hasp, and fails without a workspace", async () => {
    await expect(gc()).rejects.toThrow("There is no folder");
    await mkdir(workspace);
    expect(await gc()).toBe(EXIT.fine);
    expect(lines).toEqual(["nothing to remove"]);
  });

  it("says sizes as file managers do", () => {
    expect([0, 1, 999, 1000, 1_250_000, 999_400_000, 3e12].map(bytesInWords)).toEqual([
      "0 bytes",
      "1 byte",
      "999 bytes",
      "1.0 kB",
      "1.3 MB",
      "999.4 MB",
      "3000.0 GB",
    ]);
  });
});
