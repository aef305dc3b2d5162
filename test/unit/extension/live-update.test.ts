import { expect, it } from "vitest";
import { liveUpdate } from "../../../src/extension/replay/live-update.ts";
import type { Episode } from "../../../src/model/episode.ts";
import type { PartialEpisode } from "../../../src/model/live-episode.ts";
import { episode, step } from "../trace/support.ts";

const partial = (steps: Episode["steps"], phase?: PartialEpisode["phase"]): PartialEpisode => ({
  episode: episode("a", { steps, outcome: "halted", stopReason: "interrupted" }),
  phase,
});

const held = step(0, "FINAL", "1907");
const last = step(1, "FINAL", "1908");

it("sends new steps, and the last one again where it was in progress", () => {
  expect(liveUpdate(undefined, partial([held]))).toMatchObject({ from: 0, steps: [held] });
  expect(liveUpdate(partial([held]), partial([held, last]))).toMatchObject({ from: 1, steps: [last] });
  expect(liveUpdate(partial([held], "judged"), partial([held, last])).from).toBe(0);
});

it("sends the earlier answers again once the end brought their verdicts", () => {
  const verdicts = [{ judge: "exact_match", score: 0, passed: false }];
  const judged = { ...held, proposals: held.proposals.map((proposal) => ({ ...proposal, verdicts })) };
  const update = liveUpdate(partial([held, last], "executed"), partial([judged, last]));
  expect(update).toMatchObject({ from: 0, steps: [judged, last] });
});
