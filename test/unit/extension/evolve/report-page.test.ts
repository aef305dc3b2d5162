import { describe, expect, it } from "vitest";
import type { EvolutionReport } from "../../../../src/evolve/report.ts";
import { scoreBins } from "../../../../src/evolve/report.ts";
import { candidatePage, reportPage } from "../../../../src/extension/evolve/report-page.ts";
import { asText } from "../../../../src/model/markdown-page.ts";
import {
  candidateLines,
  candidateWords,
  evolutionWords,
  stateOf,
  workWords,
} from "../../../../src/extension/evolve/words.ts";
import { PHASES } from "../../../../src/model/evolution.ts";
import { candidateOf, reviewOf } from "../../evolve/candidates.ts";

const HOSTILE =
  "![x](https://evil.example/a.png) <img src=x onerror=alert(1)> [go](command:evil) | `a`\u202e\nb";

function reportOf(phases: number, final: EvolutionReport["final"] = []): EvolutionReport {
  const candidates =
    phases < 6
      ? []
      : [
          candidateOf(),
          candidateOf({
            id: "e1-c2",
            skillId: "bar",
            review: reviewOf(0.55),
            decision: { admitted: false, reason: HOSTILE, by: "gate" },
          }),
        ];
  return {
    folder: "/w/.hasp/evolutions/first",
    order: {
      schema: "hasp.evolution/1",
      id: "first",
      createdAt: "2030-01-01T00:00:00Z",
      domain: "web-search",
      generated: "skills/web-search/generated",
      mode: "full",
      gate: "strict",
      worth: true,
      caps: { candidates: 5, minClusterSize: 3, librarySize: 50 },
      seed: 1,
      author: "openai:small",
      teacher: "openai:large",
      pinned: [],
      rollouts: { kind: "recorded", runs: [{ run: ".hasp/runs/a" }] },
      epochs: 1,
    },
    epochs: [
      {
        number: 1,
        phases: PHASES.map((phase, i) => ({ phase, words: i < phases ? `result ${i}` : undefined })),
        clusters: [],
        candidates,
        admission:
          phases < 6 ? undefined : { before: 12, after: 13, admitted: ["foo__v1"], retired: [], words: "" },
        scores: scoreBins(candidates),
        passed: phases < 4 ? undefined : 1,
      },
    ],
    final,
  };
}

const FINAL = {
  epoch: 1,
  skills: ["foo"],
  better: 3,
  worse: 1,
  ties: 2,
  p: 0.3125,
  words: "Three are better.",
};

describe("The state of an evolution", () => {
  it("is unfinished until the final reading of its last epoch", () => {
    expect(stateOf(reportOf(8), undefined)).toBe("unfinished");
    expect(evolutionWords(reportOf(8), undefined)).toContain("final reading is left");
    expect(stateOf(reportOf(8, [FINAL]), undefined)).toBe("done");
    expect(stateOf(reportOf(3), {})).toBe("running");
  });

  it("names the phase that is left", () => {
    expect(evolutionWords(reportOf(3), undefined)).toBe("not finished · epoch 1 · D Check candidates");
  });

  it("names epoch, phase and progress while it runs", () => {
    const work = { epoch: 1, phase: "checks", progress: "3 of 5 candidates" } as const;
    expect(workWords(work)).toBe("epoch 1 · D Check candidates · 3 of 5 candidates");
    expect(workWords({ ...work, isStopping: true })).toBe(
      "stops after this phase · epoch 1 · D Check candidates · 3 of 5 candidates",
    );
    expect(workWords({})).toBe("starts");
  });
});

describe("A candidate in words", () => {
  it("has its decision, score and reason on one line", () => {
    const decision = { admitted: false, reason: "Too\nbroad.\u202e", by: "person" } as const;
    expect(candidateWords(candidateOf({ decision }))).toBe("rejected by a person · Q_skill 0.8 · Too broad.");
  });

  it("names refusals and missing worth", () => {
    const { checks } = candidateOf();
    const refused = candidateOf({
      checks: { ...checks, refusals: [{ code: "HASP651", message: "A copy." }] },
    });
    const lines = candidateLines(refused);
    expect(lines).toContain("refusal HASP651: A copy.");
    expect(lines).toContain("worth on held-out questions: not measured");
  });
});

describe("The pages about an evolution", () => {
  it("show a stranger's text as text", () => {
    const text = asText(HOSTILE);
    expect(text).not.toMatch(/(?<!\\)[[\]()!`|]/);
    expect(text).not.toContain("<");
    expect(text).not.toContain("\u202e");
    expect(text).not.toContain("\n");
  });

  it("have no link, picture or element of a model", () => {
    const hostile = candidateOf({
      review: { ...reviewOf(0.8), comments: { concept: HOSTILE }, suggestions: [HOSTILE] },
      decision: { admitted: true, reason: HOSTILE, by: "gate" },
    });
    for (const page of [candidatePage(hostile), reportPage("first", reportOf(8, [FINAL]), undefined)]) {
      expect(page).not.toMatch(/(?<!\\)\]\(/);
      expect(page).not.toMatch(/<(?!\/?br)/);
    }
  });

  it("have the library by epoch, the scores and the final reading", () => {
    const page = reportPage("first", reportOf(8, [FINAL]), undefined);
    expect(page).toContain(
      [
        "| epoch | before | after | candidates | admitted | undecided | retired | checks passed |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| 1 | 12 | 13 | 2 | 1 | 0 | 0 | 100% |",
      ].join("\n"),
    );
    // Two candidates: 0.55 and 0.8.
    expect(page).toContain("| 0\\.5–0\\.6 | 1 | █ |");
    expect(page).toContain("| 0\\.6–0\\.7 | 0 |  |");
    expect(page).toContain("| 0\\.8–0\\.9 | 1 | █ |");
    expect(page).toContain("## Final reading");
  });

  it("leave out what is not there yet", () => {
    const page = reportPage("first", reportOf(0), { epoch: 1, phase: "rollout" });
    expect(page).not.toContain("## Library by epoch");
    expect(page).toContain("Running · epoch 1");
  });
});
