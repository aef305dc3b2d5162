import { describe, expect, test } from "vitest";
import { isHard } from "../../../../src/domains/code/bigcodebench-hard.ts";
import { readMaterial } from "../../../../src/domains/code/judge/material.ts";
import { parseDataset } from "../../../../src/evaluation/datasets.ts";
import { splitOf } from "../../../../src/evaluation/splits.ts";

const HUMAN_EVAL = `{"task_id": "HumanEval/900", "prompt": "def same(x):\\n", "canonical_solution": "    return x\\n", "entry_point": "same", "base_input": [[1.0], [12345678901234567890]], "plus_input": [[2]], "atol": 0}`;
const HUMAN_EVAL_2021 = `{"task_id": "HumanEval/901", "prompt": "def same(x):\\n", "canonical_solution": "    return x\\n", "entry_point": "same", "test": "def check(candidate):\\n    assert candidate(1) == 1\\n"}`;
const MBPP = `{"task_id": 902, "prompt": "Write a function that gives its argument.", "code": "def same(x): return x", "test_imports": ["import math"], "test_list": ["assert same(1) == 1", "assert same(2) == 2"], "test": "def assertion(out, exp, atol): pass"}`;
const MBPP_2021 = `{"task_id": 903, "text": "Write a function that gives its argument.", "code": "def same(x): return x", "test_setup_code": "import re", "test_list": ["assert same(1) == 1"]}`;
const bigCodeBench = (n: number): string =>
  `{"task_id": "BigCodeBench/${n}", "complete_prompt": "import re\\ndef task_${n}(x):\\n    '''Gives it.'''\\n", "instruct_prompt": "Give the argument ${n}.", "code_prompt": "import re\\ndef task_${n}(x):\\n", "canonical_solution": "    return x", "entry_point": "task_${n}", "test": "class TestCases: pass", "libs": "['re', 'pandas']"}`;
const STDIN = `{"question_id": "a1", "question_content": "Print the sum.", "starter_code": "", "difficulty": "easy", "platform": "atcoder", "public_test_cases": "[{\\"input\\": \\"1 2\\", \\"output\\": \\"3\\", \\"testtype\\": \\"stdin\\"}]", "private_test_cases": "eJxr…", "metadata": "{}"}`;
const METHOD = `{"question_id": "a2", "question_content": "Give the sum.", "starter_code": "class Solution:\\n    def total(self, xs):\\n        ", "public_test_cases": "[{\\"input\\": \\"[1, 2]\\", \\"output\\": \\"3\\"}]", "private_test_cases": "[{\\"input\\": \\"[]\\", \\"output\\": \\"0\\"}]", "metadata": "{\\"func_name\\": \\"total\\"}"}`;

function read(text: string, forced?: string, file = "rows.jsonl") {
  const { value, diagnostics } = parseDataset(text, file, forced);
  const questions = value?.questions ?? [];
  const materials = questions.map(({ material }) => readMaterial(material ?? ""));
  return { dataset: value?.dataset, rows: value?.rows, questions, materials, diagnostics };
}

describe("data sets of code", () => {
  test.each([
    ["humanevalplus", HUMAN_EVAL, "HumanEval/900", "def same(x):"],
    ["humaneval", HUMAN_EVAL_2021, "HumanEval/901", "def same(x):"],
    [
      "mbppplus",
      MBPP,
      "Mbpp/902",
      "Write a function that gives its argument.\n\nThe program must pass this test:\nassert same(1) == 1",
    ],
    [
      "mbpp",
      MBPP_2021,
      "Mbpp/903",
      "Write a function that gives its argument.\n\nThe program must pass this test:\nassert same(1) == 1",
    ],
    [
      "bigcodebench",
      bigCodeBench(100),
      "BigCodeBench/100",
      "import re\ndef task_100(x):\n    '''Gives it.'''",
    ],
    [
      "livecodebench",
      STDIN,
      "a1",
      "Print the sum.\n\nWrite a program that reads standard input and prints to standard output.",
    ],
    [
      "livecodebench",
      METHOD,
      "a2",
      "Give the sum.\n\nComplete this code:\nclass Solution:\n    def total(self, xs):",
    ],
  ])("a row of %s shows its data set", (dataset, row, id, question) => {
    const { dataset: found, questions, materials } = read(row);
    expect(found).toBe(dataset);
    expect(questions).toMatchObject([{ id, question, dataset }]);
    expect(materials[0]).toBeDefined();
  });

  test("numbers stay as the row writes them, and the name says which tests are taken", () => {
    const groups = (name: string) => read(HUMAN_EVAL, name).materials;
    const base = { name: "base", inputs: "[[1.0], [12345678901234567890]]" };
    expect(groups("humaneval")).toMatchObject([{ kind: "calls", groups: [base] }]);
    expect(groups("humanevalplus")).toMatchObject([{ groups: [base, { name: "plus", inputs: "[[2]]" }] }]);
    expect(read(MBPP, "mbpp").materials[0]).not.toHaveProperty("plus");
    expect(read(MBPP, "mbppplus").materials[0]).toMatchObject({
      plus: expect.any(String),
      imports: ["import math"],
    });
    expect(read(MBPP_2021).materials[0]).toMatchObject({ imports: ["import re"] });
    expect(read(HUMAN_EVAL_2021).materials[0]).toMatchObject({
      check: expect.stringContaining("check(same)"),
    });
    expect(read(METHOD).materials[0]).toMatchObject({ kind: "method", entry: "total", tests: [{}, {}] });
    expect(read(STDIN).materials[0]).toMatchObject({
      kind: "scripts",
      tests: [{ input: "1 2", output: "3" }],
    });
    expect(read(bigCodeBench(100), "bigcodebench-instruct").questions[0]?.question).toBe(
      "Give the argument 100.",
    );
    expect(read(bigCodeBench(100)).questions[0]?.meta).toEqual({ libs: "re, pandas" });
  });

  test("BigCodeBench Hard is test alone, and its problems are never trained on", () => {
    const file = Array.from({ length: 300 }, (_, n) => bigCodeBench(n)).join("\n");
    const hard = read(file, "bigcodebench-hard");
    expect(hard.diagnostics).toEqual([]);
    expect([hard.rows, hard.questions.length]).toEqual([36, 36]);
    const { questions } = read(file);
    expect(questions).toHaveLength(300);
    const part = (split: "test" | "pool" | "train" | "seed" | "val") =>
      (splitOf(questions, { dataset: "bigcodebench", split }).value ?? []).map(({ id }) => id);
    for (const split of ["pool", "train", "seed", "val"] as const) {
      expect(part(split).length).toBeGreaterThan(0);
      expect(part(split).filter(isHard)).toEqual([]);
    }
    expect(part("test").some(isHard)).toBe(true);
    expect(splitOf(hard.questions, { dataset: "bigcodebench-hard", split: "test" }).value).toHaveLength(36);
  });

  test.each([
    "{}",
    `{"prompt": 5, "canonical_solution": [], "entry_point": null}`,
    `{"test_list": [1], "code": "x"}`,
    `{"question_content": "x", "public_test_cases": "[[[["}`,
  ])("no data set claims %s", (row) => {
    expect(read(row).dataset).toBeUndefined();
  });
});
