import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { noCounts } from "../../../scripts/lib/counts.mts";
import { type Place, type Planned, runStages } from "../../../scripts/lib/run-stages.mts";
import type { Stage } from "../../../scripts/lib/stages.mts";
import { openSmallDisk } from "../../support/full-disk.ts";

// Some start five processes, beside whatever else keeps the processors busy.
vi.setConfig({ testTimeout: 90_000 });

/** Stages are scripts here: whatever one does, it ends, and the sum says so. */
const HEAD = `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
const none = ${JSON.stringify(noCounts())};
const write = (counts) => writeFileSync(process.env.HASP_TEST_COUNTS, JSON.stringify({ ...none, ...counts }));
const pass = () => write({ passed: 2 });
const forEver = ["-e", "setInterval(() => {}, 1000)", "left-over"];
`;

let folder: string;
let interrupt: AbortController;
beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue(undefined);
  folder = mkdtempSync(path.join(tmpdir(), "hasp-stages-"));
  interrupt = new AbortController();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const place = (changes: Partial<Place> = {}): Place => ({
  root: folder,
  output: path.join(folder, "output"),
  env: {},
  lanes: 2,
  limits: { timeout: 15_000, grace: 500, patience: 500 },
  signal: interrupt.signal,
  ...changes,
});

function scripted(name: string, script: string, changes: Partial<Stage> = {}): Planned {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, HEAD + script);
  const seconds = { normal: 1, thorough: 1 };
  const stage = { name, commands: [[file]], seconds, lanes: 1 as const, ...changes };
  return { stage, isThorough: false, ready: Promise.resolve() };
}

const one = async (script: string, changes: Partial<Place> = {}) => {
  // Beside another one, so that its output goes to a log.
  const other = scripted("other", "", { commands: [] });
  const [result] = await runStages([scripted("one", script), other], place(changes));
  return result ?? { name: "", counts: noCounts() };
};

const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
const pidIn = (name: string): number => Number(readFileSync(path.join(folder, name), "utf8"));

test("a stage that passes counts its tests, with the processor time of its grandchildren", async () => {
  const burn = "while (process.cpuUsage().user < 400_000);";
  const { counts, use } = await one(`
    const { once } = await import("node:events");
    const start = (options, code) => spawn(process.execPath, ["-e", code], options);
    await once(start({}, ${JSON.stringify(`require("child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(burn)}])`)}), "exit");
    pass();
  `);
  expect(counts).toEqual({ ...noCounts(), passed: 2 });
  expect(use?.processorSeconds).toBeGreaterThan(0.4);
});

test("processes that detach and end by themselves are no fault, and their processor time counts", async () => {
  const burn = "while (process.cpuUsage().user < 400_000); setTimeout(() => {}, 1500);";
  const { counts, use } = await one(
    `spawn(process.execPath, ["-e", ${JSON.stringify(burn)}], { detached: true, stdio: "ignore" }); pass(); process.exit(0);`,
    { limits: { timeout: 60_000, grace: 60_000, patience: 500 } },
  );
  expect(counts).toEqual({ ...noCounts(), passed: 2 });
  expect(use?.processorSeconds).toBeGreaterThan(0.4);
});

describe("a stage that fails outside its tests", () => {
  test.each([
    ["crashes before its first test", "process.exit(3);", "wrote no counts: ended with 3"],
    [
      "is killed",
      'process.kill(process.pid, "SIGKILL"); await new Promise(() => {});',
      "wrote no counts: ended with SIGKILL",
    ],
    ["writes no counts", "", "wrote no counts"],
    ["ran no test", "write({});", "ran no test"],
    ["writes half of its counts", 'writeFileSync(process.env.HASP_TEST_COUNTS, "{");', "wrote no counts"],
  ])("and %s", async (_name, script, fault) => {
    const { counts } = await one(script);
    expect(counts).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
    expect(counts.faults.join("\n")).toContain(fault);
  });

  test("after its tests have passed", async () => {
    const { counts } = await one("pass(); process.exitCode = 7;");
    expect(counts).toEqual({ ...noCounts(), passed: 2, failed: 1, faults: ["ended with 7"] });
  });

  test("and whose failed tests explain its exit code has no further fault", async () => {
    const { counts } = await one('write({ failed: 1, faults: ["a test"] }); process.exitCode = 1;');
    expect(counts).toEqual({ ...noCounts(), failed: 1, faults: ["a test"] });
  });

  test("on a full disk", async () => {
    const disk = await openSmallDisk(path.join(folder, "disk"), 65_536);
    try {
      disk.fill();
      const { counts } = await one("pass();", { output: disk.reach() });
      expect(counts).toMatchObject({ passed: 0, failed: 1 });
      expect(counts.faults).toEqual([`wrote no counts: ended with 1; the disk of ${disk.reach()} is full`]);
    } finally {
      await disk.close();
    }
  });

  test("because its output can be written nowhere", async () => {
    writeFileSync(path.join(folder, "file"), "");
    const { counts } = await one("pass();", { output: path.join(folder, "file/output") });
    expect(counts).toMatchObject({ passed: 0, failed: 1 });
    expect(counts.faults.join("\n")).toContain("ENOTDIR");
  });
});

describe("a stage that does not end", () => {
  test("after its counts keeps them, and fails", async () => {
    const { counts } = await one(
      'pass(); writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000);',
    );
    expect(counts).toMatchObject({ passed: 2, failed: 1 });
    expect(counts.faults[0]).toContain("still ran 0.5 s after it wrote its counts; ended: ");
    expect(counts.faults[0]).toContain(String(pidIn("pid")));
    expect(isRunning(pidIn("pid"))).toBe(false);
  });

  test("and writes no counts is ended at its limit", async () => {
    const limits = { timeout: 3000, grace: 500, patience: 500 };
    const { counts } = await one("setInterval(() => {}, 1000);", { limits });
    expect(counts.faults).toEqual(["wrote no counts: still ran after 0.05 minutes"]);
  });

  test.each([
    ["", {}, 0],
    [" in a session of its own", { detached: true }, 0],
    // It is found below its parent, in one of the looks at all processes.
    [" in a session and an environment of its own", { detached: true, env: {} }, 3000],
  ])("because of a child%s names and ends it", async (_name, options, wait) => {
    const { counts } = await one(`
      const child = spawn(process.execPath, forEver, { stdio: "inherit", ...${JSON.stringify(options)} });
      writeFileSync("pid", String(child.pid));
      await new Promise((settle) => setTimeout(settle, ${wait}));
      pass();
      process.exit(0);
    `);
    expect(counts).toMatchObject({ passed: 2, failed: 1 });
    expect(counts.faults[0]).toContain("left processes that still ran 0.5 s after its end; ended: ");
    expect(counts.faults[0]).toContain(`left-over (${pidIn("pid")})`);
    expect(isRunning(pidIn("pid"))).toBe(false);
  });

  test("ignores the request to end and is killed", async () => {
    const { counts } = await one(
      'process.on("SIGTERM", () => {}); writeFileSync("pid", String(process.pid)); pass(); setInterval(() => {}, 1000);',
    );
    expect(counts.failed).toBe(1);
    expect(isRunning(pidIn("pid"))).toBe(false);
  });
});

test("a stage whose machine lacks something has failed and does not start; the others run", async () => {
  const missing = scripted("missing", 'writeFileSync("ran", ""); pass();');
  const ready = Promise.reject(new Error("Missing: chromium. Run this line:\nsudo"));
  const results = await runStages([{ ...missing, ready }, scripted("other", "pass();")], place());
  expect(results.map(({ counts }) => counts)).toEqual([
    { ...noCounts(), failed: 1, faults: ["did not run: Missing: chromium. Run this line:"] },
    { ...noCounts(), passed: 2 },
  ]);
  expect(existsSync(path.join(folder, "ran"))).toBe(false);
});

test("an interruption ends what runs, and what waits is named and not run", async () => {
  const ready = new Promise<void>(() => undefined);
  const running = runStages(
    [
      scripted("running", 'writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000);'),
      scripted("waiting", "pass();", { lanes: 2 }),
      { ...scripted("preparing", "pass();"), ready },
    ],
    place(),
  );
  await expect.poll(() => existsSync(path.join(folder, "pid")) && pidIn("pid")).toBeGreaterThan(0);
  interrupt.abort(new Error("interrupted by SIGINT"));
  const [first, ...others] = await running;
  expect(first?.counts).toMatchObject({
    passed: 0,
    failed: 1,
    faults: ["wrote no counts: interrupted by SIGINT"],
  });
  expect(isRunning(pidIn("pid"))).toBe(false);
  expect(others).toEqual([
    { name: "waiting", counts: noCounts(), notRun: "interrupted by SIGINT" },
    { name: "preparing", counts: noCounts(), notRun: "interrupted by SIGINT" },
  ]);
});

test("only a thorough stage is asked for all kills, seeds and themes", async () => {
  const script = 'writeFileSync(process.argv[1] + ".asked", process.env.HASP_TEST_THOROUGH ?? ""); pass();';
  const normal = scripted("normal", script);
  await runStages([normal, { ...scripted("thorough", script), isThorough: true }], place());
  const asked = (name: string): string => readFileSync(path.join(folder, `${name}.mjs.asked`), "utf8");
  expect([asked("normal"), asked("thorough")]).toEqual(["0", "1"]);
});
