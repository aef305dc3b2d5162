import os from "node:os";
import path from "node:path";
import process from "node:process";
import type { LinkFault } from "../../jobs/remote/ports.ts";
import type { Target } from "../../model/target.ts";
import { isOwnFolder } from "../own-folder.ts";

/** A program with its arguments. */
export interface CommandLine {
  readonly executable: string;
  readonly args: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Exit codes of the shell there: no Python that may answer, and a setup line that fails. */
const NO_PYTHON = 93;
const SETUP = 94;
/** The exit code of ssh itself. */
const SSH = 255;

/** Reads the program from its input, and starts it; an old Python cannot. Without a single quote. */
const BOOTSTRAP =
  `import sys;sys.version_info>=(3,6) or sys.exit(${NO_PYTHON});b=sys.stdin.buffer;` +
  "exec(b.read(int(b.readline())).decode())";

/** The command there: setup lines, then the first Python on the PATH. One line, since the login shell may be any. */
function remoteCommand({ setup = [] }: Target): string {
  const lines = setup.map((line) => `{ ${line} ; } </dev/null >&2 || exit ${SETUP}`);
  const start = `exec "$p" -c "${BOOTSTRAP}"`;
  const python = `for p in python3 python; do if command -v "$p" >/dev/null 2>&1; then ${start}; fi; done`;
  return [...lines, python, `exit ${NO_PYTHON}`].join("; ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Seconds until a machine must have let us in, and between two signs of life. */
const CONNECT_SECONDS = 15;
const ALIVE_SECONDS = 15;
/** Seconds that a connection is kept for the next request. */
const KEEP_SECONDS = 60;

/** Most characters of the path of a socket, without the forty of `%C` and what ssh adds while it makes one. */
const MOST_SOCKET = 40;

/** One connection for many requests; Windows' ssh has none. */
function sharing(environment: Environment): readonly string[] {
  const folder = path.join(environment["HOME"] ?? os.homedir(), ".ssh");
  const place = path.join(folder, "hasp-");
  if (process.platform === "win32" || place.length > MOST_SOCKET || !isOwnFolder(folder)) return [];
  return ["ControlMaster=auto", `ControlPath=${place}%C`, `ControlPersist=${KEEP_SECONDS}`];
}

const OPTIONS = [
  // Nobody is there to type a password or to confirm a key.
  "BatchMode=yes",
  `ConnectTimeout=${CONNECT_SECONDS}`,
  `ServerAliveInterval=${ALIVE_SECONDS}`,
  "ServerAliveCountMax=3",
];

/** How the program of a target is started: over ssh, or by the shell of this machine. */
export function commandFor(target: Target, environment: Environment): CommandLine {
  const command = remoteCommand(target);
  if (target.host === undefined) return { executable: "sh", args: ["-c", command] };
  const options = [...OPTIONS, ...sharing(environment)].flatMap((option) => ["-o", option]);
  return { executable: "ssh", args: ["-T", ...options, "--", target.host, `sh -c ${quoted(command)}`] };
}

const SAID: readonly (readonly [RegExp, LinkFault])[] = [
  [/could not resolve hostname|name or service not known/i, "unknown-host"],
  [/remote host identification has changed/i, "changed-key"],
  [/host key verification failed|no .* host key is known/i, "unknown-key"],
  [/permission denied|too many authentication failures|no supported authentication/i, "login"],
  [/connection refused/i, "no-listener"],
  [/timed out|no route to host|network is unreachable|operation timed out/i, "timeout"],
];

/** The last line that is no warning of ssh. */
const lastLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:warning|\*\*|debug)/i.test(line))
    .at(-1) ?? "";

/** Why there is no complete reply. `hasBegun`: the program there had begun to answer. */
export function faultOf(
  { host }: Target,
  end: { readonly code: number | null; readonly errors: string; readonly hasBegun: boolean },
): { readonly fault: LinkFault; readonly detail: string } {
  const { code, errors, hasBegun } = end;
  const detail = lastLine(errors);
  if (!hasBegun && code === NO_PYTHON) return { fault: "no-python", detail };
  if (!hasBegun && code === SETUP) return { fault: "setup", detail };
  const known =
    host === undefined || code !== SSH ? undefined : SAID.find(([form]) => form.test(errors))?.[1];
  if (known !== undefined && !hasBegun) return { fault: known, detail };
  return { fault: hasBegun || code === SSH ? "cut" : "other", detail };
}
