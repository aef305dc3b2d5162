// Runs the hostile answers as the user who starts it: node hostile-suite.mts <folder of its own>. Prints what went wrong as JSON.
import process from "node:process";
import { openBubblewrap } from "../../src/platform/containment/bubblewrap.ts";
import { isContainment } from "../../src/scoring/containment.ts";
import { openTargets, runHostileAnswers } from "./hostile-suite.ts";

const containment = await openBubblewrap(2);
if (!isContainment(containment)) {
  process.stdout.write(JSON.stringify([containment.why]));
} else {
  const opened = await openTargets(process.argv[2] ?? "");
  const faults = await runHostileAnswers(containment, opened.targets);
  const reached = opened.connections() > 0 ? [`${opened.connections()} connections were made`] : [];
  const harmed = opened.isIntact() ? [] : ["the canary was harmed"];
  await containment.close();
  await opened.close();
  process.stdout.write(JSON.stringify([...faults, ...reached, ...harmed]));
}
