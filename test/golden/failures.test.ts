import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { EPISODE_SCHEMA, type Episode } from "../../src/model/episode.ts";
import type { FailureReport } from "../../src/model/failure.ts";
import { ROOT } from "../support/core.ts";
import { COUNTED, countFailures, type Counted } from "../support/failure-counts.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { loopbackModel, type LoopbackModel } from "../support/loopback-model.ts";

/** `hasp failures` as a person runs it. */
const DATA = path.join(ROOT, "../shared/data/trajectories");
const scene: HookScene = openScene("failures");
const models: LoopbackModel[] = [];

type Printed = FailureReport & { readonly diagnostics: readonly Diagnostic[]; readonly interrupted: boolean };

const step = (t: number, type: string, arg: string, observation = "") => {
  const action = { type, arg };
  return { t, proposals: [{ thought: "", action }], events: [], executed: action, injected: [], observation };
};

/** An answer in the second step, about something else than the accepted one. */
const early = (n: number, outcome: Episode["outcome"] = "wrong"): Episode => ({
  schema: EPISODE_SCHEMA,
  id: `early-${n}`,
  questionId: `q${n}`,
  sample: 1,
  outcome,
  length: 2,
  question: `Which bridge has number ${n}?`,
  source: "test",
  facts: {
    domain: "web-search",
    actionTypes: ["SEARCH", "READ", "FINAL"],
    searchReturnsText: false,
    maxSteps: 6,
  },
  library: [],
  steps: [
    step(0, "READ", "doc_0", "The Halden bridge."),
    step(1, "FINAL", outcome === "correct" ? "Gold" : "Halden"),
  ],
  answer: outcome === "correct" ? "Goldenwater" : "Halden",
  gold: ["Goldenwater"],
  stopReason: "final",
});

beforeAll(async () => {
  const episodes = [early(1), early(2), early(3), early(4, "correct")];
  writeFileSync(scene.at("hasp.yaml"), "libraries: []\n");
  writeFileSync(scene.at("episodes.jsonl"), episodes.map((one) => `${JSON.stringify(one)}\n`).join(""));
});
afterEach(async () => {
  for (const model of models.splice(0)) await model.close();
});
afterAll(() => scene.close());

async function teacherThat(reply: (index: number) => string): Promise<string> {
  const model = await loopbackModel(({ index }) => ({ kind: "text", text: reply(index) }));
  models.push(model);
  return `${model.url}#teacher`;
}

describe("hasp failures", () => {
  it("prints the detectors by outcome, and the clusters with a way to open them", async () => {
    const { code, err, out } = await scene.hasp("failures", ".", "--examples", "2");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^detector +wrong +correct$/m);
    expect(out).toMatch(/^premature_final +3 \(100%\) +1 \(100%\)$/m);
    expect(out).toMatch(/^wrong_entity_focus +3 \(100%\) +–$/m);
    expect(out).toMatch(/^partial_answer +– +–$/m);
    expect(out).toContain("episodes: 3 wrong, 1 correct\n");
    expect(out).toContain("2 clusters of at least 3 episodes, from 3 failed episodes\n");
    expect(out).toMatch(
      /^detector:premature_final: 3 episodes, termination, novelty 0\.\d\d, a new category$/m,
    );
    expect(out).toContain(
      "  early-1#2  Which bridge has number 1?\n  early-2#2  Which bridge has number 2?\n",
    );
    expect(out).toContain("  … 1 more: --examples 3, or --json for all\n");
    expect(out).toContain("  open it: hasp replay . --episode early-1 --step 2\n");
    expect(out).not.toContain("Goldenwater");
    const opened = await scene.hasp("replay", ".", "--episode", "early-1", "--step", "2");
    expect(opened.out).toContain("Halden");
  });

  it("leaves small clusters and other parts of the split out, and says so", async () => {
    const few = await scene.hasp("failures", ".", "--min-cluster", "4");
    expect(few.out).toContain(
      "0 clusters of at least 4 episodes, from 3 failed episodes; 2 smaller left out\n",
    );
    const parts = await Promise.all(
      ["1/2", "2/2"].map((split) => scene.hasp("failures", ".", "--split", split, "--json")),
    );
    const [one, two] = parts.map(({ out }) => JSON.parse(out) as Printed);
    expect((one?.failures.length ?? 0) + (two?.failures.length ?? 0)).toBe(3);
    expect((one?.leftOut ?? 0) + (two?.leftOut ?? 0)).toBe(4);
  });

  it("asks the teacher about each failure, and keeps no summary that names the answer", async () => {
    const summary = (abstraction: string): string =>
      JSON.stringify({
        category: "early_end",
        abstraction,
        trigger: "An answer in step two.",
        intervention_hint: "Search first.",
      });
    const spec = await teacherThat((i) => summary(i === 0 ? "It misses Goldenwater." : "It answers early."));
    const { code, out } = await scene.hasp(
      ..."failures . --min-cluster 2 --price 1/1 --concurrency 1 --teacher".split(" "),
      spec,
    );
    expect(code).toBe(0);
    expect(out).toContain(
      "summaries by the teacher: 2; 1 failure without one, 1 of them because it names the answer\n",
    );
    expect(out).toContain("model:early_end: 2 episodes");
    expect(out).toContain("cost of the teacher: $");
    expect(out).not.toContain("Goldenwater");
  });

  it("ends with findings where the budget is spent, and prints what it has", async () => {
    const spec = await teacherThat(() => "{}");
    const { code, out } = await scene.hasp(
      ..."failures . --json --price 100/100 --max-dollars 0.0001 --teacher".split(" "),
      spec,
    );
    const printed = JSON.parse(out) as Printed;
    expect(code).toBe(1);
    expect(printed.diagnostics).toMatchObject([{ code: "HASP641" }]);
    expect(printed.summaries).toEqual({ made: 0, missing: 3, namesAnswer: 0 });
    expect(printed.clusters).toHaveLength(2);
  });

  it("refuses what is no run and no split with exit code 2", async () => {
    expect((await scene.hasp("failures", "nowhere")).code).toBe(2);
    expect((await scene.hasp("failures", ".", "--split", "3/2")).code).toBe(2);
  });
});

/** Published counts of episodes, wrong, halted and right (SPEC §9 has none; these are of the files). */
const EPISODES = {
  "reflexion-hotpotqa": { wrong: 342, halted: 98, correct: 87, unjudged: 0 },
  "fireact-hotpotqa-even": { wrong: 478, halted: 0, correct: 239, unjudged: 0 },
} as const;

describe.skipIf(!existsSync(DATA))("on real trajectories (skipped without ../shared/data)", () => {
  it.each(Object.keys(EPISODES) as (keyof typeof EPISODES)[])(
    "counts as plain code over the raw lines of %s does",
    async (name) => {
      const source = path.join(DATA, `${name}.jsonl`);
      expect((await scene.hasp("import", source, "-o", name)).code).toBe(0);
      const { out } = await scene.hasp("failures", name, "--json");
      const report = JSON.parse(out) as Printed;
      expect(report.diagnostics).toEqual([]);
      expect(report.episodes).toEqual(EPISODES[name]);
      const own = countFailures(source);
      const counted = Object.fromEntries(
        COUNTED.map((detector: Counted) => {
          const { unjudged: _, ...by } = report.detectors[detector]!;
          return [detector, by];
        }),
      );
      expect(counted).toEqual(own);
      // The shares that are known of these files.
      const share = (detector: Counted, outcome: "wrong" | "correct"): number =>
        Math.round((100 * own[detector][outcome]) / report.episodes[outcome]);
      const shares = (detector: Counted) => [share(detector, "wrong"), share(detector, "correct")];
      const isFireAct = name.startsWith("fireact");
      expect(shares("premature_final")).toEqual(isFireAct ? [35, 43] : [5, 8]);
      expect(shares("repeated_search")).toEqual(isFireAct ? [17, 5] : [10, 1]);
      if (isFireAct) expect(shares("wrong_entity_focus")).toEqual([65, 0]);
      for (const { id, examples } of report.clusters) {
        const detector = id.replace("detector:", "") as Counted;
        const { wrong, halted } = report.detectors[detector]!;
        expect(examples).toHaveLength(wrong + halted);
      }
    },
  );
});
