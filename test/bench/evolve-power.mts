/**
 * `node test/bench/evolve-power.mts --split 1,2/3 <run folder> …`: how often the gate of `hasp evolve` admits a good candidate, by the number of
 * held-out questions; `--tries 1` keeps one episode of each. Questions with their judged episodes are drawn from these runs, with repetition where there are not enough; what the
 * candidate does is thrown. Calls no model.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { verdictOf, WORTH_VERDICTS } from "../../src/model/evolution.ts";
import { seededRandom } from "../../src/model/random.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { placedEpisodes } from "../../src/trace/placed-episodes.ts";
import { isInSplit, parseSplit, SPLIT_SEED } from "../../src/trace/question-split.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { asCoinQuestions, coin, helper, plainly, worthsOfEpoch, type Fires } from "../support/coins.ts";

const TRIES = 200;
const QUESTIONS = [50, 100, 200, 400];
const CANDIDATES: readonly (readonly [string, Fires])[] = [
  ["good: helps 30% of wrong, harms 1% of right", helper(0.3, 0.01)],
  ["modest: helps 12% of wrong, harms 0.5% of right", helper(0.12, 0.005)],
];
const OTHERS = [0.01, 0.02, 0.03, 0.05].map(coin);

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { split: { type: "string" }, tries: { type: "string", default: "1000" } },
});
const parts = values.split === undefined ? undefined : parseSplit(values.split);
const split = parts && { ...parts, seed: SPLIT_SEED };

const files = nodeFiles();
const runs = await Promise.all(
  folders.map(async (folder) => ({ ...(await openRun(files, folder, { save: false })), run: folder })),
);
const episodes = [];
for await (const { episode } of placedEpisodes(files, runs, () => undefined))
  if (split === undefined || isInSplit(episode.question, split)) episodes.push(episode);
const questions = asCoinQuestions(episodes).map((one) => ({
  ...one,
  episodes: one.episodes.slice(0, Number(values.tries)),
}));
const judged = questions.flatMap((one) => one.episodes);
const right = judged.filter(({ isWrong }) => !isWrong).length;
process.stdout.write(
  `${questions.length} questions, ${judged.length} judged episodes, ${((100 * right) / judged.length).toFixed(0)}% right\n`,
);
for (const [name, candidate] of CANDIDATES)
  for (const [beside, others] of [
    ["alone", []],
    ["beside four coins", OTHERS],
  ] as const)
    for (const count of QUESTIONS) {
      const random = seededRandom(5);
      const verdicts = Array.from({ length: TRIES }, () => {
        const [worth] = worthsOfEpoch(plainly(questions)(count, random), [candidate, ...others], random);
        return worth && verdictOf(worth);
      });
      const shares = WORTH_VERDICTS.map(
        (verdict) =>
          `${verdict} ${((100 * verdicts.filter((one) => one === verdict).length) / TRIES).toFixed(0)}%`,
      );
      process.stdout.write(`${name}, ${beside}, ${count} questions: ${shares.join(", ")}\n`);
    }
