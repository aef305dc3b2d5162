import { WEB_SEARCH_ACTIONS } from "../domains/web-search/action-space.ts";
import { codingAgent } from "../domains/coding-agent/coding-agent.ts";
import type { Action } from "../model/action.ts";
import type { World } from "../model/coding-context.ts";
import type { DomainFacts } from "../model/episode.ts";
import type { StepContext } from "../model/step-context.ts";
import type { PfQuestion } from "../sandbox/pf-host.ts";
import { advance, initialContext, withProposal, type DoneStep } from "../trace/context-at.ts";

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
function searchQuestions(): readonly PfQuestion[] {
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

const call = (type: string, input: Readonly<Record<string, unknown>>): Action => ({
  type,
  arg: JSON.stringify(input),
});
const EDIT = call("Edit", { path: "src/clock.ts", oldText: "hours * 60", newText: "hours * 3600" });
const TEST = call("Bash", { command: "npm test -- clock" });

/** A coding session: it reads and edits; then its tests fail; then it goes round in circles. */
const CODING_STEPS: readonly (readonly DoneStep[])[] = [
  [],
  [
    { executed: call("Read", { path: "src/clock.ts" }), observation: "export const seconds = hours * 60;" },
    { executed: EDIT, observation: "src/clock.ts has been updated." },
    { executed: TEST, observation: "Tests: 1 failed, 3 passed", result: { exitCode: 1 } },
  ],
  [EDIT, TEST, EDIT, TEST, TEST, TEST].map((executed) => ({
    executed,
    observation: "Error: String to replace not found in file.",
    result: { exitCode: 1 },
  })),
];

const CODING_FACTS: DomainFacts = {
  domain: codingAgent.name,
  actionTypes: [...codingAgent.actionTypes],
  searchReturnsText: false,
  maxSteps: 50,
  project: [{ kind: "test", command: "npm test" }],
};

const SEEN: World = { branch: "main", files: [{ path: "src/clock.ts", exists: true, occurrences: [0] }] };

/** The same number of calls for agents that call tools: 3 sessions × {Bash, Edit, FINAL}. */
function codingQuestions(): readonly PfQuestion[] {
  const { contextRules: rules, actionTypes } = codingAgent;
  const start = initialContext("The clock shows minutes for seconds. Mend it.", CODING_FACTS, rules);
  const asked = [TEST, EDIT, { type: "FINAL", arg: "The clock is right now." }];
  const contexts = CODING_STEPS.map((_, i) =>
    CODING_STEPS.slice(0, i + 1)
      .flat()
      .reduce((context, step) => advance(context, step, CODING_FACTS, rules), start),
  );
  return contexts.flatMap((context) =>
    asked.map((action) => ({
      context: withProposal(context, { thought: "The next thing.", action, world: SEEN }, rules),
      proposed: action,
      actionTypes,
    })),
  );
}

/** The nine made-up calls that a PF of this domain must survive; those of web-search where none is named. */
export function mockQuestions(domain: string | undefined): readonly PfQuestion[] {
  return domain === codingAgent.name ? codingQuestions() : searchQuestions();
}
