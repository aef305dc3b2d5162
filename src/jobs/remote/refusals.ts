import { refuse } from "../../app/refusal.ts";
import { hostOf, type NamedTarget } from "../../model/target.ts";
import { LinkError, ReplyError, TargetRefusal, type LinkFault, type ReplyFault } from "./ports.ts";

interface Words {
  readonly code: string;
  readonly why: (host: string, detail: string) => string;
  readonly next: (host: string) => string;
}

const LINK: Readonly<Record<LinkFault, Words>> = {
  "unknown-host": {
    code: "HASP770",
    why: (host) => `There is no machine named ${host}.`,
    next: () => "Correct the host of the target, or add it to ~/.ssh/config.",
  },
  "changed-key": {
    code: "HASP771",
    why: (host) =>
      `${host} has another key than before: it was set up anew, or something else answers for it.`,
    next: (host) =>
      `Ask whoever runs it. If the new key is right, run \`ssh-keygen -R ${host}\`, then \`ssh ${host}\` once.`,
  },
  "unknown-key": {
    code: "HASP772",
    why: (host) => `The key of ${host} is not known on this machine.`,
    next: (host) => `Run \`ssh ${host}\` once in a terminal, compare its key, and confirm it.`,
  },
  "no-listener": {
    code: "HASP773",
    why: (host) => `${host} refuses the connection: no ssh server answers there.`,
    next: () => "See whether the machine is up and the port in ~/.ssh/config is right.",
  },
  login: {
    code: "HASP774",
    why: (host) => `${host} does not let you in without a password.`,
    next: (host) =>
      `Jobs log in by themselves: set up a key with \`ssh-copy-id ${host}\`, or add yours to the ssh agent.`,
  },
  timeout: {
    code: "HASP775",
    why: (host) => `${host} does not answer.`,
    next: () => "See whether you need a VPN or a jump host (ProxyJump in ~/.ssh/config), then repeat it.",
  },
  cut: {
    code: "HASP776",
    why: (host, detail) => `The link to ${host} broke${detail === "" ? "" : `: ${detail}`}.`,
    next: () => "Repeat it: what has arrived is kept.",
  },
  "no-ssh": {
    code: "HASP777",
    why: () => "There is no ssh on this machine.",
    next: () => "Install an OpenSSH client, so that `ssh` is on the PATH.",
  },
  "no-python": {
    code: "HASP778",
    why: (host) => `${host} has no Python 3.6 or later on the PATH.`,
    next: () => "Add a line to `setup` of the target that brings one, such as `module load python`.",
  },
  setup: {
    code: "HASP779",
    why: (host, detail) =>
      `A setup line of the target fails on ${host}${detail === "" ? "." : `: ${detail}`}`,
    next: () => "Try the lines of `setup` in a shell there, and correct them.",
  },
  other: {
    code: "HASP780",
    why: (host, detail) => `${host} cannot be asked: ${detail || "ssh ended without a word"}.`,
    next: (host) => `Try \`ssh ${host}\` in a terminal.`,
  },
};

const TARGET: Readonly<Record<string, Words>> = {
  "no-space": {
    code: "HASP781",
    why: (host, detail) => `The disk of ${host} is full, or your quota is used up: ${detail}.`,
    next: () => "Make room there, or name another folder in the target; then repeat it.",
  },
  "no-slurm": {
    code: "HASP782",
    why: (host) => `${host} has no SLURM: sbatch and squeue are not on the PATH.`,
    next: () => "Add a `setup` line that brings them, such as `module load slurm`, or use the kind `ssh`.",
  },
  "no-controller": {
    code: "HASP783",
    why: (_host, detail) => `The controller of SLURM does not answer: ${detail}.`,
    next: () => "Repeat it later. If the job was submitted, it is found by its name and not submitted twice.",
  },
  sbatch: {
    code: "HASP784",
    why: (host, detail) => `SLURM on ${host} does not take the job: ${detail.replace(/\.$/, "")}.`,
    next: () =>
      "Correct partition, account, qos, gpu or constraint of the target, or ask for fewer GPUs, less time or memory.",
  },
  slurm: {
    code: "HASP784",
    why: (host, detail) => `SLURM on ${host} answers: ${detail}.`,
    next: () => "Ask whoever runs the cluster, or repeat it later.",
  },
  "no-python": {
    code: "HASP785",
    why: (host) => `${host} has no Python 3.11, 3.12 or 3.13, which the trainer needs.`,
    next: () => "Add a `setup` line that brings one, or name its path in `python` of the target.",
  },
  prepare: {
    code: "HASP786",
    why: (host, detail) => `Preparing ${host} failed: ${detail}.`,
    next: () => "Repeat it: what is installed is kept.",
  },
  "after-failed": {
    code: "HASP787",
    why: (_host, detail) => detail,
    next: () => "Submit that job again first.",
  },
  "after-missing": {
    code: "HASP787",
    why: (_host, detail) => detail,
    next: () => "Submit that job first, to the same target.",
  },
  "no-number": {
    code: "HASP817",
    why: (host, detail) => `SLURM on ${host} took the job, and its number cannot be read: ${detail}.`,
    next: () =>
      "Look for it with `squeue --me` there. Submit it again: the job is found by its name and not submitted twice.",
  },
  "no-begin": {
    code: "HASP788",
    why: (host, detail) => `The job could not begin on ${host}: ${detail}`,
    next: () => "Correct that, then submit it again.",
  },
};

const OTHER_PROGRAM =
  "Look at the lines of `setup` of the target, and at the python3 that answers there; then repeat it.";

/** Replies that are not those of HASP Studio's program. */
const REPLY: Readonly<Record<ReplyFault, Words>> = {
  form: {
    code: "HASP813",
    why: (host, detail) => `${host} does not answer as HASP Studio's own program does: ${detail}.`,
    next: () => OTHER_PROGRAM,
  },
  size: {
    code: "HASP814",
    why: (host, detail) => `${host} sends more than HASP Studio's own program does: ${detail}.`,
    next: () => OTHER_PROGRAM,
  },
  time: {
    code: "HASP814",
    why: (host, detail) => `${host} does not finish its answer: ${detail}.`,
    next: () => OTHER_PROGRAM,
  },
  rounds: {
    code: "HASP815",
    why: (host, detail) => `${host} never sends everything: ${detail}.`,
    next: () => OTHER_PROGRAM,
  },
};

const UNKNOWN: Words = {
  code: "HASP789",
  why: (host, detail) => `${host} answers: ${detail}.`,
  next: () => "Correct that on the target, then repeat it.",
};

const withoutEnd = (text: string): string => text.trim().replace(/\.$/, "");

/** A LinkError, a TargetRefusal or a ReplyError in words; undefined for anything else, which is a bug. */
export function wordsOf(
  error: unknown,
  { name, target }: NamedTarget,
): { readonly code: string; readonly message: string; readonly next: string } | undefined {
  const host = error instanceof ReplyError ? `${name} (${hostOf(target)})` : hostOf(target);
  const words = wordsFor(error);
  if (words === undefined || !(error instanceof Error)) return undefined;
  const { code, why, next } = words;
  return { code, message: why(host, withoutEnd(error.message)), next: next(host) };
}

function wordsFor(error: unknown): Words | undefined {
  if (error instanceof LinkError) return LINK[error.fault];
  if (error instanceof ReplyError) return REPLY[error.fault];
  if (!(error instanceof TargetRefusal)) return undefined;
  return Object.hasOwn(TARGET, error.code) ? TARGET[error.code] : UNKNOWN;
}

/** Carries out work with a target; a failure of link or target is a refusal (app/refusal.ts). */
export async function withTarget<T>(named: NamedTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const words = wordsOf(error, named);
    if (words === undefined) throw error;
    return refuse(words.code, words.message, words.next);
  }
}
