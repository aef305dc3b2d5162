import { TRL_MAX_LENGTH } from "../../dataset/card-tally.ts";
import { runnableDomain } from "../../domains/registry.ts";
import { counted } from "../../model/counted.ts";
import type { DataCard } from "../../model/data-card.ts";
import { START_OF_FILE, type Diagnostic } from "../../model/diagnostic.ts";
import type { TrainFile } from "../../model/train-data.ts";
import type { StepCounts } from "./objective-a.ts";
import type { RowRules, TrainRun } from "./order.ts";

/** What the cards of all files of a build say of its runs. */
export function noticesOn(
  { report, withoutCompletions, held: { underFloor } }: StepCounts,
  { floor }: RowRules,
): readonly string[] {
  const { diverged, behindDivergence, unjudged, episodes } = report;
  return [
    ...(diverged > 0
      ? [
          `${counted(diverged, "episode")} of ${episodes} re-driven from a record diverged: the steps up to there are scored without an outcome, ${counted(behindDivergence, "step")} behind are left out.`,
        ]
      : []),
    ...(unjudged > 0 ? [`${counted(unjudged, "episode")} without a verdict.`] : []),
    ...(withoutCompletions > 0
      ? [`${counted(withoutCompletions, "episode")} without a completion of the policy: signals and no rows.`]
      : []),
    ...(underFloor === undefined
      ? []
      : [
          `${counted(underFloor.steps, "step")} under the floor of ${floor} would be rows with \`--floor ${underFloor.floor}\`.`,
        ]),
  ];
}

/** What the card of one file says of its rows. */
export function noticesOnRows(
  kind: TrainFile,
  { rows, transcripts, tokens }: Pick<DataCard, "rows" | "transcripts" | "tokens">,
  overDefault: number,
): readonly string[] {
  const isCut = kind === "a-sft" || kind === "a-dpo";
  return [
    ...(transcripts > 0
      ? [
          `${transcripts} of ${counted(rows, "row")} ${transcripts === 1 ? "has the prompt" : "have prompts"} of a transcript: the system message, the tools and whatever else the host sends with each request are not in them (\`prompt_source\`; \`--exact-prompts\` leaves them out).`,
        ]
      : []),
    ...(isCut && overDefault > 0
      ? [
          `${overDefault} of ${counted(rows, "row")} ${overDefault === 1 ? "has" : "have"} more than ${TRL_MAX_LENGTH} tokens (guessed), TRL's default \`max_length\`: it would cut their ends, and with them what is to be learned. Set \`max_length\` to at least ${tokens.longestRow}, or leave long rows out with \`--max-tokens\`.`,
        ]
      : []),
  ];
}

/** Episodes without completions are scored and give no row (HASP632). */
export function withoutCompletions(
  [run]: readonly TrainRun[],
  domain: string,
  { withoutCompletions: count }: StepCounts,
): readonly Diagnostic[] {
  if (count === 0) return [];
  const canDrive = "domain" in runnableDomain(domain);
  return [
    {
      code: "HASP632",
      severity: "information",
      message: `${counted(count, "episode")} of these runs ${count === 1 ? "has" : "have"} no completion of a policy: signals and no row to train on.`,
      next: canDrive
        ? "Drive them again with `hasp run --policy recorded:<run>`, which records prompts and completions."
        : 'Import the sessions again where an earlier version did; docs/formats.md ("Messages") says which formats have completions.',
      ...(run !== undefined && { file: run.index.path }),
      range: START_OF_FILE,
    },
  ];
}
