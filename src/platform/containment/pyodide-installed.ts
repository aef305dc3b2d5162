import fs from "node:fs";
import process from "node:process";
import { isContainment, type Containment, type NoContainment } from "../../scoring/containment.ts";
import { FileError } from "../file-error.ts";
import { onPath } from "../python-environment.ts";
import { variables } from "../surroundings.ts";
import { isPyodide, pyodideFolder, snapshotFolder, type PyodideFiles } from "./pyodide-files.ts";
import { pyodideSnapshot } from "./pyodide-snapshot.ts";
import { openPyodide } from "./pyodide.ts";

export const FETCH_NEXT = "Run `hasp containment --pyodide`, which fetches it after a yes.";

/** In Bubblewrap where that works, else alone. */
async function openSafest(files: PyodideFiles, places: number): Promise<Containment | NoContainment> {
  const [bubblewrap] = process.platform === "linux" ? onPath("bwrap", variables()) : [];
  if (bubblewrap !== undefined) {
    const wrapped = await openPyodide({ files, bubblewrap }, places);
    if (isContainment(wrapped)) return wrapped;
  }
  return await openPyodide({ files }, places);
}

/** Tries to run Python by the Pyodide in `folder`, with memory snapshots in `snapshots`. Does not reject. */
export async function openPyodideIn(
  { folder, snapshots }: { readonly folder: string; readonly snapshots: string },
  places: number,
): Promise<Containment | NoContainment> {
  if (!fs.existsSync(folder)) return { why: "Pyodide is not installed", next: FETCH_NEXT };
  if (!(await isPyodide(folder))) return { why: "files of Pyodide are missing or changed", next: FETCH_NEXT };
  try {
    const made = await pyodideSnapshot(folder, snapshots, new AbortController().signal);
    if ("file" in made) return await openSafest({ folder, snapshot: made.file }, places);
    return { why: `Pyodide does not start: ${made.why}`, next: "Use Node 22.13 or later." };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const next = error instanceof FileError ? error.next : "Make room in the cache, or set XDG_CACHE_HOME.";
    return { why: `Pyodide cannot be used: ${why}`, next };
  }
}

/** Tries to run Python by this user's Pyodide. Does not reject. */
export const openInstalledPyodide = (places: number): Promise<Containment | NoContainment> =>
  openPyodideIn({ folder: pyodideFolder(), snapshots: snapshotFolder() }, places);
