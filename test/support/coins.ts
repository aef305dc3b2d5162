import { baseRateWorths } from "../../src/evolve/base-rate-worth.ts";
import type { PlacedWorth } from "../../src/evolve/worth-episodes.ts";
import { alphaOfNext } from "../../src/evolve/worth-alpha.ts";
import type { HeldOutWorth } from "../../src/model/evolution.ts";
import type { Episode } from "../../src/model/episode.ts";
import { shuffled, type Random } from "../../src/model/random.ts";

/** A question with its judged episodes. */
export interface CoinQuestion {
  readonly text: string;
  readonly episodes: readonly CoinEpisode[];
}

interface CoinEpisode {
  readonly isWrong: boolean;
  readonly steps: number;
}

/** Judged episodes by question. */
export function asCoinQuestions(episodes: readonly Episode[]): readonly CoinQuestion[] {
  const judged = episodes.filter(({ outcome }) => outcome === "wrong" || outcome === "correct");
  return [...Map.groupBy(judged, ({ question }) => question.trim())].map(([text, some]) => ({
    text,
    episodes: some.map(({ outcome, steps }) => ({ isWrong: outcome === "wrong", steps: steps.length })),
  }));
}

/** Where a candidate has an effect: at an episode by itself, or at all or none of a question. */
export type Fires = (question: CoinQuestion, random: Random) => (episode: CoinEpisode) => boolean;

/** Fires in this share of episodes, whatever they are. */
export const coin =
  (rate: number): Fires =>
  (_, random) =>
  () =>
    random() < rate;

/** Fires in all episodes of this share of questions. */
export const questionCoin =
  (rate: number): Fires =>
  (_, random) => {
    const does = random() < rate;
    return () => does;
  };

/** Helps this share of the wrong episodes, and harms this share of the right ones. */
export const helper =
  (help: number, harm: number): Fires =>
  (_, random) =>
  ({ isWrong }) =>
    random() < (isWrong ? help : harm);

/** Fires in every episode of at least so many steps. */
export const late =
  (from: number): Fires =>
  () =>
  ({ steps }) =>
    steps >= from;

const effectsOf = (questions: readonly CoinQuestion[], fires: Fires, random: Random): PlacedWorth[] =>
  questions.flatMap(({ text, episodes }, q) => {
    const does = fires({ text, episodes }, random);
    return episodes.map((episode, i): PlacedWorth => {
      const { isWrong, steps } = episode;
      const hit = does(episode);
      return {
        run: "run",
        index: 1000 * q + i,
        steps,
        // The same question drawn twice counts twice.
        question: `${text}\n${q}`,
        outcome: isWrong ? "wrong" : "correct",
        helped: hit && isWrong,
        harmed: hit && !isWrong,
      };
    });
  });

/** The worth of these candidates as those of the first epoch of an evolution of one. */
export function worthsOfEpoch(
  questions: readonly CoinQuestion[],
  candidates: readonly Fires[],
  random: Random,
): readonly HeldOutWorth[] {
  const tested = candidates.map((fires, i) => ({
    id: `e1-c${i + 1}`,
    program: String(i),
    episodes: effectsOf(questions, fires, random),
  }));
  return baseRateWorths(tested, { alpha: alphaOfNext(1, []), epoch: 1, earlier: [] });
}

/** Gives as many questions as are asked for, anew at each call. */
export type Draw = (count: number, random: Random) => readonly CoinQuestion[];

/** Each question at most once as long as there are enough, else with repetition. */
export const plainly =
  (questions: readonly CoinQuestion[]): Draw =>
  (count, random) =>
    count <= questions.length
      ? shuffled(questions, random).slice(0, count)
      : Array.from({ length: count }, () => questions[Math.floor(random() * questions.length)]).flatMap(
          (one) => one ?? [],
        );

const rightOf = ({ episodes }: CoinQuestion): number => episodes.filter(({ isWrong }) => !isWrong).length;

/**
 * Questions with repetition, those with more right episodes more or less often, so that this share of the episodes is right on average. Whole
 * questions are drawn: tries at one question stay as alike as they are.
 */
export function withRight(questions: readonly CoinQuestion[], share: number): Draw {
  const weightsAt = (tilt: number): number[] =>
    questions.map((one) => Math.exp((tilt * rightOf(one)) / one.episodes.length));
  const shareAt = (tilt: number): number => {
    const weights = weightsAt(tilt);
    const sum = (of: (one: CoinQuestion) => number): number =>
      questions.reduce((all, one, i) => all + (weights[i] ?? 0) * of(one), 0);
    return sum(rightOf) / sum(({ episodes }) => episodes.length);
  };
  let [low, high] = [-30, 30];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (shareAt(middle) < share) low = middle;
    else high = middle;
  }
  const weights = weightsAt(low);
  const total = weights.reduce((sum, one) => sum + one, 0);
  return (count, random) =>
    Array.from({ length: count }, () => {
      let left = random() * total;
      return questions.find((_, i) => (left -= weights[i] ?? 0) < 0) ?? questions.at(-1);
    }).flatMap((one) => one ?? []);
}
