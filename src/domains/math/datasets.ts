import { csvEntries } from "../../trace/csv-entries.ts";
import { jsonEntries, memberSource, type JsonEntry } from "../../trace/json-entries.ts";
import {
  plainValues,
  questionUnderUsualKeys,
  type DatasetEntry,
  type DatasetRow,
  type Meta,
  type RowValues,
} from "../dataset-entry.ts";
import { lastBox } from "./find-answer.ts";

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/** The question under `problem`, as competitions have it. */
const problemOf = ({ values }: DatasetRow): string | undefined => text(values["problem"]);

/** A number as its row writes it, without the zeros behind its point: `27.0` is a whole number of some other program. */
function answerOf({ values, source }: DatasetRow): string | undefined {
  const { answer } = values;
  if (typeof answer !== "number") return text(answer)?.trim();
  return (memberSource(source, "answer") ?? String(answer)).replace(/\.0+$/, "");
}

/** The level and the kind of a problem, where its row has them. */
function metaOf({ values: { level, type, subject, year } }: DatasetRow): Meta | undefined {
  const meta = plainValues({ level, type: type ?? subject, year });
  return Object.keys(meta).length === 0 ? undefined : meta;
}

/** A row of problems whose page names its competition. */
const isOf =
  (competition: RegExp) =>
  ({ problem, url }: RowValues): boolean =>
    text(problem) !== undefined && typeof url === "string" && competition.test(url);

/** The solution of a school problem ends with its answer, in a line of its own. */
const AFTER_WORKING = /\n#{4}[^\S\n]{0,4}(\S[^\n]{0,80})\s{0,8}$/;

function afterWorking(answer: unknown): string | undefined {
  return typeof answer === "string" ? AFTER_WORKING.exec(`\n${answer}`)?.[1]?.trim() : undefined;
}

/** `1,450` as `1450`; a list keeps its commas. */
const withoutThousands = (number: string): string => number.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");

const TARGET = 24;
/** Between two and eight whole numbers; a game of 24 has four. */
const NUMBERS = /^\s{0,8}\d{1,4}(?:[\s,]{1,4}\d{1,4}){1,7}\s{0,8}$/;
/** A list of them in the text of a question. */
const LISTED = /[[(](\d{1,4}(?:,\s{0,4}\d{1,4}){1,7})[\])]/;

/** The numbers of a puzzle: a column of them, or the list in a question that asks for 24. */
function numbersOf({ Puzzles, puzzle, ...values }: RowValues): readonly number[] | undefined {
  const column = text(Puzzles) ?? text(puzzle);
  const question = questionUnderUsualKeys(values);
  const listed =
    typeof question === "string" && /\b24\b/.test(question) ? LISTED.exec(question)?.[1] : undefined;
  const found = column !== undefined && NUMBERS.test(column) ? column : listed;
  return found?.match(/\d+/g)?.map(Number);
}

function puzzleQuestion(numbers: readonly number[]): string {
  const list = `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
  return `Make ${TARGET} out of the numbers ${list}. Use each of them exactly once, with +, -, *, / and brackets. Answer with the expression.`;
}

/** Published as a table, and by AgentFlow as JSON. */
const rowsOf = (file: string): Iterable<JsonEntry> =>
  /^\uFEFF?\s{0,80}[[{]/.test(file) ? jsonEntries(file) : csvEntries(file);

/** Rows of anybody's layout are puzzles where the file, or a folder close above it, says so. */
const isNamedPuzzle = (file: string): boolean =>
  file
    .split(/[\\/]/)
    .slice(-3)
    .some((part) => /(?:^|[^a-z])game-?_?(?:of-?_?)?24(?!\d)/i.test(part));

const ofPuzzle =
  <T>(make: (numbers: readonly number[]) => T) =>
  ({ values }: DatasetRow): T | undefined => {
    const numbers = numbersOf(values);
    return numbers === undefined ? undefined : make(numbers);
  };

/** Competitions and puzzles are test (SPEC §9); seed and validation come from a pool of problems. */
const TEST = { kind: "test", pool: "math" } as const;

/** The data sets of SPEC §9, and two pools. */
export const MATH_DATASETS: readonly DatasetEntry[] = [
  {
    name: "aime24",
    shortNames: ["aime", "aime2024"],
    keys: ["id", "problem", "solution", "answer", "url"],
    detects: isOf(/\b2024_AIME_/),
    question: problemOf,
    gold: answerOf,
    meta: metaOf,
    split: TEST,
  },
  {
    name: "amc23",
    shortNames: ["amc", "amc2023"],
    keys: ["id", "problem", "answer", "url"],
    detects: isOf(/\b202[23]_AMC_1[02]/),
    question: problemOf,
    gold: answerOf,
    meta: metaOf,
    split: TEST,
  },
  {
    name: "game24",
    shortNames: ["gameof24", "game-of-24"],
    keys: ["Rank", "Puzzles"],
    entries: rowsOf,
    detects: (values, file) =>
      numbersOf(values) !== undefined && (text(values["Puzzles"]) !== undefined || isNamedPuzzle(file)),
    id: ({ values: { Rank, id, pid, idx } }) => {
      const rank = Rank ?? id ?? pid ?? idx;
      return typeof rank === "string" || typeof rank === "number" ? `game24-${rank}` : undefined;
    },
    question: ofPuzzle(puzzleQuestion),
    gold: ofPuzzle(() => String(TARGET)),
    material: ofPuzzle((puzzle) => JSON.stringify({ puzzle, target: TARGET })),
    split: TEST,
  },
  {
    name: "math",
    shortNames: ["math500", "math-500", "hendrycks"],
    keys: ["problem", "level", "type", "solution"],
    detects: ({ problem, solution, level, type, subject }) =>
      text(problem) !== undefined &&
      text(type ?? subject) !== undefined &&
      level !== undefined &&
      lastBox(text(solution) ?? "") !== undefined,
    id: ({ values: { id, unique_id } }) => (id === undefined ? text(unique_id) : undefined),
    question: problemOf,
    gold: (row) => answerOf(row) ?? lastBox(text(row.values["solution"]) ?? "")?.text,
    meta: metaOf,
    split: { kind: "pool" },
  },
  {
    name: "gsm8k",
    shortNames: ["gsm"],
    keys: ["question", "answer"],
    detects: ({ question, answer }) => text(question) !== undefined && afterWorking(answer) !== undefined,
    gold: ({ values: { answer } }) => {
      const found = afterWorking(answer);
      return found === undefined ? undefined : withoutThousands(found);
    },
    split: { kind: "pool" },
  },
];
