import { percentOf } from "../../model/percent.ts";
import { counted } from "../../model/counted.ts";
import {
  BEHAVIOUR_WORDS,
  INTERNALISED_RULE,
  INTERNALISED_RUNS,
  INTERNALISED_RUN_WORDS,
  INTERNALISED_VERDICT_WORDS,
  type Behaviour,
  type CountedShare,
  type Gain,
  type InternalisedReport,
  type InternalisedSkill,
  type KeptGain,
  type MeanOfQuestions,
} from "../../model/internalised.ts";
import { NO_REPLIES, repliesText } from "../../model/replies.ts";
import { pText } from "../../model/p-text.ts";

/** A table of a report, for a terminal and for a page: its cells are plain texts. */
export interface ReportTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const points = (share: number): string => `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)}`;
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
const range = (
  { low, high }: { readonly low: number; readonly high: number },
  of: (value: number) => string,
) => `${of(low)} to ${of(high)}`;

const shareCell = (one: CountedShare): string =>
  one.of === 0 ? "–" : `${one.count} of ${one.of}, ${percentOf(one.share)} (${range(one, percentOf)})`;
const meanCell = (one: MeanOfQuestions): string => `${percentOf(one.mean)} (${range(one, percentOf)})`;

function rightTable({ right, replies, titles }: InternalisedReport): ReportTable {
  const rows = INTERNALISED_RUNS.flatMap((name) => {
    const title = titles[name];
    const mean = right[name];
    if (title === undefined) return [];
    const said = repliesText(replies[name] ?? NO_REPLIES) ?? "–";
    return [[INTERNALISED_RUN_WORDS[name], mean === undefined ? "not judged" : meanCell(mean), said, title]];
  });
  return { title: "Right answers", columns: ["", "right (95%)", "replies", "run"], rows };
}

const GAIN_WORDS: Readonly<Record<keyof InternalisedReport["gains"], string>> = {
  before: "PFs on less off, before training",
  after: "PFs on less off, after training",
  trainingOff: "after less before, PFs off",
  trainingOn: "after less before, PFs on",
};

function gainRow(words: string, { mean, low, high, better, worse, p }: Gain): readonly string[] {
  return [
    words,
    `${points(mean)} (${range({ low, high }, points)})`,
    String(better),
    String(worse),
    pText(p),
  ];
}

function gainsTable({ gains }: InternalisedReport): ReportTable {
  const names = Object.keys(GAIN_WORDS) as (keyof typeof GAIN_WORDS)[];
  const rows = names.flatMap((name) => {
    const gain = gains[name];
    return gain === undefined ? [] : [gainRow(GAIN_WORDS[name], gain)];
  });
  return { title: "Gains", columns: ["", "points (95%)", "won", "lost", "p"], rows };
}

const keptRows = ({ kept, others }: KeptGain): readonly (readonly string[])[] => [
  ["gained by PFs before training: right without them after it", shareCell(kept)],
  ["wrong both ways before training: right without PFs after it", shareCell(others)],
];

function keptTable({ kept, wonSilently }: InternalisedReport): ReportTable {
  const rows = [
    ...(kept === undefined ? [] : keptRows(kept)),
    ["won by training with PFs on: a skill is silent there now", shareCell(wonSilently)],
  ];
  return { title: "The gain that stays", columns: ["questions", "share (95%)"], rows };
}

function behaviourTable({ behaviour }: InternalisedReport): ReportTable {
  const columns = ["PFs off", "before", "after", "change (95%)"];
  if (behaviour === undefined) return { title: "Behaviour", columns, rows: [] };
  const names = Object.keys(BEHAVIOUR_WORDS) as (keyof Behaviour)[];
  const rows = names.map((name) => {
    const isShare = name === "answersWithoutSearch";
    const { mean, ...interval } = behaviour.change[name];
    const value = isShare ? percentOf : (one: number): string => one.toFixed(2);
    const change = isShare ? points : signed;
    const cell = `${change(mean)} (${range(interval, change)})`;
    return [BEHAVIOUR_WORDS[name], value(behaviour.before[name]), value(behaviour.after[name]), cell];
  });
  return { title: "Behaviour", columns, rows };
}

const skillRow = ({ skillId, verdict, triggered, silent, woken, stillHelps, gain }: InternalisedSkill) => [
  skillId,
  percentOf(triggered.before.share),
  percentOf(triggered.after.share),
  shareCell(silent),
  String(woken),
  stillHelps === undefined ? "–" : `+${stillHelps.better} −${stillHelps.worse}`,
  gain === undefined || gain.kept.of === 0 ? "–" : `${gain.kept.count} of ${gain.kept.of}`,
  INTERNALISED_VERDICT_WORDS[verdict],
];

const hasTriggered = ({ triggered }: InternalisedSkill): boolean =>
  triggered.before.count > 0 || triggered.after.count > 0;

function skillsTable({ skills }: InternalisedReport): ReportTable {
  return {
    title: "Skills",
    columns: [
      "skill",
      "triggered before",
      "after",
      "silent of applied before (95%)",
      "woken",
      "PFs on less off, after",
      "gain kept",
      "verdict",
    ],
    rows: skills.filter(hasTriggered).map(skillRow),
  };
}

/** The reasons for the verdicts as lines; of skills with too few questions only how many there are. */
export function internalisedReasons({ skills }: InternalisedReport): readonly string[] {
  const few = skills.filter(({ verdict }) => verdict === "too_few");
  const quiet = few.filter((one) => !hasTriggered(one)).length;
  const { leastQuestions } = INTERNALISED_RULE;
  return [
    ...skills.flatMap(({ skillId, verdict, why }) => (verdict === "too_few" ? [] : [`${skillId}: ${why}`])),
    ...(few.length === 0
      ? []
      : [
          `Nothing is said of ${counted(few.length, "skill")} applied on fewer than ${leastQuestions} questions before training; ${quiet} of them never triggered.`,
        ]),
  ];
}

/** The tables of a report; one without a row is left out. */
export function internalisedTables(report: InternalisedReport): readonly ReportTable[] {
  const make = [rightTable, gainsTable, keptTable, behaviourTable, skillsTable];
  return make.map((table) => table(report)).filter(({ rows }) => rows.length > 0);
}
