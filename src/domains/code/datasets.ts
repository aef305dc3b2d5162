import { memberSource } from "../../trace/json-entries.ts";
import type { DatasetEntry, DatasetRow, Meta, RowValues } from "../dataset-entry.ts";
import { isHard } from "./bigcodebench-hard.ts";
import { contestMaterial } from "./contest-rows.ts";
import { writeMaterial } from "./judge/material.ts";

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;

const taskId = ({ values: { task_id: id } }: DatasetRow): string | undefined => textOf(id);

const questionUnder =
  (key: string) =>
  ({ values }: DatasetRow): string | undefined =>
    textOf(values[key]);

/** HumanEval and HumanEval+: a function to complete, inputs, and a reference solution. */
const isHumanEval = ({ prompt, canonical_solution: solution, entry_point: entry }: RowValues): boolean =>
  textOf(prompt) !== undefined && textOf(solution) !== undefined && textOf(entry) !== undefined;

function humanEvalMaterial({ values, source }: DatasetRow, inputs: Readonly<Record<string, string>>) {
  const [entry, prompt, solution] = ["entry_point", "prompt", "canonical_solution"].map((key) =>
    textOf(values[key]),
  );
  if (entry === undefined || prompt === undefined || solution === undefined) return undefined;
  const groups = Object.entries(inputs).flatMap(([name, key]) => {
    const list = memberSource(source, key);
    return Array.isArray(values[key]) && list !== undefined ? [{ name, inputs: list }] : [];
  });
  // The release of 2021 has a function that checks.
  const test = textOf(values["test"]);
  const check = groups.length === 0 && test !== undefined ? `${test}\n\ncheck(${entry})` : undefined;
  if (groups.length === 0 && check === undefined) return undefined;
  const { atol } = values;
  const tolerance = typeof atol === "number" ? atol : 0;
  return writeMaterial({
    kind: "calls",
    entry,
    prompt,
    solution,
    tolerance,
    groups,
    ...(check !== undefined && { check }),
  });
}

/** MBPP and MBPP+: a sentence, assertions, and a reference solution. */
const isMbpp = ({ code, test_list: tests }: RowValues): boolean =>
  textOf(code) !== undefined && (textsOf(tests)?.length ?? 0) > 0;

const hasPlus = ({ test }: RowValues): boolean => typeof test === "string" && test.includes("assertion(");

/** As the files of answers have it: `Mbpp/234`. */
function mbppId({ values: { task_id: id } }: DatasetRow): string | undefined {
  return typeof id === "number" ? `Mbpp/${id}` : textOf(id);
}

/** The sentence does not name the function; one assertion does, as in EvalPlus. */
function mbppQuestion({ values: { prompt, text, test_list: tests } }: DatasetRow): string | undefined {
  const sentence = textOf(prompt) ?? textOf(text);
  const [first] = textsOf(tests) ?? [];
  if (sentence === undefined || first === undefined) return undefined;
  return `${sentence.trim()}\n\nThe program must pass this test:\n${first.trim()}`;
}

function mbppMaterial({ values }: DatasetRow, plus: string | undefined): string | undefined {
  const { test_imports: list, test_setup_code: setup, test_list: tests, code } = values;
  const [asserts, solution, before] = [textsOf(tests), textOf(code), textOf(setup)];
  if (asserts === undefined || solution === undefined) return undefined;
  const imports = textsOf(list) ?? (before === undefined ? [] : [before]);
  return writeMaterial({
    kind: "asserts",
    imports: [...imports],
    asserts: [...asserts],
    solution,
    ...(plus !== undefined && { plus }),
  });
}

const isBigCodeBench = ({ complete_prompt: complete, code_prompt: code, test }: RowValues): boolean =>
  [complete, code, test].every((one) => textOf(one) !== undefined);

function bigCodeBenchMaterial({ values }: DatasetRow): string | undefined {
  const keys = ["entry_point", "code_prompt", "canonical_solution", "test"];
  const [entry, prompt, solution, test] = keys.map((key) => textOf(values[key]));
  if (entry === undefined || prompt === undefined || solution === undefined || test === undefined)
    return undefined;
  return writeMaterial({ kind: "unittest", entry, prompt, solution, test });
}

/** The packages of a problem, as its row lists them in Python: `['numpy', 'pandas']`. */
function libsOf({ values: { libs } }: DatasetRow): Meta | undefined {
  const list = typeof libs === "string" ? libs.slice(0, 1_000).replaceAll(/[[\]'"]/g, "") : "";
  return list.trim() === "" ? undefined : { libs: list };
}

const named = (part: RegExp, file: string): boolean => part.test(file.split(/[\\/]/).at(-1) ?? "");

const BIG_CODE_BENCH = {
  keys: [
    "task_id",
    "complete_prompt",
    "instruct_prompt",
    "code_prompt",
    "canonical_solution",
    "test",
    "libs",
  ],
  id: taskId,
  material: bigCodeBenchMaterial,
  meta: libsOf,
} as const;

/** Problems of contests: a statement, and tests with an input and an output each. */
const isContest = (values: RowValues): boolean =>
  textOf(values["question_content"]) !== undefined && contestMaterial(values) !== undefined;

function contestQuestion({ values }: DatasetRow): string | undefined {
  const { question_content: statement, starter_code: starter } = values;
  const [content, code] = [textOf(statement), textOf(starter)];
  if (content === undefined) return undefined;
  const how =
    code === undefined
      ? "Write a program that reads standard input and prints to standard output."
      : `Complete this code:\n${code.trimEnd()}`;
  return `${content.trim()}\n\n${how}`;
}

/** SPEC §9: rows of both halves, base and plus; the first problems are test. */
const HUMAN_EVAL_SPLIT = { kind: "paper", test: 50, pool: 114 } as const;
const MBPP_SPLIT = { kind: "paper", test: 50, pool: 328 } as const;
const BIG_CODE_BENCH_SPLIT = { kind: "paper", test: 100, pool: 1_040 } as const;

/** The data sets of SPEC §9. Those with more tests come first: rows that have these are of them unless a person says otherwise. */
export const CODE_DATASETS: readonly DatasetEntry[] = [
  {
    name: "humanevalplus",
    shortNames: ["humaneval+", "humaneval-plus"],
    keys: ["task_id", "prompt", "entry_point", "canonical_solution", "base_input", "plus_input", "atol"],
    detects: (values) => isHumanEval(values) && Array.isArray(values["plus_input"]),
    id: taskId,
    question: questionUnder("prompt"),
    material: (row) => humanEvalMaterial(row, { base: "base_input", plus: "plus_input" }),
    split: HUMAN_EVAL_SPLIT,
  },
  {
    name: "humaneval",
    shortNames: ["human-eval", "humanevalbase"],
    keys: ["task_id", "prompt", "entry_point", "canonical_solution", "test"],
    detects: isHumanEval,
    id: taskId,
    question: questionUnder("prompt"),
    material: (row) => humanEvalMaterial(row, { base: "base_input" }),
    split: HUMAN_EVAL_SPLIT,
  },
  {
    name: "mbppplus",
    shortNames: ["mbpp+", "mbpp-plus"],
    keys: ["task_id", "prompt", "code", "test_list", "test_imports", "test"],
    detects: (values) => isMbpp(values) && hasPlus(values),
    id: mbppId,
    question: mbppQuestion,
    material: (row) => mbppMaterial(row, textOf(row.values["test"])),
    split: MBPP_SPLIT,
  },
  {
    name: "mbpp",
    shortNames: ["mbppbase"],
    keys: ["task_id", "text", "code", "test_list"],
    detects: isMbpp,
    id: mbppId,
    question: mbppQuestion,
    material: (row) => mbppMaterial(row, undefined),
    split: MBPP_SPLIT,
  },
  {
    ...BIG_CODE_BENCH,
    name: "bigcodebench-hard",
    shortNames: ["bigcodebenchhard", "bcb-hard"],
    detects: (values, file) => isBigCodeBench(values) && named(/hard/i, file),
    takes: ({ task_id: id }) => isHard(id),
    question: questionUnder("complete_prompt"),
    split: { kind: "test", pool: "bigcodebench" },
  },
  {
    ...BIG_CODE_BENCH,
    name: "bigcodebench-instruct",
    shortNames: ["bcb-instruct"],
    detects: (values, file) => isBigCodeBench(values) && named(/instruct/i, file),
    question: questionUnder("instruct_prompt"),
    split: BIG_CODE_BENCH_SPLIT,
    heldOut: isHard,
  },
  {
    ...BIG_CODE_BENCH,
    name: "bigcodebench",
    shortNames: ["bcb", "bigcodebench-complete"],
    detects: isBigCodeBench,
    question: questionUnder("complete_prompt"),
    split: BIG_CODE_BENCH_SPLIT,
    heldOut: isHard,
  },
  {
    name: "livecodebench",
    shortNames: ["lcb"],
    keys: [
      "question_id",
      "question_content",
      "starter_code",
      "public_test_cases",
      "private_test_cases",
      "difficulty",
    ],
    detects: isContest,
    id: ({ values: { question_id: id } }) => textOf(id),
    question: contestQuestion,
    material: ({ values }) => contestMaterial(values),
    meta: ({ values: { difficulty, platform } }) => ({
      ...(typeof difficulty === "string" && { difficulty }),
      ...(typeof platform === "string" && { platform }),
    }),
    split: { kind: "test" },
  },
];
