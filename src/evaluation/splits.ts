import type { Question } from "../harness/question.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { seededRandom, shuffled } from "../model/random.ts";
import { SPLIT_DEFAULTS, WHOLE_TAIL, type DatasetName, type SplitName } from "../model/question-set.ts";

/** Where a file is cut, in rows from its beginning: test, then pool; the tail is the end of the pool. */
export interface Boundaries {
  readonly test: number;
  readonly pool: number;
  readonly tail: number;
}

/** How many questions the seed and the validation split get at most. `seedRows` −1: the whole tail, and none for validation. */
export interface SplitOptions {
  readonly dataset: DatasetName | undefined;
  readonly split: SplitName;
  /** Those that are given are taken as they are; without any, the paper's, in proportion where the file is smaller. */
  readonly boundaries?: Partial<Boundaries>;
  readonly seedRows?: number;
  readonly valRows?: number;
  /** Of the shuffle of the tail. */
  readonly seed?: number;
}

/** SPEC §9: 1,000 rows, the first 200 test, 800 pool. */
const PAPER = { test: 200, pool: 800 } as const;
/** The paper does not say how long the tail of the pool is; a quarter leaves the cap of half the tail above 50. */
const TAIL_SHARE = 1 / 4;

function finding(severity: Diagnostic["severity"], message: string, next: string): Diagnostic {
  return {
    code: severity === "error" ? "HASP566" : "HASP565",
    severity,
    message,
    next,
    range: START_OF_FILE,
  };
}

const tailOf = (pool: number): number => Math.round(pool * TAIL_SHARE);

/** The boundaries of a file with so many rows, where nobody gives any. Bamboogle is all test: it has no training rows. */
export function boundariesOf(rows: number, dataset: DatasetName | undefined): Boundaries {
  if (dataset === "bamboogle") return { test: rows, pool: 0, tail: 0 };
  const share = Math.min(1, rows / (PAPER.test + PAPER.pool));
  const test = Math.min(rows, Math.ceil(PAPER.test * share));
  const pool = Math.min(rows - test, PAPER.pool);
  return { test, pool, tail: tailOf(pool) };
}

/** What is given stands; the rest is the usual, as far as there are rows for it. */
function chosen(rows: number, { dataset, boundaries = {} }: SplitOptions): Boundaries {
  const usual = boundariesOf(rows, dataset);
  const left = Math.max(0, rows - (boundaries.pool ?? 0));
  const test = boundaries.test ?? Math.min(usual.test, left);
  const usualPool = boundaries.test === undefined ? usual.pool : PAPER.pool;
  const pool = boundaries.pool ?? Math.max(0, Math.min(rows - test, usualPool));
  return { test, pool, tail: boundaries.tail ?? tailOf(pool) };
}

function impossible({ test, pool, tail }: Boundaries, rows: number): Diagnostic | undefined {
  if ([test, pool, tail].some((n) => !Number.isSafeInteger(n) || n < 0))
    return finding(
      "error",
      "A boundary is no whole number of rows.",
      "Give numbers of rows, 0 or more, that fit the file.",
    );
  if (test + pool > rows)
    return finding(
      "error",
      `${test} test and ${pool} pool rows are more than the ${rows} questions of the file.`,
      "Give smaller boundaries, or none for the usual ones in proportion.",
    );
  if (tail <= pool) return undefined;
  return finding(
    "error",
    `A tail of ${tail} rows is longer than the pool of ${pool}.`,
    "Give a shorter tail.",
  );
}

function notices(rows: number, { test, pool }: Boundaries, options: SplitOptions): Diagnostic[] {
  const { dataset, boundaries = {}, split } = options;
  if (dataset === "bamboogle" || split === "all" || Object.keys(boundaries).length > 0) return [];
  const whole = PAPER.test + PAPER.pool;
  if (rows === whole) return [];
  const message =
    rows < whole
      ? `The file has ${rows} questions where the usual split has ${whole}; it is split in proportion: ${test} test, ${pool} pool.`
      : `The file has ${rows} questions; the usual split takes the first ${whole}, and ${rows - whole} are in none of its parts.`;
  return [finding("information", message, "Give boundaries of your own to split it in another way.")];
}

/** The tail, shuffled; seed from its beginning, validation from what follows, each at most half of it. */
function drawn(
  tail: readonly Question[],
  options: SplitOptions,
): { seed: readonly Question[]; val: readonly Question[] } {
  const { seedRows, valRows, seed } = { ...SPLIT_DEFAULTS, ...options };
  const mixed = shuffled(tail, seededRandom(seed));
  if (seedRows === WHOLE_TAIL) return { seed: mixed, val: [] };
  const half = Math.floor(tail.length / 2);
  const seeds = Math.min(seedRows, half);
  return { seed: mixed.slice(0, seeds), val: mixed.slice(seeds, seeds + Math.min(valRows, half)) };
}

/** Every split of the questions by the same boundaries. They must fit. */
function partsOf(
  questions: readonly Question[],
  { test, pool, tail }: Boundaries,
  options: SplitOptions,
): Readonly<Record<SplitName, readonly Question[]>> {
  const end = test + pool;
  const { seed, val } = drawn(questions.slice(end - tail, end), options);
  return {
    test: questions.slice(0, test),
    pool: questions.slice(test, end),
    train: questions.slice(test, end - tail),
    seed,
    val,
    all: questions,
  };
}

/**
 * One split of a data set's questions, which stand in the order of their file. It depends on that order, the boundaries and the seed
 * alone: test and pool keep the order, seed and val have that of the shuffle. `seed` and `val` share no question, nor does either with
 * `test` or `train`. Codes HASP565 (information) and HASP566: boundaries that do not fit, or a split without a question; then no value.
 */
export function splitOf(questions: readonly Question[], options: SplitOptions): Checked<readonly Question[]> {
  const rows = questions.length;
  const boundaries = chosen(rows, options);
  const wrong = impossible(boundaries, rows) ?? badCounts(options);
  if (wrong !== undefined) return { value: undefined, diagnostics: [wrong] };
  const value = partsOf(questions, boundaries, options)[options.split];
  const diagnostics = notices(rows, boundaries, options);
  if (value.length > 0) return { value, diagnostics };
  const { test, pool, tail } = boundaries;
  const message = `The split "${options.split}" has no question: of ${rows}, ${test} are test and ${pool} pool, ${tail} of these its tail.`;
  const next =
    options.dataset === "bamboogle"
      ? "Bamboogle is all test; give boundaries to use a part of it otherwise."
      : "Take a larger file, or give boundaries of your own.";
  return { value: undefined, diagnostics: [...diagnostics, finding("error", message, next)] };
}

function badCounts({ seedRows = 0, valRows = 0 }: SplitOptions): Diagnostic | undefined {
  const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
  if ((seedRows === WHOLE_TAIL || isCount(seedRows)) && isCount(valRows)) return undefined;
  return finding(
    "error",
    "The seed or the validation split has no whole number of rows.",
    "Give 0 or more; −1 for the seed means the whole tail.",
  );
}

/** How many questions each split would have, for a person to see; undefined where the boundaries do not fit. */
export function splitSizes(
  questions: readonly Question[],
  options: Omit<SplitOptions, "split">,
): Readonly<Record<SplitName, number>> | undefined {
  const all: SplitOptions = { ...options, split: "all" };
  const boundaries = chosen(questions.length, all);
  if ((impossible(boundaries, questions.length) ?? badCounts(all)) !== undefined) return undefined;
  const parts = partsOf(questions, boundaries, all);
  const { test, pool, train, seed, val } = parts;
  return {
    test: test.length,
    pool: pool.length,
    train: train.length,
    seed: seed.length,
    val: val.length,
    all: questions.length,
  };
}
