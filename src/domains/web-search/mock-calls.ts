import type { StepContext } from "../../model/step-context.ts";
import type { PfCall } from "../../sandbox/pf-host.ts";
import { WEB_SEARCH_ACTIONS } from "./action-space.ts";

const FIRST_STEP: StepContext = {
  question: "Which river flows through the town where the painter of the mural was born?",
  stepCount: 1,
  maxSteps: 15,
  hasRead: false,
  searchCount: 1,
  readCount: 0,
  emptyResults: false,
  contradictorySources: false,
  actionHistory: [{ type: "SEARCH", arg: "painter of the town hall mural" }],
  lastSearchResultsText: "doc_0 The mural was painted in 1931.\ndoc_1 A list of town halls.",
  allReadContents: [],
  thought: "The painter comes first.",
};

const AFTER_TWO_READS: StepContext = {
  ...FIRST_STEP,
  stepCount: 5,
  hasRead: true,
  searchCount: 3,
  readCount: 2,
  actionHistory: [
    { type: "SEARCH", arg: "painter of the town hall mural" },
    { type: "READ", arg: "doc_0" },
    { type: "SEARCH", arg: "birthplace of the painter" },
    { type: "READ", arg: "doc_1" },
    { type: "SEARCH", arg: "river through the birthplace" },
  ],
  allReadContents: [
    "The mural was painted in 1931 by a local artist.",
    "The artist was born in a small town in 1898.",
  ],
  thought: "Now the river.",
};

const LATE_AND_CONTRADICTORY: StepContext = {
  ...AFTER_TWO_READS,
  stepCount: 12,
  searchCount: 9,
  emptyResults: true,
  contradictorySources: true,
  lastSearchResultsText: "",
  thought: "Nothing was found and the sources disagree.",
};

/** 3 contexts × {SEARCH, READ, FINAL}: the nine mock calls of SPEC §7 D. */
export function webSearchMockCalls(): readonly PfCall[] {
  const args: Record<string, string> = {
    SEARCH: "river through the birthplace",
    READ: "doc_0",
    FINAL: "the Elbe",
  };
  return [FIRST_STEP, AFTER_TWO_READS, LATE_AND_CONTRADICTORY].flatMap((context) =>
    WEB_SEARCH_ACTIONS.map((type) => ({
      context,
      proposed: { type, arg: args[type] ?? "" },
      actionTypes: WEB_SEARCH_ACTIONS,
    })),
  );
}
