import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ROOT } from "../../support/core.ts";

/** A run of tests as `npm test` is one, in a process of its own: one stage that never ends, with a child that has detached. */
vi.setConfig({ testTimeout: 90_000 });

const lib = (name: string): string =>
  JSON.stringify(pathToFileURL(path.join(ROOT, "scripts/lib", name)).href);
const RUN = `import { interruption } from ${lib("interruption.mts")};
import { takeTurn } from ${lib("one-at-a-time.mts")};
import { runMain } from ${lib("report.mts")};
import { runStages } from ${lib("run-stages.mts")};
import { isFailure, summaryOf } from ${lib("summary.mts")};
await runMain(async () => {
  const signal = interruption(undefined);
  const [root, output] = process.argv.slice(2);
  const { env } = await takeTurn(output);
  const limits = { timeout: 60_000, grace: 500, patience: 2000 };
  const stage = { name: "endless", commands: [[root + "/stage.mjs"]], seconds: { normal: 1, thorough: 1 }, lanes: 1 };
  const plan = [{ stage, isThorough: false, ready: Promise.resolve() }];
  const results = await runStages(plan, { root, output, env, lanes: 2, limits, signal });
  for (const line of summaryOf(results, [])) console.log(line);
  return isFailure(results) ? 1 : 0;
});
`;
const STAGE = `import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
const left = mkdtempSync(tmpdir() + "/left-");
writeFileSync("started", JSON.stringify({ pids: [process.pid, child.pid], left }));
setInterval(() => {}, 1000);
`;

let folder: string;
let output: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hasp-turn-"));
  output = path.join(folder, "output");
  writeFileSync(path.join(folder, "run.mts"), RUN);
  writeFileSync(path.join(folder, "stage.mjs"), STAGE);
});
const running: ChildProcess[] = [];
const known: number[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  // Where a test has failed, they may still be running.
  for (const pid of known.splice(0)) if (isRunning(pid)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function start() {
  const child = spawn(process.execPath, [path.join(folder, "run.mts"), folder, output]);
  running.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => (text += String(piece)));
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, text })) };
}

interface Started {
  readonly pids: readonly number[];
  readonly left: string;
}

async function started(): Promise<Started> {
  const file = path.join(folder, "started");
  const read = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  await expect.poll(read, { timeout: 60_000 }).toContain("}");
  const one = JSON.parse(read()) as Started;
  known.push(...one.pids);
  return one;
}

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}/exe`);

describe("npm test", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends at a %s with all that it started, says so, and leaves no file",
    async (signal) => {
      const { child, ended } = start();
      const { pids, left } = await started();
      expect(existsSync(left)).toBe(true);
      child.kill(signal);
      const { code, text } = await ended;
      expect(code).toBe(1);
      expect(text).toContain(`endless: wrote no counts: interrupted by ${signal}`);
      expect(text.trimEnd().split("\n").at(-1)).toBe("0 passed, 1 failed");
      expect(pids.filter(isRunning)).toEqual([]);
      expect(existsSync(path.dirname(left))).toBe(false);
      expect(readdirSync(output).filter((name) => name.includes("lock"))).toEqual([]);
    },
  );

  test("refuses beside another one in the same clone, which goes on", async () => {
    const first = start();
    const { pids, left } = await started();
    const { code, text } = await start().ended;
    expect(code).toBe(2);
    expect(text).toContain(`Process ${first.child.pid} runs the tests of this clone. No test was run.`);
    expect(pids.filter(isRunning)).toEqual(pids);
    expect(existsSync(left)).toBe(true);
  });

  test("takes over from one that was killed, and removes what that one left", async () => {
    const first = start();
    const { pids, left } = await started();
    // Not its 'close': what it has left still holds its output.
    const killed = once(first.child, "exit");
    first.child.kill("SIGKILL");
    await killed;
    rmSync(path.join(folder, "started"));
    start();
    const second = await started();
    expect(second.pids.filter(isRunning)).toEqual(second.pids);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(left)).toBe(false);
  });

  test("says where it cannot write", async () => {
    writeFileSync(output, "");
    const { code, text } = await start().ended;
    expect(code).toBe(2);
    expect(text).toContain(`Tests cannot write to ${output}: EEXIST`);
  });
});
