import { isContainment, type OpenContainment } from "../../scoring/containment.ts";
import { openBubblewrap } from "./bubblewrap.ts";
import { openInstalledPyodide } from "./pyodide-installed.ts";

/** Tries the ways to contain programs that this system may have, the safest first. */
export const openContainment: OpenContainment = async (places) => {
  const bubblewrap = await openBubblewrap(places);
  if (isContainment(bubblewrap)) return bubblewrap;
  const pyodide = await openInstalledPyodide(places);
  if (isContainment(pyodide)) return pyodide;
  return { why: `${bubblewrap.why}, and ${pyodide.why}`, next: `${bubblewrap.next} Or: ${pyodide.next}` };
};
