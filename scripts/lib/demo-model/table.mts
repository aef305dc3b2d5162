/** Figures of each side with 95% intervals, and of each pair of sides on the questions that both have answered. */
import { meanInterval } from "../../../src/scoring/bootstrap.ts";
import { signTest } from "../../../src/analysis/compare-measures.ts";
import { countedShare } from "../../../src/scoring/exact-interval.ts";
import type { Row } from "./measures.mts";
import { PLAIN, type Side } from "./order.mts";

export interface SideRows {
  readonly side: Side;
  readonly rows: readonly Row[];
}

/** A mean with its 95% interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface SideFigures {
  readonly side: Side;
  readonly questions: number;
  /** Exact interval (Clopper and Pearson). */
  readonly em: Estimate & { readonly count: number };
  /** Bootstrap over questions. */
  readonly f1: Estimate;
  readonly halted: number;
  readonly timedOut: number;
  /** Exact interval over replies. */
  readonly invalid: Estimate & { readonly count: number; readonly of: number };
  readonly lenient: number;
  /** Means of a question. */
  readonly steps: number;
  /** Questions with a search that had run before. */
  readonly repeating: number | undefined;
  readonly promptTokens: number;
  readonly promptTokensReadAnew: number | undefined;
  readonly generatedTokens: number;
  readonly seconds: number;
  /** Seconds as a multiple of the plain script's, on the questions that both have answered. */
  readonly secondsToPlain: number | undefined;
}

export interface PairFigures {
  readonly side: Side;
  readonly against: Side;
  readonly questions: number;
  /** Right here and wrong there. */
  readonly won: number;
  readonly lost: number;
  /** Exact two-sided sign test of won and lost. */
  readonly p: number;
  /** Differences of a question, paired bootstrap. */
  readonly em: Estimate;
  readonly f1: Estimate;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);

function estimate(values: readonly number[]): Estimate {
  return { mean: mean(values), ...(meanInterval(values) ?? { low: 0, high: 0 }) };
}

function shareOf(count: number, of: number) {
  const { share, low, high } = countedShare(count, of);
  return { count, of, mean: share, low, high };
}

/** The rows of both sides, question by question. */
function paired(a: readonly Row[], b: readonly Row[]): readonly (readonly [a: Row, b: Row])[] {
  const others = new Map(b.map((row) => [row.id, row]));
  return a.flatMap((row) => {
    const other = others.get(row.id);
    return other === undefined ? [] : [[row, other] as const];
  });
}

function ratio(rows: readonly Row[], plain: readonly Row[]): number | undefined {
  const pairs = paired(rows, plain);
  const base = sum(pairs.map(([, { seconds }]) => seconds));
  return base === 0 ? undefined : sum(pairs.map(([{ seconds }]) => seconds)) / base;
}

function figuresOf({ side, rows }: SideRows, plain: readonly Row[]): SideFigures {
  const each = (of: (row: Row) => number): number => mean(rows.map(of));
  const readAnew = rows.map((row) => row.promptTokensReadAnew).filter((tokens) => tokens !== undefined);
  const total = (of: (row: Row) => number): number => sum(rows.map(of));
  return {
    side,
    questions: rows.length,
    em: shareOf(rows.filter(({ em }) => em).length, rows.length),
    f1: estimate(rows.map(({ f1 }) => f1)),
    halted: rows.filter(({ halted }) => halted).length,
    timedOut: rows.filter(({ timedOut }) => timedOut).length,
    invalid: shareOf(
      total(({ invalid }) => invalid),
      total(({ replies }) => replies),
    ),
    lenient: total(({ lenient }) => lenient),
    steps: each(({ steps }) => steps),
    repeating: side === PLAIN ? undefined : rows.filter(({ repeated = 0 }) => repeated > 0).length,
    promptTokens: each(({ promptTokens }) => promptTokens),
    // A mean over some of the questions would not stand beside the others.
    promptTokensReadAnew: readAnew.length === rows.length ? mean(readAnew) : undefined,
    generatedTokens: each(({ generatedTokens }) => generatedTokens),
    seconds: each(({ seconds }) => seconds),
    secondsToPlain: ratio(rows, plain),
  };
}

function compare(one: SideRows, other: SideRows): PairFigures {
  const pairs = paired(one.rows, other.rows);
  const won = pairs.filter(([a, b]) => a.em && !b.em).length;
  const lost = pairs.filter(([a, b]) => !a.em && b.em).length;
  return {
    side: one.side,
    against: other.side,
    questions: pairs.length,
    won,
    lost,
    p: signTest(won, lost),
    em: estimate(pairs.map(([a, b]) => Number(a.em) - Number(b.em))),
    f1: estimate(pairs.map(([a, b]) => a.f1 - b.f1)),
  };
}

/** Sides that the others are compared with. */
const AGAINST: readonly Side[] = [PLAIN, "ra-agent"];

/** Whether both are the same setting, each with skills that were named. */
function isOtherLibrary(one: Side, other: Side): boolean {
  const [setting, library] = one.split("+");
  return library !== undefined && other.startsWith(`${setting}+`);
}

export interface Figures {
  readonly sides: readonly SideFigures[];
  readonly pairs: readonly PairFigures[];
}

/** Figures of the sides that have rows. */
export function figures(all: readonly SideRows[]): Figures {
  const sides = all.filter(({ rows }) => rows.length > 0);
  const plain = sides.find(({ side }) => side === PLAIN)?.rows ?? [];
  const pairs = AGAINST.flatMap((against, rank) => {
    const other = sides.find(({ side }) => side === against);
    const earlier = AGAINST.slice(0, rank + 1);
    return other === undefined
      ? []
      : sides.filter(({ side }) => !earlier.includes(side)).map((one) => compare(one, other));
  });
  const libraries = sides.flatMap((other, rank) =>
    sides
      .slice(rank + 1)
      .flatMap((one) => (isOtherLibrary(one.side, other.side) ? [compare(one, other)] : [])),
  );
  return {
    sides: sides.map((one) => figuresOf(one, plain)),
    pairs: [...pairs, ...libraries].filter(({ questions }) => questions > 0),
  };
}

const share = (value: number): string => `${(value * 100).toFixed(1)}%`;
const points = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value * 100).toFixed(1)}`;
const between = ({ mean: middle, low, high }: Estimate, write: (value: number) => string): string =>
  `${write(middle)} (${write(low)} to ${write(high)})`;
const round = (value: number | undefined): string => (value === undefined ? "not told" : value.toFixed(0));
const decimals = (value: number): string => value.toFixed(3);

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

function markdown(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [row(heads), row(heads.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");
}

const SIDE_HEADS = [
  "setting",
  "questions",
  "exact match (95%)",
  "F1 (95%)",
  "no answer",
  "invalid replies (95%)",
  "read leniently",
  "steps",
  "repeat a search",
  "prompt tokens",
  "read anew",
  "generated",
  "seconds",
  "× plain",
];

function sideCells(one: SideFigures): readonly (string | number)[] {
  const { em, invalid } = one;
  return [
    one.side,
    one.questions,
    `${em.count}: ${between(em, share)}`,
    between(one.f1, decimals),
    one.halted,
    `${invalid.count} of ${invalid.of}: ${between(invalid, share)}`,
    one.side === PLAIN ? "" : one.lenient,
    one.steps.toFixed(1),
    one.repeating ?? "",
    round(one.promptTokens),
    round(one.promptTokensReadAnew),
    round(one.generatedTokens),
    one.seconds.toFixed(1),
    one.secondsToPlain === undefined ? "" : one.secondsToPlain.toFixed(2),
  ];
}

const PAIR_HEADS = [
  "setting",
  "against",
  "questions",
  "won",
  "lost",
  "p",
  "exact match, points (95%)",
  "F1, points (95%)",
];

function pairCells(one: PairFigures): readonly (string | number)[] {
  const { side, against, questions, won, lost, p, em, f1 } = one;
  return [side, against, questions, won, lost, p.toFixed(3), between(em, points), between(f1, points)];
}

/** Answers that a faster machine might have given. */
function timeouts(sides: readonly SideFigures[]): readonly string[] {
  const slow = sides
    .filter(({ timedOut }) => timedOut > 0)
    .map(({ side, timedOut }) => `${side} ${timedOut}`);
  return slow.length === 0
    ? []
    : [
        `Ended because the server sent nothing in time (that wait is not in the seconds): ${slow.join(", ")}.`,
      ];
}

/** Two tables in Markdown: the sides, and the pairs. */
export function render({ sides, pairs }: Figures): string {
  if (sides.length === 0) return "No question has been answered yet.\n";
  const parts = [
    markdown(SIDE_HEADS, sides.map(sideCells)),
    "Steps, tokens and seconds are means of a question; seconds are those of waiting for the model and the skills. Repeat a search: questions in which a search ran that had run before.",
    ...timeouts(sides),
    ...(pairs.length === 0
      ? []
      : [
          markdown(PAIR_HEADS, pairs.map(pairCells)),
          "Won: right here and wrong there, of the same questions. p: exact two-sided sign test. Intervals: paired bootstrap.",
        ]),
  ];
  return `${parts.join("\n\n")}\n`;
}
