import fs from "node:fs";
import { jobBuild } from "../platform/local-jobs.ts";
import { CliError } from "./terminal.ts";

/** The folder `trainer/` of this build; ends the command where it is missing. `bundle`: the file that runs. */
export function trainerOfBuild(bundle: string): string {
  const { trainer } = jobBuild(bundle);
  if (fs.existsSync(trainer)) return trainer;
  throw new CliError(`The trainer is missing: ${trainer}`, "Install HASP Studio again, or build again.");
}
