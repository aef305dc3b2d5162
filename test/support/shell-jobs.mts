import path from "node:path";
import type { JobBackend } from "../../src/model/job.ts";
import { EVERY_RECORD } from "./every-record.mts";
import { jobBuild, localJobs } from "../../src/platform/local-jobs.ts";

/** Not from core.ts, which loads a compiler: processes that a test kills are to begin soon. */
const ROOT = path.resolve(import.meta.dirname, "../..");

/** Real jobs whose `python` is a shell: their commands are scripts that begin at once. */
export const SHELL_JOBS = (environment: Readonly<Record<string, string | undefined>>): JobBackend =>
  localJobs({
    build: { ...jobBuild(path.join(ROOT, "dist/hasp.cjs")), trainer: path.join(ROOT, "trainer") },
    environment,
    own: EVERY_RECORD,
    python: async () => ({ value: environment["HASP_TEST_SHELL"] ?? "/bin/sh", diagnostics: [] }),
  });
