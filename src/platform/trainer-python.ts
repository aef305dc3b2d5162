import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { failed } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import { cacheFolder } from "./user-folders.ts";

/** Names the Python of jobs. */
export const PYTHON_VARIABLE = "HASP_TRAINER_PYTHON";

/** A program of a virtual environment. */
export const inVenv = (folder: string, name: string): string =>
  process.platform === "win32" ? path.join(folder, "Scripts", `${name}.exe`) : path.join(folder, "bin", name);

/** The environment that `hasp trainer install` makes, of this user and outside every workspace. */
export const trainerFolder = (): string => path.join(cacheFolder(), "trainer");

/** The places from which a Python may come, in the order in which they are asked. */
export interface PythonChoice {
  /** `--python` of a command line. */
  readonly option?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A setting of the user or of a trusted workspace. */
  readonly setting?: string | undefined;
}

const usable = (python: string): Checked<string> => ({ value: path.resolve(python), diagnostics: [] });

/** The Python that jobs start, or a refusal that says how to get one (HASP729). It is not started for that. */
export function trainerPython({ option, environment, setting }: PythonChoice): Checked<string> {
  const given = [
    ["--python", option],
    [PYTHON_VARIABLE, environment[PYTHON_VARIABLE]],
    ["The setting hasp.trainer.python", setting],
  ] as const;
  for (const [place, python] of given) {
    if (python === undefined || python.trim() === "") continue;
    if (fs.existsSync(python)) return usable(python);
    return failed(
      "HASP729",
      `${place} names ${python}, which is not there.`,
      "Name the Python of an environment.",
    );
  }
  const installed = inVenv(trainerFolder(), "python");
  if (fs.existsSync(installed)) return usable(installed);
  const next =
    "Run `hasp trainer install`, or name the Python of an environment that has them with --python.";
  return failed("HASP729", "No Python with the trainer's packages is installed.", next);
}
