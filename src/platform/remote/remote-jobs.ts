import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { BundleFile, RemotePorts } from "../../jobs/remote/ports.ts";
import { NO_RECORDS, type OwnRecords } from "../../model/own-records.ts";
import { nodeFiles } from "../files.ts";
import { jobClock } from "../job-clock.ts";
import type { JobBuild } from "../local-jobs.ts";
import { tryLock } from "../process-lock.ts";
import { writePath } from "../write-path.ts";
import { sshLink } from "./ssh-link.ts";
import { targetProgram } from "./target-program.ts";

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** `hasp.cjs` and the trainer of a build, at their places on a target. */
async function programFiles({ cli, trainer }: JobBuild): Promise<readonly BundleFile[]> {
  const names = await readdir(path.join(trainer, "hasp_trainer"));
  return [
    { from: cli, at: "dist/hasp.cjs" },
    ...names
      .filter((name) => name.endsWith(".py"))
      .map((name) => ({
        from: path.join(trainer, "hasp_trainer", name),
        at: `trainer/hasp_trainer/${name}`,
      })),
  ];
}

/** Milliseconds between two tries to be the only one at a job's folder. */
const POLL_MS = 20;

async function exclusive<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = writePath(path.join(folder, "mirror.lock"));
  for (;;) {
    const { lock } = tryLock(file);
    if (lock === undefined) {
      await jobClock.sleep(POLL_MS);
      continue;
    }
    try {
      return await work();
    } finally {
      lock.release();
    }
  }
}

export interface RemoteJobs {
  readonly build: JobBuild;
  /** The variables of ssh, and the keys that jobs hand over. */
  readonly environment: NodeJS.ProcessEnv;
  /** Absent: jobs are only looked at. */
  readonly own?: OwnRecords | undefined;
  readonly on: (line: string) => void;
}

/** The services of jobs on targets. */
export function remotePorts({ build, environment, own = NO_RECORDS, on }: RemoteJobs): RemotePorts {
  const { trainer } = build;
  return {
    files: nodeFiles(),
    clock: jobClock,
    link: (target) => sshLink(target, async () => targetProgram(trainer), environment),
    hashFile,
    hashBytes: (bytes) => createHash("sha256").update(bytes).digest("hex"),
    program: async () => programFiles(build),
    requirements: {
      packages: path.join(trainer, "requirements.txt"),
      uv: path.join(trainer, "uv.txt"),
    },
    exclusive,
    variables: (names) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = environment[name]?.trim() ?? "";
          return value === "" ? [] : [[name, value]];
        }),
      ),
    own,
    on,
  };
}
