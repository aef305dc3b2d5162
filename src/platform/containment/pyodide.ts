import process from "node:process";
import type { Containment, ContainedLimits, NoContainment } from "../../scoring/containment.ts";
import { interpreterPool } from "./interpreter-pool.ts";
import type { PyodideFiles } from "./pyodide-files.ts";
import { startPyodide } from "./pyodide-interpreter.ts";
import { bareLaunch, wrappedLaunch, type PyodideLaunch, type PyodideLimits } from "./pyodide-launch.ts";
import { readableByAll } from "./readable-by-all.ts";

export interface PyodideSettings {
  readonly files: PyodideFiles;
  /** The program `bwrap`, where it works: Pyodide then runs in it. */
  readonly bubblewrap?: string | undefined;
}

const PROGRAM = `
import sys
print("%d.%d.%d" % sys.version_info[:3])
`;
const LIMITS: ContainedLimits = { wallMs: 30_000, memoryBytes: 512 << 20, outputBytes: 65_536 };

const limitsOf = ({ wallMs, memoryBytes }: ContainedLimits): PyodideLimits => ({
  memoryBytes,
  // With time to start, on several threads.
  processorSeconds: Math.ceil((2 * wallMs) / 1000) + 60,
});

/** How its interpreters start, and what ends with them. */
function launcher({ files, bubblewrap }: PyodideSettings): {
  readonly launch: (limits: PyodideLimits) => PyodideLaunch;
  readonly remove: () => void;
} {
  if (bubblewrap === undefined)
    return { launch: (limits) => bareLaunch(files, limits), remove: () => undefined };
  const readable = readableByAll({ ...files, node: process.execPath });
  const programs = { bubblewrap, node: readable.files.node };
  return {
    launch: (limits) => wrappedLaunch(programs, readable.files, limits),
    remove: () => readable.remove(),
  };
}

/** Tries to run Python as WebAssembly in a Node without permissions. Throws where files for it cannot be copied. */
export async function openPyodide(
  settings: PyodideSettings,
  places: number,
): Promise<Containment | NoContainment> {
  const { launch, remove } = launcher(settings);
  const pool = interpreterPool(places, ({ limits }) => startPyodide(launch(limitsOf(limits))));
  const close = async (): Promise<void> => {
    await pool.close();
    remove();
  };
  const tried = pool.start({ program: PROGRAM, input: "", limits: LIMITS }, new AbortController().signal);
  const end = await tried.ended;
  if (end.kind === "exited" && end.code === 0) {
    const python = end.stdout.trim();
    const name = settings.bubblewrap === undefined ? "pyodide" : "pyodide in bubblewrap";
    return { name, python, packages: new Set(), ...pool, close };
  }
  await close();
  const why = end.kind === "failed" ? end.message : (end.stderr.trim().split("\n").at(-1) ?? end.kind);
  return {
    why: `Pyodide cannot run Python: ${why}`,
    next: "Use Node 22.13 or later, and repeat the command.",
  };
}
