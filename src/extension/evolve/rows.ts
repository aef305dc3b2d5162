import * as vscode from "vscode";
import type { EvolutionReport, ReportedEpoch, ReportedPhase } from "../../evolve/report.ts";
import { counted } from "../../model/counted.ts";
import {
  DECISIONS,
  decisionWordOf,
  type DecisionWord,
  type EvolvedCandidate,
} from "../../model/evolution.ts";
import type { FailureCluster } from "../../model/failure.ts";
import { COMMANDS } from "../contributions.ts";
import { plainLine } from "../experiments/words.ts";
import { STATE_ICONS } from "../state-icons.ts";
import { type Row, row } from "../tree.ts";
import type { Evolutions, FoundEvolution } from "./evolutions.ts";
import {
  candidateLines,
  candidateName,
  candidateWords,
  clusterLines,
  clusterWords,
  epochState,
  epochWords,
  evolutionWords,
  type EvolutionState,
  orderLines,
  phaseTitle,
  stateOf,
  type Work,
  workWords,
} from "./words.ts";

const EVOLUTION_ICONS: Readonly<Record<EvolutionState, vscode.ThemeIcon>> = {
  running: STATE_ICONS.running,
  done: STATE_ICONS.done,
  unfinished: STATE_ICONS.paused,
};

const DECISION_ICONS: Readonly<Record<DecisionWord, vscode.ThemeIcon>> = {
  admitted: STATE_ICONS.done,
  undecided: STATE_ICONS.paused,
  rejected: STATE_ICONS.refused,
};

/** `1 admitted · 1 undecided · 3 rejected`. */
function countedDecisions(candidates: readonly EvolvedCandidate[]): string {
  const words = candidates.map(({ decision }) => decisionWordOf(decision));
  return DECISIONS.map((word) => `${words.filter((one) => one === word).length} ${word}`).join(" · ");
}

/** The row of a candidate is told from others by its id, which is the fragment of its subject. */
const candidateAt = (folder: vscode.Uri, { id }: EvolvedCandidate): vscode.Uri =>
  folder.with({ fragment: id });

function phaseRow({ phase, words }: ReportedPhase, epoch: number, work: Work | undefined): Row {
  const title = phaseTitle(phase);
  if (words !== undefined)
    return row(title, {
      description: plainLine(words),
      tooltip: `${title}: done\n${plainLine(words)}`,
      icon: STATE_ICONS.done,
    });
  if (work?.epoch === epoch && work.phase === phase) {
    const description = ["running", ...(work.progress === undefined ? [] : [work.progress])].join(" · ");
    return row(title, { description, tooltip: `${title}: ${description}`, icon: STATE_ICONS.running });
  }
  return row(title, { description: "not yet", tooltip: `${title}: not yet`, icon: STATE_ICONS.notYet });
}

function clusterRow(cluster: FailureCluster): Row {
  return row(plainLine(cluster.category), {
    description: `${clusterWords(cluster)} · ${plainLine(cluster.abstraction)}`,
    tooltip: clusterLines(cluster).join("\n"),
    icon: STATE_ICONS.failed,
  });
}

/** The choices of its menus: nothing that cannot be loaded can be accepted. */
function candidateKind({ decision, checks }: EvolvedCandidate): string {
  const word = decisionWordOf(decision);
  return word === "rejected" && !checks.compiles ? "broken" : word;
}

function candidateRow(candidate: EvolvedCandidate, folder: vscode.Uri): Row {
  const { decision, skillId } = candidate;
  const subject = candidateAt(folder, candidate);
  return row(candidateName(candidate), {
    description: candidateWords(candidate),
    tooltip: candidateLines(candidate).join("\n"),
    icon: DECISION_ICONS[decisionWordOf(decision)],
    contextValue: `hasp.candidate.${candidateKind(candidate)}`,
    subject,
    command:
      skillId === ""
        ? { command: COMMANDS.showCandidateReviews.id, title: "Show Reviews", arguments: [subject] }
        : { command: COMMANDS.openCandidate.id, title: "Open Candidate", arguments: [subject] },
  });
}

function epochRow(epoch: ReportedEpoch, folder: vscode.Uri, work: Work | undefined, isLast: boolean): Row {
  const { number, phases, clusters, candidates } = epoch;
  const state = epochState(epoch, work);
  const words = epochWords(epoch);
  const icons: Readonly<Record<string, vscode.ThemeIcon>> = {
    done: STATE_ICONS.done,
    running: STATE_ICONS.running,
    "not yet": STATE_ICONS.notYet,
  };
  const failures = row("Failures", {
    description: counted(clusters.length, "kind"),
    tooltip:
      "Failed episodes of the author's questions by kind of failure; the author writes a skill for some of them.",
    icon: new vscode.ThemeIcon("list-tree"),
    children: () => clusters.map(clusterRow),
  });
  const decided = row("Candidates", {
    description: countedDecisions(candidates),
    tooltip: "Skills that the author wrote, and the decision on each.",
    icon: new vscode.ThemeIcon("lightbulb"),
    expanded: isLast,
    children: () => candidates.map((one) => candidateRow(one, folder)),
  });
  return row(`Epoch ${number}`, {
    description: words === "" ? state : words,
    tooltip: [`Epoch ${number}: ${state}`, ...(words === "" ? [] : [words])].join("\n"),
    icon: icons[state] ?? EVOLUTION_ICONS.unfinished,
    expanded: isLast,
    children: () => [
      ...phases.map((phase) => phaseRow(phase, number, work)),
      ...(clusters.length === 0 ? [] : [failures]),
      ...(candidates.length === 0 ? [] : [decided]),
    ],
  });
}

function finalRows({ final }: EvolutionReport): readonly Row[] {
  return final.map(({ epoch, words, better, worse, ties, skills }) =>
    row("Final reading", {
      description: `${better} better · ${worse} worse · ${ties} the same`,
      tooltip: [
        `After epoch ${epoch}, on questions that neither the author nor the gate read:`,
        plainLine(words),
        `generated skills: ${skills.length === 0 ? "none" : skills.join(", ")}`,
      ].join("\n"),
      icon: new vscode.ThemeIcon("law"),
    }),
  );
}

/** The epoch that is of interest: the running one, else the last with a result. */
function epochInFront({ epochs }: EvolutionReport, work: Work | undefined): number {
  const begun = epochs.filter(({ phases }) => phases.some(({ words }) => words !== undefined));
  return work?.epoch ?? begun.at(-1)?.number ?? 1;
}

function evolutionRow({ folder, name, report: read, work }: FoundEvolution, isFirst: boolean): Row {
  const report = read.value;
  if (report === undefined && work !== undefined) {
    const description = `running · ${workWords(work)}`;
    const contextValue = "hasp.evolution.running";
    return row(name, {
      description,
      icon: STATE_ICONS.running,
      contextValue,
      subject: folder,
      expanded: true,
      children: () => [],
    });
  }
  if (report === undefined) {
    const why = read.diagnostics.at(-1)?.message ?? "It cannot be read.";
    const icon = new vscode.ThemeIcon("warning");
    return row(name, { description: why, tooltip: `${why}\n${folder.fsPath}`, icon, subject: folder });
  }
  const state = stateOf(report, work);
  const front = epochInFront(report, work);
  const created = new Date(report.order.createdAt).toLocaleString();
  return row(name, {
    description: evolutionWords(report, work),
    tooltip: [
      `${name}: ${evolutionWords(report, work)}`,
      ...orderLines(report.order),
      `begun ${created}`,
      folder.fsPath,
    ].join("\n"),
    icon: EVOLUTION_ICONS[state],
    contextValue: `hasp.evolution.${state}${work?.isStopping === true ? ".stopping" : ""}`,
    subject: folder,
    expanded: isFirst,
    children: () => [
      ...report.epochs.map((epoch) => epochRow(epoch, folder, work, epoch.number === front)),
      ...finalRows(report),
    ],
  });
}

/** An evolution a row: epochs, phases, failures, candidates, the final reading. */
export async function evolutionRows(evolutions: Pick<Evolutions, "list">): Promise<readonly Row[]> {
  return (await evolutions.list()).map((found, i) => evolutionRow(found, i === 0));
}
