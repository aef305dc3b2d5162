import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { STAGES } from "../../../scripts/lib/stages.mts";
import { readPlan } from "../../../scripts/lib/test-plan.mts";
import { stagesThatFit, touchedStages, TOUCHES } from "../../../scripts/lib/touched-stages.mts";
import { ROOT } from "../../support/core.ts";

const NAMES = STAGES.map(({ name }) => name);
const planOf = (...argv: readonly string[]) => {
  const { stages, omitted } = readPlan(argv);
  return {
    stages: stages.map(({ stage }) => stage.name),
    thorough: stages.filter(({ isThorough }) => isThorough).map(({ stage }) => stage.name),
    omitted: omitted.join("\n"),
  };
};

describe("npm test", () => {
  const OPTIONAL = ["miniature", "hosts", "model"];

  test("runs the normal form of all stages but the optional ones, which it names", () => {
    const { stages, thorough, omitted } = planOf();
    expect(stages).toEqual(NAMES.filter((name) => !OPTIONAL.includes(name)));
    expect(thorough).toEqual([]);
    expect(omitted).toContain("miniature: not run: the training of the miniature");
    expect(omitted).toContain("hosts: not run: the installed hooks in real Claude Code and Codex");
    expect(omitted).toContain("model: not run: questions answered by a real language model");
  });

  test("-- --thorough runs all there is", () => {
    expect(planOf("--thorough")).toEqual({ stages: NAMES, thorough: NAMES, omitted: "" });
  });

  test("-- --thorough=cluster,miniature runs these two in full, and the others as always", () => {
    const { stages, thorough, omitted } = planOf("--thorough=cluster,miniature");
    expect(stages).toEqual(NAMES.filter((name) => name === "miniature" || !OPTIONAL.includes(name)));
    expect(thorough).toEqual(["cluster", "miniature"]);
    expect(omitted).not.toContain("miniature");
  });

  test("-- --only runs the stages named, the miniature too", () => {
    expect(planOf("--only", "miniature")).toEqual({ stages: ["miniature"], thorough: [], omitted: "" });
    expect(planOf("--only", "unit,cluster", "--thorough=cluster")).toMatchObject({
      stages: ["unit", "cluster"],
      thorough: ["cluster"],
    });
  });

  test("-- --changed without the commit in this clone counts all as touched", () => {
    const { stages, thorough } = planOf("--changed=no-such-commit");
    expect(stages).toEqual(NAMES);
    expect(thorough).toEqual(NAMES.filter((name) => name !== "model"));
  });

  test("-- --changed names what does not fit into its time", () => {
    const { thorough, omitted } = planOf("--changed=no-such-commit", "--minutes", "1");
    expect(thorough).toEqual([]);
    for (const name of NAMES)
      expect(omitted).toMatch(
        RegExp(`^${name}: not run: its (thorough|normal) form, which does not fit`, "m"),
      );
  });

  test.each([
    [["--only", "units"], "Unknown stage units."],
    [["--thorough=all"], "Unknown stage all."],
    [["--minutes", "soon"], "Expected a number of minutes, not soon."],
    [["--fast"], "Unknown option '--fast'"],
  ])("-- %s is refused with the usage", (argv, message) => {
    expect(() => readPlan(argv)).toThrow(message);
    expect(() => readPlan(argv)).toThrow("npm test -- [--only");
  });
});

describe("the stages that a change touches", () => {
  test.each([
    ["src/jobs/remote/bundle.ts", ["cluster", "unit"]],
    ["trainer/hasp_target/run.py", ["cluster", "trainer", "miniature"]],
    ["scripts/miniature/world.mts", ["miniature"]],
    ["webview/replay/main.ts", ["webview"]],
    ["src/evolve/gate.ts", ["golden", "unit"]],
    ["test/e2e/wizards.test.ts", ["e2e"]],
    ["src/agents/hook/hosts/codex.ts", ["golden", "hosts"]],
    ["skills/coding-agent/force-push/pf.ts", ["hosts"]],
    ["src/domains/web-search/prompt.ts", ["model"]],
    ["src/llm/openai-try.ts", ["model"]],
    ["docs/jobs.md", []],
  ])("%s: %j", (file, stages) => {
    expect(touchedStages([file])).toEqual(stages);
  });

  test("each path of the table exists, and each of its stages", () => {
    const folders = TOUCHES.map(([at]) => at).filter((at) => at.endsWith("/") || at.includes("."));
    expect(folders.filter((at) => !existsSync(path.join(ROOT, at)))).toEqual([]);
    expect(TOUCHES.flatMap(([, ...stages]) => stages).filter((name) => !NAMES.includes(name))).toEqual([]);
  });
});

describe("the stages that fit into a time", () => {
  const stage = (name: string, normal: number, thorough: number, changes: object = {}) => ({
    name,
    commands: [],
    lanes: 1 as const,
    seconds: { normal, thorough },
    ...changes,
  });
  const stages = [
    stage("a", 300, 1500),
    stage("b", 300, 400),
    stage("c", 200, 300, { lanes: 2 }),
    stage("d", 800, 800, { isOptional: true }),
  ];

  test("are all that were wanted where it is long", () => {
    expect(stagesThatFit(stages, ["a", "d"], 3600, 2).toSorted()).toEqual(["a", "d"]);
  });

  test("are those with the fewest seconds more where it is not", () => {
    // 200 s alone beside 300 and 400 s in two lanes are 550 s, of 750 s that are planned with.
    expect(stagesThatFit(stages, ["a", "b", "d"], 1000, 2)).toEqual(["b"]);
    expect(stagesThatFit(stages, ["a", "b", "d"], 100, 2)).toEqual([]);
  });

  test("and the normal forms of all fit into the time of CI", () => {
    expect(stagesThatFit(STAGES, NAMES, 58 * 60, 2).length).toBeGreaterThan(4);
  });
});
