import { counted } from "../model/counted.ts";
import type { StandingOutcome } from "../model/episode.ts";
import {
  FAILURE_DETECTORS,
  type FailureCluster,
  type FailureExample,
  type FailureReport,
} from "../model/failure.ts";
import { OUTCOMES, percent } from "../model/outcomes.ts";
import { tellingLine } from "../model/telling-line.ts";
import { shellWord } from "../platform/shell-word.ts";
import { renderTable, right } from "./table.ts";

/** Characters of a question in its line. */
const LONGEST_QUESTION = 2_000;

const withShare = (part: number, whole: number): string =>
  part === 0 ? "–" : `${part} (${percent(part, whole)})`;

/** In how many episodes of each outcome each detector finds its failure. */
export function detectorLines({ episodes, detectors, leftOut }: FailureReport): readonly string[] {
  const outcomes = OUTCOMES.filter((outcome) => episodes[outcome] > 0);
  const cell = (count: Readonly<Record<StandingOutcome, number>>) => (outcome: StandingOutcome) =>
    withShare(count[outcome], episodes[outcome]);
  const rows = FAILURE_DETECTORS.flatMap((name) => {
    const count = detectors[name];
    return count === undefined ? [] : [[name, ...outcomes.map(cell(count))]];
  });
  const counts = outcomes.map((outcome) => `${episodes[outcome]} ${outcome}`).join(", ");
  const left = leftOut === 0 ? "" : `; ${leftOut} left out by --split`;
  return [
    ...renderTable(["detector", ...outcomes.map(right)], rows),
    "",
    `episodes: ${counts === "" ? "none" : counts}${left}`,
  ];
}

const placeOf = ({ episodeId, steps: [first] }: FailureExample): string =>
  first === undefined ? episodeId : `${episodeId}#${first + 1}`;

function openingLine({ run, episodeId, steps: [first] }: FailureExample): string {
  const step = first === undefined ? "" : ` --step ${first + 1}`;
  return `open it: hasp replay ${shellWord(run)} --episode ${shellWord(episodeId)}${step}`;
}

function clusterLines(cluster: FailureCluster, most: number): readonly string[] {
  const { id, examples, group, novelty, isNewCategory, abstraction, trigger, hint } = cluster;
  const isNew = isNewCategory ? ", a new category" : "";
  const shown = examples.slice(0, most);
  const [first] = shown;
  const more = examples.length - shown.length;
  return [
    "",
    `${id}: ${counted(examples.length, "episode")}, ${group}, novelty ${novelty.toFixed(2)}${isNew}`,
    `  ${abstraction}`,
    `  when: ${trigger}`,
    `  repair: ${hint}`,
    ...shown.map((example) => `  ${placeOf(example)}  ${tellingLine(example.question, LONGEST_QUESTION)}`),
    ...(more > 0 ? [`  … ${more} more: --examples ${examples.length}, or --json for all`] : []),
    ...(first === undefined ? [] : [`  ${openingLine(first)}`]),
  ];
}

/** The clusters with their first examples, `episode#step`, steps counted from 1. */
export function clustersLines(
  { clusters, smallClusters, summaries, failures }: FailureReport,
  minClusterSize: number,
  most: number,
): readonly string[] {
  const small = smallClusters === 0 ? "" : `; ${smallClusters} smaller left out`;
  const { made, missing, namesAnswer } = summaries;
  const named = namesAnswer === 0 ? "" : `, ${namesAnswer} of them because it names the answer`;
  return [
    `${counted(clusters.length, "cluster")} of at least ${counted(minClusterSize, "episode")}, from ${counted(failures.length, "failed episode")}${small}`,
    ...(made + missing === 0
      ? []
      : [`summaries by the teacher: ${made}; ${counted(missing, "failure")} without one${named}`]),
    ...clusters.flatMap((cluster) => clusterLines(cluster, most)),
  ];
}
