import fs from "node:fs";
import process from "node:process";
import { HOME } from "./prelude.ts";

/** A folder that a contained program can read. Bubblewrap's user must be able to enter it and those above it. */
export interface Mount {
  readonly from: string;
  readonly at: string;
}

/** In bytes. Each program has its own. */
const HOME_BYTES = 256 << 20;
const TMP_BYTES = 256 << 20;
const SHARED_BYTES = 64 << 20;
const ETC_BYTES = 1 << 20;

/** By these words a Bubblewrap is one of ours. */
export const OWN_WORDS: readonly string[] =
  "--die-with-parent --new-session --as-pid-1 --hostname localhost".split(" ");
const NAMESPACES = "--unshare-all --unshare-user --disable-userns --uid 1000 --gid 1000".split(" ");

/**
 * With a fixed seed the order of a set of strings is the same each time, and with it the verdict on an answer that prints one. Packages would
 * start a thread for each processor, which on large machines are more than a program may have; as many programs run at once already.
 */
const ENVIRONMENT = {
  HOME,
  PATH: "/usr/bin:/bin",
  LANG: "C.UTF-8",
  PYTHONHASHSEED: "0",
  OMP_NUM_THREADS: "1",
  OPENBLAS_NUM_THREADS: "1",
};

/** The user that Bubblewrap runs as where this process is root: as root, a program inside could write to /proc/sys of this machine. */
const NOBODY = { uid: 65534, gid: 65534 };

export const bubblewrapUser = (): typeof NOBODY | Record<string, never> =>
  process.getuid?.() === 0 ? NOBODY : {};

/** Folders of the system's root that are links into /usr on most systems, and folders on the others. */
function rootFolder(name: string): readonly string[] {
  const link = fs.lstatSync(`/${name}`, { throwIfNoEntry: false });
  if (link === undefined) return [];
  return link.isSymbolicLink()
    ? ["--symlink", fs.readlinkSync(`/${name}`), `/${name}`]
    : ["--ro-bind", `/${name}`, `/${name}`];
}

const tmpfs = (bytes: number, at: string): readonly string[] => ["--size", `${bytes}`, "--tmpfs", at];

/** Programs that this user or another has installed are hidden, unless the command names one of them. */
const localPrograms = (command: readonly string[]): readonly string[] =>
  command.some((word) => word.startsWith("/usr/local/")) ? [] : tmpfs(ETC_BYTES, "/usr/local");

/**
 * Arguments of Bubblewrap for a command that sees the system's programs, these mounts and its own empty folders, no network and no other
 * process. The command is the first process of its namespace, whose end ends all others. `fds`: descriptors; Bubblewrap writes on `info`, starts
 * the command when `block` has something to read, and reads the filter of system calls from `filter`.
 */
export function bubblewrapArguments(
  command: readonly [string, ...string[]],
  mounts: readonly Mount[],
  fds: { readonly info: number; readonly block?: number; readonly filter: number | undefined },
): readonly string[] {
  const system = ["bin", "sbin", "lib", "lib32", "lib64"].flatMap(rootFolder);
  const etc = ["/etc/ld.so.cache", "/etc/alternatives"].flatMap((file) => ["--ro-bind-try", file, file]);
  const given = mounts.flatMap(({ from, at }) => ["--ro-bind", from, at]);
  const environment = Object.entries(ENVIRONMENT).flatMap(([name, value]) => ["--setenv", name, value]);
  const filter = fds.filter === undefined ? [] : ["--seccomp", `${fds.filter}`];
  const block = fds.block === undefined ? [] : ["--block-fd", `${fds.block}`];
  const own = [...tmpfs(HOME_BYTES, HOME), ...tmpfs(TMP_BYTES, "/tmp")];
  const devices = ["--dev", "/dev", ...tmpfs(SHARED_BYTES, "/dev/shm"), "--remount-ro", "/dev"];
  return [
    NAMESPACES,
    OWN_WORDS,
    ["--info-fd", `${fds.info}`],
    filter,
    block,
    ["--ro-bind", "/usr", "/usr"],
    localPrograms(command),
    system,
    tmpfs(ETC_BYTES, "/etc"),
    etc,
    given,
    // The program could change some settings of its own namespaces.
    ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
    devices,
    own,
    ["--remount-ro", "/", "--chdir", HOME],
    environment,
    ["--"],
    command,
  ].flat();
}
