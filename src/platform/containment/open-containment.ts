import { availableParallelism } from "node:os";
import { isContainment, type OpenContainment } from "../../scoring/containment.ts";
import { openBubblewrap } from "./bubblewrap.ts";
import { openInstalledPyodide } from "./pyodide-installed.ts";

/**
 * Tries the ways to contain programs that this system may have, the safest first. Not more programs run at once than this machine has processors:
 * they would only be slower, and their limits of time are those of the wall.
 */
export const openContainment: OpenContainment = async (wanted) => {
  const places = Math.min(wanted, availableParallelism());
  const bubblewrap = await openBubblewrap(places);
  if (isContainment(bubblewrap)) return bubblewrap;
  const pyodide = await openInstalledPyodide(places);
  if (isContainment(pyodide)) return pyodide;
  return { why: `${bubblewrap.why}, and ${pyodide.why}`, next: `${bubblewrap.next} Or: ${pyodide.next}` };
};
