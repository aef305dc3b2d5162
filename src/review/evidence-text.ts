import {
  separates,
  separationWords,
  SEPARATED,
  totalWorth,
  worthWords,
  NOT_SEPARATING,
} from "../model/worth.ts";
import type { GroupWorth } from "../model/worth.ts";
import { counted } from "../model/counted.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { EvidenceLine, EvidenceSection } from "../model/evidence.ts";
import { revisionWords } from "../model/revisions.ts";
import { noteLabel } from "../model/note.ts";
import { OUTCOMES } from "../model/outcomes.ts";
import type {
  BacktestEvidence,
  ClusterEvidence,
  NotedHit,
  ReviewEvidence,
  WorthEvidence,
} from "./evidence.ts";

/** Findings, cases, skills and notes of a section; more crowd out the rest. */
const MOST_LINES = 20;
/** Characters of a text that is not ours. */
const LONGEST_TEXT = 500;

const plain = (text: string): EvidenceLine => ({ text });
const failed = (text: string): EvidenceLine => ({ text, outcome: "failed" });
const clipped = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}…`;

/** The first of them, and how many are left. */
function few(lines: readonly EvidenceLine[], words: string): EvidenceLine[] {
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [plain(`and ${more} more ${words}`)] : [])];
}

/**
 * All that was measured of a skill, in words, for people and for a teacher alike. A section is there where something of its
 * kind was measured; the checks and the cases always are.
 */
export function evidenceSections(evidence: ReviewEvidence): readonly EvidenceSection[] {
  const { backtest, cluster, worth } = evidence;
  const sections: readonly (EvidenceSection | undefined)[] = [
    checksSection(evidence),
    casesSection(evidence),
    backtest && recordedSection(backtest),
    backtest && worthSection(backtest),
    backtest && collisionSection(backtest),
    backtest && notedSection(backtest.noted ?? []),
    cluster && clusterSection(cluster),
    worth && heldOutSection(worth),
  ];
  return sections.filter((section) => section !== undefined);
}

function findingLine({ severity, code, message, range }: Diagnostic): EvidenceLine {
  const text = `${severity} ${code}, line ${range.start.line + 1}: ${clipped(message)}`;
  return severity === "error" || severity === "warning" ? failed(text) : plain(text);
}

function checksSection({ executable, findings }: ReviewEvidence): EvidenceSection {
  const title = "Executable checks";
  if (executable === undefined) return { title, lines: [plain("none: there is no code")] };
  const { checks, score } = executable;
  const found = [...findings, ...checks.flatMap((check) => check.diagnostics)].map(findingLine);
  const once = [...new Map(found.map((line) => [line.text, line])).values()];
  const passed = Math.round(score * checks.length);
  return {
    title,
    lines: [
      plain(`${passed} of ${checks.length} passed`),
      ...checks.map(({ name, outcome }) => ({ text: `${name}: ${outcome}`, outcome })),
      ...few(once, "findings"),
    ],
  };
}

function casesSection({ cases }: ReviewEvidence): EvidenceSection {
  const title = "Cases";
  if (cases.length === 0) return { title, lines: [plain("none were run")] };
  const broken = cases.filter(({ passed }) => !passed);
  const count = `${cases.length - broken.length} of ${cases.length} hold`;
  const head: EvidenceLine = broken.length === 0 ? { text: count, outcome: "passed" } : plain(count);
  const lines = broken.map(({ case: test, expected, actual }) =>
    failed(`${clipped(test.name)}: expected ${clipped(expected)}, actual ${clipped(actual)}`),
  );
  return { title, lines: [head, ...few(lines, "that do not hold")] };
}

const SEPARATES = "HASP315";
const COLLIDES = "HASP409";

function recordedSection({ skill, episodes, findings = [] }: BacktestEvidence): EvidenceSection {
  const outcomes = OUTCOMES.filter((outcome) => episodes[outcome] > 0);
  const lines = outcomes.map((outcome) => {
    const { fired, applied, steps } = skill.counts[outcome];
    return plain(
      `${outcome}: ${counted(episodes[outcome], "episode")}; fired in ${fired} of them, on ${counted(steps, "step")}; changed something in ${applied}`,
    );
  });
  const { errors, divergedSteps } = skill;
  const diverged = `fires after an episode had left its recorded path, counted nowhere above: ${divergedSteps}`;
  const others = findings.filter(({ code }) => code !== SEPARATES && code !== COLLIDES);
  return {
    title: "Recorded episodes",
    lines: [
      ...(lines.length === 0 ? [plain("no episode was judged")] : lines),
      ...(errors === 0 ? [] : [failed(`errors: ${errors}`)]),
      ...(divergedSteps === 0 ? [] : [plain(diverged)]),
      ...others.map(({ code, message }) => plain(`${code}: ${message}`)),
    ],
  };
}

/** Undefined where no first change of an episode has a worth, and no draft was revised. */
function worthSection({ skill: { worth, revisions } }: BacktestEvidence): EvidenceSection | undefined {
  const title = "Worth of its changes";
  const revised = revisionWords(revisions);
  const drafts = revised === "" ? [] : [plain(`drafts that it held back, and their revisions: ${revised}`)];
  if (worth === undefined || worthWords(totalWorth(worth)) === "")
    return drafts.length === 0 ? undefined : { title, lines: drafts };
  const lines = (["wrong", "correct"] as const).flatMap((outcome) => {
    const words = worthWords(totalWorth(worth, [outcome]));
    return words === "" ? [] : [plain(`first changes in ${outcome} episodes: ${words}`)];
  });
  return { title, lines: [...lines, ...separationLines(worth), ...drafts] };
}

function separationLines(worth: GroupWorth): EvidenceLine[] {
  const lines = SEPARATED.flatMap((of) => {
    const found = worth.separation[of];
    return found === undefined ? [] : [plain(separationWords(of, found))];
  });
  const does = separates(worth);
  if (does === undefined) return lines;
  const verdict = "its changes are worth more than those of a random trigger";
  return [...lines, does ? { text: verdict, outcome: "passed" } : failed(NOT_SEPARATING)];
}

function collisionSection({ shared, findings = [] }: BacktestEvidence): EvidenceSection | undefined {
  if (shared === undefined) return undefined;
  const never = findings.filter(({ code }) => code === COLLIDES).map(({ message }) => failed(message));
  const lines = shared.map(({ skillId, steps, wanted, isFirst }) => {
    const whose = isFirst ? "which is asked first and gets its way" : "which is asked later";
    return plain(`${steps} of its ${counted(wanted, "changed step")} also by ${skillId}, ${whose}`);
  });
  const none: EvidenceLine = {
    text: "no other skill of its library wants to modify the steps that it modifies",
    outcome: "passed",
  };
  return {
    title: "Collisions with other skills",
    lines:
      lines.length + never.length === 0 ? [none] : [...few(never, "collisions"), ...few(lines, "skills")],
  };
}

function notedSection(noted: readonly NotedHit[]): EvidenceSection | undefined {
  if (noted.length === 0) return undefined;
  const lines = noted.map(({ note, hit }) => {
    const place = note.t === undefined ? "an episode" : `step ${note.t + 1} of an episode`;
    const text = note.text === undefined ? "" : `: ${JSON.stringify(clipped(note.text))}`;
    return plain(
      `on ${place} that ended ${hit.outcome}, where the skill was ${hit.status} on step ${hit.t + 1}: ${JSON.stringify(noteLabel(note.kind))}${text}`,
    );
  });
  return { title: "Labels of people where it would have acted", lines: few(lines, "notes") };
}

function clusterSection({ category, abstraction, trigger, hint, size }: ClusterEvidence): EvidenceSection {
  return {
    title: "Failures for which it was written",
    lines: [
      plain(`category: ${clipped(category)}, ${counted(size, "episode")}`),
      plain(`failure: ${clipped(abstraction)}`),
      plain(`when: ${clipped(trigger)}`),
      plain(`hint: ${clipped(hint)}`),
    ],
  };
}

function heldOutSection({
  better,
  worse,
  ties,
  wrong,
  right,
  p,
  level,
  passed,
}: WorthEvidence): EvidenceSection {
  const test =
    p === undefined ? "" : `; sign test p ${p.toFixed(3)}${level === undefined ? "" : ` (level ${level})`}`;
  const questions: EvidenceLine = {
    text: `questions that it helps: ${better}, harms: ${worse}, neither: ${ties}${test}`,
    ...(passed === undefined ? {} : { outcome: passed ? ("passed" as const) : ("failed" as const) }),
  };
  return {
    title: "Worth on questions that its author never saw",
    lines: [
      questions,
      plain(`helped in ${wrong.helped} of ${counted(wrong.episodes, "wrong episode")}`),
      plain(`harmed in ${right.harmed} of ${counted(right.episodes, "right episode")}`),
    ],
  };
}
