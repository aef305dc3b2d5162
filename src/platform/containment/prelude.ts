/** What the prelude writes on descriptor 3 before it waits for its order. */
export const READY = "ready";
/** Where packages that a program can import are bound. */
export const PACKAGES = "/packages";
export const HOME = "/home/user";

/** Processes and threads of one program, counted in its namespace alone. */
const PROCESSES = 64;
/** Of its largest file, in bytes. */
const FILE_BYTES = 64 << 20;
const DESCRIPTORS = 256;

/**
 * Python that runs in the containment before the program, in the same process: it reads the order from its standard input, sets the limits and
 * runs the program. The limits are set inside because outside they would count all processes of this user, and Bubblewrap itself would not start.
 *
 * The order is a line of numbers (bytes of memory, seconds of processor time, bytes of program, bytes of input), then the program, then its input.
 * The input becomes a file without a name, because `open("/dev/stdin")` works on a file and not on the socket that Node gives. `site` is not run,
 * so that packages of this system cannot be imported; hence `exit`, `quit` and `help` are made here. Neither `site` nor `os` is imported: that
 * takes as long as all the rest. A core limit of 1 byte also keeps the kernel from starting a crash reporter, which 0 does not.
 */
export const PRELUDE = `
def prelude():
    import _sitebuiltins, builtins, posix, resource, sys
    for fd in [int(name) for name in posix.listdir("/proc/self/fd")]:
        if fd > 3:
            try: posix.close(fd)
            except OSError: pass
    def write(name, text):
        file = posix.open(name, posix.O_WRONLY | posix.O_CREAT, 0o644)
        posix.write(file, text)
        posix.close(file)
    write("/etc/hosts", b"127.0.0.1 localhost\\n::1 localhost\\n")
    write("/etc/passwd", b"user:x:1000:1000::${HOME}:/bin/sh\\n")
    write("/etc/group", b"user:x:1000:\\n")
    posix.write(3, b"${READY}\\n")
    with open(0, "rb", closefd=False) as order:
        head = order.readline().split()
        if len(head) != 4: posix._exit(0)
        memory, seconds, length, size = map(int, head)
        program = order.read(length)
        file = posix.open("/tmp", posix.O_TMPFILE | posix.O_RDWR)
        with open(file, "wb", closefd=False) as copy: copy.write(order.read(size))
    posix.lseek(file, 0, 0)
    posix.dup2(file, 0)
    posix.close(file)
    write("/proc/self/oom_score_adj", b"1000")
    for limit, value in {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: ${FILE_BYTES},
        resource.RLIMIT_NOFILE: ${DESCRIPTORS},
        resource.RLIMIT_NPROC: ${PROCESSES},
        resource.RLIMIT_CORE: 1,
    }.items():
        resource.setrlimit(limit, (value, value))
        # The program can write into the memory of the first process, so that one has the same limits.
        resource.prlimit(1, limit, (value, value))
    for name in ("quit", "exit"): setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    builtins.help = _sitebuiltins._Helper()
    sys.path[:] = [folder for folder in sys.path if folder]
    if "${PACKAGES}"[1:] in posix.listdir("/"):
        sys.path.append("${PACKAGES}")
        # For the interpreters that it starts: workers of a package import it again.
        posix.environ[b"PYTHONPATH"] = b"${PACKAGES}"
        posix.putenv(b"PYTHONPATH", b"${PACKAGES}")
    sys.argv[:] = ["program.py"]
    names = sys.modules["__main__"].__dict__
    del names["prelude"]
    exec(compile(program, "program.py", "exec"), names)
prelude()
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
