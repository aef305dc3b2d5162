import { expect, test } from "vitest";
import type { Row } from "../../../scripts/lib/demo-model/measures.mts";
import { figures, render, type SideRows } from "../../../scripts/lib/demo-model/table.mts";

const row = (id: string, change: Partial<Row> = {}): Row => ({
  id,
  em: false,
  f1: 0,
  halted: false,
  timedOut: false,
  replies: 2,
  invalid: 0,
  lenient: 0,
  steps: 2,
  repeated: 0,
  promptTokens: 400,
  promptTokensReadAnew: 100,
  generatedTokens: 20,
  seconds: 2,
  ...change,
});
const right = (id: string, change: Partial<Row> = {}): Row => row(id, { em: true, f1: 1, ...change });

const PLAIN = { side: "plain", rows: [right("a"), row("b"), right("c"), row("d")] } as const;
const BARE = {
  side: "ra-agent",
  rows: [right("a", { seconds: 4 }), right("b", { seconds: 6, invalid: 1 }), row("c", { seconds: 2 })],
} as const;
const SKILLS = {
  side: "pf-only",
  rows: [right("c", { promptTokensReadAnew: undefined }), row("a", { halted: true, timedOut: true })],
} as const;

test("figures of a side are means of its own questions, and its seconds a multiple on those that the script has, too", () => {
  const { sides } = figures([PLAIN, BARE]);
  expect(sides[0]).toMatchObject({ questions: 4, em: { count: 2, mean: 0.5 }, secondsToPlain: 1 });
  expect(sides[1]).toMatchObject({
    questions: 3,
    invalid: { count: 1, of: 6 },
    promptTokens: 400,
    promptTokensReadAnew: 100,
    seconds: 4,
    secondsToPlain: 2,
  });
  // Clopper and Pearson for 2 of 4.
  expect(sides[0]?.em.low).toBeCloseTo(0.0676, 3);
  expect(sides[0]?.em.high).toBeCloseTo(0.9324, 3);
});

test("pairs are the questions of both, against the script and against the bare loop", () => {
  const { pairs } = figures([PLAIN, BARE, SKILLS]);
  expect(
    pairs.map(({ side, against, questions, won, lost }) => [side, against, questions, won, lost]),
  ).toEqual([
    ["ra-agent", "plain", 3, 1, 1],
    ["pf-only", "plain", 2, 0, 1],
    ["pf-only", "ra-agent", 2, 1, 1],
  ]);
  expect(pairs[0]).toMatchObject({ p: 1, em: { mean: 0 } });
  expect(pairs[1]).toMatchObject({ em: { mean: -0.5 }, f1: { mean: -0.5 } });
});

test("libraries of one setting are compared with one another, too", () => {
  const other = (library: string): SideRows => ({ ...SKILLS, side: `pf-only+${library}` });
  const sides = [BARE, SKILLS, other("paper"), other("worth"), { ...BARE, side: "full+worth" }];
  const names = figures(sides).pairs.map(({ side, against }) => `${side} against ${against}`);
  expect(names).toEqual([
    ...["pf-only", "pf-only+paper", "pf-only+worth", "full+worth"].map((side) => `${side} against ra-agent`),
    "pf-only+worth against pf-only+paper",
  ]);
});

test("says that a server does not tell its cache, rather than a mean of some questions", () => {
  const text = render(figures([SKILLS]));
  expect(text).toContain("| not told |");
  expect(text).not.toContain("NaN");
  expect(text).toContain("is not in the seconds): pf-only 1.");
});

test("a side without rows has no line, and nothing at all is said so", () => {
  expect(render(figures([PLAIN, { side: "full", rows: [] }]))).not.toContain("full");
  expect(render(figures([]))).toBe("No question has been answered yet.\n");
});
