import { domainsThatReadGold } from "../domains/registry.ts";
import { text } from "./options.ts";

/** Judges of domains that `--judge` takes for answers of any kind of run. */
export const DOMAIN_JUDGES: readonly string[] = domainsThatReadGold().map(({ judge }) => judge.name);

/** `--by` of the commands that can take another judge's recorded verdicts for right and wrong. */
export const BY_JUDGE = text(
  "--by <judge>",
  "outcomes by the recorded verdicts of this judge (`hasp judge`): exact_match, f1:<least F1>, or a part of its name",
);
