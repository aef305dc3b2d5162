import process from "node:process";
import { isMainThread, workerData } from "node:worker_threads";
import type { WorkerRole } from "./worker-contract.ts";

/**
 * The code of our workers: threads, and processes of their own. It is part of the one-file CLI, from which the extension starts its workers,
 * too.
 * Each role loads only its own code, so the PF worker never loads TypeScript.
 */
async function serve(role: WorkerRole): Promise<void> {
  if (role === "pf") {
    const { servePfs } = await import("./pf-worker.ts");
    servePfs();
  } else if (role === "import") {
    const { serveImports } = await import("./worker-import-serve.ts");
    serveImports();
  } else if (role === "search") {
    const { serveSearch } = await import("./worker-search-serve.ts");
    serveSearch();
  } else {
    const { serveCompiler } = await import("./worker-compiler-serve.ts");
    serveCompiler();
  }
}

/** A thread gets its role as data, a process as its last argument. */
const role = isMainThread ? process.argv.at(-1) : (workerData as { readonly role: unknown }).role;
void serve(role as WorkerRole);
