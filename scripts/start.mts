// `npm start`: builds and packages the extension, installs it, and opens a copy of samples/ in VS Code.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";

import { execa } from "execa";

import { ensureServerHost } from "./lib/code-server-host.mts";
import { build, packageVsix } from "./lib/package.mts";
import { CACHE, SAMPLES } from "./lib/paths.mts";
import { exitOnSignals, onPath } from "./lib/processes.mts";
import { runMain, say, stop } from "./lib/report.mts";
import { refreshSample } from "./lib/start-sample.mts";
import { installExtension, type Server, startServer } from "./lib/start-server.mts";

const USAGE = `npm start -- [--host desktop|server] [--port <n>]
  --host   where to open it; by default the desktop's \`code\` where there is one, else VS Code's server
  --port   loopback port of the server; by default a free one`;

/** The profile of the server, and the folder that is opened. */
const STATE = resolve(CACHE, "start");
const FOLDER = resolve(STATE, "hasp-sample");

await runMain(async () => {
  const options = { host: { type: "string" }, port: { type: "string" }, help: { type: "boolean" } } as const;
  const { values } = parseArgs({ options });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const port = portOf(values.port);
  const code = desktopCode(values.host);
  await build();
  const vsix = await packageVsix();
  await refreshSample(SAMPLES, FOLDER);
  return code === undefined ? await openInServer(vsix, port) : await openOnDesktop(code, vsix);
});

function portOf(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw stop(`--port ${text} is no port.\n${USAGE}`);
  return port;
}

/** The desktop's `code`, where it is wanted and a window can open. */
function desktopCode(wanted: string | undefined): string | undefined {
  if (wanted === "server") return undefined;
  if (wanted !== undefined && wanted !== "desktop") throw stop(`--host is desktop or server.\n${USAGE}`);
  const code = onPath("code");
  if (wanted === "desktop" && code === undefined) throw stop("No `code` command on the PATH.");
  return wanted === "desktop" || hasDesktop() ? code : undefined;
}

/** Whether `code` can show a window: on Linux it needs a display, Windows behind WSL, or a VS Code terminal. */
function hasDesktop(): boolean {
  const signs = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "VSCODE_IPC_HOOK_CLI"];
  return process.platform !== "linux" || signs.some((name) => (process.env[name] ?? "") !== "");
}

async function openOnDesktop(code: string, vsix: string): Promise<number> {
  await execa(code, ["--install-extension", vsix, "--force"], { stdout: "inherit", stderr: "inherit" });
  await execa(code, [FOLDER], { stdout: "inherit", stderr: "inherit" });
  say(`Opened ${FOLDER}, a copy of samples/, in VS Code with the extension installed.`);
  return 0;
}

async function openInServer(vsix: string, port: number): Promise<number> {
  const host = await ensureServerHost();
  const folders = {
    data: resolve(STATE, "data"),
    user: resolve(STATE, "user"),
    extensions: resolve(STATE, "extensions"),
  };
  writeFirstSettings(resolve(folders.user, "User/settings.json"));
  await installExtension(host, folders, vsix);
  const interrupted = interruption();
  const server = await startServer(host, {
    folders,
    port,
    workspaceTrust: true,
    log: resolve(STATE, "server.log"),
  });
  tellUrl(server);
  await Promise.race([interrupted, server.ended]);
  await server.stop();
  say("VS Code's server has ended.");
  return 0;
}

/** Settings of the first start; what the person changes later stays. */
function writeFirstSettings(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  const settings = {
    "security.workspace.trust.startupPrompt": "always", // the server's default opens untrusted without a word
    "workbench.startupEditor": "none", // the server's own welcome page advertises another product
    "git.openRepositoryInParentFolders": "never", // the folder is below this checkout, and Git would ask about that
    "workbench.secondarySideBar.defaultVisibility": "hidden",
  };
  writeFileSync(file, JSON.stringify(settings, undefined, 2));
}

function tellUrl({ authority }: Server): void {
  const url = `http://${authority}/?folder=${encodeURI(FOLDER)}`;
  console.log(
    `\n  HASP Studio is running. Open this in a browser on this machine:\n\n    ${url}\n\n  The folder is ${FOLDER}, a copy of samples/. Ctrl-C ends it.\n`,
  );
}

/** Settles at Ctrl-C or SIGTERM. A second one ends everything without waiting for the server. */
async function interruption(): Promise<void> {
  await new Promise<void>((settle) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => settle());
  });
  exitOnSignals();
}
