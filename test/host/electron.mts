import { join } from "node:path";

import { downloadAndUnzipVSCode } from "@vscode/test-electron";
import { execa } from "execa";

import { CACHE } from "../../scripts/lib/paths.mts";
import { onPath } from "../../scripts/lib/processes.mts";
import { stop } from "../../scripts/lib/report.mts";
import { consoleLog } from "./console-log.mts";
import { type Place, SUITE_TIMEOUT } from "./place.mts";

/** Runs the suite in a desktop VS Code (`VSCODE_EXECUTABLE_PATH`, else downloaded) and returns the exit code. */
export async function runInElectron(place: Place, env: Record<string, string>): Promise<number> {
  const file = await executable();
  // Not test-electron's `runTests`: it always passes --disable-workspace-trust.
  const run = execa(file, launchArguments(place), {
    env,
    stdin: "ignore",
    all: true,
    buffer: false,
    timeout: SUITE_TIMEOUT,
    reject: false,
  });
  const log = consoleLog();
  for await (const line of run.iterable({ from: "all" })) log("electron", line);
  const ended = await run;
  return ended.exitCode ?? 1;
}

/** Whether Electron would find no display here to open its window on. */
export function lacksDisplay(): boolean {
  const displays = [process.env.DISPLAY, process.env.WAYLAND_DISPLAY];
  return process.platform === "linux" && displays.every((display) => (display ?? "") === "");
}

/** Runs this very script again under a virtual display and returns its exit code. */
export async function againUnderXvfb(): Promise<number> {
  const xvfb = onPath("xvfb-run");
  if (xvfb === undefined) {
    throw stop(
      "Electron needs a display. Run `sudo apt-get install --yes xvfb xauth`, or leave out --host electron.",
    );
  }
  const args = ["-a", process.execPath, ...process.argv.slice(1)];
  const run = await execa(xvfb, args, { stdio: "inherit", reject: false });
  return run.exitCode ?? 1;
}

async function executable(): Promise<string> {
  const chosen = process.env.VSCODE_EXECUTABLE_PATH;
  if (chosen !== undefined && chosen !== "") return chosen;
  try {
    return await downloadAndUnzipVSCode({ version: "stable", cachePath: CACHE });
  } catch (error) {
    throw stop(
      `VS Code could not be downloaded (${String(error)}). Set VSCODE_EXECUTABLE_PATH to one, or leave out --host electron.`,
    );
  }
}

function launchArguments({ run, folder, workspace }: Place): string[] {
  return [
    workspace,
    `--extensionDevelopmentPath=${run.extension}`,
    `--extensionTestsPath=${join(run.suite, "index.js")}`,
    `--user-data-dir=${join(folder, "user")}`,
    `--extensions-dir=${join(folder, "extensions")}`,
    "--skip-welcome",
    "--skip-release-notes",
    "--disable-updates",
    "--disable-telemetry",
    "--disable-gpu",
    "--no-sandbox", // root and containers cannot use Electron's own; it loads our test window only
    ...(run.workspaceTrust ? [] : ["--disable-workspace-trust"]),
  ];
}
