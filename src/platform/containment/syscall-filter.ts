import process from "node:process";

interface Machine {
  /** As the kernel's audit names it. */
  readonly audit: number;
  /** Numbers of its calls from here on belong to another interface with calls of the same effect. */
  readonly foreign?: number;
  readonly denied: readonly number[];
}

/**
 * Calls that no program for a test needs, and that reach beyond its namespaces (the keys of this user's session: add_key, request_key, keyctl),
 * into another process (ptrace, process_vm_readv, process_vm_writev, pidfd_getfd), or far into the kernel (perf_event_open, bpf, userfaultfd,
 * io_uring_setup, io_uring_enter, io_uring_register). In this order.
 */
const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: {
    audit: 0xc000003e,
    foreign: 0x40000000,
    denied: [248, 249, 250, 101, 310, 311, 438, 298, 321, 323, 425, 426, 427],
  },
  arm64: {
    audit: 0xc00000b7,
    denied: [217, 218, 219, 117, 270, 271, 438, 241, 280, 282, 425, 426, 427],
  },
};

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
  const tests = [
    ...(machine.foreign === undefined ? [] : [{ code: IF_NOT_LESS, value: machine.foreign }]),
    ...machine.denied.map((value) => ({ code: IF_EQUAL, value })),
  ];
  // Two numbers of a call: its own first, that of the interface in the second word. Jumps count the instructions that they skip.
  return Buffer.concat([
    instruction(LOAD, 4),
    instruction(IF_EQUAL, machine.audit, 0, tests.length + 2),
    instruction(LOAD, 0),
    ...tests.map(({ code, value }, i) => instruction(code, value, tests.length - i)),
    instruction(RETURN, ALLOW),
    instruction(RETURN, DENY),
  ]);
}
