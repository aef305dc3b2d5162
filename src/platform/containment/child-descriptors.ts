import fs from "node:fs";
import process from "node:process";

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

/** What this process was started with and hands on to its children; Node opens nothing of that kind itself. */
function inheritedDescriptors(): readonly number[] {
  if (process.platform !== "linux") return [];
  return (inherited ??= fs.readdirSync("/proc/self/fdinfo").map(Number).filter(isHandedOn));
}

/**
 * Calls with `stdio` of a child: pipes at its descriptors up to `last`, and nothing above. An editor leaves files and terminals open in its
 * processes: a contained program that found the folder of one among its first process's would be out.
 */
export function withPipes<Value>(
  last: number,
  start: (stdio: readonly ("pipe" | "ignore" | number)[]) => Value,
): Value {
  const stdio: ("pipe" | "ignore" | number)[] = Array.from({ length: last + 1 }, () => "pipe");
  const leaking = inheritedDescriptors().filter((descriptor) => descriptor > last);
  if (leaking.length === 0) return start(stdio);
  const nothing = fs.openSync("/dev/null", "r");
  try {
    for (const descriptor of leaking) stdio[descriptor] = nothing;
    return start(Array.from(stdio, (one) => one ?? "ignore"));
  } finally {
    fs.closeSync(nothing);
  }
}
