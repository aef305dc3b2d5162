import { describe, expect, it, vi } from "vitest";
import { clusterFailures } from "../../../src/analysis/failures/cluster-failures.ts";
import { detectFailures, detectorsIn } from "../../../src/analysis/failures/detect-failures.ts";
import { failureRequest } from "../../../src/analysis/failures/failure-prompt.ts";
import { findPatterns } from "../../../src/analysis/failure-patterns.ts";
import type { Detectors } from "../../../src/domains/detectors/detectors.ts";
import type { Domain } from "../../../src/domains/domain.ts";
import { domainOf } from "../../../src/domains/registry.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { FAILURE_DETECTORS, type FoundFailure } from "../../../src/model/failure.ts";
import { episode, step } from "../trace/support.ts";

vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { estimate } = await import("../../support/estimate-domain/estimate.ts");
  const detectors: Detectors = {
    premature_final: {
      detect: ({ steps, final }) =>
        final === undefined || /\d/.test(steps[final]?.step.proposals[0]?.thought ?? "")
          ? undefined
          : { steps: [final], reason: "an answer without working" },
      pattern: {
        group: "termination",
        abstraction: "The agent guesses a number and derives nothing.",
        trigger: "A thought without a number.",
        hint: "Hold the answer back until the thought has a number.",
      },
    },
    partial_answer: {
      detect: ({ verdict }) =>
        verdict?.evidence?.["off"] === undefined
          ? undefined
          : { steps: [], reason: `off: ${JSON.stringify(verdict.evidence)}` },
    },
  };
  const summary = { prediction: 2_000, hasLines: true, trace: 4_000, thought: 0.55 } as const;
  const own: Domain = { ...estimate, name: "own-detectors", detectors, texts: { summary } };
  return { REGISTERED: [...REGISTERED, estimate, own] };
});

const answered = (domain: string, thought: string, more: Partial<Episode> = {}): Episode =>
  episode("e", {
    outcome: "wrong",
    answer: "12",
    gold: ["40"],
    steps: [step(0, "FINAL", "12", "", thought)],
    facts: { domain, actionTypes: ["FINAL"], finalAction: "FINAL", searchReturnsText: false, maxSteps: 1 },
    ...more,
  });

const foundIn = (of: Episode): readonly string[] => detectFailures(of).map(({ name }) => name);

const VERDICT = { judge: "within tolerance", score: 0, passed: false, evidence: { off: "28" } };

describe("the detectors of failures", () => {
  it("are all twelve of SPEC §7 where an agent searches", () => {
    for (const name of ["web-search", "coding-agent"]) {
      const domain = domainOf(name);
      expect(domain && Object.keys(detectorsIn(domain)).toSorted()).toEqual(
        FAILURE_DETECTORS.filter((one) => !one.startsWith("incomplete_")).toSorted(),
      );
    }
  });

  it("are none of those about steps or words where a domain of one step names none", () => {
    expect(foundIn(answered("estimate", "No idea."))).toEqual([]);
    expect(foundIn(answered("web-search", "No idea."))).toEqual(["wrong_entity_focus"]);
  });

  it("are those of the domain alone, which may look at the verdict and its evidence", () => {
    expect(foundIn(answered("own-detectors", "No idea."))).toEqual(["premature_final"]);
    expect(foundIn(answered("own-detectors", "3 times 4.", { verdicts: [VERDICT] }))).toEqual([
      "partial_answer",
    ]);
  });

  it("filter a list by what needs no verdict", () => {
    const shown = findPatterns(answered("own-detectors", "No idea.", { verdicts: [VERDICT] }));
    expect(shown.map(({ name }) => name)).toEqual(["premature_final"]);
  });

  it("describe their failures to an author in the words of the domain, in a group that it has", () => {
    const { id: episodeId, questionId, question, ...of } = answered("own-detectors", "No idea.");
    const failure: FoundFailure = {
      run: "run",
      index: 0,
      episodeId,
      questionId,
      question,
      domain: "own-detectors",
      outcome: "wrong",
      length: 1,
      detected: detectFailures({ ...of, id: episodeId, questionId, question }),
      summary: {
        category: "empty_query",
        abstraction: "A search or its query fails with empty results.",
        trigger: "A query is repeated.",
        intervention_hint: "Reword it.",
      },
    };
    const { clusters } = clusterFailures([failure], [], { minClusterSize: 1 });
    const texts = Object.fromEntries(clusters.map(({ id, ...rest }) => [id, rest]));
    expect(texts["detector:premature_final"]?.abstraction).toContain("derives nothing");
    expect(texts["model:empty_query"]?.group).not.toBe("retrieval");
    const searched = clusterFailures([{ ...failure, domain: "web-search" }], [], { minClusterSize: 1 });
    expect(searched.clusters.find(({ source }) => source === "model")?.group).toBe("retrieval");
  });

  it("are summarised from as much of an answer as the domain says", () => {
    const answer = "  return 1\n".repeat(150);
    const textOf = (domain: string): string =>
      failureRequest(answered(domain, "x", { answer }), []).request.messages[1]?.content ?? "";
    expect(textOf("own-detectors")).toContain(`\n${answer}\n`);
    expect(textOf("estimate").match(/return 1/g)?.length).toBeLessThan(25);
  });
});
