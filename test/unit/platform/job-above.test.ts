import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(path.join(os.tmpdir(), "hasp-above-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says whether it is in a job, as a process that a shell of the runner starts, without the runner's variable. */
const ASKS = `import { isInJob } from ${JSON.stringify(path.join(ROOT, "src/platform/job-above.ts"))};
process.stdout.write(String(isInJob()));`;

function answerBelow(name: string, ...args: readonly string[]): string {
  const asks = path.join(folder, "asks.mts");
  const above = path.join(folder, name);
  writeFileSync(asks, ASKS);
  writeFileSync(
    above,
    `const { execFileSync } = require("node:child_process");
process.stdout.write(execFileSync("sh", ["-c", \`"$0" "$1"; true\`, process.execPath, ${JSON.stringify(asks)}]));`,
  );
  const { HASP_JOB: _job, ...env } = process.env;
  return execFileSync(process.execPath, [above, ...args], { env, encoding: "utf8" });
}

it("a process that a job's runner started at any depth is in a job, also where it has dropped the variable", () => {
  expect(answerBelow("hasp.cjs", "job-runner", "/job", "--attempt", "1")).toBe("true");
});

it("a process of a person is not", () => {
  expect(answerBelow("hasp.cjs", "job", "submit", "job-runner")).toBe("false");
  expect(answerBelow("other.cjs", "job-runner", "/job")).toBe("false");
});
