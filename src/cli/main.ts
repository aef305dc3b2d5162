import { isMainThread } from "node:worker_threads";
import process from "node:process";

/** `hasp … | head` closes our output early: that is the end of the work, not an error. */
function endWithOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    throw error;
  });
}

/** The CLI is one file: it is also the file its workers start from (DESIGN.md, "One-file CLI"). */
async function start(): Promise<void> {
  if (isMainThread) {
    endWithOutput();
    const { runCli } = await import("./program.ts");
    process.exitCode = await runCli(process.argv);
  } else {
    await import("../platform/worker-main.ts");
  }
}

void start();
