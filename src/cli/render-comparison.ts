import { counted } from "../model/counted.ts";
import { sameAction, type Action } from "../model/action.ts";
import {
  RUN_MEASURES,
  type AlignedStep,
  type EpisodeComparison,
  type EpisodeSide,
  type QuestionPair,
  type RunComparison,
  type RunMeasure,
  type Spread,
} from "../model/comparison.ts";
import type { Episode, Outcome, Step } from "../model/episode.ts";
import { OUTCOMES } from "../model/outcomes.ts";
import { printable } from "../model/printable.ts";
import { repliesText } from "../model/replies.ts";
import { stopReasonWords } from "../model/stop-reasons.ts";
import { tellingLine } from "../model/telling-line.ts";
import { actionInLine, answersArePrograms } from "./render-program.ts";
import { renderTable, right } from "./table.ts";

/** Characters a line may have where the terminal does not say. */
const COLUMNS = 124;
/** Characters of an answer beside what the episode took. */
const LONGEST_ANSWER = 80;

const oneLine = (text: string): string => printable(text).replaceAll(/\s+/g, " ").trim();

/** Cut at whole characters. */
function clipped(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join("")}…`;
}

function figure(value: number | undefined, measure: RunMeasure): string {
  if (value === undefined) return "–";
  return measure === "dollars" ? value.toFixed(4) : String(Math.round(value * 10) / 10);
}

function measureTable({ measures }: RunComparison): string[] {
  const names = Object.keys(RUN_MEASURES) as RunMeasure[];
  const isKnown = (spread: Spread | undefined): boolean => (spread?.known ?? 0) > 0;
  const rows = names.flatMap((name) => {
    const both = measures[name];
    if (both === undefined || !(isKnown(both.a) || isKnown(both.b))) return [];
    const of = ({ median, sum, known }: Spread): string[] => [
      figure(median, name),
      known === 0 ? "–" : figure(sum, name),
    ];
    return [[RUN_MEASURES[name], ...of(both.a), ...of(both.b)]];
  });
  return renderTable(["", ...["A median", "A sum", "B median", "B sum"].map(right)], rows);
}

/** Outcomes that no question had on either side are left out. */
function outcomeTable({ outcomes }: RunComparison): string[] {
  const all = OUTCOMES;
  const inA = all.filter((a) => all.some((b) => outcomes[a][b] > 0));
  const inB = all.filter((b) => all.some((a) => outcomes[a][b] > 0));
  const rows = inA.map((a) => [`A ${a}`, ...inB.map((b) => String(outcomes[a][b]))]);
  return renderTable(["", ...inB.map((b) => right(`B ${b}`))], rows);
}

const SHAPES: Readonly<Record<Outcome, string>> = {
  correct: "✓",
  wrong: "✗",
  halted: "⏹",
  unjudged: "?",
  abandoned: "↶",
};

/** The episode, or where several samples are compared their figures. */
function sideCell(side: QuestionPair["a"]): string {
  const [only, ...others] = side?.episodes ?? [];
  if (side === undefined || only === undefined) return "–";
  if (others.length === 0) return `${SHAPES[only.outcome]} ${only.outcome}, ${counted(only.steps, "step")}`;
  const { right: n, of, best, mean } = side;
  const score = (value: number | undefined): string => (value === undefined ? "–" : value.toFixed(2));
  return `${n} of ${of} right, best ${score(best)}, mean ${score(mean)}`;
}

function flipRows(pairs: readonly QuestionPair[]): string[] {
  const rows = pairs.map((pair) => [
    `  ${pair.verdict}`,
    oneLine(pair.questionId),
    sideCell(pair.a),
    sideCell(pair.b),
    clipped(oneLine(tellingLine(pair.question, 60)), 60),
  ]);
  return renderTable(["  ", "question id", "A", "B", "question"], rows);
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const points = (share: number): string => `${share < 0 ? "" : "+"}${(share * 100).toFixed(1)}`;

/** The share of right answers with the interval of its difference. */
function rightLine({ right: shares }: RunComparison): string[] {
  if (shares === undefined) return [];
  const { a, b, low, high } = shares;
  return [
    `right answers: A ${percent(a)}, B ${percent(b)}; B less A ${points(b - a)} points, 95 % interval ${points(low)} to ${points(high)}`,
  ];
}

/** How the model of each run kept to the form of an action. */
function repliesLine({ replies }: RunComparison): string[] {
  if (replies === undefined) return [];
  const [a, b] = [repliesText(replies.a), repliesText(replies.b)];
  const none = "no reply of a model";
  return a === undefined && b === undefined ? [] : [`replies: A ${a ?? none}; B ${b ?? none}`];
}

/** Said where a question has several samples. */
function samplesLine({ samples: { paired, onlyA, onlyB } }: RunComparison, questions: number): string[] {
  if (paired === questions && onlyA + onlyB === 0) return [];
  return [`${counted(paired, "pair")} of samples; without a partner: ${onlyA} of A, ${onlyB} of B`];
}

/** Two runs as lines of text; at most `limit` of the questions that were won or lost. */
export function renderRunComparison(comparison: RunComparison, limit: number): string[] {
  const { verdicts, pairs, pValue, byText } = comparison;
  const { won, lost, both_right: bothRight, both_wrong: bothWrong, tied } = verdicts;
  const both = won + lost + bothRight + bothWrong + tied + verdicts.unjudged;
  const head = [
    `${counted(both, "question")} in both runs, ${verdicts.only_a} only in A, ${verdicts.only_b} only in B`,
  ];
  head.push(...samplesLine(comparison, both));
  if (byText > 0)
    head.push(`${byText} of them were matched by their text, since the runs name them differently`);
  if (both === 0) return [...head, "There is nothing to compare."];
  const flips = pairs.filter(({ verdict }) => verdict === "won" || verdict === "lost");
  const unjudged = verdicts.unjudged > 0 ? `, unjudged ${verdicts.unjudged}` : "";
  const ties = tied > 0 ? `, as many right ${tied}` : "";
  const test = comparison.samples.paired === both ? "exact McNemar" : "exact sign test";
  return [
    ...head,
    `B won ${won}, lost ${lost}; both right ${bothRight}, both wrong ${bothWrong}${ties}${unjudged}; ${test} p ${pValue < 0.0001 ? "< 0.0001" : `= ${pValue.toFixed(4)}`}`,
    ...rightLine(comparison),
    ...repliesLine(comparison),
    "",
    ...outcomeTable(comparison),
    "",
    ...measureTable(comparison),
    ...(flips.length === 0 ? [] : [""]),
    ...(flips.length === 0 || limit === 0 ? [] : flipRows(flips.slice(0, limit))),
    ...(flips.length > limit ? [`  … ${flips.length - limit} more: --limit ${flips.length}`] : []),
  ];
}

/** Quoted; of a program the line that tells most. */
function answerInLine(answer: string, isProgram: boolean): string {
  const line = isProgram ? tellingLine(answer, LONGEST_ANSWER) : oneLine(answer);
  return JSON.stringify(clipped(line, LONGEST_ANSWER));
}

function sideLine(name: "A" | "B", title: string, side: EpisodeSide, isProgram: boolean): string {
  const { episodeId, outcome, answer, stopReason, interventions, replies, cost } = side;
  const said = repliesText(replies);
  const price = cost?.cost === undefined ? "" : `, $${cost.cost.toFixed(4)}`;
  const tokens = cost === undefined ? "" : `, ${cost.inputTokens + cost.outputTokens} tokens`;
  const end =
    answer === undefined ? `no answer (${stopReason})` : `answer ${answerInLine(answer, isProgram)}`;
  const gathered = [
    ...(side.searches === undefined ? [] : [`searches ${side.searches}`]),
    ...(side.reads === undefined ? [] : [`reads ${side.reads}`]),
  ].map((one) => ` ${one},`);
  return `${name}  ${oneLine(title)} ${oneLine(episodeId)}: ${SHAPES[outcome]} ${outcome}, ${end}, ${counted(side.steps, "step")},${gathered.join("")} applied ${interventions.applied}${said === undefined ? "" : `, ${said}`}${tokens}${price}`;
}

const MARKS = { same: "=", other: "~", differs: "≠", onlyA: "-", onlyB: "+" } as const;

function markOf({ a, b, differs }: AlignedStep): string {
  if (b === undefined) return MARKS.onlyA;
  if (a === undefined) return MARKS.onlyB;
  if (differs.length === 0) return MARKS.same;
  return differs.every((part) => part === "observation") ? MARKS.other : MARKS.differs;
}

function deed(step: Step, isProgram: boolean): string {
  const inLine = (action: Action): string => oneLine(actionInLine(action, isProgram));
  const last: Action = step.proposals.at(-1)?.action ?? step.executed;
  const ended = step.notRun === undefined ? "" : `  did not run: ${stopReasonWords(step.notRun)}`;
  const action = `${inLine(step.executed)}${ended}`;
  return sameAction(last, step.executed) ? action : `${action}  ▲ proposed ${inLine(last)}`;
}

function stepLines(row: AlignedStep, a: Episode, b: Episode): string[] {
  const [one, other] = [a.steps[row.a ?? -1], b.steps[row.b ?? -1]];
  const injected = (name: string, step: Step | undefined): string[] =>
    (step?.injected ?? []).map(
      ({ skillId, text }) => `${name}  ● injected by ${oneLine(skillId)}: ${oneLine(text)}`,
    );
  const told = row.differs.includes("injected") || one === undefined || other === undefined;
  const injections = told ? [...injected("A", one), ...injected("B", other)] : [];
  const [deedA, deedB] = [
    one && deed(one, answersArePrograms(a)),
    other && deed(other, answersArePrograms(b)),
  ];
  if (deedA === undefined || deedB === undefined) {
    const name = deedA === undefined ? "B" : "A";
    return [`${name}  ${deedA ?? deedB ?? ""}`, ...injections];
  }
  const isOne = deedA === deedB || !row.differs.some((part) => part === "proposed" || part === "executed");
  const note = row.differs.includes("observation") ? "  (other observation)" : "";
  return [...(isOne ? [`   ${deedA}${note}`] : [`A  ${deedA}`, `B  ${deedB}`]), ...injections];
}

/** Two episodes of one question, step beside step. */
export function renderEpisodeComparison(
  comparison: EpisodeComparison,
  [a, b]: readonly [Episode, Episode],
  titles: { readonly a: string; readonly b: string },
  columns = COLUMNS,
): string[] {
  const number = (t: number | undefined): string => (t === undefined ? "–" : String(t + 1)).padStart(4);
  const rows = comparison.rows.flatMap((row, i) => {
    const [first = "", ...more] = stepLines(row, a, b);
    const here = i === comparison.firstDivergence ? ["▶ first divergence"] : [];
    const lines = [
      `${markOf(row)} ${number(row.a)} ${number(row.b)}  ${first}`,
      ...more.map((line) => `${" ".repeat(13)}${line}`),
    ];
    return [...here, ...lines.map((line) => clipped(line, columns))];
  });
  return [
    `Q: ${oneLine(answersArePrograms(a) ? tellingLine(a.question, 200) : a.question)}`,
    sideLine("A", titles.a, comparison.a, answersArePrograms(a)),
    sideLine("B", titles.b, comparison.b, answersArePrograms(b)),
    ...(comparison.capped
      ? ["The episodes are too long to be aligned: what differs stands side by side in its order."]
      : []),
    "",
    "     A    B",
    ...rows,
    ...(comparison.firstDivergence === undefined ? ["The same steps on both sides."] : []),
    `${MARKS.same} same  ${MARKS.other} same action, other observation  ${MARKS.differs} differs  ${MARKS.onlyA} only in A  ${MARKS.onlyB} only in B`,
  ];
}
