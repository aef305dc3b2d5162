import { analyseFailures } from "../../app/failures.ts";
import { take } from "../../app/refusal.ts";
import { counted } from "../../model/counted.ts";
import { EVOLVE_LIMITS } from "../../model/evolution.ts";
import type { FailureCluster, FoundFailure } from "../../model/failure.ts";
import type { PhaseResult } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";
import { watchedModel } from "../models.ts";
import { authorRuns } from "../epoch-runs.ts";
import { helpedEpisodes } from "../residual.ts";

/** Summaries asked for at once. */
const CONCURRENCY = 8;

/** Lite mode forms no clusters (SPEC §7): the failed episodes are dealt out to its proposals in turn. */
function batches(failures: readonly FoundFailure[]): readonly FailureCluster[] {
  const examples = failures.map(({ run, index, episodeId, questionId, question, length, detected }) => {
    const steps = [...new Set(detected.flatMap((one) => one.steps))].toSorted((a, b) => a - b);
    const shown = steps.length > 0 ? steps : [Math.max(0, length - 1)];
    return { run, index, episodeId, questionId, question, steps: shown };
  });
  const count = Math.min(EVOLVE_LIMITS.liteCandidates, examples.length);
  return Array.from({ length: count }, (_, i) => ({
    id: `lite:${i + 1}`,
    source: "detector" as const,
    category: "failed_episodes",
    abstraction: "Episodes that failed. They were not sorted: find a failure that several of them share.",
    trigger: "Found by the author in the steps below.",
    hint: "Chosen by the author.",
    group: "control" as const,
    novelty: 0,
    isNewCategory: false,
    examples: examples.filter((_one, at) => at % count === i),
  }));
}

/** Phase B (SPEC §7): detectors and, with a teacher, summaries of the failed episodes become clusters. */
export async function failuresPhase(epoch: Epoch): Promise<PhaseResult<"failures">> {
  const { order, services, found } = epoch;
  const { runs, split } = await authorRuns(epoch);
  const known = (await epoch.library()).flatMap(({ skill }) =>
    skill === undefined
      ? []
      : [{ skillId: skill.skillId, category: skill.errorCategory, description: skill.description }],
  );
  const isLite = order.mode === "lite";
  const helped = await helpedEpisodes(epoch);
  const teacher = epoch.teacherFor("summary");
  const model = teacher && watchedModel(teacher);
  const report = take(
    await analyseFailures(
      {
        runs,
        split,
        known,
        minClusterSize: order.caps.minClusterSize,
        isLeftOut: ({ run, index }) => helped.has(`${run}\n${index}`),
        mostFailures: isLite ? EVOLVE_LIMITS.liteFailures : undefined,
        signal: services.signal,
      },
      {
        files: services.files,
        model,
        concurrency: CONCURRENCY,
        on: services.on,
      },
    ),
    found,
  );
  services.signal.throwIfAborted();
  // The report does without the summaries that are missing; an epoch asks for them again.
  if (model?.outage !== undefined) throw model.outage;
  const refusedSummaries = report.failures.flatMap(({ episodeId, refusedSummaries: replies = [] }) =>
    replies.map((reply) => ({ ...reply, episodeId })),
  );
  const clusters = isLite ? batches(report.failures) : report.clusters;
  const left =
    helped.size === 0
      ? ""
      : `; ${counted(helped.size, "episode")} that generated skills help by now left out`;
  const { wrong, halted } = report.episodes;
  const of = isLite ? "batch" : "cluster";
  return {
    clusters: [...clusters],
    ...(refusedSummaries.length > 0 && { refusedSummaries }),
    words: `${counted(wrong + halted, "failed episode")}, ${counted(clusters.length, of)}${left}`,
  };
}
