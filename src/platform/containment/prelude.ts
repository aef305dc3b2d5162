/** What the prelude writes on descriptor 3 before it waits for its order. */
export const READY = "ready";
/** Descriptor on which the prelude tells by which signal the program ended; the program does not have it. */
export const STATUS_FD = 5;
/** Where packages that a program can import are bound. */
export const PACKAGES = "/packages";
export const HOME = "/home/user";

/** Processes and threads of one program, counted in its namespace alone. */
const PROCESSES = 64;
/** Of its largest file, in bytes. */
const FILE_BYTES = 64 << 20;
const DESCRIPTORS = 256;

/**
 * Runs in the containment as its first process, before anything that nobody trusts: reads the order from its standard input, sets the limits and
 * runs the program in a child. They are set here because those of the outside would count all processes of this user, and Bubblewrap itself
 * would not start. The first process reaps what the program leaves behind, and the kernel ends all others with it.
 *
 * The order: a line of numbers (bytes of memory, seconds of processor, bytes of program, bytes of input), then the program, then its input,
 * which becomes a file without a name: `open("/dev/stdin")` works on a file, not on the socket that Node gives. `exit` and `quit` come from `site`,
 * which is not run, so that packages of this system cannot be imported. A core limit of 1 byte also keeps the kernel from starting a
 * crash reporter, which 0 does not.
 */
export const PRELUDE = `
import os, resource, site, sys
def prelude():
    for fd in [int(name) for name in os.listdir("/proc/self/fd")]:
        if fd > 3 and fd != ${STATUS_FD}:
            try: os.close(fd)
            except OSError: pass
    for name, text in {
        "hosts": "127.0.0.1 localhost\\n::1 localhost\\n",
        "passwd": "user:x:1000:1000::${HOME}:/bin/sh\\n",
        "group": "user:x:1000:\\n",
    }.items():
        with open("/etc/" + name, "w") as file: file.write(text)
    pid = os.fork()
    if pid != 0:
        for fd in range(4): os.close(fd)
        while True:
            ended, status = os.wait()
            if ended == pid: break
        if os.WIFSIGNALED(status): os.write(${STATUS_FD}, b"%d" % os.WTERMSIG(status))
        os._exit(os.waitstatus_to_exitcode(status) & 255)
    os.close(${STATUS_FD})
    os.write(3, b"${READY}\\n")
    with open(0, "rb", closefd=False) as order:
        head = order.readline().split()
        if len(head) != 4: os._exit(0)
        memory, seconds, length, size = map(int, head)
        program = order.read(length)
        file = os.open("/tmp", os.O_TMPFILE | os.O_RDWR)
        with open(file, "wb", closefd=False) as copy: copy.write(order.read(size))
    os.lseek(file, 0, os.SEEK_SET)
    os.dup2(file, 0)
    os.close(file)
    with open("/proc/self/oom_score_adj", "w") as score: score.write("1000")
    for limit, value in {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: ${FILE_BYTES},
        resource.RLIMIT_NOFILE: ${DESCRIPTORS},
        resource.RLIMIT_NPROC: ${PROCESSES},
        resource.RLIMIT_CORE: 1,
    }.items():
        resource.setrlimit(limit, (value, value))
        # Who changes the memory of the first process has its limits.
        resource.prlimit(1, limit, (value, value))
    site.setquit()
    site.sethelper()
    sys.path[:] = [folder for folder in sys.path if folder]
    if os.path.isdir("${PACKAGES}"): sys.path.append("${PACKAGES}")
    sys.argv[:] = ["program.py"]
    names = sys.modules["__main__"].__dict__
    for name in ("os", "resource", "site", "sys", "prelude"): del names[name]
    return compile(program, "program.py", "exec"), names
exec(*prelude())
`;

/** The order as the prelude reads it. */
export function orderBytes(order: {
  readonly program: string;
  readonly input: string;
  readonly memoryBytes: number;
  readonly processorSeconds: number;
}): Buffer {
  const program = Buffer.from(order.program);
  const input = Buffer.from(order.input);
  const numbers = [order.memoryBytes, order.processorSeconds, program.length, input.length];
  return Buffer.concat([Buffer.from(`${numbers.join(" ")}\n`), program, input]);
}
