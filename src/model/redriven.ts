import { clip } from "./clip.ts";
import { START_OF_FILE, type Diagnostic } from "./diagnostic.ts";
import type { Asked } from "./prompt-versions.ts";
import { isRecorded } from "./recorded-policy.ts";

/**
 * What a comparison with a run of recorded proposals can say (HASP866): its policy reads nothing of what skills do, so its answers are those of
 * the record, and the difference is what the skills cost. `steps` of an episode on average, where they are known.
 */
export function redrivenRemark(
  runs: readonly [Asked, Asked],
  steps: readonly [number | undefined, number | undefined],
): readonly Diagnostic[] {
  const redriven = runs.filter(({ settings }) => isRecorded(settings?.["policy"]));
  const [first] = redriven;
  if (first === undefined) return [];
  const [a, b] = steps;
  const cost =
    a === undefined || b === undefined || a === 0
      ? ""
      : ` It shows the cost: ${b.toFixed(1)} steps an episode in ${clip(runs[1].title, 80)}, ${a.toFixed(1)} in ${clip(runs[0].title, 80)} (${b < a ? "−" : "+"}${Math.abs(100 * (b / a - 1)).toFixed(0)}%).`;
  return [
    {
      code: "HASP866",
      severity: "information",
      message: `The proposals of ${clip(first.title, 80)} come from a record, whose policy reads nothing of what skills do: its answers are recorded, and a question is won or lost only where an answer is reworded.${cost}`,
      next: "For what skills win and lose, run the questions with a model that reads them.",
      range: START_OF_FILE,
    },
  ];
}
