import type { PfProgram } from "../model/skill.ts";
import type { PfHost, PfVerdict } from "../sandbox/pf-host.ts";

/** The part of a host that judges recorded episodes. */
export type Folding = Pick<PfHost, "fold">;

/** A host in which these programs are loaded. */
export interface LoadedHost {
  readonly host: PfHost;
  readonly programs: readonly PfProgram[];
}

type Judge<Item, Result> = (item: Item, host: Folding) => Promise<Result>;

interface Judged<Result> {
  readonly result: Result;
  /** A PF met a limit of its sandbox, which bars it after some of them (sandbox/strikes.ts). */
  readonly hasBroken: boolean;
}

/** Crossings before further hosts start: a start takes about as long, so fewer episodes gain nothing from it. */
const BEFORE_FURTHER = 32;
/** Items in progress for each host, so that the others go on while the order waits for a long one. */
const AHEAD = 4;

const isBreak = (verdict: PfVerdict): boolean => verdict.kind === "error" && verdict.cause === "host";

/** The hosts that share the work: the first one alone at the beginning. */
class Team<Item, Result> {
  private readonly first: LoadedHost;
  private readonly judgeIn: Judge<Item, Result>;
  /** `busy`: items in progress there. */
  private members: { readonly host: PfHost; busy: number }[];
  private further: readonly PfHost[] = [];
  private crossings = 0;
  /** `serial`: one item at a time, in their order. */
  private state: "open" | "serial" | "closed" = "open";

  constructor(first: LoadedHost, judgeIn: Judge<Item, Result>) {
    this.first = first;
    this.judgeIn = judgeIn;
    this.members = [{ host: first.host, busy: 0 }];
  }

  get isShared(): boolean {
    return this.members.length > 1;
  }

  get isSerial(): boolean {
    return this.state === "serial";
  }

  /** Items that may be in progress. */
  get room(): number {
    return this.isShared ? this.members.length * AHEAD : 1;
  }

  /** Judges in the host that has the least to do. */
  async judge(item: Item): Promise<Judged<Result>> {
    const member = this.members.reduce((least, one) => (one.busy < least.busy ? one : least));
    let hasBroken = false;
    const fold: PfHost["fold"] = async (skillIds, steps) => {
      const verdicts = await member.host.fold(skillIds, steps);
      hasBroken ||= [...verdicts.values()].some((list) => list.some(isBreak));
      if (!hasBroken && skillIds.length > 0 && steps.length > 0) this.count();
      return verdicts;
    };
    member.busy += 1;
    try {
      return { result: await this.judgeIn(item, { fold }), hasBroken };
    } finally {
      member.busy -= 1;
    }
  }

  private count(): void {
    this.crossings += 1;
    if (this.crossings !== BEFORE_FURTHER || this.state !== "open") return;
    this.further = this.first.host.further?.() ?? [];
    for (const host of this.further) void this.join(host);
  }

  /** A host that does not load everything takes no part: the others do its work. */
  private async join(host: PfHost): Promise<void> {
    const { programs } = this.first;
    const loaded = await host.load(programs).catch(() => []);
    const isReady = loaded.length === programs.length && loaded.every(({ ok }) => ok);
    if (isReady && this.state === "open") this.members.push({ host, busy: 0 });
  }

  /** One item at a time from now on, in a host that has judged none out of order. */
  async goSerial(): Promise<void> {
    const wasShared = this.isShared;
    this.state = "serial";
    await this.closeFurther();
    if (!wasShared) return;
    const { host, programs } = this.first;
    this.further = host.further?.() ?? [];
    const [fresh = host] = this.further;
    await fresh.load(programs);
    this.members = [{ host: fresh, busy: 0 }];
  }

  async close(): Promise<void> {
    this.state = "closed";
    await this.closeFurther();
  }

  private async closeFurther(): Promise<void> {
    await Promise.all(this.further.map((host) => host.close()));
  }
}

interface Queued<Item, Result> {
  readonly item: Item;
  /** Undefined: it begins when it is its turn. */
  readonly work?: Promise<Judged<Result>>;
}

/**
 * Judges items in a host and, once there are many, in the further ones that it offers. The results come in the order of the items and do
 * not depend on the number of hosts. After a PF broke its sandbox, verdicts depend on the items before, so one host judges the rest, one
 * item after the other. Rejects with the first error in that order. When it ends, no host is in use and the further ones are closed. No
 * item begins after an abort.
 */
export async function* judgeInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  judge: Judge<Item, Result>,
  first: LoadedHost,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly item: Item; readonly result: Result }> {
  const team = new Team(first, judge);
  let queue: readonly Queued<Item, Result>[] = [];
  const settled = () => Promise.allSettled(queue.flatMap(({ work }) => work ?? []));

  function begin(item: Item): void {
    const work = team.judge(item);
    // An error is thrown when its turn comes.
    work.catch(() => undefined);
    queue = [...queue, { item, work }];
  }

  async function oldest({ item, work = team.judge(item) }: Queued<Item, Result>): Promise<Result> {
    const { result, hasBroken } = await work;
    if (!hasBroken || team.isSerial) return result;
    await settled();
    const isSure = !team.isShared;
    await team.goSerial();
    queue = queue.map((one) => ({ item: one.item }));
    return isSure ? result : oldest({ item });
  }

  /** Results until so many items are in progress at most. */
  async function* until(most: () => number) {
    for (;;) {
      const [one, ...others] = queue;
      if (one === undefined || queue.length <= most() || signal?.aborted === true) return;
      queue = others;
      yield { item: one.item, result: await oldest(one) };
    }
  }

  try {
    for await (const item of items) {
      if (signal?.aborted === true) return;
      begin(item);
      yield* until(() => team.room - 1);
    }
    yield* until(() => 0);
  } finally {
    await team.close();
    await settled();
  }
}
