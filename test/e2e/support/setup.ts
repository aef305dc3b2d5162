import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder for the state of the server and the browser that stories share. */
    readonly house: string;
  }
}

/** The process of the stories has half a second for its end, which is too short to remove a browser's files. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "hasp-e2e-house-"));
  project.provide("house", folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
}
