import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { endMarkedProcesses } from "../../src/platform/marked-processes.ts";
import { tryLock } from "../../src/platform/process-lock.ts";
import { onExit } from "./processes.mts";
import { messageOf, say, stop } from "./report.mts";

/** Resources of one run of the tests. */
export interface Turn {
  /** Its folder of temporary files. It is removed at the end, whatever tests left there. */
  temporary: string;
  /** Environment variable of all its processes. */
  env: Record<string, string>;
}

const RUN = "HASP_TEST_RUN";

/**
 * Takes the tests of this clone, whose output is below the folder, until this process ends. Refuses while another process
 * has them. What a killed one has left, processes and temporary files, is removed first.
 */
export async function takeTurn(output: string): Promise<Turn> {
  takeLock(output);
  await endMarkedProcesses(`${RUN}=${output}`, 10_000);
  // The same for each run of this clone. Short: the path of a socket below it has at most 107 bytes.
  const key = createHash("sha256").update(output).digest("hex").slice(0, 6);
  const temporary = join(tmpdir(), `h${key}`);
  const remove = (): void => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  try {
    remove();
    mkdirSync(temporary, { mode: 0o700 });
  } catch (error) {
    throw stop(`Tests need an empty folder ${temporary}: ${messageOf(error)}`);
  }
  onExit(() => {
    try {
      remove();
    } catch (error) {
      say(`${temporary} is not empty: ${messageOf(error)}`);
    }
  });
  return { temporary, env: { [RUN]: output, TMPDIR: temporary } };
}

function takeLock(output: string): void {
  let attempt: ReturnType<typeof tryLock>;
  try {
    mkdirSync(output, { recursive: true });
    attempt = tryLock(resolve(output, "run.lock"));
  } catch (error) {
    throw stop(`Tests cannot write to ${output}: ${messageOf(error)}`);
  }
  if (attempt.lock !== undefined) return;
  const who = attempt.holder === undefined ? "Another process" : `Process ${attempt.holder.pid}`;
  throw stop(`${who} runs the tests of this clone. No test was run. Wait until it ends, or stop it.`);
}
