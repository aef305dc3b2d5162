// Submits the job of a folder, as a process that a test may kill: node submit-job.mts <folder>. `python` of its jobs is a shell.
import process from "node:process";
import { SHELL_JOBS } from "./shell-jobs.mts";

await SHELL_JOBS(process.env).submit(process.argv[2] ?? "");
