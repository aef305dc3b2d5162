import { execFile } from "node:child_process";
import fs from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import type { Containment, NoContainment } from "../../scoring/containment.ts";
import { openControlGroup } from "./control-group.ts";
import { startInterpreter } from "./interpreter.ts";
import { interpreterPool } from "./interpreter-pool.ts";
import { onPath } from "../python-environment.ts";
import { variables } from "../surroundings.ts";

const PROGRAM = `
import sys
print("%d.%d.%d" % sys.version_info[:3])
`;
const LIMITS = { wallMs: 20_000, memoryBytes: 1 << 30, outputBytes: 65_536 };

/** Only the system's folders are visible inside. */
const PYTHONS = ["/usr/bin/python3", "/usr/local/bin/python3"];

const INSTALL = "Install the package bubblewrap (on Debian and Ubuntu: `sudo apt-get install bubblewrap`).";

async function versionOf(bubblewrap: string): Promise<string> {
  const { stdout } = await promisify(execFile)(bubblewrap, ["--version"], { env: {}, cwd: "/" });
  return stdout.trim().replace(/^bubblewrap /, "");
}

/** What to do where the system refuses. */
function nextAfter(message: string): string {
  const restricted = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";
  if (/unknown option/i.test(message)) return "Install bubblewrap 0.8.0 or later.";
  if (fs.existsSync(restricted) && fs.readFileSync(restricted, "utf8").trim() === "1")
    return "AppArmor forbids user namespaces: allow them for bwrap by a profile, or for all programs by `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`.";
  return "Allow user namespaces (`sysctl user.max_user_namespaces`, and `kernel.unprivileged_userns_clone` where it is there); in a container its settings may forbid them.";
}

/** Tries to run Python in Bubblewrap. */
export async function openBubblewrap(places: number): Promise<Containment | NoContainment> {
  if (process.platform !== "linux")
    return { why: "Bubblewrap needs Linux", next: "Use Pyodide, which runs everywhere." };
  const [bubblewrap] = onPath("bwrap", variables());
  if (bubblewrap === undefined) return { why: "Bubblewrap is not installed", next: INSTALL };
  const python = PYTHONS.find((file) => fs.existsSync(file));
  if (python === undefined)
    return { why: "Bubblewrap finds no Python in /usr/bin", next: "Install the package python3." };
  const groups = Array.from({ length: places }, openControlGroup);
  const interpreters = interpreterPool(places, (place) =>
    startInterpreter({ bubblewrap, python, mounts: [], group: groups[place] }),
  );
  const close = async (): Promise<void> => {
    await interpreters.close();
    for (const group of groups.splice(0)) group?.close();
  };
  const never = new AbortController().signal;
  const end = await interpreters.start({ program: PROGRAM, input: "", limits: LIMITS }, never).ended;
  if (end.kind !== "exited" || end.code !== 0) {
    await close();
    const why = end.kind === "failed" ? end.message : end.stderr.trim();
    return { why: `Bubblewrap cannot run Python: ${why}`, next: nextAfter(why) };
  }
  return {
    name: `bubblewrap ${await versionOf(bubblewrap)}`,
    python: end.stdout.trim(),
    packages: new Set(),
    ...interpreters,
    close,
  };
}
