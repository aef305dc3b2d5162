import type { Action } from "../../model/action.ts";
import type { World } from "../../model/coding-context.ts";
import { CODING_FINAL } from "../../model/coding-tools.ts";
import { CODING_AGENT } from "../../model/domain-names.ts";
import type { DomainFacts } from "../../model/episode.ts";
import type { PfCall } from "../../sandbox/pf-host.ts";
import { advance, initialContext, withProposal, type DoneStep } from "../../trace/context-at.ts";
import { CODING_ACTIONS } from "../../model/coding-tools.ts";
import { codingAgentRules } from "./context-rules.ts";

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
  domain: CODING_AGENT,
  actionTypes: [...CODING_ACTIONS],
  searchReturnsText: false,
  maxSteps: 50,
  project: [{ kind: "test", command: "npm test" }],
};

const SEEN: World = { branch: "main", files: [{ path: "src/clock.ts", exists: true, occurrences: [0] }] };

/** The same number of calls for agents that call tools: 3 sessions × {Bash, Edit, FINAL}. */
export function codingMockCalls(): readonly PfCall[] {
  const start = initialContext(
    "The clock shows minutes for seconds. Fix it.",
    CODING_FACTS,
    codingAgentRules,
  );
  const asked = [TEST, EDIT, { type: CODING_FINAL, arg: "The clock is right now." }];
  const contexts = CODING_STEPS.map((_, i) =>
    CODING_STEPS.slice(0, i + 1)
      .flat()
      .reduce((context, step) => advance(context, step, CODING_FACTS, codingAgentRules), start),
  );
  return contexts.flatMap((context) =>
    asked.map((action) => ({
      context: withProposal(context, { thought: "The next thing.", action, world: SEEN }, codingAgentRules),
      proposed: action,
      actionTypes: CODING_ACTIONS,
    })),
  );
}
