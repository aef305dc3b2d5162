/** A judged episode of a held-out question. */
export interface RatedEpisode {
  readonly question: string;
  readonly isWrong: boolean;
  /** See strataOf. */
  readonly stratum: number;
  /** The candidate helps it where it is wrong, or harms it where it is right. */
  readonly hasEffect: boolean;
}

interface Cell {
  wrong: number;
  right: number;
}

/** A question: its episodes by stratum. */
type Cells = ReadonlyMap<number, Cell>;

/** Effects on a question, by stratum. */
type Effects = ReadonlyMap<number, number>;

const sizeOf = ({ wrong, right }: Cell): number => wrong + right;
const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, one) => sum + one, 0);

/** Logarithms of 0! to most!. */
function logFactorials(most: number): (n: number) => number {
  const logs = [0];
  for (let n = 1; n <= most; n++) logs.push((logs[n - 1] ?? 0) + Math.log(n));
  return (n) => logs[n] ?? 0;
}

/** Chances of two independent numbers, each from 0, become those of their sum. */
function convolved(a: readonly number[], b: readonly number[]): number[] {
  const sum = Array.from({ length: a.length + b.length - 1 }, () => 0);
  for (const [i, x] of a.entries()) for (const [j, y] of b.entries()) sum[i + j] = (sum[i + j] ?? 0) + x * y;
  return sum;
}

/** The chances, from 0 on, of how many of these independent events happen. */
const countChances = (chances: readonly number[]): readonly number[] =>
  chances.reduce<readonly number[]>((all, chance) => convolved(all, [1 - chance, chance]), [1]);

/** The chance that at least so many of these independent events happen. */
export function atLeast(chances: readonly number[], n: number): number {
  return n <= 0 ? 1 : Math.min(1, sumOf(countChances(chances).slice(n)));
}

function cellsByQuestion(episodes: readonly RatedEpisode[]): ReadonlyMap<string, Cells> {
  const questions = new Map<string, Map<number, Cell>>();
  for (const { question, stratum, isWrong } of episodes) {
    const cells = questions.get(question) ?? new Map<number, Cell>();
    const cell = cells.get(stratum) ?? { wrong: 0, right: 0 };
    if (isWrong) cell.wrong++;
    else cell.right++;
    questions.set(question, cells.set(stratum, cell));
  }
  return questions;
}

/** Effects and balance (help less harm) of each question with an effect. */
function effectsByQuestion(episodes: readonly RatedEpisode[]) {
  const questions = new Map<string, { readonly effects: Map<number, number>; balance: number }>();
  for (const { question, stratum, isWrong, hasEffect } of episodes) {
    if (!hasEffect) continue;
    const one = questions.get(question) ?? { effects: new Map<number, number>(), balance: 0 };
    one.effects.set(stratum, (one.effects.get(stratum) ?? 0) + 1);
    one.balance += isWrong ? 1 : -1;
    questions.set(question, one);
  }
  return questions;
}

/** The chance that a question with such effects is better, where the trigger that made them knows nothing. */
function chanceOf(
  effects: Effects,
  pool: readonly Cells[],
  rate: number,
  logFactorial: (n: number) => number,
): number {
  const choices = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k);
  /** Chances of how many wrong episodes are among k that are taken blindly. */
  const wrongAmong = ({ wrong, right }: Cell, k: number): number[] =>
    Array.from({ length: k + 1 }, (_, x) =>
      x > wrong || k - x > right
        ? 0
        : Math.exp(choices(wrong, x) + choices(right, k - x) - choices(wrong + right, k)),
    );
  const total = sumOf(effects.values());
  const able = pool.flatMap((cells) => {
    const taken = [...effects].flatMap(([stratum, k]) => {
      const cell = cells.get(stratum);
      return cell !== undefined && sizeOf(cell) >= k ? [{ cell, k }] : [];
    });
    if (taken.length < effects.size) return [];
    // How often a coin at each episode makes these very effects on this question; what all questions share is left out.
    const log =
      sumOf(taken.map(({ cell, k }) => choices(sizeOf(cell), k))) +
      Math.log1p(-rate) * sumOf([...cells.values()].map(sizeOf));
    return [{ taken, log }];
  });
  const most = able.reduce((max, { log }) => Math.max(max, log), Number.NEGATIVE_INFINITY);
  let [better, worse] = [0, 0];
  for (const { taken, log } of able) {
    const weight = Math.exp(log - most);
    const chances = taken.map(({ cell, k }) => wrongAmong(cell, k)).reduce(convolved, [1]);
    for (const [wrong, chance] of chances.entries()) {
      if (2 * wrong > total) better += weight * chance;
      else if (2 * wrong < total) worse += weight * chance;
    }
  }
  return better + worse > 0 ? better / (better + worse) : 1;
}

/**
 * For each question on which the candidate is better or worse: the chance in [0, 1] that it were better if the candidate's trigger fired as
 * often, in episodes of as many steps with as long a question, and knew nothing. That trigger is a coin at each judged episode; given how
 * many effects a question has, they could as well have fallen on any question with enough such episodes. Ties are left out.
 */
export function chancesOfBetter(episodes: readonly RatedEpisode[]): readonly number[] {
  const pool = [...cellsByQuestion(episodes).values()];
  const logFactorial = logFactorials(episodes.length);
  const effects = episodes.filter(({ hasEffect }) => hasEffect).length;
  const rate = (effects + 0.5) / (episodes.length + 1);
  const known = new Map<string, number>();
  return [...effectsByQuestion(episodes).values()].flatMap(({ effects: own, balance }) => {
    if (balance === 0) return [];
    const key = JSON.stringify([...own].toSorted(([a], [b]) => a - b));
    const chance = known.get(key) ?? chanceOf(own, pool, rate, logFactorial);
    known.set(key, chance);
    return [chance];
  });
}
