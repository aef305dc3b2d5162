import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./core.ts";
import { copyPaperSkills } from "./shipped.ts";

/** The run of the sample, from the root of `sampleWorkspace`. */
export const RUN = ".hasp/runs/first-look";

/** Makes a workspace with the paper's skills as its own, and the runs of the sample. */
export function sampleWorkspace(folder: string): void {
  mkdirSync(path.join(folder, "skills"), { recursive: true });
  copyPaperSkills(path.join(folder, "skills/web-search"));
  cpSync(path.join(ROOT, "samples/.hasp/runs"), path.join(folder, ".hasp/runs"), { recursive: true });
}
