import { InvalidArgumentError, Option } from "commander";
import { parseSplit, SPLIT_SEED, type QuestionSplit } from "../trace/question-split.ts";
import { whole, withDefault, type Typed } from "./options.ts";

type Parts = Omit<QuestionSplit, "seed">;

function partsOption(given: string): Parts {
  const parts = parseSplit(given);
  if (parts !== undefined) return parts;
  throw new InvalidArgumentError("Write 3/3, or 1,2/3 for two of three parts; they are counted from 1.");
}

/** The parts of the questions that a command takes. `use`: its purpose, for `--help`. */
export const splitOption = (use: string): Typed<Parts | undefined> =>
  new Option(
    "--split <parts/of>",
    `only episodes whose question falls into these parts, e.g. 1,2/3 ${use}`,
  ).argParser(partsOption);

export const SEED = withDefault(whole("--seed <n>", "deals the questions out to the parts"), SPLIT_SEED);

/** The split that the two options name; undefined for all questions. */
export function chosenSplit(parts: Parts | undefined, seed: number): QuestionSplit | undefined {
  return parts && { ...parts, seed };
}
