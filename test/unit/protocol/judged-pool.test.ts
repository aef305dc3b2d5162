import { expect, it } from "vitest";
import type { JudgedEpisode } from "../../../src/protocol/judged-pool.ts";
import { judgedPool, unpool } from "../../../src/protocol/judged-pool.ts";

function judged(reasons: readonly string[]): JudgedEpisode {
  const steps = reasons.map((reason, t) => ({
    t,
    pfs: ["a", "b"].map((skillId) => ({
      event: { skillId, proposal: 0, status: "skipped" as const, reason },
      reason,
      explanation: undefined,
    })),
    executed: undefined,
    injected: [],
    diverged: t > 0,
  }));
  return { marks: [], steps };
}

it("keeps what Program Functions say again and again once, and gives back what was put in", () => {
  const pool = judgedPool();
  const episodes = [judged(["no", "no", "yes"]), judged(["no"]), judged([])];
  const pooled = episodes.map((episode) => pool.put(episode));
  expect(pool.entries).toHaveLength(4);
  const read = JSON.parse(JSON.stringify({ pooled, entries: pool.entries })) as {
    pooled: typeof pooled;
    entries: typeof pool.entries;
  };
  expect(read.pooled.map((one) => unpool(one, read.entries))).toEqual(JSON.parse(JSON.stringify(episodes)));
});

it("leaves out what a damaged page does not hold", () => {
  const pool = judgedPool();
  const pooled = pool.put(judged(["no"]));
  expect(unpool(pooled, []).steps[0]?.pfs).toEqual([]);
});
