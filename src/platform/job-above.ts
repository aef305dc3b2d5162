import { execFileSync } from "node:child_process";
import fs from "node:fs";
import process from "node:process";
import { JOB_VARIABLE } from "../jobs/ports.ts";
import { variables } from "./surroundings.ts";

/** Processes above this one that are looked at: more are no chain that a shell makes. */
const MOST_ABOVE = 64;
const RUNNER = /(?:^|[\s\0/\\])hasp\.cjs[\s\0]+job-runner[\s\0]/;

interface Above {
  readonly parent: number;
  readonly line: string;
}

function linuxProcess(pid: number): Above | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in parentheses, may hold anything.
    const [, parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), line: fs.readFileSync(`/proc/${pid}/cmdline`, "latin1") };
  } catch {
    return undefined;
  }
}

function otherProcess(pid: number): Above | undefined {
  try {
    const said = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const [, parent = "0", line = ""] = /^(\d+)\s+(.*)$/s.exec(said) ?? [];
    return { parent: Number(parent), line: `${line} ` };
  } catch {
    return undefined;
  }
}

/** Whether a runner of jobs is above this process. Windows shows no chain; the variable remains. */
function isBelowRunner(): boolean {
  if (process.platform === "win32") return false;
  const look = process.platform === "linux" ? linuxProcess : otherProcess;
  let pid = process.ppid;
  for (let i = 0; i < MOST_ABOVE && pid > 1; i++) {
    const found = look(pid);
    if (found === undefined) return false;
    if (RUNNER.test(found.line)) return true;
    pid = found.parent;
  }
  return false;
}

/** Whether this process runs in a job: by the variable of the runner, or because the runner is above it. */
export const isInJob = (): boolean => variables()[JOB_VARIABLE] !== undefined || isBelowRunner();
