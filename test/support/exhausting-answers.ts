/** How a containment may end it. */
export type HostileEnd = "exited" | "signal" | "time" | "output";

/**
 * An answer that attacks. It reports on descriptor 3: `held` with what kept it, `escaped` with what it reached. It looks by opening, never by
 * writing outside of its own folders, and deletes nothing but the canary.
 */
export interface HostileAnswer {
  readonly name: string;
  /** Python that defines `attack()`, with targets such as `@canary@`; or, with `forges`, what follows `def double(n):`. */
  readonly code: string;
  /** Its ends; absent: it exits after a report. */
  readonly ends?: readonly HostileEnd[];
  /** Outside of a containment it reaches the test's own targets: this shows that the attack would work. */
  readonly worksOutside?: true;
}

/** Lines that run until something ends them. */
function exhaust(name: string, lines: string, ends: readonly HostileEnd[]): HostileAnswer {
  const body = lines.trim().split("\n");
  return { name, code: `def attack():\n${body.map((line) => `    ${line}`).join("\n")}\n`, ends };
}

const ANY_END: readonly HostileEnd[] = ["exited", "signal", "time", "output"];

/** Ends an attack that would do harm outside, where files or processes of the machine are to be seen. */
const ALONE = `
if os.path.exists("@canary@") or sum(name.isdigit() for name in os.listdir("/proc")) > 9:
    report("escaped", "it is not alone")
    return`;

/** Attacks that take more than their limits, or end in other ways. */
export const EXHAUSTING_ANSWERS: readonly HostileAnswer[] = [
  exhaust("forks without end", "while True:\n    try: os.fork()\n    except OSError: pass", ANY_END),
  exhaust("takes 6 GB", `data = bytearray(6 << 30)`, ["exited", "signal"]),
  exhaust("takes memory in many pieces", `data = []\nwhile True: data.append(bytearray(64 << 20))`, [
    "exited",
    "signal",
  ]),
  exhaust(
    "takes memory in a file of memory",
    `
file = os.memfd_create("x")
report("escaped", os.write(file, bytes(32 << 20)))`,
    ["exited", "signal"],
  ),
  exhaust("prints 1 GB", `for _ in range(1024): print("x" * (1 << 20))`, ["output"]),
  exhaust(
    "writes 1 GB of errors",
    `
import sys
for _ in range(1024): print("x" * (1 << 20), file=sys.stderr)`,
    ["output"],
  ),
  exhaust("writes an endless line as results", `while True: os.write(3, b"x" * 65536)`, ["output"]),
  exhaust("writes endless lines as results", `while True: os.write(3, b"\\n" * 65536)`, ["output"]),
  exhaust("writes bytes that are no text as results", `os.write(3, bytes(range(256)) * 100)`, ["exited"]),
  exhaust("loops", `while True: pass`, ["time"]),
  exhaust(
    "loops and ignores signals",
    `
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass`,
    ["time"],
  ),
  exhaust(
    "sleeps",
    `
import time
time.sleep(3600)`,
    ["time"],
  ),
  exhaust(
    "stops itself",
    `
import signal
os.kill(os.getpid(), signal.SIGSTOP)`,
    ["time"],
  ),
  exhaust(
    "starts 1,000 threads",
    `
import threading, time
for _ in range(1000): threading.Thread(target=time.sleep, args=(3600,)).start()`,
    ["time", "exited"],
  ),
  exhaust(
    "fills its folders",
    `
total = 0
for folder in (".", "/tmp", "/dev/shm", "/etc"):
    for number in range(1000):
        try:
            with open(folder + "/" + str(number), "wb", buffering=0) as file:
                for _ in range(100): total += file.write(bytes(1 << 20))
        except OSError as error:
            if error.errno != 27: break
report("escaped" if total > (1 << 30) else "held", total)`,
    ["exited", "signal", "time"],
  ),
  exhaust(
    "leaves a process behind",
    `
import fcntl, sys
near, far = os.pipe()
# Closed by exec alone: its end says that the other program has begun.
kept = fcntl.fcntl(far, fcntl.F_DUPFD_CLOEXEC, 100)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 64)
        os.execv(sys.executable, ["@marker@", "-c", "import time; time.sleep(3600)"])
    os._exit(0)
os.close(far)
os.close(kept)
os.read(near, 1)`,
    ["exited"],
  ),
  exhaust(
    "closes all it has and goes on",
    `
import time
os.closerange(0, 64)
time.sleep(3600)`,
    ["time"],
  ),
  exhaust(
    "kills its first process",
    `
import signal, time
${ALONE}
os.kill(1, signal.SIGKILL)
time.sleep(3600)`,
    ["time", "signal", "exited"],
  ),
  exhaust(
    "kills all it can see",
    `
import signal
${ALONE}
os.kill(-1, signal.SIGKILL)`,
    ["exited", "signal"],
  ),
  exhaust("ends at once", `os._exit(0)`, ["exited"]),
  exhaust(
    "ends by a signal",
    `
import signal
os.kill(os.getpid(), signal.SIGKILL)`,
    ["signal"],
  ),
  exhaust(
    "reads address 0",
    `
import ctypes
ctypes.string_at(0)`,
    ["signal"],
  ),
  exhaust(
    "recurses without a limit",
    `
import sys
sys.setrecursionlimit(1 << 30)
def deeper(): return deeper() + 1
deeper()`,
    ["signal", "exited", "time"],
  ),
  exhaust("becomes another program", `os.execv("/bin/sh", ["sh", "-c", "echo PASS; echo PASS >&3"])`, [
    "exited",
  ]),
  exhaust("nests without end", `eval("(" * 100000 + ")" * 100000)`, ["exited", "signal"]),
  exhaust(
    "says that it passed, at its end",
    `
import atexit
atexit.register(lambda: os.write(3, b"PASS\\n"))`,
    ["exited"],
  ),
];
