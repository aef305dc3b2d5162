import { domainsThatReadGold } from "../domains/registry.ts";
import { modelOrder } from "./models.ts";
import { text } from "./options.ts";
import { CliError } from "./terminal.ts";

/** Judges of domains that `--judge` takes for answers of any kind of run. */
export const DOMAIN_JUDGES: readonly string[] = domainsThatReadGold().map(({ judge }) => judge.name);

/** Values of `--judge`: these judges, and models. */
export const judgeSpecs = (judges: readonly string[]): string =>
  `${judges.join(", ")}, or a model: openai:<model>, <url>#<model>`;

/** The order of the model that a person names as the judge; `judges`: the others. Throws CliError for a word that names no model. */
export function modelOfJudge(
  spec: string,
  price: string | undefined,
  judges: readonly string[],
): ReturnType<typeof modelOrder> {
  if (/[:#/]/.test(spec)) return modelOrder(spec, price);
  throw new CliError(
    `--judge ${JSON.stringify(spec)} names neither a judge nor a model.`,
    `Use ${judgeSpecs(judges)}.`,
  );
}

/** Why a judge came to no verdict, most frequent first. */
export function undecidedLines(undecided: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(undecided)
    .toSorted(([, a], [, b]) => b - a)
    .map(([why, count]) => `  ${count}: ${why}`);
}

/** `--by` of the commands that can take another judge's recorded verdicts for right and wrong. */
export const BY_JUDGE = text(
  "--by <judge>",
  "outcomes by the recorded verdicts of this judge (`hasp judge`): exact_match, f1:<least F1>, or a part of its name",
);
