import type { FailureCluster, FailureExample } from "../../../src/model/failure.ts";

export function exampleOf(some: Partial<FailureExample>): FailureExample {
  const place = { run: "file:///r/episodes.jsonl", index: 0, episodeId: "e", questionId: "q" };
  return { ...place, question: "Who?", steps: [1], ...some };
}

export function clusterOf(some: Partial<FailureCluster>): FailureCluster {
  return {
    id: "detector:stale_query",
    source: "detector",
    category: "stale_query",
    abstraction: "The agent asks again in the same words.",
    trigger: "A search equals the one before.",
    hint: "Search for something else.",
    group: "retrieval",
    novelty: 0.42,
    isNewCategory: true,
    examples: [exampleOf({}), exampleOf({ index: 3, question: "When?", questionId: "q2", steps: [2, 4] })],
    ...some,
  };
}
