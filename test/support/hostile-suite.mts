// Runs the hostile answers as the user who starts it: node hostile-suite.mts <folder of its own> <containment>. Prints what went wrong as JSON.
import process from "node:process";
import "../../scripts/lib/text-modules.mts";
import { isContainment, type Containment, type NoContainment } from "../../src/scoring/containment.ts";
import { openTargets, runHostileAnswers, type HostileForm } from "./hostile-suite.ts";

const PLACES = 2;
const [folder, form] = process.argv.slice(2) as [string, HostileForm];

/** Its sources import texts, which only what is imported after the hooks for them may do. */
async function openForm(): Promise<Containment | NoContainment> {
  if (form === "bubblewrap") {
    const { openBubblewrap } = await import("../../src/platform/containment/bubblewrap.ts");
    return await openBubblewrap(PLACES);
  }
  const { openPyodideFor } = await import("./open-pyodide.ts");
  return (await openPyodideFor(form, folder, PLACES)) ?? { why: "bwrap is not on the PATH", next: "" };
}

const containment = await openForm();
if (!isContainment(containment)) {
  process.stdout.write(JSON.stringify([containment.why]));
} else {
  const opened = await openTargets(folder);
  const faults = await runHostileAnswers(containment, opened.targets);
  const reached = opened.connections() > 0 ? [`${opened.connections()} connections were made`] : [];
  const harmed = opened.isIntact() ? [] : ["the canary was harmed"];
  await containment.close();
  await opened.close();
  process.stdout.write(JSON.stringify([...faults, ...reached, ...harmed]));
}
