import type { EvolvedCandidate } from "../../../src/model/evolution.ts";
import { qSkillOf, type Review, type Said, type Scores } from "../../../src/model/review.ts";

/** A review with these scores; all the same where a number is given. */
export function reviewOf(scores: Partial<Scores> | number, said?: Said): Review {
  const all = typeof scores === "number" ? scores : 0.8;
  const full: Scores = {
    concept: all,
    trigger: all,
    intervene: all,
    exec: all,
    val: all,
    ...(typeof scores === "object" && scores),
  };
  return {
    schema: "hasp.review/1",
    when: "2030-01-01T00:00:00Z",
    skillId: "foo",
    version: 1,
    reviewed: { hash: "0".repeat(64), files: {} },
    teacher: { id: "teacher", model: "teacher" },
    prompt: "review-1",
    scores: full,
    qSkill: qSkillOf(full),
    ...(said !== undefined && { said }),
    decision: "accept",
    basis: "said",
    comments: {},
    suggestions: [],
    cases: { held: 0, total: 0 },
    usage: { inputTokens: 1, outputTokens: 1 },
    tries: 1,
  };
}

export function candidateOf(over: Partial<EvolvedCandidate> = {}): EvolvedCandidate {
  return {
    schema: "hasp.evolved/1",
    id: "e1-c1",
    epoch: 1,
    skillId: "foo",
    name: "foo",
    version: 1,
    newCategory: false,
    replies: 1,
    checks: {
      score: 1,
      compiles: true,
      checks: ["syntax", "interface", "mock execution", "return type"].map((name) => ({
        name,
        outcome: "passed",
      })),
      refusals: [],
    },
    review: reviewOf(0.8, "ACCEPT"),
    decision: { admitted: true, reason: "Admitted.", by: "gate" },
    ...over,
  };
}
