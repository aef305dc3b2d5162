import { describe, expect, it } from "vitest";
import { episodeSignals } from "../../../../src/analysis/signals/episode-signals.ts";
import type { Episode } from "../../../../src/model/episode.ts";
import {
  DEFAULT_WEIGHTS,
  FAMILIES,
  familyWeights,
  type SignalFamily,
} from "../../../../src/model/signals.ts";
import { final, hostOf, injects, modifiesTo, play, read, search } from "../../../support/episodes.ts";
import { rounded } from "../../../support/signal-steps.ts";

// The worked values of SPEC §8, of episodes that the loop itself has made: 12 steps at most, reserved slots 0.15, no measure of the domain.
const CONTROL = { maxSteps: 12 };

const RIGHT = "Sam Walton";
const WRONG = "Ida Moen";
const gold = [RIGHT];

const at = (episode: Episode, t: number) => {
  const found = episodeSignals(episode, DEFAULT_WEIGHTS).steps[t];
  if (found === undefined) throw new Error(`no step ${t}`);
  return found;
};

/** Proposes an answer at step 3, which becomes a READ because nothing was read. */
async function repaired(answer: string): Promise<Episode> {
  const host = hostOf(({ proposed, context }) =>
    proposed.type === "FINAL" && !context.hasRead ? [modifiesTo("reader", "READ", "doc_0")] : [],
  );
  const script = [search("Walton"), search("Walton husband"), final(answer), final(answer)];
  return play({ script, host, gold, control: CONTROL });
}

const untouched = (answer: string): Promise<Episode> =>
  play({
    script: [search("Walton"), read("doc_0"), search("Helen"), final(answer)],
    gold,
    control: CONTROL,
  });

const warned = (answer: string): Promise<Episode> =>
  play({
    script: [search("Walton"), read("doc_0"), search("Helen"), final(answer)],
    host: hostOf(({ context }) => (context.stepCount === 0 ? [injects("warner", "Look again.")] : [])),
    gold,
    control: CONTROL,
  });

describe("the worked values of a step", () => {
  it("FINAL → READ at t = 2 of 12, in an episode with a right answer", async () => {
    const episode = await repaired(RIGHT);
    expect(episode).toMatchObject({ outcome: "correct", length: 4, facts: { maxSteps: 12 } });
    expect(at(episode, 2)).toMatchObject({
      correction: "modified",
      acted: ["reader"],
      proposed: final(RIGHT),
      executed: read("doc_0"),
    });
    expect(rounded(at(episode, 2))).toEqual({ families: [0.5833, 0.35, 0.55, 0.72], A: 0.62 });
  });

  it("the same repair in a failed episode stays over the floor of 0.25", async () => {
    const episode = await repaired(WRONG);
    expect(episode.outcome).toBe("wrong");
    expect(rounded(at(episode, 2))).toEqual({ families: [0.5833, 0.35, 0.55, 0.22], A: 0.37 });
  });

  it.each([
    [RIGHT, 0.2875],
    [WRONG, 0.0875],
  ])("a plain safe step before the answer %s is worth %d", async (answer, A) => {
    const episode = await untouched(answer);
    for (const t of [0, 1, 2, 3]) expect(rounded(at(episode, t)).A).toBe(A);
  });

  it("a risky step without a Program Function, in an episode with a right answer", async () => {
    const episode = await play({ script: [search("Walton"), final(RIGHT)], gold, control: CONTROL });
    expect(rounded(at(episode, 1))).toEqual({ families: [-0.2, 0, 0.35, 0.4], A: 0.2575 });
  });

  it.each([
    [RIGHT, 0.3075],
    [WRONG, 0.1075],
  ])("a false-positive INJECT at t = 0 before the answer %s is worth %d", async (answer, A) => {
    const episode = await warned(answer);
    expect(at(episode, 0)).toMatchObject({ correction: "none", acted: ["warner"] });
    expect(rounded(at(episode, 0)).A).toBe(A);
  });
});

describe("the worked values of an episode", () => {
  it("is half the mean of its steps and half its exact match", async () => {
    // Two plain steps, the repair, and an answer with something read at step count 3.
    const mean = (2 * 0.2875 + 0.62 + 0.2875) / 4;
    const { mean: found, reward, passed } = episodeSignals(await repaired(RIGHT), DEFAULT_WEIGHTS);
    expect([found, reward, passed]).toEqual([
      expect.closeTo(mean, 10),
      expect.closeTo(mean / 2 + 0.5, 10),
      true,
    ]);
  });

  it("of a failed episode lacks the half of the outcome", async () => {
    const mean = (2 * 0.0875 + 0.37 + 0.0875) / 4;
    const { reward, passed } = episodeSignals(await repaired(WRONG), DEFAULT_WEIGHTS);
    expect([reward, passed]).toEqual([expect.closeTo(mean / 2, 10), false]);
  });
});

describe("the weights that an ablation leaves", () => {
  it.each<[SignalFamily, readonly number[]]>([
    ["outcome", [0.3, 0.2, 0.5, 0]],
    ["modality", [0.1667, 0, 0.2778, 0.5556]],
    ["timing", [0, 0.1176, 0.2941, 0.5882]],
    ["correctness", [0.2, 0.1333, 0, 0.6667]],
  ])("without %s", async (dropped, weights) => {
    const ablated = { ...DEFAULT_WEIGHTS, dropped: [dropped] };
    const by = familyWeights(ablated);
    expect(FAMILIES.map((family) => Number(by[family].toFixed(4)))).toEqual(weights);

    const [repair] = episodeSignals(await repaired(RIGHT), ablated).steps.slice(2);
    const families = [0.58333, 0.35, 0.55, 0.72];
    const worked = families.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
    expect(repair?.reward).toBeCloseTo(worked, 3);
  });
});
