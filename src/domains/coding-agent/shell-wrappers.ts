import type { ShellCall } from "../../model/coding-context.ts";
import type { ShellWord } from "./shell-reading.ts";

/** How the words of a program that only runs another are read. */
interface Wrapper {
  /** Switches that take the next word. */
  readonly valued: ReadonlySet<string>;
  /** Words of its own before the other program's name: `5` of `timeout 5 make`. */
  readonly operands: number;
  /** `NAME=value` before the name is the other program's environment. */
  readonly assigns: boolean;
  /** Switches with which it runs nothing: `command -v git` only looks. */
  readonly idle: ReadonlySet<string>;
}

function wrapper(valued = "", more: { operands?: number; assigns?: boolean; idle?: string } = {}): Wrapper {
  const words = (text: string): ReadonlySet<string> => new Set(text.split(" ").filter(Boolean));
  return {
    valued: words(valued),
    operands: more.operands ?? 0,
    assigns: more.assigns ?? false,
    idle: words(more.idle ?? ""),
  };
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  [
    "sudo",
    wrapper(
      "-u -g -h -p -C -D -R -r -t -T -U --user --group --host --prompt --chdir --chroot --role --type --close-from --command-timeout --other-user",
      { assigns: true, idle: "-l -v -k -K -V --list --validate --version -e --edit" },
    ),
  ],
  ["doas", wrapper("-u -C")],
  ["env", wrapper("-u -C --unset --chdir", { assigns: true, idle: "-S --split-string --version" })],
  ["time", wrapper("-f -o --format --output")],
  ["timeout", wrapper("-s -k --signal --kill-after", { operands: 1 })],
  ["gtimeout", wrapper("-s -k --signal --kill-after", { operands: 1 })],
  ["nice", wrapper("-n --adjustment")],
  ["ionice", wrapper("-c -n -t --class --classdata", { idle: "-p -P -u" })],
  ["chrt", wrapper("-T -P -D", { operands: 1 })],
  ["taskset", wrapper("", { operands: 1, idle: "-p" })],
  ["nohup", wrapper()],
  ["setsid", wrapper()],
  ["stdbuf", wrapper("-i -o -e --input --output --error")],
  ["unbuffer", wrapper()],
  ["chronic", wrapper()],
  ["caffeinate", wrapper("-t -w")],
  [
    "xargs",
    wrapper(
      "-I -n -P -L -d -E -s -a -R -S --max-args --max-procs --max-lines --delimiter --arg-file --replace --max-chars",
    ),
  ],
  ["command", wrapper("", { idle: "-v -V" })],
  ["exec", wrapper("-a")],
  ["builtin", wrapper()],
  ["busybox", wrapper("", { idle: "--list --help --install" })],
  ["toybox", wrapper("", { idle: "--long --help" })],
  ["chroot", wrapper("", { operands: 1 })],
  ["sshpass", wrapper("-p -f -d -P")],
  ["pkexec", wrapper("--user")],
  ["gosu", wrapper("", { operands: 1 })],
  ["su-exec", wrapper("", { operands: 1 })],
  ["fakeroot", wrapper()],
  ["unshare", wrapper()],
  ["nsenter", wrapper("-t -S -G --target")],
  ["firejail", wrapper()],
  ["systemd-run", wrapper("-p -u -E --unit --property --setenv")],
  ["ltrace", wrapper("-e -o -n -s -u -p")],
  ["valgrind", wrapper()],
  ["tini", wrapper()],
  ["wsl", wrapper("-d -u --distribution --user --cd")],
  ["dumb-init", wrapper()],
  ["proxychains", wrapper("-f")],
  ["proxychains4", wrapper("-f")],
  ["torsocks", wrapper()],
  ["faketime", wrapper("", { operands: 1 })],
  ["setarch", wrapper("", { operands: 1 })],
  ["prlimit", wrapper("", { idle: "-p --pid" })],
  ["numactl", wrapper()],
  ["ld-linux-x86-64.so.2", wrapper("", { idle: "--list --verify --help" })],
  ["ld-linux-aarch64.so.1", wrapper("", { idle: "--list --verify --help" })],
  ["strace", wrapper("-e -o -p -s -a -b -E -I -O -S -u -U -P -X", { idle: "-p" })],
]);

/** The words that a wrapper runs, and what it sets for them; undefined where the program is no wrapper, or runs nothing. */
export function wrapped(
  name: string,
  args: readonly ShellWord[],
): { readonly words: readonly ShellWord[]; readonly env: ShellCall["env"] } | undefined {
  const known = WRAPPERS.get(name);
  if (known === undefined) return undefined;
  const env: ShellCall["env"] = {};
  let operands = known.operands;
  let i = 0;
  for (; i < args.length; i++) {
    const text = args[i]?.text ?? "";
    const assignment = known.assigns ? /^(\w+)=(.*)$/s.exec(text) : null;
    if (text === "--") {
      i += 1 + operands;
      break;
    }
    if (text.startsWith("-") && text !== "-") {
      if (known.idle.has(text)) return undefined;
      if (takesNext(text, known.valued)) i++;
    } else if (assignment?.[1] !== undefined) env[assignment[1]] = assignment[2] ?? "";
    else if (text === "-" && known.assigns) continue;
    else if (operands > 0) operands--;
    else break;
  }
  const words = args.slice(i);
  return words.length === 0 ? undefined : { words, env };
}

/** `-u`, and the last of `-nu`; what is stuck to a switch (`-uroot`, `--user=root`) is its value. */
function takesNext(text: string, valued: ReadonlySet<string>): boolean {
  if (valued.has(text)) return true;
  if (text.startsWith("--") || text.length < 3 || valued.has(text.slice(0, 2))) return false;
  return /^-[a-zA-Z]+$/.test(text) && valued.has(`-${text.at(-1)}`);
}
