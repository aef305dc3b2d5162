import * as vscode from "vscode";
import { counted } from "../../model/counted.ts";
import type { Outcome, StandingOutcome } from "../../model/episode.ts";
import type { FailureCluster, FailureDetector, FailureExample, FailureGroup } from "../../model/failure.ts";
import type { HelpPlace } from "../../model/help-page.ts";
import { OUTCOMES, percent } from "../../model/outcomes.ts";
import { tellingLine } from "../../model/telling-line.ts";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import { OUTCOME_ICONS } from "../outcome-icons.ts";
import { createTree, type Row, row } from "../tree.ts";
import { clusterNotes, clusterTooltip, plainLine, stepOfExample } from "./cluster-words.ts";
import { DETECTOR_WORDS } from "./detector-words.ts";
import type { FailuresResult } from "./result.ts";

export type FailuresTree = ReturnType<typeof registerFailuresTree>;

const GROUP_ICONS: Readonly<Record<FailureGroup, string>> = {
  termination: "stop-circle",
  retrieval: "search",
  entity: "person",
  evidence: "book",
  format: "whole-word",
  control: "settings",
};

const HELP: HelpPlace = { page: "failures", anchor: "the-detectors" };

/** Characters of a question that a row can show. */
const LONGEST = 300;

const placeOf = ({ run, index }: Pick<FailureExample, "run" | "index">): string => `${index} ${run}`;

/** Outcomes of the failed episodes, by their place. */
function outcomesOf({ report }: FailuresResult): ReadonlyMap<string, Outcome> {
  return new Map(report.failures.map((one) => [placeOf(one), one.outcome]));
}

function exampleRow(example: FailureExample, outcome: Outcome, { titles }: FailuresResult): Row {
  const { run, index, question, steps } = example;
  const t = stepOfExample(example);
  const title = plainLine(titles.get(run) ?? run);
  const all = steps.map((step) => step + 1).join(", ");
  const at = titles.size > 1 ? ` · ${title}` : "";
  return row(plainLine(tellingLine(question, LONGEST)), {
    description: `step ${t + 1}${at}`,
    tooltip: [
      plainLine(question),
      `${outcome}, episode ${index + 1} of ${title}, ${steps.length > 1 ? "steps" : "step"} ${all}`,
    ].join("\n"),
    icon: OUTCOME_ICONS[outcome],
    command: {
      command: COMMANDS.revealStep.id,
      title: "Open step",
      arguments: [vscode.Uri.parse(run, true), { index, t }],
    },
  });
}

/** The parts of the tooltip that lead to a skill, for those who read rows. */
function wordRows({ trigger, hint }: FailureCluster): readonly Row[] {
  const parts = [
    ["target", `Trigger: ${plainLine(trigger)}`],
    ["lightbulb", `Hint: ${plainLine(hint)}`],
  ] as const;
  return parts.map(([icon, words]) => row(words, { icon: new vscode.ThemeIcon(icon), tooltip: words }));
}

function clusterRow(cluster: FailureCluster, result: FailuresResult): Row {
  const outcomes = outcomesOf(result);
  const made = row(plainLine(cluster.category), {
    description: clusterNotes(cluster),
    tooltip: clusterTooltip(cluster),
    icon: new vscode.ThemeIcon(GROUP_ICONS[cluster.group]),
    contextValue: "hasp.cluster",
    children: () => [
      ...wordRows(cluster),
      ...cluster.examples.map((one) => exampleRow(one, outcomes.get(placeOf(one)) ?? "unjudged", result)),
    ],
  });
  // Menu commands know the cluster by it, and a refresh leaves it open.
  made.item.id = cluster.id;
  return made;
}

/** Our own words alone: a link of this text runs a command. */
function detectorTooltip(words: string, shares: readonly string[]): vscode.MarkdownString {
  const { id } = COMMANDS.help;
  const tooltip = new vscode.MarkdownString();
  tooltip.isTrusted = { enabledCommands: [id] };
  const link = `command:${id}?${encodeURIComponent(JSON.stringify(HELP))}`;
  const list = shares.map((share) => `- ${share}`).join("\n");
  return tooltip.appendMarkdown(`${words}\n\n${list}\n\n[About the detectors](${link})`);
}

type Counts = NonNullable<FailuresResult["report"]["detectors"][FailureDetector]>;

function detectorRow(name: FailureDetector, counts: Counts, { report }: FailuresResult): Row {
  const seen = OUTCOMES.filter((outcome) => report.episodes[outcome] > 0);
  const isFound = seen.some((outcome) => counts[outcome] > 0);
  const share = (outcome: StandingOutcome): string =>
    percent(counts[outcome], report.episodes[outcome]) ?? "";
  return row(name, {
    description: isFound ? seen.map(share).join(" · ") : "found in no episode",
    tooltip: detectorTooltip(
      DETECTOR_WORDS[name],
      seen.map(
        (outcome) => `${counts[outcome]} of ${report.episodes[outcome]} ${outcome} (${share(outcome)})`,
      ),
    ),
    icon: new vscode.ThemeIcon("filter"),
    command: { command: COMMANDS.help.id, title: "Open help", arguments: [HELP] },
  });
}

/** Those that most failed episodes show come first. */
function detectorsRow(result: FailuresResult): Row {
  const { detectors, episodes } = result.report;
  const seen = OUTCOMES.filter((outcome) => episodes[outcome] > 0);
  const ran = Object.entries(detectors) as [FailureDetector, Counts][];
  const failed = ([, { wrong, halted }]: [FailureDetector, Counts]): number => wrong + halted;
  const sorted = ran.toSorted((a, b) => failed(b) - failed(a));
  return row("Detectors", {
    // The order of the shares in the rows below it.
    description: seen.join(" · "),
    tooltip:
      "The share of the episodes of each outcome in which a detector finds its failure. A detector that finds it in right episodes as often says little.",
    icon: new vscode.ThemeIcon("table"),
    children: () => sorted.map(([name, counts]) => detectorRow(name, counts, result)),
  });
}

/** Clusters and summaries that the view does not show. */
function leftOutWords({ smallClusters, summaries }: FailuresResult["report"]): readonly string[] {
  return [
    ...(smallClusters > 0 ? [`${counted(smallClusters, "small cluster")} left out.`] : []),
    ...(summaries.missing > 0 ? [`${counted(summaries.missing, "failure")} without a summary.`] : []),
  ];
}

function summary({ report, titles, cost, cancelled }: FailuresResult): string {
  const { episodes, clusters } = report;
  const total = OUTCOMES.reduce((sum, outcome) => sum + episodes[outcome], 0);
  const failed = episodes.wrong + episodes.halted;
  const isNew = clusters.filter(({ isNewCategory }) => isNewCategory).length;
  const [title = ""] = titles.values();
  const about = titles.size === 1 ? plainLine(title) : counted(titles.size, "run");
  return [
    `${about}: ${cancelled ? "cancelled, " : ""}${failed} of ${counted(total, "episode")} failed.`,
    `${counted(clusters.length, "cluster")}${isNew === 0 ? "" : `, ${isNew === clusters.length ? "all" : isNew} new`}.`,
    ...leftOutWords(report),
    ...(cost === undefined ? [] : [cost]),
  ].join(" ");
}

// VS Code draws links in a message, and files of the workspace choose titles in it.
const asMessage = (text: string): string => text.replaceAll("](", "] (");

/** The view of the latest analysis: its clusters, then their examples, which open in the replay; then the detectors. */
export function registerFailuresTree() {
  let shown: FailuresResult | undefined;
  let rows: readonly Row[] = [];
  const tree = createTree(VIEWS.failures.id, async () => rows);
  async function set(result: FailuresResult | undefined): Promise<void> {
    shown = result;
    rows =
      result === undefined
        ? []
        : [...result.report.clusters.map((one) => clusterRow(one, result)), detectorsRow(result)];
    // `message` is absent from the view only as an empty text.
    tree.view.message = "";
    await tree.refresh();
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.hasFailures, result !== undefined);
  }
  return {
    async show(result: FailuresResult): Promise<void> {
      await set(result);
      const [first] = rows;
      if (first !== undefined) await tree.view.reveal(first, { focus: false, select: false });
      // VS Code makes room for a message only where rows are already in sight: set before, it hides the last rows.
      tree.view.message = asMessage(summary(result));
    },
    clear: (): void => void set(undefined),
    /** Undefined before the first analysis and after Clear. */
    shown: (): FailuresResult | undefined => shown,
    /** Says that a run is no longer as it was analysed. */
    markStale(run: string): void {
      if (shown?.titles.has(run) !== true) return;
      const title = plainLine(shown.titles.get(run) ?? run);
      tree.view.message = asMessage(
        `Stale: ${title} has changed since. ${COMMANDS.refreshFailures.title} analyses it again. ${summary(shown)}`,
      );
    },
    dispose: (): void => tree.dispose(),
  };
}
