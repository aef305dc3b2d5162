import type { SplitPolicy } from "../domains/dataset-entry.ts";
import type { DomainKeys } from "../domains/domain.ts";
import { datasetOf, defaultDomain, domainOfDataset } from "../domains/registry.ts";
import type { Question } from "../harness/question.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { seededRandom, shuffled } from "../model/random.ts";
import { SPLIT_DEFAULTS, WHOLE_TAIL, type SplitName } from "../model/question-set.ts";

/** The cuts of a file, in rows from its beginning: test, then pool. The tail is the end of the pool, by default all of it. */
export interface Boundaries {
  readonly test: number;
  readonly pool: number;
  readonly tail: number;
}

interface Counts {
  readonly seedRows?: number;
  readonly valRows?: number;
}

/** The split to take, and the sizes of its parts. `seedRows` −1: the whole tail, and none for validation. */
export interface SplitOptions extends Counts {
  /** Name of the data set; undefined for plain questions. */
  readonly dataset: string | undefined;
  /** Those by which two questions are one; undefined: of the data set's domain, else of the default one. */
  readonly keys?: DomainKeys | undefined;
  readonly split: SplitName;
  /** Those that are given are taken as they are; without any, the paper's, in proportion where the file is smaller. */
  readonly boundaries?: Partial<Boundaries>;
  /** Of the shuffle of the tail. */
  readonly seed?: number;
}

/** SPEC §9: 1,000 rows, the first 200 test, 800 pool. */
const PAPER = { test: 200, pool: 800 } as const;
/** A tail of fewer rows is shared by halves: neither seed nor validation gets more than that. */
const SMALL_TAIL = 100;

function finding(severity: Diagnostic["severity"], message: string, next: string): Diagnostic {
  return {
    code: severity === "error" ? "HASP566" : "HASP565",
    severity,
    message,
    next,
    range: START_OF_FILE,
  };
}

/** Test and pool of a whole file of the data set, in questions. */
const paperSizes = (dataset: string | undefined): { readonly test: number; readonly pool: number } => {
  const policy = policyOf(dataset);
  return policy.kind === "paper" ? { ...PAPER, ...policy } : PAPER;
};

const policyOf = (dataset: string | undefined): SplitPolicy =>
  (dataset === undefined ? undefined : datasetOf(dataset)?.split) ?? { kind: "paper" };

/** The boundaries of a file with so many rows, where nobody gives any. */
export function boundariesOf(rows: number, dataset: string | undefined): Boundaries {
  const { kind } = policyOf(dataset);
  if (kind === "test") return { test: rows, pool: 0, tail: 0 };
  if (kind === "pool") return { test: 0, pool: rows, tail: rows };
  const whole = paperSizes(dataset);
  const share = Math.min(1, rows / (whole.test + whole.pool));
  const test = Math.min(rows, Math.ceil(whole.test * share));
  const pool = Math.min(rows - test, whole.pool);
  return { test, pool, tail: pool };
}

/** What is given stands; the rest is the usual, as far as there are rows for it. */
function chosen(rows: number, { dataset, boundaries = {} }: SplitOptions): Boundaries {
  const usual = boundariesOf(rows, dataset);
  const left = Math.max(0, rows - (boundaries.pool ?? 0));
  const test = boundaries.test ?? Math.min(usual.test, left);
  const usualPool =
    boundaries.test === undefined ? usual.pool : Math.max(paperSizes(dataset).pool, usual.pool);
  const pool = boundaries.pool ?? Math.max(0, Math.min(rows - test, usualPool));
  return { test, pool, tail: boundaries.tail ?? pool };
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
  if (policyOf(dataset).kind !== "paper" || split === "all" || Object.keys(boundaries).length > 0) return [];
  const paper = paperSizes(dataset);
  const whole = paper.test + paper.pool;
  if (rows === whole) return [];
  const message =
    rows < whole
      ? `The file has ${rows} questions where the usual split has ${whole}; it is split in proportion: ${test} test, ${pool} pool.`
      : `The file has ${rows} questions; the usual split takes the first ${whole}, and ${rows - whole} are in none of its parts.`;
  return [finding("information", message, "Give boundaries of your own to split it in another way.")];
}

type Parts = Readonly<Record<SplitName, readonly Question[]>>;

/** The key of a question's text. */
type KeyOf = (question: Question) => string;

function keyOfQuestions({ keys, dataset }: SplitOptions): KeyOf {
  const ofDataset = dataset === undefined ? undefined : domainOfDataset(dataset);
  const { question: keyOf } = keys ?? (ofDataset ?? defaultDomain()).keys;
  return ({ question }) => keyOf(question);
}

function without(
  others: readonly (readonly Question[])[],
  questions: readonly Question[],
  keyOf: KeyOf,
): readonly Question[] {
  const keys = new Set(others.flat().map(keyOf));
  return keys.size === 0 ? questions : questions.filter((one) => !keys.has(keyOf(one)));
}

/** Seed and validation of a shuffled tail: seed from its beginning, validation from the questions after it that seed does not hold. */
function drawn(
  mixed: readonly Question[],
  { seedRows, valRows }: Required<Counts>,
  keyOf: KeyOf,
): Pick<Parts, "seed" | "val"> {
  if (seedRows === WHOLE_TAIL) return { seed: mixed, val: [] };
  const most = mixed.length < SMALL_TAIL ? Math.floor(mixed.length / 2) : Infinity;
  const seed = mixed.slice(0, Math.min(seedRows, most));
  const val = without([seed], mixed.slice(seed.length), keyOf).slice(0, Math.min(valRows, most));
  return { seed, val };
}

/** Every split of the questions by the same boundaries. They must fit. */
function partsOf(
  questions: readonly Question[],
  { test: cut, pool: size, tail }: Boundaries,
  options: SplitOptions,
): Parts {
  const counts = { ...SPLIT_DEFAULTS, ...options };
  const keyOf = keyOfQuestions(options);
  const end = cut + size;
  const test = questions.slice(0, cut);
  const { heldOut } = (options.dataset === undefined ? undefined : datasetOf(options.dataset)) ?? {};
  const trainable = ({ id }: Question): boolean => heldOut?.(id) !== true;
  const pool = questions.slice(cut, end).filter(trainable);
  const last = questions.slice(end - tail, end).filter(trainable);
  const mixed = shuffled(without([test], last, keyOf), seededRandom(counts.seed));
  const { seed, val } = drawn(mixed, counts, keyOf);
  return { test, pool, train: without([test, seed, val], pool, keyOf), seed, val, all: questions };
}

/** A data set without rows after its test rows has none of these. */
const AFTER_TEST: ReadonlySet<SplitName> = new Set<SplitName>(["pool", "train", "seed", "val"]);

function noTail({ dataset, split }: SplitOptions, rows: number): Diagnostic {
  const name = dataset ?? "The file";
  const policy = policyOf(dataset);
  const pool = policy.kind === "test" ? policy.pool : undefined;
  return finding(
    "information",
    `${name} has no tail: all of its ${rows} questions are test. It is skipped, as it has no "${split}" split.`,
    pool === undefined
      ? "Give boundaries of your own to use a part of it otherwise."
      : `Its seed and validation rows are those of the data set ${pool}: split a file of that one.`,
  );
}

/**
 * One split of a data set's questions, which stand in the order of their file (SPEC §7). It depends on that order, the boundaries and
 * the seed alone: test and pool keep the order, seed and val have that of the shuffle. By the domain's keys no question is in two of test,
 * train, seed and val. No question, and an information that says so, for a split after the test rows of a data set that is all test.
 * Codes HASP565 (information) and HASP566: boundaries that do not fit, or a split without a question; then no value.
 */
export function splitOf(questions: readonly Question[], options: SplitOptions): Checked<readonly Question[]> {
  const rows = questions.length;
  const boundaries = chosen(rows, options);
  const wrong = impossible(boundaries, rows) ?? badCounts(options);
  if (wrong !== undefined) return { value: undefined, diagnostics: [wrong] };
  const { test, pool, tail } = boundaries;
  if (test === rows && rows > 0 && AFTER_TEST.has(options.split))
    return { value: [], diagnostics: [noTail(options, rows)] };
  const value = partsOf(questions, boundaries, options)[options.split];
  const diagnostics = notices(rows, boundaries, options);
  if (value.length > 0) return { value, diagnostics };
  const message = `The split "${options.split}" has no question: of ${rows}, ${test} are test and ${pool} pool, ${tail} of these its tail.`;
  const next = "Take a larger file, or give boundaries of your own.";
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
