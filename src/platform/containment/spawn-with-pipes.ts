import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import fs from "node:fs";
import process from "node:process";
import { pipeOf } from "./contained-child.ts";

/** A descriptor's flag in /proc: a program that replaces this one does not have it. */
const CLOSED_BY_EXEC = 0o2000000;

function isHandedOn(descriptor: number): boolean {
  try {
    const [, flags = ""] =
      /^flags:\s*([0-7]+)$/m.exec(fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return flags !== "" && (Number.parseInt(flags, 8) & CLOSED_BY_EXEC) === 0;
  } catch {
    return false;
  }
}

let inherited: readonly number[] | undefined;

/** The descriptors that this process was started with and that its children would inherit. Node itself opens none that are inherited. */
function inheritedDescriptors(): readonly number[] {
  if (process.platform !== "linux") return [];
  return (inherited ??= fs.readdirSync("/proc/self/fdinfo").map(Number).filter(isHandedOn));
}

/**
 * Starts a child with pipes at its descriptors up to `last`, and no other of this process: an editor leaves files and terminals open in its
 * processes, and a contained program that found a folder among them would be out. There it has pipes too, which cannot be opened by their names.
 */
export function spawnWithPipes(
  last: number,
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const isPipe = (descriptor: number): boolean =>
    descriptor <= last || inheritedDescriptors().includes(descriptor);
  const length = Math.max(last, ...inheritedDescriptors()) + 1;
  const stdio = Array.from({ length }, (_, descriptor) => (isPipe(descriptor) ? "pipe" : "ignore"));
  const child = spawn(file, args, { ...options, stdio });
  // The code that waits for the child reports the error; without a listener here it would end this process.
  child.on("error", () => undefined);
  // The other end may be gone at any time.
  for (const descriptor of stdio.keys())
    if (isPipe(descriptor)) pipeOf(child, descriptor).on("error", () => undefined);
  return child;
}
