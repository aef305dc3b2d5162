import { execFile } from "node:child_process";
import fs from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import type { Containment, NoContainment } from "../../scoring/containment.ts";
import { onPath } from "../python-environment.ts";
import { variables } from "../surroundings.ts";
import { controlGroups } from "./control-group.ts";
import { startInterpreter, type InterpreterSettings } from "./interpreter.ts";
import { interpreterPool, type Interpreter } from "./interpreter-pool.ts";
import { readPackages } from "./packages.ts";
import { PACKAGES, PRELUDE } from "./prelude.ts";
import { spareInterpreters } from "./spare-interpreters.ts";
import { endStaleSandboxes } from "./stale-sandboxes.ts";
import { systemPython } from "./system-python.ts";

/** Tells the version, and the prelude as the interpreter keeps compiled code. */
const PROBE = {
  program: `import marshal, sys
print("%d.%d.%d" % sys.version_info[:3])
print(marshal.dumps(compile(${JSON.stringify(PRELUDE)}, "prelude.py", "exec")).hex())
`,
  input: "",
  limits: { wallMs: 20_000, memoryBytes: 1 << 30, outputBytes: 65_536 },
};

const INSTALL = "Install the package bubblewrap (on Debian and Ubuntu: `sudo apt-get install bubblewrap`).";
/** Minor version of Python 3 that the prelude needs. */
const LEAST_MINOR = 9;
const TOO_OLD = "Install bubblewrap 0.8.0 or later.";
/** Kernel settings that can forbid user namespaces, each with the value that does, and what to do then. */
const FORBIDDING = [
  {
    file: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    value: "1",
    next: "AppArmor forbids user namespaces: give bwrap a profile that allows them, or allow them to all programs by `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`.",
  },
  {
    file: "/proc/sys/kernel/unprivileged_userns_clone",
    value: "0",
    next: "Allow user namespaces by `sudo sysctl kernel.unprivileged_userns_clone=1`.",
  },
  {
    file: "/proc/sys/user/max_user_namespaces",
    value: "0",
    next: "Allow user namespaces by `sudo sysctl user.max_user_namespaces=1000`.",
  },
] as const;
const OTHERWISE = "Allow user namespaces to this user; in a container its own settings may forbid them.";

async function versionOf(bubblewrap: string): Promise<string> {
  const { stdout } = await promisify(execFile)(bubblewrap, ["--version"], {
    env: {},
    cwd: "/",
    timeout: 10_000,
  });
  return stdout.trim().replace(/^bubblewrap /, "");
}

function settingOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** What to do where Bubblewrap is refused. */
function nextAfter(message: string): string {
  if (/unknown option/i.test(message)) return TOO_OLD;
  return FORBIDDING.find(({ file, value }) => settingOf(file) === value)?.next ?? OTHERWISE;
}

/** Tries to run Python in Bubblewrap. Does not reject. */
export async function openBubblewrap(places: number): Promise<Containment | NoContainment> {
  if (process.platform !== "linux")
    return { why: "Bubblewrap needs Linux", next: "Use Pyodide on this system." };
  const [bubblewrap] = onPath("bwrap", variables());
  if (bubblewrap === undefined) return { why: "Bubblewrap is not installed", next: INSTALL };
  const python = systemPython();
  if (python === undefined)
    return { why: "Bubblewrap finds no Python in /usr/bin", next: "Install the package python3." };

  await endStaleSandboxes();
  const programs = { bubblewrap, python, group: undefined };
  const found = await probe({ ...programs, prelude: PRELUDE, mounts: [] });
  if ("fault" in found)
    return {
      why: `Bubblewrap cannot run Python: ${found.fault}`,
      next: found.next ?? nextAfter(found.fault),
    };
  const packages = readPackages(found.version);
  const mounts = packages === undefined ? [] : [{ from: packages.folder, at: PACKAGES }];
  const settings = { ...programs, prelude: found.prelude, mounts };
  const mounted = packages === undefined ? found : await probe(settings);
  if ("fault" in mounted) {
    const why = `Bubblewrap cannot give ${packages?.folder} to a program: ${mounted.fault}`;
    return { why, next: "Remove that folder, or make it readable to all users." };
  }
  const version = await versionOf(bubblewrap).catch(() => "of an unknown version");
  return {
    name: `bubblewrap ${version}`,
    python: found.version,
    packages: packages?.modules ?? new Set(),
    ...openPool(places, settings),
  };
}

interface ProbedPython {
  readonly version: string;
  readonly prelude: string;
}

/** Why it does not work here, and what to do where that is known. */
interface Fault {
  readonly fault: string;
  readonly next?: string;
}

/** The Python's version and the compiled prelude, or why it does not run. */
async function probe(settings: InterpreterSettings): Promise<ProbedPython | Fault> {
  const pool = interpreterPool(1, () => startInterpreter(settings));
  const end = await pool.start(PROBE, new AbortController().signal).ended;
  const [, version, minor, code] = /^(3\.(\d+)\.\d+)\n(?:([\da-f]+)\n)?$/.exec(end.stdout) ?? [];
  if (version !== undefined && Number(minor) < LEAST_MINOR)
    return {
      fault: `Python ${version} is too old`,
      next: `Install Python 3.${LEAST_MINOR} or later in /usr/bin.`,
    };
  if (end.kind === "exited" && end.code === 0 && version !== undefined && code !== undefined)
    return { version, prelude: `exec(__import__("marshal").loads(bytes.fromhex("${code}")))` };
  if (end.kind === "stopped")
    return { fault: "it did not answer in time", next: "Repeat the command when this machine is less busy." };
  if (end.kind === "failed") return { fault: end.message };
  const how = end.kind === "exited" ? `code ${end.code}` : end.signal;
  return { fault: end.stderr.trim() || `it ended with ${how}` };
}

function openPool(places: number, settings: InterpreterSettings): Pick<Containment, "start" | "close"> {
  const groups = controlGroups();
  function startOne(): Interpreter {
    const group = groups.take();
    try {
      const interpreter = startInterpreter({ ...settings, group });
      void interpreter.ended.then(() => groups.leave(group));
      return interpreter;
    } catch (error) {
      groups.leave(group);
      throw error;
    }
  }

  const spares = spareInterpreters(2 * places + 1, startOne);
  const interpreters = interpreterPool(places, () => spares.take());
  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    await interpreters.close();
    await spares.close();
    groups.close();
  }
  // A second call waits for the first: a control group that is in use cannot be removed.
  return { ...interpreters, close: () => (closed ??= close()) };
}
