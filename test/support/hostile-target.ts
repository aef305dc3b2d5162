import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The reply to one request; see hostile-target.py. */
export interface HostileReply {
  readonly unbegun?: boolean;
  readonly frames?: readonly (readonly [header: object, body: string])[];
  readonly endless?: string;
}

export type HostilePlan = Readonly<Record<string, HostileReply>>;

/** A `python3` that answers by a plan; a line of `setup` puts its folder first. */
export interface HostileTarget {
  readonly setup: string;
  /** Answers by this plan from now on. */
  answer(plan: HostilePlan): void;
  /** The requests so far by their names, and the processes that answer them. */
  asked(): readonly { readonly op: string; readonly pid: number }[];
}

/** `program`: hostile-target.py. */
export function writeHostileTarget(folder: string, program: string): HostileTarget {
  const [bin, plan] = [path.join(folder, "hostile-bin"), path.join(folder, "hostile-plan.json")];
  const asked = `${plan}.asked`;
  mkdirSync(bin, { recursive: true });
  const text = `#!/bin/sh\nexec /usr/bin/python3 '${program}' '${plan}'\n`;
  writeFileSync(path.join(bin, "python3"), text, { mode: 0o755 });
  return {
    setup: `PATH=${bin}:$PATH`,
    answer: (value) => writeFileSync(plan, JSON.stringify(value)),
    asked: () =>
      (existsSync(asked) ? readFileSync(asked, "utf8") : "")
        .split("\n")
        .slice(0, -1)
        .map((line) => {
          const [op = "", pid = ""] = line.split(" ");
          return { op, pid: Number(pid) };
        }),
  };
}

const KEY = "0".repeat(64);
export const SIGHT = { isThere: true, submission: { number: 1, job: "runner" }, isAlive: true, entries: [] };

/** A look that answers as ours does, with these frames of files before it. */
export const lookReply = (
  files: readonly (readonly [header: object, body: string])[] = [],
  { sight = SIGHT, isMore = false }: { readonly sight?: object; readonly isMore?: boolean } = {},
): HostileReply => ({ frames: [...files, [{}, JSON.stringify(sight)], [{ key: KEY, isMore }, ""]] });

const endlessFrames = (endless: string): HostileReply => ({ endless });

/** Replies without an end, by their kind. */
export const ENDLESS: Readonly<Record<string, HostileReply>> = {
  "a header": endlessFrames("x".repeat(1000)),
  "the header of a gigabyte": endlessFrames('{"x":"'.padEnd(1000, "y")),
  "a body": { endless: '{"bytes":3000000000}\n' },
  frames: endlessFrames('{"file":0,"offset":0,"bytes":5}\nabcde'),
  "empty frames": endlessFrames("{}\n"),
  "lines of a shell": { unbegun: true, endless: "Welcome to the machine\n" },
  "a line of a shell": { unbegun: true, endless: "z" },
};
