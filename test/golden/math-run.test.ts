import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import { episodesIn } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";

/** Counts orderings of roots where sets of roots count (SPEC §10.11): nine in place of five. */
const DRAFT = String.raw`Call the roots $p$, $q$ and $r$. By Vieta, $p+q+r = -a$, $pq+qr+rp = b$ and $pqr = -6$.
The ordered triples of different integers with product $-6$:
- (1, 2, -3) gives (0, -7)
- (1, -2, 3) gives (-2, -5)
- (1, -1, 6) gives (-6, -1)
- (2, 1, -3) gives (0, -7)
- (-1, -2, -3) gives (6, 11)
- (-1, 2, 3) gives (-4, 1)
- (2, -3, 1) gives (0, -7)
- (3, -2, 1) gives (-2, -5)
- (-1, 6, 1) gives (-6, -1)
Each triple gives a pair, so there are nine.
\boxed{9}`;
const REVISION = String.raw`The coefficients stay when the roots change places, so sets of roots count:
{1, 2, -3}, {1, -2, 3}, {-1, 2, 3}, {-1, -2, -3} and {-1, 1, 6}, with (0, -7), (-2, -5), (-4, 1), (6, 11) and (-6, -1).
\boxed{5}`;

/** In Γ's order. */
const LIBRARY = [
  "verification_missing",
  "arithmetic_slip",
  "substitution_invalid",
  "algebraic_sign_error",
  "boundary_violation",
  "final_format_error",
  "simplification_incomplete",
  "units_dimension_mismatch",
  "case_incompleteness",
  "overgeneralization",
  "proof_step_gap",
];

let scene: HookScene;
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
/** The words of a command line. */
const hasp = (line: string): ReturnType<HookScene["hasp"]> => scene.hasp(...line.split(" "));
const runMath = (order: string): ReturnType<HookScene["hasp"]> =>
  hasp(`run --domain math --skills builtin:math --setting pf-only ${order}`);
const eventsOf = ({ steps }: Episode, proposal: number) =>
  steps[0]?.events.filter((event) => event.proposal === proposal) ?? [];

/** The parts of the harness that decided something. */
const partsOf = ({ decisions = [] }: Episode): string[] => decisions.map(({ part }) => part);

beforeAll(() => {
  scene = openScene("math-run");
});
afterAll(() => scene.close());

describe("the cubic, from its draft to its revision", () => {
  let episode: Episode | undefined;
  beforeAll(async () => {
    const question =
      "For how many ordered pairs $(a,b)$ of integers does $x^3 + ax^2 + bx + 6$ have three different integer roots?";
    writeFileSync(scene.at("cubic.jsonl"), lines([{ id: "cubic", question, gold: "5" }]));
    writeFileSync(scene.at("script.json"), JSON.stringify([DRAFT, REVISION]));
    const { err } = await runMath(
      "--questions cubic.jsonl --policy scripted:script.json -o .hasp/runs/cubic",
    );
    expect(err).toBe("");
    [episode] = await episodesIn(scene.at(".hasp/runs/cubic"));
  }, 60_000);

  it("asks the eleven skills in Γ's order, about both answers, and no handler", () => {
    expect(eventsOf(episode!, 0).map(({ skillId }) => skillId)).toEqual(LIBRARY);
    expect(eventsOf(episode!, 1).map(({ skillId }) => skillId)).toEqual(LIBRARY);
    expect(partsOf(episode!)).not.toContain("handler_vote");
  });

  it("holds the draft back once, with the contexts of those that fire in ascending priority", () => {
    const fired = ["overgeneralization", "case_incompleteness", "verification_missing"];
    expect(episode!.steps[0]?.injected.map(({ skillId }) => skillId)).toEqual(fired);
    const texts = episode!.steps[0]!.injected.map(({ text }) => text);
    expect(texts[0]).toContain("By Vieta, $p+q+r = -a$, $pq+qr+rp = b$ and $pqr = -6$");
    expect(texts[1]).toContain('The draft lists cases: "(1, 2, -3)", "(1, -2, 3)"');
    expect(texts[1]).toContain('"(1, 2, -3)", "(2, 1, -3)", "(2, -3, 1)" (one of 3 such groups)');
    expect(texts[2]).toContain('Your answer is "9"');
    expect(new Set(eventsOf(episode!, 1).map(({ status }) => status))).toEqual(
      new Set(["limited", "skipped"]),
    );
  });

  it("judges the draft wrong and the revision right", async () => {
    const proposals = episode!.steps[0]!.proposals;
    expect(proposals.map(({ action, verdicts }) => [action.arg, verdicts?.[0]?.passed])).toEqual([
      ["9", false],
      ["5", true],
    ]);
    expect(episode!.outcome).toBe("correct");
    const { out } = await hasp("replay .hasp/runs/cubic --episode 1");
    expect(out).toMatch(/FINAL\("9"\)[^]*wrong[^]*held back once: fixed[^]*FINAL\("5"\)[^]*right/);
    const counted = await hasp("backtest --skills builtin:math --episodes .hasp/runs/cubic");
    expect(counted.out).toContain("drafts held back in the record, and revised: fixed 1");
  });
});

describe("recorded answers", () => {
  it("are driven again with the eleven skills, which hold each back once, and stay what they were", async () => {
    const rows = [
      {
        id: "a",
        question_id: "tiles",
        question: "A wall has 14 rows of 23 tiles. How many tiles?",
        gold: ["322"],
        solution: "14 * 23 = 312\nA: 312",
        correct: false,
      },
      {
        id: "b",
        question_id: "half",
        question: "What is half of 7/3, as a common fraction?",
        gold: ["7/6"],
        solution: "Half of 7/3 is \\boxed{\\frac{7}{6}}.",
        correct: true,
      },
    ];
    writeFileSync(scene.at("answers.jsonl"), lines(rows));
    const imported = await hasp("import --from answers --domain math answers.jsonl -o .hasp/runs/recorded");
    expect(imported.out).toContain("1 correct, 1 wrong");
    writeFileSync(
      scene.at("questions.jsonl"),
      lines(rows.map(({ question_id: id, question, gold }) => ({ id, question, gold }))),
    );
    await runMath("--questions questions.jsonl --policy recorded:.hasp/runs/recorded -o .hasp/runs/again");
    const episodes = await episodesIn(scene.at(".hasp/runs/again"));
    expect(episodes.map(({ answer, outcome }) => [answer, outcome])).toEqual([
      ["312", "wrong"],
      ["\\frac{7}{6}", "correct"],
    ]);
    for (const one of episodes) {
      expect(eventsOf(one, 0).map(({ skillId }) => skillId)).toEqual(LIBRARY);
      expect(one.steps.map(({ proposals }) => proposals.length)).toEqual([2]);
    }
    expect(episodes[0]?.steps[0]?.injected.map(({ text }) => text).join("\n")).toMatch(
      /14 \* 23 = 312[^]*322/,
    );
  }, 60_000);
});

describe("replies in another form", () => {
  it("still answer: no box, two boxes, braces that do not close, a megabyte", async () => {
    const long = `${"So it goes on.\n".repeat(70_000)}\\boxed{12}`;
    const cases = [
      ["Three times four makes it.\n12", "12", "correct"],
      ["First \\boxed{11}, but no: \\boxed{12}", "12", "correct"],
      ["The answer is \\boxed{12", "12", "correct"],
      ["\\boxed{\\frac{24}{2}}", "\\frac{24}{2}", "correct"],
      ["\\boxed{１２}", "１２", "unjudged"],
      ["no idea", "no idea", "unjudged"],
      [long, "12", "correct"],
    ] as const;
    const question = "How many panes have three rows of four?";
    writeFileSync(
      scene.at("forms.jsonl"),
      lines(cases.map((_, i) => ({ id: `q${i}`, question: `${question} (${i})`, gold: "12" }))),
    );
    writeFileSync(scene.at("forms.json"), JSON.stringify(cases.map(([reply]) => reply)));
    const ran = await hasp(
      "run --domain math --setting ra-agent --questions forms.jsonl --policy scripted:forms.json --concurrency 1 -o .hasp/runs/forms",
    );
    expect(ran.err).toBe("");
    const episodes = await episodesIn(scene.at(".hasp/runs/forms"));
    expect(episodes.map(({ answer, outcome }) => [answer, outcome])).toEqual(
      cases.map(([, answer, outcome]) => [answer, outcome]),
    );
  }, 60_000);

  it("stay unjudged beside an accepted answer that nobody can read, whose line is named before the run", async () => {
    writeFileSync(
      scene.at("unreadable.jsonl"),
      lines([
        { id: "a", question: "How much is 1 + 1?", gold: "2" },
        { id: "b", question: "How much is 1 + 2?", gold: "\\frac{3" },
      ]),
    );
    writeFileSync(scene.at("two.json"), JSON.stringify(["\\boxed{2}", "\\boxed{3}"]));
    const { err, out } = await hasp(
      "run --domain math --setting ra-agent --questions unreadable.jsonl --policy scripted:two.json -o .hasp/runs/unreadable",
    );
    expect(err).toBe("");
    expect(out).toMatch(/unreadable\.jsonl:2[^]*HASP569[^]*1 correct[^]*1 unjudged/);
    const episodes = await episodesIn(scene.at(".hasp/runs/unreadable"));
    expect(episodes.map(({ outcome }) => outcome)).toEqual(["correct", "unjudged"]);
  }, 60_000);
});
