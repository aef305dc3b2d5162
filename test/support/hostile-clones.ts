import * as files from "./hostile-files.ts";
import type { WriteHostile } from "./hostile-place.ts";
import * as records from "./hostile-records.ts";

/** Kinds of clones of strangers' repositories, by what is hostile in them. Each also holds what is ordinary. */
export const HOSTILE_CLONES: Readonly<Record<string, WriteHostile>> = {
  "hook files": files.hookFiles,
  "job folders": records.jobFolders,
  "jobs of targets": records.targetJobs,
  "targets in hasp.yaml": files.haspYaml,
  "keys in hasp.yaml": files.wrongYaml,
  evolutions: records.evolutions,
  experiments: records.experiments,
  runs: records.runs,
  links: files.links,
  skills: files.skills,
  "settings of tools": files.toolSettings,
};
