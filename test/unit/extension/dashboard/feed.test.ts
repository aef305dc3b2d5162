import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FeedPorts, startFeed } from "../../../../src/extension/dashboard/feed.ts";
import { joinedRuns, type Training } from "../../../../src/extension/dashboard/training-runs.ts";

const encoder = new TextEncoder();
const texts = new Map<string, string>();
const read: string[] = [];
const files = {
  stat: async (path: string) => {
    const text = texts.get(path);
    return text === undefined ? undefined : { size: text.length, isFile: true };
  },
  read: async (path: string, from: number, length: number) => {
    read.push(path);
    return encoder.encode(texts.get(path) ?? "").slice(from, from + length);
  },
  append: async () => undefined,
} as unknown as FeedPorts["files"];

/** Milliseconds that no test waits. */
const NEVER = 3_600_000;

const row = (step: number): string => `{"step": ${step}, "iteration": 1, "loss": 0.5}\n`;
const training = (id: string, createdAt: string, status: Training["status"] = "running"): Training => ({
  id,
  title: `title of ${id}`,
  status,
  words: status,
  createdAt,
  files: [{ path: `/${id}`, name: "metrics.jsonl" }],
});

function world(...trainings: Training[]) {
  return timedWorld({ listEveryMs: 0, lookEveryMs: NEVER }, ...trainings);
}

function timedWorld(times: Pick<FeedPorts, "listEveryMs" | "lookEveryMs">, ...trainings: Training[]) {
  const listeners = new Set<() => void>();
  const sent: unknown[] = [];
  const failures: unknown[] = [];
  let lists = 0;
  const source = {
    list: async () => {
      lists++;
      return [...trainings];
    },
    onDidChange: (listener: () => void) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
  };
  const feed = startFeed({
    runs: joinedRuns([source]),
    files,
    ...times,
    send: (name, payload) => {
      const { columns, ...rest } = payload as { readonly columns?: { readonly step: Float64Array } };
      sent.push([name, rest, ...(columns === undefined ? [] : [[...columns.step]])]);
    },
    onFailed: (error) => void failures.push(error),
  });
  return {
    feed,
    sent,
    failures,
    listeners,
    trainings,
    lists: () => lists,
    changed: () => listeners.forEach((one) => one()),
  };
}

describe("The feed of the dashboard", () => {
  beforeEach(() => {
    texts.clear();
    read.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("lists all trainings, newest first, and reads those alone that are shown", async () => {
    const { feed, sent } = world(training("old", "2026-01-01"), training("new", "2026-02-01"));
    texts.set("/old", row(10)).set("/new", row(10) + row(20));
    const page = await feed.open(undefined);
    expect(page.runs.map(({ id }) => id)).toEqual(["new", "old"]);
    expect(page.runs[0]).toEqual({ id: "new", title: "title of new", status: "running", words: "running" });
    await feed.show(["new"]);
    expect(sent).toEqual([["points", { run: "new", from: 0 }, [10, 20]]]);
    expect(new Set(read)).toEqual(new Set(["/new"]));
    expect(feed.followed()).toEqual([{ id: "new", points: 2 }]);
  });

  it("sends what is new of a file that grows, and half a line once nobody writes any more", async () => {
    const { feed, sent, changed, trainings } = world(training("a", ""));
    await feed.open(undefined);
    await feed.show(["a"]);
    expect(sent).toEqual([["points", { run: "a", from: 0 }, []]]);
    texts.set("/a", row(10) + '{"step"');
    changed();
    await expect.poll(() => sent.at(-1)).toEqual(["points", { run: "a", from: 0 }, [10]]);
    texts.set("/a", row(10) + row(20) + '{"step"');
    changed();
    await expect.poll(() => sent.at(-1)).toEqual(["points", { run: "a", from: 1 }, [20]]);
    trainings[0] = training("a", "", "failed");
    changed();
    await expect
      .poll(() => sent.slice(3))
      .toEqual([
        [
          "runs",
          { runs: [{ id: "a", title: "title of a", status: "failed", words: "failed" }], first: null },
        ],
        ["troubles", { run: "a", messages: ["metrics.jsonl ends in half a line, which is left out."] }],
      ]);
  });

  it("sends points at once, and lists the trainings seldom while their files grow", async () => {
    const { feed, sent, changed, lists } = timedWorld(
      { listEveryMs: NEVER, lookEveryMs: NEVER },
      training("a", ""),
    );
    await feed.open(undefined);
    await feed.show(["a"]);
    for (const steps of [1, 2, 3]) {
      texts.set("/a", [10, 20, 30].slice(0, steps).map(row).join(""));
      changed();
      const points = ["points", { run: "a", from: steps - 1 }, [10 * steps]];
      await expect.poll(() => sent.at(-1)).toEqual(points);
    }
    expect(lists()).toBe(1);
    feed.dispose();
  });

  it("finds that a file has grown where no event tells of it, until its training has ended", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const times = { listEveryMs: 0, lookEveryMs: 1_000 };
    const { feed, sent, changed, trainings, lists } = timedWorld(times, training("a", ""), training("b", ""));
    texts.set("/a", row(10));
    await feed.open(undefined);
    await feed.show(["a"]);
    texts.set("/a", row(10) + row(20));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent.at(-1)).toEqual(["points", { run: "a", from: 1 }, [20]]);
    texts.set("/a", row(10) + row(15));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent.at(-1)).toEqual(["points", { run: "a", from: 1 }, [15]]);
    expect([lists(), new Set(read)]).toEqual([1, new Set(["/a"])]);
    trainings[0] = training("a", "", "succeeded");
    changed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
    feed.dispose();
  });

  it("sends long runs in pieces, and all again to a view that was loaded anew", async () => {
    const { feed, sent } = world(training("a", ""));
    texts.set("/a", Array.from({ length: 25_000 }, (_, i) => row(i + 1)).join(""));
    for (let load = 0; load < 2; load++) {
      await feed.open(undefined);
      await feed.show(["a"]);
    }
    const pieces = sent as [string, { from: number }, number[]][];
    expect(pieces.map(([, { from }, steps]) => [from, steps.length])).toEqual([
      [0, 10_000],
      [10_000, 10_000],
      [20_000, 5_000],
      [0, 10_000],
      [10_000, 10_000],
      [20_000, 5_000],
    ]);
  });

  it("names the run that was asked for, also by a folder below it, and none that is not there", async () => {
    const { feed } = world(training("file:///e1", ""), training("file:///e12", ""));
    expect((await feed.open("file:///e12")).first).toBe("file:///e12");
    expect((await feed.page("file:///e1/jobs/train-1")).first).toBe("file:///e1");
    expect((await feed.page("file:///gone")).first).toBeNull();
  });

  it("writes the followed runs as CSV, and hears of nothing once it is disposed", async () => {
    const { feed, listeners } = world(training("a", ""), training("b", ""));
    texts.set("/a", row(10)).set("/b", row(20));
    await feed.open(undefined);
    await feed.show(["b"]);
    expect(feed.csv().split("\n").slice(1)).toEqual(["title of b,1,20,,0.5,,,,,", ""]);
    feed.dispose();
    expect(listeners.size).toBe(0);
  });
});
