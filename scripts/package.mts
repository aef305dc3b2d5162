// Builds and packages the extension: <name>-<version>.vsix in the repository's root.
import { build, packageVsix } from "./lib/package.mts";
import { exitOnSignals } from "./lib/processes.mts";
import { runMain } from "./lib/report.mts";

await runMain(async () => {
  exitOnSignals();
  await build();
  await packageVsix();
  return 0;
});
