import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atLeast, chancesOfBetter, type RatedEpisode } from "../../../src/evolve/base-rate.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Questions of one stratum, each as `w` for a wrong episode, `c` for a right one; capitals have an effect. */
const episodesOf = (...questions: string[]): RatedEpisode[] =>
  questions.flatMap((text, i) =>
    Array.from(text, (letter) => ({
      question: `q${i}`,
      isWrong: letter.toLowerCase() === "w",
      stratum: 0,
      hasEffect: letter !== letter.toLowerCase(),
    })),
  );

/**
 * Throws a coin at each episode in every way, and counts how often a question with as many effects is better and worse, weighted by how likely
 * the fall is.
 */
function byHand(questions: readonly string[], effects: number, rate: number): number {
  let [better, worse] = [0, 0];
  for (const text of questions)
    for (let fall = 0; fall < 2 ** text.length; fall++) {
      const fired = Array.from(text).filter((_, i) => ((fall >> i) & 1) === 1);
      if (fired.length !== effects) continue;
      const chance = rate ** effects * (1 - rate) ** (text.length - effects);
      const balance = fired.reduce((sum, letter) => sum + (letter.toLowerCase() === "w" ? 1 : -1), 0);
      if (balance > 0) better += chance;
      if (balance < 0) worse += chance;
    }
  return better / (better + worse);
}

describe("the chance that a trigger which knows nothing makes a question better", () => {
  it("is the share of wrong episodes where each question has one", () => {
    const chances = chancesOfBetter(episodesOf("W", "W", "w", "w", "w", "w", "c", "C"));
    expect(chances).toHaveLength(3);
    for (const chance of chances) expect(chance).toBeCloseTo(6 / 8, 12);
  });

  it("is that of a coin thrown at each episode, counted by hand, for questions of several tries", () => {
    const questions = ["WwC", "wwww", "Cc", "WWc", "wc", "wccc", "CCc"];
    const all = episodesOf(...questions);
    const effects = all.filter(({ hasEffect }) => hasEffect).length;
    const rate = (effects + 0.5) / (all.length + 1);
    // The first is a tie; then one effect, two, and two.
    const expected = [1, 2, 2].map((n) => byHand(questions, n, rate));
    const found = chancesOfBetter(all);
    expect(found).toHaveLength(3);
    found.forEach((chance, i) => expect(chance).toBeCloseTo(expected[i] ?? Number.NaN, 12));
  });

  it("compares an episode with those of its own stratum alone", () => {
    const late = episodesOf("W", "w", "w", "w", "c").map((one) => ({
      ...one,
      question: `late ${one.question}`,
      stratum: 1,
    }));
    const early = episodesOf("W", "w", "c", "c", "c");
    const [first, second] = chancesOfBetter([...late, ...early]);
    expect(first).toBeCloseTo(4 / 5, 12);
    expect(second).toBeCloseTo(2 / 5, 12);
  });

  it("holds for an effect in every episode, for one question, and for thousands of tries", () => {
    expect(chancesOfBetter(episodesOf("W", "C", "W")).every(Number.isFinite)).toBe(true);
    expect(chancesOfBetter(episodesOf("WWW"))).toEqual([1]);
    expect(chancesOfBetter(episodesOf("CC"))).toEqual([0]);
    expect(chancesOfBetter([])).toEqual([]);
    const [many] = chancesOfBetter(episodesOf("W".repeat(3000) + "C".repeat(1000), "w".repeat(5000)));
    expect(many).toBeCloseTo(1, 6);
  });
});

describe("the chance that at least so many of several events happen", () => {
  it("is that of all ways in which they fall", () => {
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(chance, { maxLength: 9 }), fc.nat(10), (chances, n) => {
        const ways = range(2 ** chances.length).map((fall) => {
          const happen = chances.map((_, i) => ((fall >> i) & 1) === 1);
          const weight = chances.reduce((all, p, i) => all * (happen[i] === true ? p : 1 - p), 1);
          return happen.filter(Boolean).length >= n ? weight : 0;
        });
        expect(atLeast(chances, n)).toBeCloseTo(
          ways.reduce((a, b) => a + b, 0),
          10,
        );
      }),
    );
  });
});
