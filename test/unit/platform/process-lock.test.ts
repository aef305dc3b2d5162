import { spawn, type ChildProcess } from "node:child_process";
import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lockBefore, tryLock, type LockOwner } from "../../../src/platform/process-lock.ts";

const MODULE = resolve("src/platform/process-lock.ts");

let folder = "";
let lock = "";
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-lock-"));
  lock = join(folder, "writer.lock");
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** A process that does what `body` says with the lock's module, and what it printed. */
function start(body: string): { child: ChildProcess; said: () => string; ended: Promise<number | null> } {
  const code = `const { tryLock, lockBefore } = await import(${JSON.stringify(MODULE)}); const lock = ${JSON.stringify(lock)}; ${body}`;
  const child = spawn(
    process.execPath,
    ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module", "-e", code],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  children.push(child);
  let said = "";
  child.stdout?.on("data", (piece: Buffer) => (said += piece.toString("utf8")));
  return { child, said: () => said, ended: new Promise((done) => child.once("close", (code) => done(code))) };
}

async function holding(): Promise<ChildProcess> {
  const { child, said } = start(
    `console.log(tryLock(lock).lock !== undefined); setInterval(() => {}, 1000);`,
  );
  await expect.poll(said).toBe("true\n");
  return child;
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((done) => child.once("close", () => done()));

const ownerOf = (): LockOwner => JSON.parse(readFileSync(lock, "utf8")) as LockOwner;

/** The lock that is there is another's now, and free once it has shown no sign of life for a minute. */
function expectStaleByAgeAlone(): void {
  expect(tryLock(lock).lock).toBeUndefined();
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  const attempt = tryLock(lock);
  expect(attempt.lock).toBeDefined();
  attempt.lock?.release();
}

describe("a lock", () => {
  it("is one process's, and free again when that releases it", () => {
    const first = tryLock(lock);
    expect(first.lock).toBeDefined();
    const second = tryLock(lock);
    expect(second.lock).toBeUndefined();
    expect(second).toMatchObject({ holder: { pid: process.pid } });
    first.lock?.release();
    const third = tryLock(lock);
    expect(third.lock).toBeDefined();
    third.lock?.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is not released by a holder that has lost it", () => {
    const first = tryLock(lock);
    rmSync(lock);
    const second = tryLock(lock);
    first.lock?.release();
    expect(existsSync(lock)).toBe(true);
    second.lock?.release();
    expect(existsSync(lock)).toBe(false);
  });

  it("tells a holder that has lost it", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const first = tryLock(lock);
    vi.advanceTimersByTime(5_000);
    expect(first.lock?.lost.aborted).toBe(false);
    rmSync(lock);
    const second = tryLock(lock);
    vi.advanceTimersByTime(5_000);
    expect([first.lock?.lost.aborted, second.lock?.lost.aborted]).toEqual([true, false]);
    for (const attempt of [first, second]) attempt.lock?.release();
  });

  it("is taken at once from a process that was killed", async () => {
    const child = await holding();
    expect(tryLock(lock).lock).toBeUndefined();
    child.kill("SIGKILL");
    await ended(child);
    const attempt = tryLock(lock);
    expect(attempt.lock).toBeDefined();
    attempt.lock?.release();
  });

  it("is taken at once from a process that was killed and that its parent never looks after", async () => {
    // As below a first process of a container that reaps no children: the pid stays taken.
    const { child: parent, said } = start(`
      const { spawn } = await import("node:child_process");
      const code = "import(process.env.LOCK_MODULE).then((one) => { one.tryLock(process.env.LOCK_FILE); console.log(process.pid); setInterval(() => {}, 1000); })";
      const env = { ...process.env, LOCK_MODULE: ${JSON.stringify(MODULE)}, LOCK_FILE: lock };
      spawn(process.execPath, ["-e", code], { env, stdio: ["ignore", "inherit", "ignore"] });
      setInterval(() => {}, 1000);`);
    await expect.poll(said, { timeout: 20_000 }).toMatch(/^\d+\n$/);
    parent.kill("SIGSTOP");
    process.kill(Number(said()), "SIGKILL");
    await expect
      .poll(
        () => {
          const attempt = tryLock(lock);
          attempt.lock?.release();
          return attempt.lock !== undefined;
        },
        { timeout: 10_000 },
      )
      .toBe(true);
  }, 60_000);

  it("is taken at once where another process has that pid by now", () => {
    tryLock(lock).lock?.release();
    const mine = tryLock(lock);
    const owner = ownerOf();
    mine.lock?.release();
    writeFileSync(lock, JSON.stringify({ ...owner, id: "earlier", start: "1" }));
    const attempt = tryLock(lock);
    expect(attempt.lock).toBeDefined();
    attempt.lock?.release();
  });

  it.each([
    ["another machine", { boot: "00000000-0000-0000-0000-000000000000" }],
    ["another container", { pidSpace: "pid:[1]" }],
    ["another host of the same boot", { host: "elsewhere" }],
  ])("of %s is kept while it shows signs of life, and taken when it has not for long", (_name, other) => {
    const mine = tryLock(lock);
    const owner = ownerOf();
    mine.lock?.release();
    // A pid that nobody here has: it says nothing, for it is not ours.
    writeFileSync(lock, JSON.stringify({ ...owner, ...other, id: "theirs", pid: 2 ** 22 }));
    expectStaleByAgeAlone();
  });

  it.each(["", "{", "17", '{"pid":-1,"id":"x"}', "\0\0\0"])(
    "that nobody can read (%j) is stale by its age alone",
    (text) => {
      writeFileSync(lock, text);
      expectStaleByAgeAlone();
    },
  );

  it("is given up by a process that ends while it holds it", async () => {
    const { ended: end } = start(`tryLock(lock); process.exit(3);`);
    expect(await end).toBe(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is taken also where its holder meanwhile removed the file that was to become it", () => {
    const { linkSync } = fs;
    vi.spyOn(fs, "linkSync").mockImplementationOnce((from, to) => {
      fs.rmSync(from);
      linkSync(from, to);
    });
    const attempt = tryLock(lock);
    expect(attempt.lock).toBeDefined();
    attempt.lock?.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that was released does not come back with its holder's next sign of life", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    for (let i = 0; i < 100; i++) {
      const { lock: mine } = tryLock(lock);
      vi.advanceTimersByTime(5_000);
      mine?.release();
    }
    // Whatever was asked of the disk before this has been done after it.
    for (let i = 0; i < 8; i++) await stat(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is waited for until the time is up", async () => {
    const child = await holding();
    expect((await lockBefore(lock, performance.now() + 50)).lock).toBeUndefined();
    const waiting = lockBefore(lock, performance.now() + 20_000);
    child.kill("SIGKILL");
    const attempt = await waiting;
    expect(attempt.lock).toBeDefined();
    attempt.lock?.release();
  });

  it("lets twelve processes that want it at once in one by one, also past one that was killed with it", async () => {
    const child = await holding();
    child.kill("SIGKILL");
    await ended(child);
    const shared = join(folder, "count");
    writeFileSync(shared, "0");
    const body = `
      const { readFileSync, writeFileSync } = await import("node:fs");
      for (let i = 0; i < 10; i++) {
        const { lock: mine } = await lockBefore(lock, performance.now() + 60_000);
        const n = Number(readFileSync(${JSON.stringify(shared)}, "utf8"));
        await new Promise((done) => setTimeout(done, 1));
        writeFileSync(${JSON.stringify(shared)}, String(n + 1));
        mine.release();
      }`;
    const ends = await Promise.all(Array.from({ length: 12 }, () => start(body).ended));
    expect(ends.every((code) => code === 0)).toBe(true);
    expect(readFileSync(shared, "utf8")).toBe("120");
  }, 60_000);
});
