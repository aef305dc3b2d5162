import fs from "node:fs";
import path from "node:path";
import { failed } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import { inVenv } from "./python-environment.ts";
import { absolute } from "./surroundings.ts";
import { cacheFolder } from "./user-folders.ts";

/** Names the Python of jobs. */
export const PYTHON_VARIABLE = "HASP_TRAINER_PYTHON";

/** The environment that `hasp trainer install` makes, of this user and outside every workspace. */
export const trainerFolder = (): string => path.join(cacheFolder(), "trainer");

/** Written last: an environment without it is half installed. Holds the hash of the requirements. */
export const readyFile = (folder: string): string => path.join(folder, "hasp-trainer.json");

/** The places from which a Python may come, in the order in which they are asked. */
export interface PythonChoice {
  /** `--python` of a command line. */
  readonly option?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A setting of the user, never of a workspace: it names a program. */
  readonly setting?: string | undefined;
}

/** A Python, and in words where it is from. */
export interface ChosenPython {
  readonly python: string;
  readonly from: string;
}

/** The Python that jobs start, or a refusal that says how to get one (HASP730). It is not started for that. */
export function choosePython({ option, environment, setting }: PythonChoice): Checked<ChosenPython> {
  const given = [
    ["--python", option],
    [PYTHON_VARIABLE, environment[PYTHON_VARIABLE]],
    ["the setting hasp.trainer.python", setting],
  ] as const;
  for (const [from, named] of given) {
    if (named === undefined || named.trim() === "") continue;
    const python = absolute(named);
    if (fs.existsSync(python)) return { value: { python, from }, diagnostics: [] };
    const next = "Name the Python of an environment that has the trainer's packages, or nothing.";
    return failed("HASP730", `${from} names ${named}, which is not there.`, next);
  }
  const folder = trainerFolder();
  const python = inVenv(folder, "python");
  if (fs.existsSync(python) && fs.existsSync(readyFile(folder)))
    return { value: { python, from: "hasp trainer install" }, diagnostics: [] };
  const what = fs.existsSync(python) ? "The installation of the trainer's packages is unfinished." : NONE;
  const next =
    "Run `hasp trainer install`, or name the Python of an environment that has them with --python.";
  return failed("HASP730", what, next);
}

const NONE = "There is no Python with the trainer's packages.";

/** As `choosePython`, the program alone. */
export function trainerPython(choice: PythonChoice): Checked<string> {
  const { value, diagnostics } = choosePython(choice);
  return { value: value?.python, diagnostics };
}
