import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import { testEvidenceOf } from "../../src/model/test-evidence.ts";
import { openContainment } from "../../src/platform/containment/open-containment.ts";
import { isContainment } from "../../src/scoring/containment.ts";
import { episodesIn, ROOT } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { loopbackModel, type LoopbackCall, type LoopbackModel } from "../support/loopback-model.ts";

/** Skills that a prompt could replace. */
const PROMPT_ONLY = ["code-negative-handling", "code-test-walkthrough"];

/** Bodies of the paper's twelve, by the name of their folder. Those that the list `worth` has, too, are not under `paper/`. */
const bodies = new Map(
  ["skills/code", "skills/paper/code"].flatMap((library) =>
    readdirSync(path.join(ROOT, library)).map((name) => {
      const text = readFileSync(path.join(ROOT, library, name, "SKILL.md"), "utf8");
      const [, , ...body] = text.split(/^---$/m);
      return [name, body.join("---").trim()] as const;
    }),
  ),
);

const scripts = (...tests: readonly (readonly [input: string, output: string])[]) => ({
  kind: "scripts",
  tests: tests.map(([input, output]) => ({ input: `${input}\n`, output: `${output}\n` })),
});
const fenced = (...lines: readonly string[]): string => `Plan.\n\n\`\`\`python\n${lines.join("\n")}\n\`\`\``;

/** Each with the replies of the policy: its draft, and its revision where the draft is held back. */
const TASKS = [
  {
    id: "median",
    question: "Read three integers from one line and print the one in the middle of their order.",
    material: scripts(["3 1 2", "2"], ["5 5 1", "5"], ["-4 -9 0", "-4"]),
    draft: fenced(
      "def main():",
      "    a, b, c = map(int, input().split())",
      "    return midle(a, b, c)",
      "main()",
    ),
    revision: fenced("print(sorted(map(int, input().split()))[1])"),
  },
  {
    id: "countdown",
    question: "Read an integer n and print the numbers from n down to 1, one a line. 1 <= n <= 50",
    material: scripts(["3", "3\n2\n1"], ["1", "1"]),
    draft: fenced(
      "def show(n):",
      "    print(n)",
      "    if n > 1:",
      "        show(n - 1)",
      "    return None",
      "n = int(input())",
      "if n > 0:",
      "    show(n)",
      "elif n == 0:",
      "    pass",
    ),
    revision: fenced("print(range(int(input()), 0, -1))"),
  },
];

const isHeldBack = ({ request }: LoopbackCall): boolean => request.messages.length > 2;
const taskOf = ({ request }: LoopbackCall) =>
  TASKS.find(({ question }) => request.messages.some(({ content }) => content.includes(question)));

let scene: HookScene;
let model: LoopbackModel;
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
/** The words of a command line. */
const hasp = (line: string): ReturnType<HookScene["hasp"]> => scene.hasp(...line.split(" "));
const runCode = (order: string): ReturnType<HookScene["hasp"]> =>
  hasp(`run --domain code --skills builtin:code --setting pf-only --policy ${model.url}#loopback ${order}`);

beforeAll(async () => {
  scene = openScene("code-run");
  model = await loopbackModel((call) => {
    const task = taskOf(call);
    return { kind: "text", text: (isHeldBack(call) ? task?.revision : task?.draft) ?? "" };
  });
  const rows = TASKS.map(({ id, question, material }) => ({ id, question, material }));
  writeFileSync(scene.at("tasks.jsonl"), lines(rows));
});
afterAll(async () => {
  scene.close();
  await model.close();
});

/** The skills whose body a request has in its system prompt. */
function skillsIn({ request }: LoopbackCall): readonly string[] {
  const [system] = request.messages;
  if (system?.role !== "system") throw new Error("no system prompt");
  return [...bodies].filter(([, body]) => system.content.includes(body)).map(([name]) => name);
}

describe("the first request of an episode", () => {
  it("has the bodies of all twelve SKILL.md in its system prompt", async () => {
    expect(bodies.size).toBe(12);
    const from = model.calls.length;
    await runCode("--triggers paper --questions tasks.jsonl --limit 1 -o .hasp/runs/bodies");
    const [first] = model.calls.slice(from);
    expect(skillsIn(first!).toSorted()).toEqual([...bodies.keys()].toSorted());
    const system = first!.request.messages[0]!.content;
    // About 4,500 tokens: with the longest reply, 4,096, and the task they fit a window of 16,384.
    expect(system.length).toBeLessThan(18_000);
    expect(first!.request.messages.slice(1)).toEqual([{ role: "user", content: TASKS[0]!.question }]);
  }, 60_000);

  it("lacks those of the two that a prompt could replace, where these are off", async () => {
    const from = model.calls.length;
    await runCode(
      "--triggers paper --questions tasks.jsonl --limit 1 --set enable_prompt_only_skills=false -o .hasp/runs/without",
    );
    const [first] = model.calls.slice(from);
    const others = [...bodies.keys()].filter((name) => !PROMPT_ONLY.includes(name));
    expect(skillsIn(first!).toSorted()).toEqual(others.toSorted());
    for (const name of PROMPT_ONLY)
      expect(JSON.stringify(first!.request)).not.toContain(JSON.stringify(bodies.get(name)).slice(1, -1));
  }, 60_000);
});

const containment = await openContainment(1);
const why = isContainment(containment) ? "" : ` (skipped: ${containment.why})`;
if (isContainment(containment)) await containment.close();

describe.skipIf(!isContainment(containment))(`a run whose drafts are held back and judged${why}`, () => {
  let episodes: readonly Episode[] = [];
  beforeAll(async () => {
    const { err } = await runCode("--questions tasks.jsonl -o .hasp/runs/tasks");
    expect(err).toBe("");
    episodes = await episodesIn(scene.at(".hasp/runs/tasks"));
  }, 120_000);
  const episodeOf = (id: string): Episode => episodes.find(({ questionId }) => questionId === id)!;
  const judged = (id: string) =>
    episodeOf(id).steps[0]!.proposals.map(({ verdicts }) => verdicts?.[0]?.passed);

  it("fixes one draft and breaks another", async () => {
    expect([judged("median"), judged("countdown")]).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(episodes.map(({ outcome }) => outcome).toSorted()).toEqual(["correct", "wrong"]);
    const counted = await hasp("backtest --skills builtin:code --episodes .hasp/runs/tasks");
    expect(counted.out).toMatch(/revised: fixed 1, broken 1/);
  });

  it("keeps the programs as they were written, and what the tests of each said", () => {
    const [draft, revision] = episodeOf("median").steps[0]!.proposals;
    expect(draft?.action.arg.split("\n")).toHaveLength(4);
    expect(revision?.action.arg).toBe("print(sorted(map(int, input().split()))[1])");
    const [failed, passed] = [draft, revision].map((one) => testEvidenceOf(one?.verdicts?.[0]?.evidence));
    expect(failed).toMatchObject({ passed: 0, ended: "error" });
    expect(failed?.first?.actual).toMatch(/NameError/);
    expect(passed).toMatchObject({ passed: 3, failed: 0, notRun: 0, ended: "passed" });
    expect(passed?.containment).toMatch(/^\S+.*Python 3\./);
  });

  it("tells what the wrong answers failed by, and has the rows for training", async () => {
    const { out } = await hasp("failures .hasp/runs/tasks");
    expect(out).toMatch(/incomplete_logic +1/);
    await hasp("train-data .hasp/runs/tasks -o data");
    const pairs = readFileSync(scene.at("data/a-dpo.jsonl"), "utf8").trim().split("\n");
    expect(pairs).toHaveLength(1);
  });
});

/** SPEC §10.11: the third case of the paper, by its three samples; the task and the programs are in our words. */
const GROUPS =
  "Three integers between 1 and 1000 stand in one line. Put each of them into one of two or more groups, so that all groups have the same sum. Print Yes where that can be done, else No.";
/** Groups of one are forgotten: 2 2 2 is No. */
const WITHOUT_ALL_EQUAL = fenced(
  "a, b, c = map(int, input().split())",
  "total = a + b + c",
  "if total % 2 == 1:",
  '    print("No")',
  "elif a + b == c or a + c == b or b + c == a:",
  '    print("Yes")',
  "else:",
  '    print("No")',
);
/** It ends without a value where nothing is equal: 1 2 4 is None. */
const WITHOUT_LAST_PATH = fenced(
  "def groups(a, b, c):",
  "    if a == b == c:",
  '        return "Yes"',
  "    if max(a, b, c) * 2 == a + b + c:",
  '        return "Yes"',
  "print(groups(*map(int, input().split())))",
);
const WITH_ALL = fenced(
  "a, b, c = sorted(map(int, input().split()))",
  'print("Yes" if a == b == c or a + b == c else "No")',
);

describe.skipIf(!isContainment(containment))(`three integers in groups of equal sums${why}`, () => {
  let episodes: readonly Episode[] = [];
  beforeAll(async () => {
    const material = scripts(["3 8 5", "Yes"], ["2 2 2", "Yes"], ["1 2 4", "No"]);
    writeFileSync(scene.at("groups.jsonl"), lines([{ id: "groups", question: GROUPS, material }]));
    const replies = [WITHOUT_ALL_EQUAL, WITH_ALL, WITHOUT_LAST_PATH, WITH_ALL, WITH_ALL];
    writeFileSync(scene.at("groups.json"), JSON.stringify(replies));
    const { err } = await hasp(
      "run --domain code --skills builtin:code --setting pf-only --questions groups.jsonl --policy scripted:groups.json --samples 3 --concurrency 1 -o .hasp/runs/groups",
    );
    expect(err).toBe("");
    episodes = await episodesIn(scene.at(".hasp/runs/groups"));
  }, 120_000);

  it("hold the wrong drafts back, and not the right one", () => {
    const applied = episodes.map(({ steps }) => steps[0]!.injected.map(({ skillId }) => skillId));
    expect(applied).toEqual([["code_edge_cases"], ["code_edge_cases", "code_return_path"], []]);
    const [[edges], [, path]] = episodes.map(({ steps }) => steps[0]!.injected.map(({ text }) => text)) as [
      string[],
      string[],
    ];
    expect(edges).toContain('"total % 2 == 1"');
    expect(path).toContain("groups");
  });

  it("are judged by the three samples: the first draft fails at 2 2 2, the second at 1 2 4", () => {
    const verdicts = episodes.map(({ steps }) =>
      steps[0]!.proposals.map(({ verdicts: [verdict] = [] }) => {
        const { passed, failed, first } = testEvidenceOf(verdict?.evidence)!;
        return [passed, failed, first?.input?.trim(), first?.expected?.trim(), first?.actual.trim()];
      }),
    );
    const right = [3, 0, undefined, undefined, undefined];
    expect(verdicts).toEqual([
      [[2, 1, "2 2 2", "Yes", "No"], right],
      [[2, 1, "1 2 4", "No", "None"], right],
      [right],
    ]);
    expect(episodes.map(({ outcome }) => outcome)).toEqual(["correct", "correct", "correct"]);
  });

  it("are scored as pass@k over the three samples", async () => {
    const { out } = await hasp("score .hasp/runs/groups --pass-at 1,3");
    expect(out).toMatch(/pass@1 100\.0 % \(2\.5–100\.0\), pass@3 100\.0 %/);
  });
});
