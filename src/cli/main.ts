import { isMainThread } from "node:worker_threads";
import process from "node:process";

/** The CLI is one file: it is also the file its workers start from (DESIGN.md, "One-file CLI"). */
async function start(): Promise<void> {
  if (isMainThread) {
    const { runCli } = await import("./program.ts");
    process.exitCode = await runCli(process.argv);
  } else {
    await import("../platform/worker-main.ts");
  }
}

void start();
