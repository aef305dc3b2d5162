import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asOnlyWriter, RunInUseError, unlessWritten } from "../../../src/platform/run-lock.ts";
import { LinkedPathError } from "../../../src/platform/write-path.ts";

let root = "";
let run = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hasp-run-lock-")));
  mkdirSync(join(root, ".git"));
  run = join(root, "runs/one");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (file: string): void => writeFileSync(file, "");

describe("the only writer of a run folder", () => {
  it("keeps others out until its work is done, also within one process", async () => {
    await asOnlyWriter(run, async () => {
      const error = await asOnlyWriter(run, async () => undefined).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RunInUseError);
      expect(String(error)).toContain(`This process (${process.pid} on `);
      expect(await unlessWritten(run, async () => expect.unreachable())).toBeInstanceOf(RunInUseError);
      write(join(run, "episodes.jsonl"));
    });
    expect(readdirSync(run)).toEqual(["episodes.jsonl"]);
    expect(await asOnlyWriter(run, async () => 3)).toBe(3);
  });

  it("gives the folder back, and leaves none that it made for nothing, when its work fails", async () => {
    const failing = asOnlyWriter(run, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(readdirSync(root)).toEqual([".git"]);
    mkdirSync(run, { recursive: true });
    await asOnlyWriter(run, async () => undefined);
    expect(existsSync(run)).toBe(true);
  });

  it("can give it up before, for a folder that takes its place", async () => {
    await asOnlyWriter(run, async (lock) => {
      lock.release();
      expect(readdirSync(run)).toEqual([]);
      await asOnlyWriter(run, async () => write(join(run, "run.json")));
    });
    expect(readdirSync(run)).toEqual(["run.json"]);
  });

  it("removes what killed writers left half written, and nothing else", async () => {
    mkdirSync(`${run}.0123abcd.tmp`, { recursive: true });
    mkdirSync(`${run}.kept.tmp`);
    mkdirSync(run);
    const gone = [
      "episodes.jsonl.0123abcd.tmp",
      "run.json.0123abcd.tmp",
      "episodes.index.0123abcd.tmp",
      ".episodes.lock.0123abcd.tmp",
    ];
    const kept = ["episodes.jsonl", "mine.0123abcd.tmp", "run.json.tmp"];
    for (const name of [...gone, ...kept]) write(join(run, name));
    await asOnlyWriter(run, async () => undefined);
    expect(readdirSync(run).toSorted()).toEqual(kept);
    expect(readdirSync(join(root, "runs")).toSorted()).toEqual(["one", "one.kept.tmp"]);
  });

  it("follows no link that nobody allowed", async () => {
    mkdirSync(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), join(root, "runs"));
    await expect(asOnlyWriter(run, async () => undefined)).rejects.toThrow(LinkedPathError);
    expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
  });
});

it("work on a folder that is not there needs no lock, and makes none", async () => {
  let isDone = false;
  expect(await unlessWritten(run, async () => void (isDone = true))).toBeUndefined();
  expect([isDone, readdirSync(root)]).toEqual([true, [".git"]]);
});
