import { describe, expect, test } from "vitest";
import { replyTo, type Message } from "../../../scripts/miniature/policy.mts";
import { byPerson, estimate } from "../../../scripts/miniature/table.mts";
import { inventNames, makeWorld, questionText } from "../../../scripts/miniature/world.mts";

const names = inventNames(60, 8);
const HELD_OUT = 12;

describe("the world", () => {
  const world = makeWorld(names, "one", HELD_OUT);
  const heldOut = new Set(world.people.slice(0, HELD_OUT).map(({ name }) => name));

  test("held-out people and the others know only one another", () => {
    const acrosses = world.people.flatMap(({ name, chief, friend, spouse, teacher }) =>
      [chief, friend, spouse, teacher].filter((other) => heldOut.has(other) !== heldOut.has(name)),
    );
    expect(acrosses).toEqual([]);
    expect(heldOut.size).toBe(HELD_OUT);
  });

  test("the first fifth of the questions is about the held-out people, each person in two relations", () => {
    const test = world.questions.slice(0, world.questions.length / 5);
    expect(new Set(test.map(({ of }) => of))).toEqual(heldOut);
    expect(new Set(world.questions.map(({ of, relation }) => `${of} ${relation}`)).size).toBe(120);
  });

  test("the right answer is the attribute of the person in the middle", () => {
    const [asked] = world.questions;
    const find = (name: string | undefined) => world.people.find((person) => person.name === name);
    const middle = find(asked && find(asked.of)?.[asked.relation]);
    expect(asked?.gold).toBe(asked && middle?.[asked.attribute]);
  });

  test("a seed gives the same world, another seed another one", () => {
    expect(makeWorld(names, "one", HELD_OUT)).toEqual(world);
    expect(makeWorld(names, "two", HELD_OUT).people).not.toEqual(world.people);
  });
});

describe("the policy", () => {
  const asked = { of: "Ada", relation: "chief", attribute: "city" } as const;
  const user = (content: string): Message => ({ role: "user", content });
  const begin = user(`Question: ${questionText(asked)}`);
  const ada = user("Observation: Keeper Ada: chief Emil, home city Bern.");
  const act = (messages: readonly Message[], behaviour: Parameters<typeof replyTo>[1] = "good"): string =>
    replyTo(messages, behaviour, names, "draw").split("Action: ")[1] ?? "";

  test("a good episode searches for both people and answers with what it read", () => {
    expect(act([begin])).toBe("SEARCH[chief Keeper Ada]");
    expect(act([begin, ada])).toBe("SEARCH[Keeper Emil home city]");
    const emil = user("Observation: Keeper Emil: home city Chur, chief Ada.");
    expect(act([begin, ada, emil])).toBe("FINAL[Chur]");
  });

  test("each fault is the one that its name says", () => {
    expect(act([begin, ada], "early")).toBe("FINAL[Keeper Emil]");
    expect(act([begin, ada], "half")).toBe("FINAL[Bern]");
    expect(act([begin], "repeat")).toBe("SEARCH[home city]");
    expect(names.cities.map((city) => `FINAL[${city}]`)).toContain(act([begin, ada], "guess"));
  });

  test("after a note it does what is right", () => {
    const told = user("This answer has not been given yet.\nHint: No.");
    expect(act([begin, ada, told], "early")).toBe("SEARCH[Keeper Emil home city]");
  });
});

describe("an estimate", () => {
  const result = (person: string, right: boolean) => ({ person, right, acted: [], changed: 0 });
  const right = (one: { readonly right: boolean }): number => (one.right ? 1 : 0);

  test("is the mean over seeds of the mean over people, whatever the number of their questions", () => {
    const first = [result("a", true), result("a", true), result("a", true), result("b", false)];
    const of = byPerson([first, [result("a", false), result("c", false)]], right);
    expect(estimate(of).seeds).toEqual([0.5, 0]);
    expect(estimate(of).value).toBe(0.25);
  });

  test("a difference is of the same people, so an equal gain of all has no width", () => {
    const before = byPerson([[result("a", false), result("b", false)]], right);
    const after = byPerson([[result("a", true), result("b", true)]], right);
    expect(estimate(after, before)).toEqual({ value: 1, low: 1, high: 1, seeds: [1] });
  });

  test("people that differ give an interval", () => {
    const people = Array.from({ length: 100 }, (_, i) => result(`p${i}`, i < 50));
    const { low, high } = estimate(byPerson([people], right));
    // The standard error of a half in 100 is 0.05, so that the interval ends near 0.4 and 0.6.
    expect([low, high].map((end) => Math.round(end * 20) / 20)).toEqual([0.4, 0.6]);
  });
});
