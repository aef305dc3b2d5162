import { expect, test } from "vitest";
import type { Material } from "../../../../../src/domains/code/judge/material.ts";
import { CAN_RUN, openCodeJudge } from "../../../../support/code-judge.ts";

/** As HumanEval's task of this name: x² − 5x + 6, x³ − 1, and −2 + x. */
const ROOTS: Material = {
  kind: "calls",
  entry: "find_zero",
  prompt: "def find_zero(xs):\n",
  solution: "    return {3: 2.0, 4: 1.0, 2: 2.0}[len(xs)]\n",
  tolerance: 1e-4,
  groups: [{ name: "base", inputs: "[[[6, -5, 1]], [[-1, 0, 0, 1]], [[-2, 1]]]" }],
};

const answering = (first: string): string =>
  `def find_zero(xs):\n    return {3: ${first}, 4: 1.00001, 2: 2}[len(xs)]\n`;

test.skipIf(!CAN_RUN)(
  "any root of a polynomial is right, and nothing else (skipped without a containment)",
  async () => {
    const judge = await openCodeJudge();
    for (const right of ["2.0", "3", "2.99999"])
      expect([right, (await judge.ask(ROOTS, answering(right))).passed]).toEqual([right, true]);
    for (const wrong of ["2.5", "None", "float('nan')", "float('inf')", "[2.0]", "'2'"])
      expect([wrong, (await judge.ask(ROOTS, answering(wrong))).passed]).toEqual([wrong, false]);
    await judge.close();
  },
);
