import { DIMENSIONS, type Review } from "../../model/review.ts";
import { decisionWordOf, type DecisionWord, type EvolvedCandidate } from "../../model/evolution.ts";
import type { EvolutionReport, ReportedEpoch } from "../../evolve/report.ts";
import { asPage, asText, list, sentence, table } from "../../model/markdown-page.ts";
import {
  candidateLines,
  candidateName,
  clusterWords,
  decisionWord,
  evolutionWords,
  figure,
  orderLines,
  phaseTitle,
  type Work,
} from "./words.ts";

const BAR = "█";

/** Candidates by Q_skill, a row for each bin that has some between the lowest and the highest. */
function histogram(scores: readonly number[]): readonly string[] {
  const first = scores.findIndex((count) => count > 0);
  if (first === -1) return [];
  const last = scores.findLastIndex((count) => count > 0);
  const rows = scores.slice(first, last + 1).map((count, i) => {
    const low = (first + i) / scores.length;
    return [`${low.toFixed(1)}–${(low + 1 / scores.length).toFixed(1)}`, String(count), BAR.repeat(count)];
  });
  return ["Candidates by Q_skill:", "", ...table(["Q_skill", "candidates", ""], rows, [1])];
}

function sizes(epochs: readonly ReportedEpoch[]): readonly string[] {
  const rows = epochs.flatMap(({ number, admission, candidates, passed }) => {
    if (admission === undefined) return [];
    const decided = (word: DecisionWord) =>
      candidates.filter(({ decision }) => decisionWordOf(decision) === word).length;
    const { before, after, retired } = admission;
    const share = passed === undefined ? "" : `${Math.round(100 * passed)}%`;
    const counts = [candidates.length, decided("admitted"), decided("undecided"), retired.length];
    return [[number, before, after, ...counts, share].map(String)];
  });
  if (rows.length === 0) return [];
  const columns = [
    "epoch",
    "before",
    "after",
    "candidates",
    "admitted",
    "undecided",
    "retired",
    "checks passed",
  ];
  return [
    "## Library by epoch",
    "",
    "Acting skills before and after each epoch.",
    "",
    ...table(columns, rows, [0, 1, 2, 3, 4, 5, 6, 7]),
  ];
}

function epochPart({ number, phases, clusters, candidates, scores }: ReportedEpoch): readonly string[] {
  const rows = phases.map(({ phase, words }) => [phaseTitle(phase), words ?? "not yet"]);
  const failures = clusters.map((one) => [one.category, clusterWords(one), one.abstraction]);
  const decided = candidates.map((one) => [
    one.id,
    candidateName(one),
    decisionWord(one),
    figure(one.checks.score),
    one.review === undefined ? "" : figure(one.review.qSkill),
    one.decision.reason,
  ]);
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [`### ${title}`, "", ...lines];
  return [
    `## Epoch ${number}`,
    "",
    ...table(["phase", "result"], rows),
    ...part("Failures", table(["category", "size", "abstraction"], failures)),
    ...part("Candidates", table(["id", "skill", "decision", "checks", "Q_skill", "reason"], decided, [3, 4])),
    ...histogram(scores),
  ];
}

/** An evolution as a page of Markdown. */
export function reportPage(name: string, report: EvolutionReport, work: Work | undefined): string {
  const final = report.final.flatMap(({ epoch, words, skills }) => [
    `- After epoch ${epoch}: ${asText(words)} ${asText(skills.length === 0 ? "No generated skill acted." : `Generated skills: ${skills.join(", ")}.`)}`,
  ]);
  const lines = [
    `# Evolution ${asText(name)}`,
    "",
    asText(sentence(evolutionWords(report, work))),
    "",
    ...list(orderLines(report.order)),
    "",
    ...sizes(report.epochs),
    ...(final.length === 0 ? [] : ["## Final reading", "", ...final, ""]),
    ...report.epochs
      .filter(({ phases }) => phases.some(({ words }) => words !== undefined))
      .flatMap(epochPart),
  ];
  return asPage(lines);
}

function reviewPart(review: Review): readonly string[] {
  const { teacher, prompt, when, decision, qSkill, said, scores, comments, suggestions } = review;
  const about = `Decision ${decision}, Q_skill ${figure(qSkill)}${said === undefined ? "" : `; the teacher's word is ${said}`}.`;
  return [
    "## Review",
    "",
    `${asText(about)} ${asText(`By ${teacher.id} (${teacher.model}), prompt ${prompt}, ${when}.`)}`,
    "",
    ...table(
      ["dimension", "score", "comment"],
      DIMENSIONS.map((name) => [name, figure(scores[name]), comments[name] ?? ""]),
      [1],
    ),
    ...(suggestions.length === 0 ? [] : ["### Suggestions", "", ...list(suggestions), ""]),
  ];
}

/** A candidate with its review, checks and worth, as a page of Markdown. */
export function candidatePage(candidate: EvolvedCandidate): string {
  const { checks, review } = candidate;
  const [title = "", ...lines] = candidateLines(candidate);
  const rows = checks.checks.map(({ name, outcome, finding }) => [
    name,
    outcome,
    finding === undefined ? "" : `${finding.code}: ${finding.message}`,
  ]);
  const all = [
    `# ${asText(title)}`,
    "",
    ...list(lines),
    "",
    ...(rows.length === 0
      ? []
      : ["## Executable checks", "", ...table(["check", "outcome", "finding"], rows)]),
    ...(review === undefined ? ["No teacher reviewed this candidate."] : reviewPart(review)),
  ];
  return asPage(all);
}
