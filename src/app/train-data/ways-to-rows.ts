import { counted } from "../../model/counted.ts";
import type { DropReason } from "../../model/train-data.ts";
import type { HeldSteps } from "./held-steps.ts";
import type { RowRules } from "./order.ts";

/** What a build knows of the steps that it left out. */
export interface LeftOut {
  readonly held: HeldSteps;
  readonly dropped: ReadonlyMap<DropReason, number>;
}

/** The options by which steps without a verdict become rows; undefined where none do. */
export function optionsWithoutVerdicts(
  { unjudged }: HeldSteps,
  { weights, floor }: RowRules,
): string | undefined {
  if (unjudged === undefined) return undefined;
  const lower = unjudged.floor < floor ? ` --floor ${unjudged.floor}` : "";
  return `\`--drop ${[...weights.dropped, "outcome"].join(" ")}${lower}\``;
}

/** What a person can do so that steps that were left out become rows, as sentences. */
export function waysToRows({ held, dropped }: LeftOut, rules: RowRules): readonly string[] {
  const ways: string[] = [];
  if (dropped.has("no_outcome")) {
    const options = optionsWithoutVerdicts(held, rules);
    const without =
      options === undefined
        ? ""
        : ` Without verdicts, \`hasp train-data\` with ${options} makes ${counted(held.unjudged?.steps ?? 0, "row")}.`;
    ways.push(
      `Give the episodes verdicts: \`hasp import <file…> --verdicts <file> -o <run>\`, or \`hasp judge\` where they have accepted answers.${without}`,
    );
  }
  if (held.underFloor !== undefined) {
    const { floor, steps } = held.underFloor;
    ways.push(
      `\`hasp train-data\` with \`--floor ${floor}\` makes ${counted(steps, "row")} of steps under the floor.`,
    );
  }
  if (dropped.has("not_corrected"))
    ways.push(
      "Corrections are recorded where Program Functions act as the agent works: `hasp run`, or `hasp serve -o <run>` for an agent of your own.",
    );
  if (dropped.has("transcript_prompt"))
    ways.push("Leave out `--exact-prompts`, and read what the card says.");
  if (dropped.has("too_long")) ways.push("Raise `--max-tokens`, or leave it out.");
  return ways;
}
