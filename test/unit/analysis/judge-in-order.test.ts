import { describe, expect, it } from "vitest";
import { judgeInOrder, type Folding } from "../../../src/analysis/judge-in-order.ts";
import type { PfHost, PfVerdict, RecordedProposal } from "../../../src/sandbox/pf-host.ts";
import { manyHosts } from "../../support/many-hosts.ts";
import { pfFrom, question } from "../../support/pf-fixtures.ts";

const PROGRAM = pfFrom("pf", "");
const STEP: readonly RecordedProposal[] = [question("SEARCH", "x")];
/** Items until the further hosts are asked for. */
const ALONE = 32;

const unused = (): never => {
  throw new Error("not asked in these tests");
};

/** Answers as `answer` says. */
function fakeHost(answer: () => Promise<PfVerdict> = async () => SKIPPED): PfHost {
  return {
    load: async (programs) =>
      programs.map(({ skillId }) => ({
        skillId,
        ok: true,
        traits: { needsTeacher: false, maxFires: undefined, after: [], votes: false },
      })),
    fold: async (ids) => new Map(await Promise.all(ids.map(async (id) => [id, [await answer()]] as const))),
    close: async () => undefined,
    step: unused,
    mock: unused,
    votes: unused,
    probe: unused,
  };
}

const STATE = { memory: {}, fires: 0, modifies: 0 };
const SKIPPED: PfVerdict = { skillId: "pf", state: STATE, kind: "skipped" };

/** Numbers, with all further hosts at work from the 40th on. */
async function* numbers(count: number, joined: Promise<void>, onRead = (_: number): void => undefined) {
  for (let i = 0; i < count; i++) {
    if (i === ALONE + 8) await joined;
    onRead(i);
    yield i;
  }
}

const judge = async (item: number, host: Folding): Promise<number> => {
  await host.fold(["pf"], STEP);
  return item;
};

const first = (host: PfHost) => ({ host, programs: [PROGRAM] });

/** Resolves in another order than it is called. */
function shuffled(): () => Promise<PfVerdict> {
  let waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(SKIPPED));
      setTimeout(() => {
        const all = waiting.toReversed();
        waiting = [];
        for (const one of all) one();
      }, 0);
    });
}

describe("items judged in several hosts", () => {
  it("come in their order, and each host has its share", async () => {
    const { host, folds, joined, open } = manyHosts(3, () => fakeHost(shuffled()));
    const results: number[] = [];
    for await (const { item, result } of judgeInOrder(numbers(200, joined), judge, first(host))) {
      expect(result).toBe(item);
      results.push(item);
    }
    expect(results).toEqual(Array.from({ length: 200 }, (_, i) => i));
    expect(folds).toHaveLength(3);
    expect(folds.reduce((a, b) => a + b)).toBe(200);
    expect(Math.min(...folds)).toBeGreaterThan(20);
    expect(open()).toBe(0);
  });

  it("are read no further ahead than the hosts have work for", async () => {
    const { host, joined } = manyHosts(3, () => fakeHost(shuffled()));
    let [read, done, most] = [0, 0, 0];
    const items = numbers(200, joined, (i) => (read = i + 1));
    for await (const _ of judgeInOrder(items, judge, first(host))) most = Math.max(most, read - done++);
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThanOrEqual(12);
  });

  it("start no host where they are few, nor where none can be had", async () => {
    const { host, folds } = manyHosts(3, () => fakeHost());
    for await (const _ of judgeInOrder(numbers(ALONE - 1, Promise.resolve()), judge, first(host)));
    expect(folds).toEqual([ALONE - 1]);
    const alone: number[] = [];
    for await (const { item } of judgeInOrder(numbers(100, Promise.resolve()), judge, first(fakeHost())))
      alone.push(item);
    expect(alone).toHaveLength(100);
  });

  it("do without a host that does not load", async () => {
    const refusing = (): PfHost => ({ ...fakeHost(), load: () => Promise.reject(new Error("no thread")) });
    const { host, folds, open } = manyHosts(3, refusing);
    const done: number[] = [];
    for await (const { item } of judgeInOrder(numbers(100, Promise.resolve()), judge, first(host)))
      done.push(item);
    expect(done).toHaveLength(100);
    expect(folds).toEqual([100, 0, 0]);
    expect(open()).toBe(0);
  });

  it("end with the error of the first item that fails, once, and close the hosts", async () => {
    const { host, joined, open } = manyHosts(3, () => fakeHost(shuffled()));
    const failing = async (item: number, folding: Folding): Promise<number> => {
      await judge(item, folding);
      if (item >= 100) throw new Error(`item ${item}`);
      return item;
    };
    const done: number[] = [];
    await expect(async () => {
      for await (const { item } of judgeInOrder(numbers(200, joined), failing, first(host))) done.push(item);
    }).rejects.toThrow("item 100");
    expect(done).toHaveLength(100);
    expect(open()).toBe(0);
  });

  it("end where their reading fails, and close the hosts", async () => {
    const { host, joined, open } = manyHosts(3, () => fakeHost());
    const items = numbers(200, joined, (i) => {
      if (i === 100) throw new Error("the disk is gone");
    });
    await expect(async () => {
      for await (const _ of judgeInOrder(items, judge, first(host)));
    }).rejects.toThrow("the disk is gone");
    expect(open()).toBe(0);
  });

  it.each(["abort", "break"] as const)("end after %s, and nothing goes on", async (how) => {
    const { host, folds, joined, open } = manyHosts(3, () => fakeHost(shuffled()));
    const controller = new AbortController();
    const done: number[] = [];
    let isRead = 0;
    const items = numbers(200, joined, (i) => (isRead = i));
    for await (const { item } of judgeInOrder(items, judge, first(host), controller.signal)) {
      done.push(item);
      if (item < 100) continue;
      if (how === "break") break;
      controller.abort();
    }
    expect(done).toHaveLength(101);
    expect(open()).toBe(0);
    expect(isRead).toBeLessThan(120);
    expect(folds.reduce((a, b) => a + b)).toBeLessThanOrEqual(isRead + 1);
  });
});

describe("a PF that breaks its sandbox", () => {
  /** Bars after three breaks, as the product's hosts do; the PF breaks at every tenth item from 100 on. */
  const barring = () => {
    let breaks = 0;
    const error: PfVerdict = { skillId: "pf", state: STATE, kind: "error", cause: "host", message: "broke" };
    const host = fakeHost();
    return {
      ...host,
      async fold(ids: readonly string[], steps: readonly RecordedProposal[]) {
        const item = Number(steps[0]?.proposed.arg);
        if (breaks >= 3) return new Map(ids.map((id) => [id, [{ ...error, message: "barred" }]]));
        if (item < 100 || item % 10 !== 0) return host.fold(ids, steps);
        breaks += 1;
        return new Map(ids.map((id) => [id, [error]]));
      },
    };
  };

  it("has the verdicts that one host gives it, however many there are", async () => {
    const told = async (count: number) => {
      const { host, folds, joined, open } = manyHosts(count, barring);
      const asked = async (item: number, folding: Folding): Promise<string> => {
        const verdicts = await folding.fold(["pf"], [question("SEARCH", String(item))]);
        const verdict = verdicts.get("pf")?.[0];
        return verdict?.kind === "error" ? verdict.message : "none";
      };
      const results: string[] = [];
      const ready = count === 1 ? Promise.resolve() : joined;
      for await (const { result } of judgeInOrder(numbers(200, ready), asked, first(host)))
        results.push(result);
      expect(open()).toBe(0);
      return { results, hosts: folds.filter((folded) => folded > 0).length };
    };
    const [one, three] = [await told(1), await told(3)];
    expect(one.results.filter((result) => result === "barred")).toHaveLength(79);
    expect(three.results).toEqual(one.results);
    // Three that shared the work, and one that began anew.
    expect(three.hosts).toBe(4);
  });
});
