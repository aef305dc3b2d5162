import { parseArgs } from "node:util";

import { ROOT } from "../../scripts/lib/paths.mts";
import { stop } from "../../scripts/lib/report.mts";

/** How one run of the in-host suites goes. */
export interface HostRun {
  host: "server" | "electron";
  /** The extension under development: the folder of its package.json. */
  extension: string;
  /** Folder with the compiled suite's index.js. */
  suite: string;
  /** A copy of this folder is opened. */
  workspace: string;
  /** Keeps workspace trust on, and runs the [restricted] tests instead of the others. */
  workspaceTrust: boolean;
  /** Runs only the tests whose title matches this regular expression. */
  grep: string;
}

export const USAGE = `node test/host/run.mts [--host server|electron] [--workspace <folder>] [--workspace-trust] [--grep <regexp>]
  --host              server (default), or electron: a desktop VS Code, VSCODE_EXECUTABLE_PATH or downloaded
  --workspace         folder to copy and open (default: samples)
  --workspace-trust   keep workspace trust on and run the [restricted] tests
  --grep              run only matching tests
  --extension, --suite   another extension folder, another folder of a compiled suite`;

/** Reads the command line; throws a `stop()` with the usage for a wrong one. */
export function readOptions(): HostRun {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      host: text,
      workspace: text,
      extension: text,
      suite: text,
      grep: text,
      "workspace-trust": { type: "boolean" },
    },
  });
  const host = values.host ?? (process.env.VSCODE_EXECUTABLE_PATH ? "electron" : "server");
  if (host !== "server" && host !== "electron") throw stop(`--host is server or electron.\n${USAGE}`);
  return {
    host,
    extension: values.extension ?? ROOT,
    suite: values.suite ?? `${ROOT}/dist-test/host`,
    workspace: values.workspace ?? `${ROOT}/samples`,
    workspaceTrust: values["workspace-trust"] ?? false,
    grep: values.grep ?? "",
  };
}
