import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/trace/canonical-json.ts";
import { episodeFingerprint } from "../../../src/trace/fingerprint.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { final, play, search } from "../../support/episodes.ts";

const episode = (): Promise<Episode> => play({ script: [search("x"), final("y")], gold: ["y"] });

describe("the fingerprint of an episode", () => {
  it("does not see tokens, dollars and milliseconds", async () => {
    const one = await episode();
    const usage = { inputTokens: 5, outputTokens: 7, cost: 0.1, latencyMs: 80 };
    const other: Episode = {
      ...one,
      cost: usage,
      extra: { teacher: usage },
      steps: one.steps.map((step) => ({
        ...step,
        dispatchMs: 99,
        proposals: step.proposals.map((proposal) => ({ ...proposal, usage })),
      })),
    };
    expect(episodeFingerprint(other)).toBe(episodeFingerprint(one));
  });

  it("does not see in what order the keys stand, nor a way through JSON", async () => {
    const one = await episode();
    const turned = Object.fromEntries(Object.entries(one).toReversed()) as Episode;
    expect(episodeFingerprint(turned)).toBe(episodeFingerprint(one));
    expect(episodeFingerprint(JSON.parse(JSON.stringify(one)) as Episode)).toBe(episodeFingerprint(one));
  });

  it.each<[string, (one: Episode) => Episode]>([
    ["the answer", (one) => ({ ...one, answer: "z" })],
    ["the settings", (one) => ({ ...one, settings: { temperature: 1 } })],
    ["an observation", (one) => ({ ...one, steps: one.steps.map((s) => ({ ...s, observation: "!" })) })],
    ["a failure", (one) => ({ ...one, extra: { failure: { detail: "gone" } } })],
    ["a decision", (one) => ({ ...one, decisions: [{ part: "retry", by: "code", reason: "none" }] })],
  ])("sees a change of %s", async (_what, change) => {
    const one = await episode();
    expect(episodeFingerprint(change(one))).not.toBe(episodeFingerprint(one));
  });
});

describe("canonical JSON", () => {
  it("sorts keys at every depth and keeps lists as they are", () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }, 3], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1},3]}');
    expect(canonicalJson({ a: undefined })).toBe("{}");
    expect(canonicalJson(undefined)).toBe("null");
    expect(canonicalJson({ usage: 1, in: { usage: 2, kept: 3 } }, new Set(["usage"]))).toBe(
      '{"in":{"kept":3}}',
    );
  });
});
