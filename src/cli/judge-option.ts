import { text } from "./options.ts";

/** `--by` of the commands that can take another judge's recorded verdicts for right and wrong. */
export const BY_JUDGE = text(
  "--by <judge>",
  "outcomes by the recorded verdicts of this judge (`hasp judge`): exact_match, f1:<least F1>, or a part of its name",
);
