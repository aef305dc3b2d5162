import { readdirSync, readFileSync } from "node:fs";

/** A process as `/proc/<pid>/stat` shows it. */
interface Seen {
  pid: number;
  parent: number;
  session: number;
  /** In ticks since the boot: a later process with the same pid has another. */
  start: string;
  isZombie: boolean;
  /** Its own processor time and that of the children it has waited for, in seconds. */
  seconds: number;
}

/** Of every Linux that Node runs on (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

function seen(pid: number): Seen | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined; // ended meanwhile
  }
  // The name before the third field may hold anything, spaces and brackets too.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    pid,
    parent: Number(fields[1]),
    session: Number(fields[3]),
    start: fields[19] ?? "",
    isZombie: fields[0] === "Z" || fields[0] === "X",
    seconds: ticks / TICKS_PER_SECOND,
  };
}

function hasInEnvironment(pid: number, variable: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(variable);
  } catch {
    return false; // ended meanwhile, or another user's
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim().slice(0, 120);
  } catch {
    return "";
  }
}

/**
 * All processes that a leader has started, directly or not. One that detaches is found by its session, by the variable in
 * its environment, or because an earlier `look` has seen it below the leader. Linux only; elsewhere it is always empty.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #variable: string;
  /** Start of each process that belongs to the tree, by its pid. */
  readonly #known = new Map<number, string>();
  /** Processor seconds of detached processes, which the leader never waits for. */
  readonly #detached = new Map<string, number>();

  /** `leader`: the first process of a session of its own. `variable`: `NAME=value` that only this tree has. */
  constructor(leader: number, variable: string) {
    this.#leader = leader;
    this.#variable = variable;
  }

  /** Processes of the tree that run now, without the leader and zombies. */
  look(): number[] {
    const all = allProcesses();
    const members = this.#membersAmong(all);
    for (const process of members) {
      this.#known.set(process.pid, process.start);
      const parent = all.get(process.parent);
      const isBelow = parent !== undefined && members.has(parent);
      if (!isBelow && process.pid !== this.#leader)
        this.#detached.set(`${process.pid} ${process.start}`, process.seconds);
    }
    return [...members].filter((one) => one.pid !== this.#leader && !one.isZombie).map(({ pid }) => pid);
  }

  /** Processor seconds of the processes that have detached from the leader, as of the last looks. */
  detachedSeconds(): number {
    return [...this.#detached.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  /** The processes' command lines with their pids. */
  describe(pids: readonly number[]): string {
    return pids.map((pid) => `${commandOf(pid)} (${pid})`).join(", ");
  }

  #membersAmong(all: ReadonlyMap<number, Seen>): Set<Seen> {
    const members = new Set([...all.values()].filter((one) => this.#isMember(one)));
    for (let before = -1; before !== members.size;) {
      before = members.size;
      for (const one of all.values()) {
        const parent = all.get(one.parent);
        if (parent !== undefined && members.has(parent)) members.add(one);
      }
    }
    return members;
  }

  #isMember({ pid, session, start }: Seen): boolean {
    if (pid === this.#leader || session === this.#leader) return true;
    return this.#known.get(pid) === start || hasInEnvironment(pid, this.#variable);
  }
}

function allProcesses(): Map<number, Seen> {
  if (process.platform !== "linux") return new Map();
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.flatMap((name) => seen(Number(name)) ?? []);
  return new Map(found.map((one) => [one.pid, one]));
}
