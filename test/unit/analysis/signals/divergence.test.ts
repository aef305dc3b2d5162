import { describe, expect, it } from "vitest";
import { divergenceOf } from "../../../../src/analysis/signals/divergence.ts";
import { episodeSignals } from "../../../../src/analysis/signals/episode-signals.ts";
import { DEFAULT_WEIGHTS } from "../../../../src/model/signals.ts";
import { final, read, search } from "../../../support/episodes.ts";
import {
  changed,
  episodeOf,
  event,
  inject,
  looked,
  plain,
  slotAt,
  step,
  type MadeStep,
} from "../../../support/signal-steps.ts";

const RECORDED = { settings: { policy: "recorded:.hasp/runs/first" } };

/** A context that the policy read with the observation, or that held back its answer. */
const warned = (one: MadeStep): MadeStep => ({
  ...one,
  events: [event("applied", inject)],
  injected: [{ skillId: "helper", text: "Look again." }],
});
const answer = step(final("Sam"));
const repaired = [...looked, changed(final("Sam"), search("Sam")), answer];
const hinted = [step(search("Walton")), warned(step(read("doc_0"))), step(search("Helen")), answer];

describe("a re-driven episode", () => {
  it("diverges at the first step at which another action ran", () => {
    const episode = episodeOf(repaired, RECORDED);
    expect(divergenceOf(episode)).toEqual({ t: 2, by: "action" });
  });

  it("diverges at the first step whose context the recorded policy never read", () => {
    expect(divergenceOf(episodeOf(hinted, RECORDED))).toEqual({ t: 1, by: "context" });
    const held = warned(step(final("Sam"), { again: [search("Helen")] }));
    expect(divergenceOf(episodeOf([...looked, held, answer], RECORDED))).toEqual({ t: 2, by: "context" });
  });

  it("diverges once, at the earlier of both", () => {
    const late = [...hinted.slice(0, 3), changed(final("Sam"), search("Sam"))];
    expect(divergenceOf(episodeOf(late, RECORDED))).toEqual({ t: 1, by: "context" });
    const both = warned(changed(final("Sam"), search("Sam")));
    expect(divergenceOf(episodeOf([both], RECORDED))).toEqual({ t: 0, by: "action" });
  });

  it("that nothing changed stays on its record and keeps its outcome", () => {
    const silent = step(final("Sam"), { events: [event("noop"), event("limited", inject)] });
    const episode = episodeOf([...looked, silent], RECORDED);
    expect(divergenceOf(episode)).toBeUndefined();
    expect(episodeSignals(episode, DEFAULT_WEIGHTS)).toMatchObject({ passed: true, divergence: undefined });
    expect(slotAt("s4.downstream", episode, 0)).toBe(1);
  });

  it("keeps the outcome of an answer that was reworded as it was given, for that answer was judged", () => {
    const episode = episodeOf([...looked, changed(final("The answer is Sam"), final("Sam"))], RECORDED);
    expect(episodeSignals(episode, DEFAULT_WEIGHTS)).toMatchObject({ passed: true, divergence: undefined });
    expect(slotAt("s4.downstream", episode, 2)).toBe(1);
  });

  it("costs no more than the steps up to its divergence", () => {
    const long = [...repaired.slice(0, 3), ...plain(22)];
    expect(slotAt("s4.cost", episodeOf(long), 0)).toBe(1);
    expect(slotAt("s4.cost", episodeOf(long, RECORDED), 0)).toBe(0);
  });

  it.each([
    ["a change", repaired, 2],
    ["a context", hinted, 1],
  ])("has no outcome after %s, and a mean of the steps up to there", (_, steps, last) => {
    for (const outcome of ["correct", "wrong", "halted"] as const) {
      const episode = episodeOf(steps, { ...RECORDED, outcome });
      const { mean, reward, passed, steps: scored } = episodeSignals(episode, DEFAULT_WEIGHTS);
      expect([reward, passed]).toEqual([undefined, undefined]);
      const counted = scored.slice(0, last + 1).map((one) => one.reward);
      expect(mean).toBeCloseTo(counted.reduce((sum, one) => sum + one, 0) / (last + 1), 10);
      for (const { values } of scored) {
        expect(values["s4.downstream"]).toMatchObject({
          value: 0,
          reason: expect.stringContaining("unknown"),
        });
        expect(values["s4.side_effect"].value).toBe(0);
      }
    }
  });
});

describe("an episode of any other policy", () => {
  it.each([
    undefined,
    {},
    { policy: "openai:gpt-4o" },
    { policy: "scripted:script.json" },
    { policy: "served" },
    { policy: "http://127.0.0.1/v1#recorded:model" },
  ])("with the settings %j never diverges", (settings) => {
    for (const steps of [repaired, hinted]) {
      const episode = episodeOf(steps, settings && { settings });
      expect(divergenceOf(episode)).toBeUndefined();
      expect(episodeSignals(episode, DEFAULT_WEIGHTS).passed).toBe(true);
    }
  });

  it.each([
    ["correct", true],
    ["wrong", false],
    ["halted", false],
    ["unjudged", undefined],
  ] as const)("that is %s has passed: %s", (outcome, passed) => {
    const found = episodeSignals(episodeOf([...looked, answer], { outcome }), DEFAULT_WEIGHTS);
    expect(found.passed).toBe(passed);
    expect(found.reward).toEqual(
      passed === undefined ? undefined : expect.closeTo(found.mean / 2 + (passed ? 0.5 : 0), 10),
    );
  });

  it("without steps has a mean of 0", () => {
    expect(episodeSignals(episodeOf([], { outcome: "halted" }), DEFAULT_WEIGHTS)).toMatchObject({
      steps: [],
      mean: 0,
      reward: 0,
      passed: false,
    });
  });
});
