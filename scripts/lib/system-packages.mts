import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { execa } from "execa";

import { onPath } from "./processes.mts";
import { say, secondsSince, stop } from "./report.mts";

/** A Debian package that something here needs. */
export interface Need {
  /** Its name in Debian. */
  name: string;
  /** Whether what it gives is here already, by whatever way. */
  present: () => boolean;
}

const command = (name: string): Need => ({ name, present: () => onPath(name) !== undefined });

const library = (name: string, header: string): Need => ({
  name,
  present: () => existsSync(header) || installed(name),
});

function installed(name: string): boolean {
  const status = spawnSync("dpkg-query", ["-W", "-f=${Status}", name], { encoding: "utf8" });
  return status.stdout?.includes("install ok installed") ?? false;
}

/** What code-server's native modules are built with. */
export const COMPILERS: readonly Need[] = [
  command("g++"),
  command("make"),
  command("python3"),
  command("pkg-config"),
  library("libkrb5-dev", "/usr/include/gssapi/gssapi.h"),
  library("libsecret-1-dev", "/usr/include/libsecret-1/libsecret/secret.h"),
];

/** The Debian packages of containment, which tests use to run answers. Other systems have none of them. */
export const CONTAINMENT: readonly Need[] = [
  {
    name: "bubblewrap",
    present: () => process.platform !== "linux" || onPath("bwrap") !== undefined,
  },
  command("python3"),
];

/** The browser that tests drive: Chromium without a desktop's part, which takes up to a sixth less of the processor. */
export const BROWSER: readonly Need[] = [
  { name: "chromium-headless-shell", present: () => findChromium() !== undefined },
];

/** The Chromium to drive: `CHROME_PATH`, else the system's. */
export function findChromium(): string | undefined {
  const chosen = process.env.CHROME_PATH;
  if (chosen !== undefined && chosen !== "") return chosen;
  return onPath(
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
  );
}

/** Names of the packages among `needs` that are missing here. */
export function missingPackages(needs: readonly Need[]): string[] {
  return needs.filter((need) => !need.present()).map((need) => need.name);
}

// Recommended packages would add some 300 MB (a desktop's worth) that nothing here uses.
const INSTALL = ["install", "--yes", "--no-install-recommends"];

/** Installs what is missing with apt as root; otherwise throws a `stop()` with the exact line to run. */
export async function ensurePackages(needs: readonly Need[]): Promise<void> {
  const names = missingPackages(needs);
  if (names.length === 0) return;
  refuseWithoutApt(names);
  const start = performance.now();
  say(`Installing Debian packages: ${names.join(" ")}`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await apt(["update", "--quiet"], env);
  await apt([...INSTALL, "--quiet", ...names], env);
  const left = missingPackages(needs);
  if (left.length > 0) throw stop(`apt installed nothing that provides: ${left.join(", ")}`);
  say(`Debian packages installed in ${secondsSince(start)}`);
}

async function apt(args: string[], env: Record<string, string>): Promise<void> {
  const run = await execa("apt-get", args, { env, stdin: "ignore", all: true, reject: false });
  if (run.exitCode !== 0) {
    throw stop(
      `apt-get ${args.join(" ")} failed:\n${run.all.split("\n").slice(-25).join("\n")}\nFix that, then run this again.`,
    );
  }
}

function refuseWithoutApt(names: string[]): void {
  if (onPath("apt-get") === undefined) {
    throw stop(
      `Missing: ${names.join(", ")} (their Debian names). Install them with your system's package manager, then run this again.` +
        " A browser elsewhere: set CHROME_PATH to it.",
    );
  }
  if (process.getuid?.() !== 0) {
    throw stop(
      `Missing: ${names.join(", ")}. Run this line, then start again:\n\n` +
        `  sudo apt-get update && sudo apt-get ${INSTALL.join(" ")} ${names.join(" ")}\n`,
    );
  }
}
