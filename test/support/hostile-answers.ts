import { EXHAUSTING_ANSWERS, type HostileAnswer } from "./exhausting-answers.ts";

/** Where hostile answers aim: things of the test that runs them, outside of the containment. */
export interface Targets {
  /** A file that every user can read, in a folder of its own. */
  readonly canary: string;
  /** Value of an environment variable of the process that starts the containment. */
  readonly secret: string;
  /** TCP port of a listener on loopback, and the name of its abstract socket. */
  readonly port: number;
  readonly abstract: string;
  /** A socket in the folder of the canary. */
  readonly socket: string;
  /** The process that starts the containment. */
  readonly parent: number;
  /** A file in /dev/shm. */
  readonly shared: string;
}

/** Python in front of every attack. */
export const REPORTS = `
import os
def report(word, text=""):
    os.write(3, (word + " " + str(text).replace("\\n", " ")[:300] + "\\n").encode("utf8", "replace"))
def attempt(work):
    try: found = work()
    except BaseException as error: report("held", type(error).__name__ + ": " + str(error))
    else: report("escaped" if found else "held", found)
`;

/** What is in `expression` is reached; it may be several lines before the last, which is returned. */
function reach(name: string, lines: string, worksOutside?: true): HostileAnswer {
  const body = lines.trim().split("\n");
  const last = body.pop() ?? "";
  const work = [...body, `return ${last}`].map((line) => `        ${line}`).join("\n");
  const code = `def attack():\n    def work():\n${work}\n    attempt(work)\n`;
  return { name, code, ...(worksOutside && { worksOutside }) };
}

/** A call of the kernel by number: of x64 and of arm64. */
const call = (x64: number, arm64: number, args = "0, 0, 0, 0, 0"): string => `
import ctypes, platform
number = ${arm64} if platform.machine() == "aarch64" else ${x64}
"answered" if ctypes.CDLL(None).syscall(number, ${args}) >= 0 else ""`;

const FILES: readonly HostileAnswer[] = [
  reach("reads a file of the machine", `open("@canary@").read()`, true),
  reach("reads it through its first process", `open("/proc/1/root@canary@").read()`),
  reach("reads it from above its folder", `open("../../../../../../../.." + "@canary@").read()`, true),
  reach("reads it through a link", `os.symlink("@canary@", "link")\nopen("link").read()`),
  reach("makes a hard link to it", `os.link("@canary@", "hard")\nopen("hard").read()`),
  reach(
    "swaps a link while it is opened",
    `
import threading
open("own", "w").close()
def swap():
    for turn in range(2000):
        os.symlink("@canary@" if turn % 2 else "own", "next")
        os.replace("next", "swapped")
thread = threading.Thread(target=swap)
thread.start()
seen = ""
while thread.is_alive():
    try: seen += open("swapped").read()
    except OSError: pass
seen`,
  ),
  reach("deletes a file of the machine", `os.unlink("@canary@")\n"deleted"`),
  reach(
    "deletes its folder",
    `
import shutil
shutil.rmtree(os.path.dirname("@canary@"))
"deleted"`,
  ),
  reach("lists homes", `[name for name in os.listdir("/home") + os.listdir("/root") if name != "user"]`),
  reach("reads the users of the machine", `"daemon" in open("/etc/passwd").read() and "daemon"`, true),
  reach("reads passwords", `open("/etc/shadow").read()`),
  reach("reads the machine's name and id", `open("/etc/machine-id").read()`),
  reach("opens the system's programs for writing", `os.open("/usr/bin/env", os.O_WRONLY)`),
  reach("opens the standard library for writing", `os.open(os.__file__, os.O_WRONLY)`),
  reach("opens the root folder for new files", `os.open("/", os.O_WRONLY | os.O_TMPFILE)`),
  reach(
    "opens settings of the kernel for writing",
    `
found = []
for folder, _, names in os.walk("/proc/sys"):
    for name in names:
        try: os.close(os.open(os.path.join(folder, name), os.O_WRONLY))
        except OSError: continue
        found.append(name)
found`,
  ),
  reach("opens the core pattern for writing", `os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)`),
  reach("opens the system request trigger", `os.open("/proc/sysrq-trigger", os.O_WRONLY)`),
  reach("opens the kernel's memory", `os.read(os.open("/proc/kcore", os.O_RDONLY), 1)`),
  reach(
    "opens memory, log and disks",
    `
found = []
for name in ("mem", "kmem", "kmsg", "port", "sda", "vda", "nvme0n1", "kvm", "fuse", "net/tun", "vsock", "snapshot"):
    try: os.close(os.open("/dev/" + name, os.O_RDONLY | os.O_NONBLOCK))
    except OSError: continue
    found.append(name)
found`,
  ),
  reach(
    "finds a disk among the devices",
    `
import stat
[name for name in os.listdir("/dev") if stat.S_ISBLK(os.lstat("/dev/" + name).st_mode)]`,
  ),
  reach(
    "makes a disk's device",
    `
import stat
os.mknod("/tmp/disk", 0o600 | stat.S_IFBLK, os.makedev(254, 0))
os.open("/tmp/disk", os.O_RDONLY)`,
  ),
  reach("lists the system's hardware", `os.listdir("/sys")`),
];

const PROCESSES: readonly HostileAnswer[] = [
  reach(
    "reads its environment",
    `
texts = [str(dict(os.environ))]
for name in os.listdir("/proc"):
    if name.isdigit():
        try: texts.append(open("/proc/" + name + "/environ").read())
        except OSError: pass
"@secret@" in " ".join(texts) and "the secret"`,
    true,
  ),
  reach(
    "sees processes of the machine",
    `
found = []
for name in os.listdir("/proc"):
    if name.isdigit():
        try: found.append(open("/proc/" + name + "/cmdline").read())
        except OSError: pass
[line for line in found if "node" in line.split("\\0")[0]]`,
    true,
  ),
  reach(
    "can signal its starter",
    `
os.kill(@parent@, 0)
"there"`,
    true,
  ),
  reach("traces its first process", call(101, 117, "16, 1, 0, 0, 0")),
  reach(
    "reads memory of its first process",
    `
import ctypes, platform
number = 270 if platform.machine() == "aarch64" else 310
target = int(open("/proc/1/maps").readline().split("-")[0], 16)
room = ctypes.create_string_buffer(8)
class Part(ctypes.Structure): _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]
own, other = Part(ctypes.addressof(room), 8), Part(target, 8)
ctypes.CDLL(None).syscall(number, 1, ctypes.byref(own), 1, ctypes.byref(other), 1, 0) > 0`,
  ),
  reach(
    "opens descriptors of its first process",
    `
found = []
for name in os.listdir("/proc/1/fd"):
    try: found.append(os.open("/proc/1/fd/" + name, os.O_RDWR | os.O_NONBLOCK))
    except OSError: pass
found`,
  ),
  reach(
    "takes a descriptor of its first process",
    `
import ctypes
first = os.pidfd_open(1)
ctypes.CDLL(None).syscall(438, first, 5, 0) >= 0`,
  ),
  reach(
    "finds descriptors of its starter",
    `
listing = os.open("/proc/self/fd", os.O_RDONLY)
[name for name in os.listdir(listing) if int(name) > 3 and int(name) != listing and int(name) < listing]`,
  ),
  // Its memory can be written, and with it what it does.
  reach(
    "finds its first process without its limits",
    `
own, first = ([open(f"/proc/{pid}/{name}").read() for name in ("limits", "cgroup")] for pid in ("self", 1))
[(a, b) for a, b in zip(own, first) if a != b]`,
  ),
  reach("reads the keys of this session", call(250, 219, "0, -3, 1, 0, 0")),
  reach("adds a key", call(248, 217, "b'user', b'hasp', b'x', 1, -3")),
  reach("loads a program into the kernel", call(321, 280)),
  reach("watches the processor", call(298, 241)),
  reach("asks for asynchronous calls", call(425, 425, "4, ctypes.create_string_buffer(120), 0, 0, 0")),
  reach("takes page faults", call(323, 282)),
  reach("makes a user namespace", call(272, 97, "0x10000000, 0, 0, 0, 0")),
  reach(
    "makes one by a program",
    `
import subprocess
subprocess.run(["unshare", "--user", "true"], capture_output=True).returncode == 0`,
  ),
  reach("makes a mount namespace", call(272, 97, "0x00020000, 0, 0, 0, 0")),
  reach(
    "mounts a file system",
    `os.makedirs("mount", exist_ok=True)
${call(165, 40, "b'none', b'mount', b'tmpfs', 0, 0")}`,
  ),
  reach("changes its root", `os.chroot("/tmp")\n"changed"`),
  reach(
    "enters a namespace of its first process",
    `
import ctypes
ctypes.CDLL(None).setns(os.open("/proc/1/ns/mnt", os.O_RDONLY), 0) == 0`,
  ),
  reach("becomes root", `os.setuid(0)\n"root"`),
  reach(
    "becomes root by a program",
    `
import subprocess
said = subprocess.run(["su", "-c", "id -u"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
said.strip() == "0"`,
  ),
  reach(
    "has privileges, or may gain them",
    `
lines = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
int(lines["CapEff"], 16) or int(lines["CapBnd"], 16) or int(lines["NoNewPrivs"]) != 1`,
  ),
  reach(
    "raises its limits",
    `
import resource
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"raised"`,
  ),
  reach("takes more of the processor", `os.nice(-5)\n"taken"`),
  reach("opens the terminal of its starter", `os.open("/dev/tty", os.O_RDWR)`),
  reach("finds shared memory of the machine", `os.listdir("/dev/shm")`, true),
  reach("finds older shared memory", `len(open("/proc/sysvipc/shm").readlines()) > 1`),
];

const NETWORK: readonly HostileAnswer[] = [
  reach(
    "connects to a server of the machine",
    `
import socket
socket.create_connection(("127.0.0.1", @port@), 2)`,
    true,
  ),
  reach(
    "connects to it by name",
    `
import socket
socket.create_connection(("localhost", @port@), 2)`,
    true,
  ),
  reach(
    "connects to it by IPv6",
    `
import socket
socket.create_connection(("::ffff:127.0.0.1", @port@), 2)`,
    true,
  ),
  reach(
    "connects to an abstract socket",
    `
import socket
socket.socket(socket.AF_UNIX).connect("\\0@abstract@") or "connected"`,
    true,
  ),
  reach(
    "connects to a socket in a folder",
    `
import socket
socket.socket(socket.AF_UNIX).connect("@socket@") or "connected"`,
    true,
  ),
  // Of the addresses that documents use: nobody has them.
  reach(
    "finds a way out",
    `
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 9)) or "a route"`,
  ),
  reach(
    "reads raw packets",
    `
import socket
socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 768)`,
  ),
  reach(
    "reaches the host of a virtual machine",
    `
import socket
socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)`,
  ),
  reach(
    "opens a socket of the kernel's ciphers",
    `
import socket
socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)`,
  ),
  reach(
    "finds network devices",
    `
import socket
[name for _, name in socket.if_nameindex() if name != "lo"]`,
  ),
  reach("finds name servers", `open("/etc/resolv.conf").read()`),
];

/** Attacks on the machine. */
export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  ...FILES,
  ...PROCESSES,
  ...NETWORK,
  ...EXHAUSTING_ANSWERS,
];

/** The Python of an attack with its targets, as a whole program. `marker`: name of a process that it leaves behind. */
export function attackOf(answer: HostileAnswer, targets: Targets, marker: string): string {
  const values: Readonly<Record<string, string | number>> = { ...targets, marker };
  const filled = answer.code.replaceAll(/@(\w+)@/g, (whole, name: string) => String(values[name] ?? whole));
  return `${REPORTS}\n${filled}\nattack()\n`;
}
