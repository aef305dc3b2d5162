import path from "node:path";
import process from "node:process";
import { pyodideSnapshot } from "../../src/platform/containment/pyodide-snapshot.ts";
import { openPyodide } from "../../src/platform/containment/pyodide.ts";
import { onPath } from "../../src/platform/python-environment.ts";
import type { Containment, NoContainment } from "../../src/scoring/containment.ts";

/** The package of the development dependencies. */
export const PYODIDE_FOLDER = path.resolve(import.meta.dirname, "../../node_modules/pyodide");

/** Pyodide alone or in Bubblewrap, with its snapshot in a folder, where it is made. Undefined: there is no Bubblewrap. Throws where there is no snapshot. */
export async function openPyodideFor(
  form: "pyodide" | "pyodide in bubblewrap",
  snapshots: string,
  places: number,
): Promise<Containment | NoContainment | undefined> {
  const made = await pyodideSnapshot(PYODIDE_FOLDER, snapshots, new AbortController().signal);
  if (!("file" in made)) throw new Error(made.why);
  const [bubblewrap] = form === "pyodide" ? [] : onPath("bwrap", process.env);
  if (form === "pyodide in bubblewrap" && bubblewrap === undefined) return undefined;
  return await openPyodide({ files: { folder: PYODIDE_FOLDER, snapshot: made.file }, bubblewrap }, places);
}
