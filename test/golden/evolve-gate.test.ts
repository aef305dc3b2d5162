import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decisionWordOf, verdictOf, type EvolvedCandidate } from "../../src/model/evolution.ts";
import { seededRandom, shuffled, type Random } from "../../src/model/random.ts";
import { madeCandidates, type MadeCandidate } from "../support/candidate-mutations.ts";
import {
  asCoinQuestions,
  coin,
  helper,
  late,
  plainly,
  questionCoin,
  withRight,
  worthsOfEpoch,
  type CoinQuestion,
  type Draw,
  type Fires,
} from "../support/coins.ts";
import { ROOT } from "../support/core.ts";
import { PAPER } from "../support/shipped.ts";
import { evolveWith, type GateEvolution } from "../support/gate-evolution.ts";
import { nonsenseCandidates } from "../support/nonsense-candidates.ts";
import { THOROUGH } from "../support/thorough.ts";
import { hasTuningEpisodes, writeTuningRun } from "../support/tuning-episodes.ts";

/** Held-out questions, as a third of 344 has them. */
const HELD_OUT = 115;
const RATES = [0.01, 0.02, 0.03, 0.05, 0.1];
const EPOCHS = 200;
/** Of 200: alpha of an evolution of one epoch is 0.025, so that 5 are expected at most, and 9 or more are rare. */
const MOST_ADMITTING = 8;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Epochs of these candidates in which any of them is admitted for its worth. */
function admitting(epochs: number, draw: Draw, candidates: readonly Fires[], random: Random): number {
  return Array.from({ length: epochs }, () =>
    worthsOfEpoch(draw(HELD_OUT, random), candidates, random).some(({ passed }) => passed),
  ).filter(Boolean).length;
}

/** Five coins of each rate together, and five of one rate. */
const EPOCHS_OF_COINS: readonly (readonly [string, (of: typeof coin) => readonly Fires[]])[] = [
  ["1, 2, 3, 5 and 10%", (of) => RATES.map(of)],
  ...RATES.map((rate) => [`five of ${100 * rate}%`, (of: typeof coin) => RATES.map(() => of(rate))] as const),
];

/** Three tries at each question: hard questions are wrong at each, and an agent that takes long is wrong. */
function madeUp(count: number, random: Random): readonly CoinQuestion[] {
  return Array.from({ length: count }, (_, i) => {
    const wrong = 0.3 + 0.7 * random();
    return {
      text: `question ${i} ${"?".repeat(Math.floor(60 * random()))}`,
      episodes: [1, 2, 3].map(() => {
        const steps = 1 + Math.floor(6 * random());
        return { steps, isWrong: random() < (steps > 5 ? 0.95 : wrong) };
      }),
    };
  });
}

describe("the gate on candidates that know nothing, on questions that a seed makes", () => {
  const draw: Draw = madeUp;

  it("admits coins in few epochs, where a fair coin would admit them in many", () => {
    const random = seededRandom(3);
    expect(admitting(40, draw, RATES.map(coin), random)).toBeLessThanOrEqual(3);
    expect(admitting(40, draw, RATES.map(questionCoin), random)).toBeLessThanOrEqual(3);
    // An agent that is at its last step is nearly always wrong, and knows it.
    expect(admitting(20, draw, [late(6)], random)).toBeLessThanOrEqual(2);
  });

  it("admits what helps three of ten wrong episodes and harms one of a hundred right ones", () => {
    expect(
      admitting(10, draw, [helper(0.3, 0.005), ...RATES.slice(1).map(coin)], seededRandom(4)),
    ).toBeGreaterThanOrEqual(8);
  });
});

describe.skipIf(!THOROUGH || !hasTuningEpisodes)("200 epochs of coins on real episodes", () => {
  let place = "";
  let cells: readonly (readonly [string, Draw])[] = [];
  beforeAll(async () => {
    place = mkdtempSync(path.join(tmpdir(), "hasp-coins-"));
    const fireact = await writeTuningRun(path.join(place, "fireact"), "fireact");
    const reflexion = await writeTuningRun(path.join(place, "reflexion"), "reflexion");
    const both = asCoinQuestions([...fireact, ...reflexion]);
    cells = [
      ["FireAct", plainly(asCoinQuestions(fireact))],
      ["FireAct and Reflexion", plainly(both)],
      ["both, questions drawn to 12% right", withRight(both, 0.12)],
      ["both, questions drawn to 50% right", withRight(both, 0.5)],
    ];
  }, 120_000);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it("admits triggers for last steps in at most 8 of each 200", { timeout: 600_000 }, () => {
    const random = seededRandom(22);
    const found = cells.map(([cell, draw]) => ({
      cell,
      count: admitting(EPOCHS, draw, [4, 5, 6, 7, 10].map(late), random),
    }));
    for (const { cell, count } of found) say(`${count} of ${EPOCHS} epochs admit: ${cell}, last steps`);
    expect(found.filter(({ count }) => count > MOST_ADMITTING)).toEqual([]);
  });

  it.each([
    ["at each episode", coin],
    ["at each question", questionCoin],
  ] as const)(
    "thrown %s, admits any in at most 8 of each 200",
    (name, of) => {
      const random = seededRandom(21);
      const found = cells.flatMap(([cell, draw]) =>
        EPOCHS_OF_COINS.map(([rates, epoch]) => ({
          cell: `${cell}, coins ${name}, ${rates}`,
          count: admitting(EPOCHS, draw, epoch(of), random),
        })),
      );
      for (const { cell, count } of found) say(`${count} of ${EPOCHS} epochs admit: ${cell}`);
      expect(found.filter(({ count }) => count > MOST_ADMITTING)).toEqual([]);
    },
    1_200_000,
  );
});

/** Each takes minutes; docs/evolution.md has five. */
const SEEDS = (process.env["HASP_GATE_SEEDS"] ?? "1").split(",").map(Number);
const MUTATIONS = 40;
const PER_EPOCH = 10;

/** The shipped skills that have a Program Function, their mutations, and the nonsense, in a seeded order. */
function allCandidates(seed: number): readonly MadeCandidate[] {
  const shipped = PAPER.map((folder) => ({
    name: path.basename(folder),
    file: path.join(ROOT, folder, "pf.ts"),
  }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, pf: readFileSync(file, "utf8") }));
  const made = madeCandidates(shipped, MUTATIONS, 42);
  return shuffled([...made, ...nonsenseCandidates()], seededRandom(seed));
}

const nameOf = ({ skillId }: Pick<EvolvedCandidate, "skillId">): string => skillId.replaceAll("_", "-");

describe.skipIf(!THOROUGH || !hasTuningEpisodes)(
  "evolutions of shipped skills, 40 spoiled copies of them and 20 that know nothing",
  () => {
    const evolutions: { readonly made: readonly MadeCandidate[]; readonly result: GateEvolution }[] = [];
    beforeAll(async () => {
      for (const seed of SEEDS) {
        const made = allCandidates(seed);
        const about = { seed, perEpoch: PER_EPOCH, sources: ["reflexion", "fireact"] } as const;
        const result = await evolveWith(made, about);
        evolutions.push({ made, result });
        say(`seed ${seed}: ${result.final}`);
        for (const one of result.candidates)
          say(`  ${one.id} ${nameOf(one)}: ${decisionWordOf(one.decision)}: ${one.decision.reason}`);
      }
    }, 7_200_000);

    const admittedOf = (kinds: readonly string[]): readonly (readonly string[])[] =>
      evolutions.map(({ made, result }) =>
        result.candidates
          .filter(({ decision }) => decision.admitted)
          .map(nameOf)
          .filter((name) => made.some((one) => one.name === name && kinds.includes(one.mutation))),
      );

    it("come to their end, and try every candidate", () => {
      for (const { made, result } of evolutions) {
        expect(result.ended.code, result.ended.err).toBe(0);
        expect(result.candidates.length).toBeGreaterThan(0.8 * made.length);
      }
    });

    it("admit nonsense in at most one of them", () => {
      const nonsense = admittedOf(["nonsense"]);
      expect(
        nonsense.filter((names) => names.length > 0).length,
        JSON.stringify(nonsense),
      ).toBeLessThanOrEqual(1);
    });

    it("admit no copy whose trigger always or never holds, or was inverted", () => {
      expect(admittedOf(["always", "never", "inverted"]).flat()).toEqual([]);
    });

    it("decide by verdict: what passes is admitted, and an undecided candidate is no rejected one", () => {
      for (const { candidates } of evolutions.map(({ result }) => result))
        for (const { worth, decision } of candidates) {
          if (worth === undefined || decision.noRoom === true) continue;
          if (decision.admitted) expect(verdictOf(worth)).toBe("passed");
          if (decision.undecided === true) expect(verdictOf(worth)).toBe("undecided");
        }
    });
  },
);
