import { format } from "node:util";

import Mocha from "mocha";

import { THOROUGH } from "../support/thorough.ts";
import { REPORT_PREFIX } from "./report-prefix.mts";

process.setSourceMapsEnabled(true); // a failure's stack names the suite's source, not the bundle

// VS Code passes the console's arguments on unformatted, and mixed with its own lines.
Mocha.reporters.Base.consoleLog = (...args: unknown[]): void => {
  for (const line of format(...args).split("\n")) console.log(REPORT_PREFIX + line);
};

/**
 * The mocha that the in-host suites register with. Importing this file first makes `describe` and `it` of the package
 * "mocha" work in the suites that are imported after it.
 */
export const mocha = new Mocha({
  ui: "bdd",
  reporter: "spec",
  color: false,
  // A first activation on two busy cores was seen at 8 s; what hangs is still found within the minute.
  timeout: 60_000,
});

mocha.suite.emit("pre-require", globalThis, "", mocha);

const only = process.env.HASP_HOST_GREP ?? "";
if (only !== "") mocha.grep(new RegExp(only));
else chooseByTrust(process.env.HASP_HOST_TRUST === "1");

/**
 * Titles with [restricted] hold in an untrusted workspace, all others in one where trust is switched off. Those with [bench] measure,
 * and run by name alone; those with [thorough] run where everything is wanted.
 */
function chooseByTrust(trustOn: boolean): void {
  const leftOut = THOROUGH ? /\[(?:restricted|bench)\]/ : /\[(?:restricted|bench|thorough)\]/;
  mocha.grep(trustOn ? /\[restricted\]/ : leftOut);
  if (!trustOn) mocha.invert();
}
