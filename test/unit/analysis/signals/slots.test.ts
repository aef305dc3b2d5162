import { describe, expect, it } from "vitest";
import { fineScore, slotNumbers } from "../../../../src/analysis/signals/aggregate.ts";
import { episodeSignals } from "../../../../src/analysis/signals/episode-signals.ts";
import type { Decision } from "../../../../src/model/decision.ts";
import type { Episode } from "../../../../src/model/episode.ts";
import type { PfStatus } from "../../../../src/model/intervention.ts";
import { DEFAULT_WEIGHTS, SLOTS, type SignalSlot } from "../../../../src/model/signals.ts";
import { final, hostOf, injects, play, read, search } from "../../../support/episodes.ts";
import {
  changed,
  episodeOf,
  event,
  FACTS,
  inject,
  looked,
  modify,
  only,
  plain,
  signalsAt,
  slotAt,
  step,
} from "../../../support/signal-steps.ts";

const WRONG = { outcome: "wrong" } as const;
const acts = [event("noop")];
const judged = new Map([[0, { score: 1, by: "teacher" }]]);
const invalid = { type: "invalid", arg: "hm" };
/** An episode that ends with an answer. */
const answered = (...before: Parameters<typeof episodeOf>[0]) => episodeOf([...before, step(final("Sam"))]);

/** For each slot a step at which it has its highest value, and one at which it is 0. */
interface SlotCase {
  readonly slot: SignalSlot;
  readonly highest: Episode;
  readonly value?: number;
  readonly none: Episode;
  readonly semantic?: typeof judged;
}

const CASES: readonly SlotCase[] = [
  {
    slot: "s1.tp",
    highest: episodeOf([step(final("Sam"), { events: acts })]),
    none: episodeOf([step(final("Sam"))]),
  },
  {
    slot: "s1.fp",
    highest: episodeOf([step(search("x"), { events: acts })]),
    none: episodeOf([step(final("Sam"), { events: acts })]),
  },
  { slot: "s1.fn", highest: episodeOf([step(final("Sam"))]), none: episodeOf([step(search("x"))]) },
  {
    slot: "s1.phase",
    highest: episodeOf([step(search("x"), { events: acts })]),
    none: episodeOf([step(search("x"))]),
  },
  {
    slot: "s2.pre_action",
    highest: episodeOf([changed(final("Sam"), read("doc_0"))]),
    none: episodeOf([step(search("x"), { events: acts })]),
  },
  {
    slot: "s2.post_obs",
    highest: episodeOf([step(search("x"), { events: [event("applied", inject)] })]),
    none: episodeOf([changed(final("Sam"), read("doc_0"))]),
  },
  { slot: "s3.syntactic", highest: episodeOf([step(search("x"))]), none: episodeOf([step(search(" "))]) },
  {
    slot: "s3.semantic",
    highest: episodeOf([step(search("x"))]),
    semantic: judged,
    none: episodeOf([step(search("x"))]),
  },
  {
    slot: "s4.local",
    value: 0.8,
    highest: episodeOf([changed(final("Sam"), read("doc_0"))]),
    none: episodeOf([step(final("Sam"))]),
  },
  {
    slot: "s4.downstream",
    highest: episodeOf([step(final("Sam"))]),
    none: episodeOf([step(final("Sam"))], WRONG),
  },
  { slot: "s4.cost", highest: episodeOf(plain(25)), none: episodeOf(plain(15)) },
  {
    slot: "s4.side_effect",
    highest: episodeOf([changed(final("Sam"), read("doc_0"))], WRONG),
    none: episodeOf([changed(final("Sam"), read("doc_0"))]),
  },
];

describe("each slot alone", () => {
  it("is among these cases, except for those that need a domain or are reserved", () => {
    const elsewhere = ["s2.pre_reasoning", "s2.post_action", "s3.domain"];
    expect([...CASES.map(({ slot }) => slot), ...elsewhere].toSorted()).toEqual(SLOTS.toSorted());
  });

  it.each(CASES)(
    "$slot is at its highest at one step and 0 at another",
    ({ slot, highest, value = 1, none, semantic }) => {
      expect(slotAt(slot, highest, 0, semantic)).toBe(value);
      if (slot === "s3.semantic") {
        // Without a teacher its least value is that of an action which nobody changed.
        expect(slotAt(slot, none, 0)).toBe(0.3);
        expect(slotAt(slot, none, 0, new Map([[0, { score: 0, by: "teacher" }]]))).toBe(0);
      } else expect(slotAt(slot, none, 0)).toBe(0);
    },
  );

  it.each(CASES)("$slot is all of A where all others are dropped, with the sign of a penalty", (one) => {
    const { slot, highest, value = 1, semantic } = one;
    const sign = Math.sign(DEFAULT_WEIGHTS.slots[slot]);
    const weights = only(slot);
    expect(signalsAt(highest, 0, { weights, ...(semantic && { semantic }) })).toMatchObject({
      reward: expect.closeTo(sign * value, 10),
      fine: expect.closeTo(sign * value, 10),
    });
    const numbers = slotNumbers((each) => (each === slot ? value : 1));
    expect(fineScore(numbers, weights, { normalised: false })).toBeCloseTo(
      DEFAULT_WEIGHTS.slots[slot] * value,
      10,
    );
    expect(fineScore(numbers, weights, { normalised: true })).toBeCloseTo(sign * value, 10);
  });

  it.each(["s2.pre_reasoning", "s2.post_action"] as const)(
    "%s is reserved: 0 at every step, with a weight of 0.15 that counts",
    (slot) => {
      const all = CASES.flatMap(({ highest, none }) => [highest, none]);
      const values = all.flatMap((episode) => episodeSignals(episode, DEFAULT_WEIGHTS).steps);
      expect(new Set(values.map(({ values: by }) => by[slot].value))).toEqual(new Set([0]));
      expect(DEFAULT_WEIGHTS.slots[slot]).toBe(0.15);
      const numbers = slotNumbers((each) => (each === "s2.pre_action" ? 1 : 0));
      const dropped = SLOTS.filter((each) => each !== slot && each !== "s2.pre_action");
      expect(fineScore(numbers, { ...DEFAULT_WEIGHTS, dropped }, { normalised: true })).toBeCloseTo(0.7, 10);
    },
  );
});

describe("fine mode", () => {
  it("is Σ w·value, divided by Σ |w| where it is normalised", () => {
    const numbers = slotNumbers((slot) => (slot === "s1.fp" || slot === "s3.semantic" ? 0.5 : 0));
    const sum = -0.1 * 0.5 + 0.5 * 0.5;
    const total = 0.5 + 1 + 1 + 1;
    expect(fineScore(numbers, DEFAULT_WEIGHTS, { normalised: false })).toBeCloseTo(sum, 10);
    expect(fineScore(numbers, DEFAULT_WEIGHTS, { normalised: true })).toBeCloseTo(sum / total, 10);
  });

  it("of a step is normalised, whatever the weights of the families are", () => {
    const episode = episodeOf([step(search("x")), step(final("Sam"))]);
    // A plain safe step: a valid action (0.2), the fallback of 0.3 (0.15) and a right answer (0.4).
    const fine = (0.2 + 0.15 + 0.4) / 3.5;
    const families = { timing: 1, modality: 0, correctness: 0, outcome: 0 };
    for (const weights of [DEFAULT_WEIGHTS, { ...DEFAULT_WEIGHTS, families }])
      expect(signalsAt(episode, 0, { weights }).fine).toBeCloseTo(fine, 10);
  });
});

describe("a risky step", () => {
  const isRisky = (episode: Episode, t = episode.length - 1): boolean => slotAt("s1.fn", episode, t) === 1;
  const empty = step(search("x"), { observation: "No results found." });

  it.each<[string, Episode, boolean]>([
    [
      "an answer with nothing read",
      answered(step(search("a")), step(search("b")), step(search("c")), step(search("d"))),
      true,
    ],
    ["an answer at step count 2", answered(...looked), true],
    ["an answer at step count 3, with something read", answered(...looked, step(search("b"))), false],
    [
      "an answer after a READ that brought nothing",
      answered(step(search("a")), step(read("doc_9"), { observation: "" }), step(search("b"))),
      true,
    ],
    ["a search after an empty one", episodeOf([empty, step(search("y"))]), true],
    ["a search after one that brought something", episodeOf([step(search("x")), step(search("y"))]), false],
    ["a search two steps after an empty one", episodeOf([empty, step(read("d")), step(search("y"))]), true],
    [
      "a search after a full one that follows an empty one",
      episodeOf([empty, step(search("y")), step(search("z"))]),
      false,
    ],
    ["a READ after an empty search", episodeOf([empty, step(read("doc_0"))]), false],
    ["a READ as the first step", episodeOf([step(read("doc_0"))]), false],
    ["a text that is no action", episodeOf([step(invalid)]), false],
  ])("%s", (_, episode, risky) => {
    expect(isRisky(episode)).toBe(risky);
  });

  it("is judged by the proposal, whatever ran", () => {
    expect(slotAt("s1.tp", episodeOf([changed(final("Sam"), search("Sam"))]))).toBe(1);
    expect(slotAt("s1.fp", episodeOf([changed(search("Sam"), final("Sam"))]))).toBe(1);
  });

  it("is judged by the first proposal where a context held it back", () => {
    const held = step(final("Sam"), { again: [search("Sam")], events: [event("applied", inject)] });
    expect(slotAt("s1.tp", episodeOf([held]))).toBe(1);
  });

  it("is not an answer after a search that returned text itself: a snippet counts as read", () => {
    const steps = [step(search("a")), step(search("b")), step(search("c")), step(final("Sam"))];
    const snippets = { ...FACTS, actionTypes: ["SEARCH"], searchReturnsText: true };
    expect(isRisky(episodeOf(steps))).toBe(true);
    expect(isRisky(episodeOf(steps, { facts: snippets }))).toBe(false);
    expect(isRisky(episodeOf(steps, { facts: { ...snippets, readBecomesSearch: true } }))).toBe(false);
    const nothing = steps.map((one) => ({ ...one, observation: "No results found." }));
    expect(isRisky(episodeOf(nothing, { facts: snippets }))).toBe(true);
  });

  it("of a domain with a final action of its own is an answer by its name", () => {
    const facts = { ...FACTS, domain: "agent", actionTypes: ["LOOK"], finalAction: "GUESS" };
    expect(isRisky(episodeOf([step({ type: "GUESS", arg: "42" })], { facts }))).toBe(true);
    expect(isRisky(episodeOf([step(final("42"))], { facts }))).toBe(false);
  });
});

describe("activated", () => {
  const statuses: [PfStatus, 0 | 1][] = [
    ["applied", 1],
    ["overridden", 1],
    ["noop", 1],
    ["skipped", 0],
    ["limited", 0],
    ["error", 0],
  ];

  it.each(statuses)("%s counts %d", (status, counts) => {
    const risky = episodeOf([step(final("Sam"), { events: [event(status, inject)] })]);
    const safe = episodeOf([step(search("x"), { events: [event(status, inject)] })]);
    expect([slotAt("s1.tp", risky), slotAt("s1.fn", risky)]).toEqual([counts, 1 - counts]);
    expect([slotAt("s1.fp", safe), slotAt("s1.phase", safe)]).toEqual([counts, counts]);
  });

  it.each([
    [0, 1],
    [3, 0.75],
    [6, 0.5],
    [11, 1 / 12],
    [14, 0],
  ])("at t = %d of 12 gives a phase of %d", (t, phase) => {
    const steps = Array.from({ length: t + 1 }, () => step(search("x"), { events: acts }));
    expect(slotAt("s1.phase", episodeOf(steps))).toBeCloseTo(phase, 10);
  });
});

describe("S2", () => {
  const s2 = (episode: Episode, t = 0) => [
    slotAt("s2.pre_action", episode, t),
    slotAt("s2.post_obs", episode, t),
  ];

  it("counts a context that held back an answer as post_obs", async () => {
    const host = hostOf(({ proposed, context }) =>
      proposed.type === "FINAL" && context.stepCount === 0 ? [injects("warner", "Look again.")] : [],
    );
    const episode = await play({
      script: [[final("Sam"), search("Sam")], final("Sam")],
      host,
      gold: ["Sam"],
    });
    expect(episode.steps[0]?.proposals).toHaveLength(2);
    expect(s2(episode)).toEqual([0, 1]);
    expect(signalsAt(episode, 0)).toMatchObject({ correction: "revised", acted: ["warner"] });
  });

  it.each(["limited", "overridden", "noop", "error", "skipped"] as const)(
    "counts nothing that is %s",
    (status) => {
      const events = [event(status, inject), event(status, modify("READ", "doc_0"))];
      expect(s2(episodeOf([step(final("Sam"), { events })]))).toEqual([0, 0]);
    },
  );

  it("counts no change of an action that had run already", () => {
    const late = event("applied", modify("READ", "doc_0"), { pass: "post" });
    expect(s2(episodeOf([step(search("x"), { events: [late] })]))).toEqual([0, 0]);
    const quote = event("applied", inject, { pass: "post" });
    expect(s2(episodeOf([step(search("x"), { events: [quote] })]))).toEqual([0, 1]);
  });

  it("counts the change of a text that was no action, once it was read as one", () => {
    const repaired = event("applied", modify("SEARCH", "x"), { pass: "repaired" });
    const episode = episodeOf([step(invalid, { executed: search("x"), events: [repaired] })]);
    expect(s2(episode)).toEqual([1, 0]);
    expect(signalsAt(episode, 0).correction).toBe("modified");
  });

  it("counts both where a change and a context were applied", () => {
    const events = [event("applied", modify("READ", "doc_0")), event("applied", inject)];
    expect(s2(episodeOf([step(final("Sam"), { executed: read("doc_0"), events })]))).toEqual([1, 1]);
  });
});

describe("the vote of a handler", () => {
  const vote = (over: boolean, t = 0): Decision => ({
    part: "handler_vote",
    t,
    by: "code",
    reason: "test",
    value: over,
    votes: [
      { skillId: "doubter", override: true, reason: "test" },
      { skillId: "believer", override: false, reason: "test" },
    ],
  });
  const voted = (decision: Decision) =>
    episodeOf([step(final("Sam"), { executed: search("Sam") }), step(final("Sam"))], {
      decisions: [decision],
    });

  it("that replaced the answer counts as a change before the action, by those who voted for it", () => {
    expect(signalsAt(voted(vote(true)), 0)).toMatchObject({ correction: "modified", acted: ["doubter"] });
    expect(slotAt("s2.pre_action", voted(vote(true)), 0)).toBe(1);
    expect(slotAt("s4.local", voted(vote(true)), 0)).toBe(0.7);
  });

  it("activates no Program Function", () => {
    expect([slotAt("s1.fn", voted(vote(true)), 0), slotAt("s1.tp", voted(vote(true)), 0)]).toEqual([1, 0]);
  });

  it("that let the answer pass, or of another step, counts nothing", () => {
    for (const decision of [vote(false), vote(true, 1)])
      expect(slotAt("s2.pre_action", voted(decision), 0)).toBe(0);
  });
});

describe("modified", () => {
  it.each<[string, ReturnType<typeof step>, "none" | "modified" | "revised"]>([
    ["an action that ran as proposed", step(search("x")), "none"],
    ["an action that a PF changed", changed(search("x"), search("y")), "modified"],
    ["a second proposal of the policy's own", step(final("a"), { again: [search("b")] }), "revised"],
    ["a policy that insists on its answer", step(final("a"), { again: [final("a")] }), "none"],
    [
      "a change of the second proposal",
      step(final("a"), { again: [final("b")], executed: read("doc_0") }),
      "modified",
    ],
    [
      "the same action in other words",
      step({ ...search("x"), raw: "search x" }, { executed: search("x") }),
      "none",
    ],
    [
      "an action that its budget withheld",
      step(search("x"), { observation: "No search is left.", events: [event("limited")] }),
      "none",
    ],
  ])("%s is %s", (_, one, correction) => {
    expect(signalsAt(episodeOf([one]), 0).correction).toBe(correction);
  });

  it.each<[string, ReturnType<typeof step>, number, number]>([
    ["FINAL → READ", changed(final("a"), read("doc_0")), 0.8, 0.7],
    ["FINAL → SEARCH", changed(final("a"), search("a")), 0.7, 0.5],
    ["SEARCH → SEARCH", changed(search("a"), search("b")), 0.5, 0.5],
    ["READ → SEARCH", changed(read("a"), search("b")), 0.3, 0.5],
    ["READ → READ", changed(read("a"), read("b")), 0.3, 0.5],
    ["SEARCH → READ", changed(search("a"), read("b")), 0.3, 0.5],
    ["SEARCH → FINAL", changed(search("a"), final("b")), 0.3, 0.5],
    ["FINAL → FINAL", changed(final("the a"), final("a")), 0.3, 0.5],
    ["invalid → SEARCH", changed(invalid, search("a")), 0.3, 0.5],
    ["no change", step(final("a")), 0, 0.3],
    ["FINAL → READ by the policy itself", step(final("a"), { again: [read("doc_0")] }), 0, 0.3],
  ])("%s has its worth in s4.local and in the fallback of s3.semantic", (_, one, local, semantic) => {
    const episode = episodeOf([one]);
    expect([slotAt("s4.local", episode), slotAt("s3.semantic", episode)]).toEqual([local, semantic]);
  });

  it("is a side effect only where the episode failed", () => {
    const repair = changed(final("a"), read("doc_0"));
    const own = step(final("a"), { again: [read("doc_0")] });
    const effect = (one: ReturnType<typeof step>, outcome: Episode["outcome"]) =>
      slotAt("s4.side_effect", episodeOf([one], { outcome }));
    expect((["correct", "wrong", "halted", "unjudged"] as const).map((end) => effect(repair, end))).toEqual([
      0, 1, 1, 0,
    ]);
    expect([effect(step(final("a")), "wrong"), effect(own, "wrong")]).toEqual([0, 0]);
  });
});

describe("S3", () => {
  it.each([
    [search("x"), 1],
    [final("x"), 1],
    [search(""), 0],
    [final(" \n"), 0],
    [invalid, 0],
    [{ type: "other", arg: "look it up" }, 0],
    [{ type: "search", arg: "x" }, 0],
  ])("%j is syntactic %d", (action, value) => {
    expect(slotAt("s3.syntactic", episodeOf([step(action)]))).toBe(value);
  });

  it("looks at the action that ran, not at the proposal", () => {
    expect(slotAt("s3.syntactic", episodeOf([changed(invalid, search("x"))]))).toBe(1);
    expect(slotAt("s3.syntactic", episodeOf([changed(search("x"), search(""))]))).toBe(0);
  });

  it("knows no READ in snippet mode", () => {
    const facts = { ...FACTS, actionTypes: ["SEARCH"], searchReturnsText: true };
    expect(slotAt("s3.syntactic", episodeOf([step(read("doc_0"))], { facts }))).toBe(0);
  });

  it("takes the teacher's score over the fallback, and says whose it is", () => {
    const episode = episodeOf([changed(final("a"), read("doc_0")), step(final("a"))]);
    const semantic = new Map([[0, { score: 0.1, by: "gpt" }]]);
    const values = [0, 1].map((t) => signalsAt(episode, t, { semantic }).values["s3.semantic"]);
    expect(values).toMatchObject([{ value: 0.1, reason: "judged by gpt" }, { value: 0.3 }]);
  });

  it("has no measure in the domains that register none", () => {
    for (const domain of ["web-search", "coding-agent", "agent", "unknown"])
      expect(slotAt("s3.domain", episodeOf([step(search("x"))], { facts: { ...FACTS, domain } }))).toBe(0);
  });
});

describe("S4", () => {
  it.each([
    [1, 0],
    [15, 0],
    [16, 0.1],
    [20, 0.5],
    [25, 1],
    [40, 1],
  ])("%d steps cost %d, at each of them", (length, cost) => {
    const episode = episodeOf(plain(length));
    for (const t of [0, length - 1]) expect(slotAt("s4.cost", episode, t)).toBeCloseTo(cost, 10);
  });

  it.each([
    ["correct", 1, "the answer is right"],
    ["wrong", 0, "no right answer"],
    ["halted", 0, "no right answer"],
    ["unjudged", 0, "not measured: the outcome is unknown"],
  ] as const)("an episode that is %s has a downstream of %d", (outcome, value, reason) => {
    const found = signalsAt(episodeOf(plain(2), { outcome }), 0).values["s4.downstream"];
    expect(found).toEqual({ value, reason });
  });
});
