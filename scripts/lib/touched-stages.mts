import { secondsOf } from "./schedule.mts";
import type { Stage } from "./stages.mts";

/** Stages whose thorough form (or `formOfChange`) says more about a change below a path. A path may have several lines. */
export const TOUCHES: readonly (readonly [path: string, ...stages: string[]])[] = [
  ["src/jobs/", "cluster", "unit"],
  ["src/platform/remote/", "cluster"],
  ["src/platform/cluster-", "cluster"],
  ["src/platform/job-", "cluster", "golden"],
  ["src/platform/local-jobs.ts", "cluster", "golden"],
  ["trainer/hasp_target/", "cluster"],
  ["test/support/cluster-scene.ts", "cluster"],
  ["trainer/", "trainer", "miniature"],
  ["src/training/", "trainer", "miniature", "unit"],
  ["scripts/miniature/", "miniature"],
  ["scripts/demo-train.mts", "miniature"],
  ["src/evolve/", "golden", "unit"],
  ["src/agents/", "golden"],
  ...[
    "src/agents/hook/",
    "src/trace/formats/tools/",
    "src/domains/coding-agent/",
    "src/cli/hook-",
    "src/platform/hook-",
    "src/platform/host-listing.ts",
    "src/skill/host-loading.ts",
    "skills/coding-agent/",
    "scripts/lib/agent-hosts.mts",
  ].map((at) => [at, "hosts"] as const),
  ...[
    "src/domains/web-search/",
    "src/domains/passages/",
    "src/llm/",
    "src/harness/",
    "skills/web-search/",
    "skills/paper/",
    "skills/worth/",
    "scripts/model/",
    "scripts/lib/real-model.mts",
    "scripts/lib/plain-react.mts",
    "test/fixtures/model/",
  ].map((at) => [at, "model"] as const),
  ["src/trace/", "golden"],
  ["src/sandbox/", "golden", "unit"],
  ["src/platform/", "golden"],
  ["webview/", "webview"],
  ["src/extension/", "host", "e2e"],
  ...["golden", "unit", "webview", "trainer", "cluster", "miniature", "e2e", "host", "hosts", "model"].map(
    (stage) => [`test/${stage}/`, stage] as const,
  ),
];

/** Names of the stages that these files touch. */
export function touchedStages(files: readonly string[]): string[] {
  const touched = TOUCHES.filter(([path]) => files.some((file) => file.startsWith(path)));
  return [...new Set(touched.flatMap(([, ...stages]) => stages))];
}

/** A shared machine takes longer than two quiet cores: so much of the time is planned. */
const PLANNED = 0.75;

/**
 * Of the stages wanted in their thorough form, those that fit into the time beside the normal form of all others. The
 * shortest come first, so that most of them fit.
 */
export function stagesThatFit(
  stages: readonly Stage[],
  wanted: readonly string[],
  seconds: number,
  lanes: number,
): string[] {
  const changed = ({ seconds: own, formOfChange }: Stage): number => own[formOfChange ?? "thorough"];
  const added = (stage: Stage): number =>
    changed(stage) - (stage.isOptional === true ? 0 : stage.seconds.normal);
  const fitting: string[] = [];
  for (const stage of stages.toSorted((a, b) => added(a) - added(b))) {
    if (!wanted.includes(stage.name)) continue;
    const tasks = stages
      .filter((one) => one.isOptional !== true || [...fitting, stage.name].includes(one.name))
      .map((one) => ({
        lanes: one.lanes,
        isAlone: one.isAlone,
        seconds: [...fitting, stage.name].includes(one.name) ? changed(one) : one.seconds.normal,
      }));
    if (secondsOf(tasks, lanes) <= seconds * PLANNED) fitting.push(stage.name);
  }
  return fitting;
}
