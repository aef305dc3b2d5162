// Runs the compiled in-host suites (dist-test/host) inside a VS Code, and closes with HOST {"passed":n,"failed":n,"skipped":n,"faults":[…]}.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

import { COUNTS_FILE, writeCounts } from "../../scripts/lib/counts.mts";
import { TEST_OUTPUT } from "../../scripts/lib/paths.mts";
import { exitOnSignals, onExit } from "../../scripts/lib/processes.mts";
import { runMain, stop } from "../../scripts/lib/report.mts";
import { againUnderXvfb, lacksDisplay, runInElectron } from "./electron.mts";
import { type HostRun, readOptions } from "./options.mts";
import { runInServer } from "./server.mts";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests by name. */
  faults: string[];
}

/** An extension beside ours that registers a chat model, as Copilot does. It is never packaged. */
const CHAT_MODEL = resolve(import.meta.dirname, "fixture-extension");

/** The person's settings: what moves is drawn anew all the time, on the processor, which the tests need. */
const STILL = {
  "workbench.reduceMotion": "on",
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
};

await runMain(async () => {
  exitOnSignals();
  const run = readOptions();
  if (!existsSync(join(run.suite, "index.js")))
    throw stop(`${run.suite}/index.js is missing: run \`npm run build\`.`);
  if (run.host === "electron" && lacksDisplay()) return await againUnderXvfb();
  const folder = mkdtempSync(join(tmpdir(), "hasp-host-"));
  onExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const report = join(folder, "report.json");
  const code = await runIn(run, folder, report);
  return close(code, report);
});

/** Opens a copy of the workspace in the chosen host and returns the suite's exit code. */
async function runIn(run: HostRun, folder: string, report: string): Promise<number> {
  const workspace = join(folder, basename(resolve(run.workspace)));
  if (existsSync(run.workspace)) cpSync(run.workspace, workspace, { recursive: true });
  else mkdirSync(workspace);
  // A fresh host takes what stands in its folder of extensions as installed.
  cpSync(CHAT_MODEL, join(folder, "extensions/hasp-suite.suite-chat-model-0.0.1"), { recursive: true });
  mkdirSync(join(folder, "user/User"), { recursive: true });
  writeFileSync(join(folder, "user/User/settings.json"), JSON.stringify(STILL));
  const place = {
    run: { ...run, extension: resolve(run.extension), suite: resolve(run.suite) },
    folder,
    workspace,
  };
  const env = {
    HASP_HOST_REPORT: report,
    HASP_HOST_GREP: run.grep,
    HASP_HOST_TRUST: run.workspaceTrust ? "1" : "0",
  };
  return run.host === "electron" ? await runInElectron(place, env) : await runInServer(place, env);
}

/** Prints the counts; no report, no test or a failed one is a failure whatever the host's own exit code. */
function close(code: number, report: string): number {
  if (!existsSync(report)) throw stop(silence(code));
  const counts = JSON.parse(readFileSync(report, "utf8")) as Counts;
  if (counts.passed + counts.failed === 0) console.error("The suite ran no test.");
  console.log(`HOST ${JSON.stringify(counts)}`);
  const file = process.env[COUNTS_FILE];
  // Each of the two runs leaves out the other's tests by their title, before mocha counts them.
  if (file !== undefined) writeCounts(file, { ...counts, skips: [] });
  return code === 0 && counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

/** What is known of a suite that never reported: the errors on VS Code's console, the last of which is most often the cause. */
function silence(code: number): string {
  const console = join(TEST_OUTPUT, "host-console.log");
  const lines = existsSync(console) ? readFileSync(console, "utf8").split("\n") : [];
  const errors = lines.filter((line) => line.startsWith("error: ")).slice(-5);
  return [
    `The suite ended with ${code} and reported nothing: it crashed or never ran.`,
    ...errors,
    "More in test-output/host-console.log and host-server.log.",
  ].join("\n");
}
