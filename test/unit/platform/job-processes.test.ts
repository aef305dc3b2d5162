import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { jobProcesses } from "../../../src/platform/job-processes.ts";

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const nodes = jobProcesses(() => ({ executable: process.execPath, leading: [], env: {} }));

/** Starts a child without the variables by which the processes of a job are found again, and names it. */
const PARENT = `
const { spawn } = require("node:child_process");
const wait = "setInterval(() => undefined, 1000)";
console.log(spawn(process.execPath, ["-e", wait], { env: {}, stdio: "inherit" }).pid);
`;

test.each(["killed", "left by its parent"])(
  "a child without a mark ends, too, where it is %s",
  async (how) => {
    const named = Promise.withResolvers<number>();
    const job = nodes.start({
      program: "hasp",
      args: [
        "-e",
        `${PARENT}${how === "killed" ? "setInterval(() => undefined, 1000);" : "process.exit(3);"}`,
      ],
      cwd: process.cwd(),
      env: {},
      onText: (text) => named.resolve(Number(text)),
    });
    const child = await named.promise;
    onTestFinished(() => {
      if (isAlive(child)) process.kill(child, "SIGKILL");
    });
    if (how === "killed") job.kill();
    expect(await job.ended).toEqual(how === "killed" ? { signal: "SIGKILL" } : { exitCode: 3 });
    await expect.poll(() => isAlive(child)).toBe(false);
  },
);
