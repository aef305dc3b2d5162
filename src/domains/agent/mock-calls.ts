import { FINAL } from "../../model/action-types.ts";
import type { StepContext } from "../../model/step-context.ts";
import type { PfCall } from "../../sandbox/pf-host.ts";

/** Tools such as agents of other programs have. */
const TOOLS = ["lookup_order", "send_message", FINAL];
const ARGS: Readonly<Record<string, string>> = {
  lookup_order: "A-1001",
  send_message: JSON.stringify({ to: "Ann", text: "Your order is on its way." }),
  [FINAL]: "The order arrives on Monday.",
};

const START: StepContext = {
  question: "When does order A-1001 arrive? Tell Ann.",
  stepCount: 0,
  maxSteps: 20,
  hasRead: false,
  searchCount: 0,
  readCount: 0,
  emptyResults: false,
  contradictorySources: false,
  actionHistory: [],
  lastSearchResultsText: "",
  allReadContents: [],
  thought: "The order comes first.",
};

const after = (types: readonly string[]): StepContext => ({
  ...START,
  stepCount: types.length,
  actionHistory: types.map((type) => ({ type, arg: ARGS[type] ?? "" })),
  thought: "And now?",
});

/** Three moments of a session, and in each a look-up, a message and the end. */
export function agentMockCalls(): readonly PfCall[] {
  const late = Array.from({ length: 12 }, () => "lookup_order");
  return [START, after(["lookup_order", "send_message"]), after(late)].flatMap((context) =>
    TOOLS.map((type) => ({ context, proposed: { type, arg: ARGS[type] ?? "" }, actionTypes: TOOLS })),
  );
}
