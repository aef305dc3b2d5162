import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { lineDiagnostic } from "../../trace/line-diagnostics.ts";
import type { PlacedEpisode } from "../../trace/placed-episodes.ts";
import type { TrainRun } from "./order.ts";

interface Unjudged {
  readonly firstLine: number;
  episodes: number;
  steps: number;
  /** Some of them have accepted answers, by which a judge could look at them. */
  hasGold: boolean;
}

/** `options`: those by which a build needs no verdict. */
function withoutVerdict(
  { run, index }: TrainRun,
  { firstLine, episodes, steps, hasGold }: Unjudged,
  options: string | undefined,
): Diagnostic {
  const which = episodes === 1 ? "the episode has" : `this and ${counted(episodes - 1, "more episode")} have`;
  const judge = hasGold ? `Judge ${run} with \`hasp judge\`` : "";
  const verdicts = `${hasGold ? "import" : "Import"} the episodes with verdicts (\`hasp import --verdicts <file>\`)`;
  const without = options === undefined ? "" : `build with ${options}, which needs none`;
  return lineDiagnostic({
    code: "HASP626",
    severity: "warning",
    file: index.path,
    line: firstLine,
    message: `${which} no verdict: ${counted(steps, "step")} left out.`,
    next: `${[judge, verdicts, without].filter((way) => way !== "").join(", or ")}.`,
  });
}

/** Counts the episodes of each run whose steps are left out because nobody judged them. */
export function unjudgedTally(runs: readonly TrainRun[]) {
  const byRun = new Map<string, Unjudged>();
  return {
    add({ run, index, episode }: PlacedEpisode): void {
      const line = runs.find((one) => one.run === run)?.index.entries[index]?.line ?? index;
      const found = byRun.get(run) ?? { firstLine: line, episodes: 0, steps: 0, hasGold: false };
      byRun.set(run, found);
      found.episodes += 1;
      found.steps += episode.steps.length;
      found.hasGold ||= (episode.gold ?? []).length > 0;
    },
    /** A finding for each run that has any (HASP626). */
    list: (options: string | undefined): readonly Diagnostic[] =>
      runs.flatMap((run) => {
        const unjudged = byRun.get(run.run);
        return unjudged === undefined ? [] : [withoutVerdict(run, unjudged, options)];
      }),
  };
}
