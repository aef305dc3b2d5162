// Prepares what `npm start` and `npm test` need beyond node_modules; does nothing where all is there.
import { ensureInspect, ensureOpenAiAgents } from "./lib/agent-sdks.mts";
import { ensureAtifValidator, VALIDATOR_NEEDS } from "./lib/atif-validator.mts";
import { missingForCluster, prepareCluster } from "./lib/cluster.mts";
import { ensureServerHost, serverHostNeeds } from "./lib/code-server-host.mts";
import { exitOnSignals } from "./lib/processes.mts";
import { runMain, say, secondsSince } from "./lib/report.mts";
import { BROWSER, CONTAINMENT, ensurePackages } from "./lib/system-packages.mts";
import { prepareTrainer } from "./lib/trainer-env.mts";

await runMain(async () => {
  exitOnSignals();
  const start = performance.now();
  await ensurePackages([...BROWSER, ...CONTAINMENT, ...VALIDATOR_NEEDS, ...serverHostNeeds()]);
  await prepareCluster();
  const cluster = missingForCluster();
  if (cluster !== undefined) say(`Remote jobs cannot be tried here: ${cluster}`);
  const validator = ensureAtifValidator();
  if ("missing" in validator) say(`ATIF exports cannot be validated here: ${validator.missing}`);
  for (const sdk of [ensureOpenAiAgents(), ensureInspect()])
    if ("missing" in sdk) say(`An adapter for an agent SDK cannot be tried here: ${sdk.missing}`);
  const trainer = await prepareTrainer();
  if ("missing" in trainer) say(`Training data cannot be read by TRL here: ${trainer.missing}`);
  await ensureServerHost();
  say(`Ready in ${secondsSince(start)}`);
  return 0;
});
