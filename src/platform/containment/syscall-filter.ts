import process from "node:process";

interface Machine {
  /** As the kernel's audit names it. */
  readonly audit: number;
  /** Numbers of its calls from here on belong to another interface with calls of the same effect. */
  readonly foreign?: number;
  readonly denied: readonly number[];
  readonly socket: number;
}

/**
 * Kinds of sockets that a program may have: AF_UNIX, AF_INET, AF_INET6, and AF_NETLINK, with which the C library looks for addresses. Others
 * are in no namespace (AF_VSOCK reaches the host of a virtual machine) or reach far into the kernel.
 */
const SOCKETS = [1, 2, 10, 16];

/**
 * Calls that no program for a test needs, and that reach beyond its namespaces (the keys of this user's session: add_key, request_key, keyctl),
 * into another process (ptrace, process_vm_readv, process_vm_writev, pidfd_getfd), or far into the kernel (perf_event_open, bpf, userfaultfd,
 * io_uring_setup, io_uring_enter, io_uring_register), and calls that take memory which no limit of a process counts (memfd_create,
 * memfd_secret, shmget). In this order.
 */
const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: {
    audit: 0xc000003e,
    foreign: 0x40000000,
    socket: 41,
    denied: [248, 249, 250, 101, 310, 311, 438, 298, 321, 323, 425, 426, 427, 319, 447, 29],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    denied: [217, 218, 219, 117, 270, 271, 438, 241, 280, 282, 425, 426, 427, 279, 447, 194],
  },
};

/** Where the kernel puts what a filter can look at. */
const CALL = 0;
const INTERFACE = 4;
const FIRST_ARGUMENT = 16;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_NOT_LESS = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** Fails with EPERM. */
const DENY = 0x00050001;

function instruction(code: number, value: number, skipIf = 0, skipElse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(skipIf, 2);
  bytes.writeUInt8(skipElse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

/** A program of the kernel's filter for system calls (seccomp), for this machine; undefined for one whose numbers are not known here. */
export function syscallFilter(): Buffer | undefined {
  const machine = MACHINES[process.arch];
  if (machine === undefined) return undefined;
  const { audit, denied, foreign, socket } = machine;
  const tests = [
    ...(foreign === undefined ? [] : [{ code: IF_NOT_LESS, value: foreign }]),
    ...denied.map((value) => ({ code: IF_EQUAL, value })),
  ];
  // Jumps count the instructions that they skip. The end is: allow, deny.
  const kinds = SOCKETS.map((kind, i) =>
    instruction(IF_EQUAL, kind, SOCKETS.length - 1 - i, i === SOCKETS.length - 1 ? 1 : 0),
  );
  const forSockets = [
    instruction(IF_EQUAL, socket, 0, kinds.length + 1),
    instruction(LOAD, FIRST_ARGUMENT),
    ...kinds,
  ];
  return Buffer.concat([
    instruction(LOAD, INTERFACE),
    instruction(IF_EQUAL, audit, 0, 1 + tests.length + forSockets.length + 1),
    instruction(LOAD, CALL),
    ...tests.map(({ code, value }, i) => instruction(code, value, tests.length - i + forSockets.length)),
    ...forSockets,
    instruction(RETURN, ALLOW),
    instruction(RETURN, DENY),
  ]);
}
