import { NO_PF_LISTS, type RunnableDomain } from "../../../src/domains/domain.ts";
import type { StepContext } from "../../../src/model/step-context.ts";
import { judgeOf } from "../../../src/scoring/judge.ts";
import { plainStarters } from "../../../src/skill/scaffold-starters.ts";

const LOOK = "LOOK";
const GUESS = "GUESS";
const ACTIONS = [LOOK, GUESS];

const CONTEXT: StepContext = {
  question: "How many marbles are in the box?",
  stepCount: 0,
  maxSteps: 5,
  hasRead: false,
  searchCount: 0,
  readCount: 0,
  emptyResults: false,
  contradictorySources: false,
  actionHistory: [],
  lastSearchResultsText: "",
  allReadContents: [],
  thought: "",
};

/** A fifth domain in one folder: how many marbles are in a box. `LOOK[box]` says it, `GUESS[n]` ends the episode. */
export const toy: RunnableDomain = {
  name: "toy",
  about: "Marbles in a box.",
  actionTypes: ACTIONS,
  finalAction: GUESS,
  shipsSkills: true,
  defaults: { maxSteps: 5, enableDifficultyGating: false },
  pfLists: NO_PF_LISTS,
  contextRules: { isEmptySearch: (observation) => observation === "", contradicts: () => false },
  prompt: {
    version: "toy/1",
    messages: ({ question, seen }) => [{ role: "user", content: `${question} (${seen.length} seen)` }],
    render: ({ action: { type, arg } }) => `${type}[${arg}]`,
    withoutContexts: () => undefined,
    form: ({ question }) => question,
    stop: [],
    parseReply(text) {
      const [, type = "invalid", arg = ""] = /^(\w+)\[(.*)\]$/.exec(text) ?? [];
      return { thought: "", action: { type, arg } };
    },
  },
  openEnvironment: async () => ({
    value: {
      settings: { kind: "box", topK: 1 },
      openTools: () => ({
        actionTypes: ACTIONS,
        searchReturnsText: false,
        execute: async ({ arg }) => ({ observation: `The ${arg} holds 42 marbles.` }),
      }),
      check: async () => [],
      close: () => undefined,
    },
    diagnostics: [],
  }),
  // 42.0 marbles are 42 marbles.
  judge: judgeOf({
    name: "same number",
    async judge({ answer, gold = [] }) {
      const passed = gold.some((accepted) => Number(accepted) === Number(answer));
      return { judge: "same number", score: passed ? 1 : 0, passed };
    },
  }),
  keys: { answer: (text) => String(Number(text)), question: (text) => text.trim() },
  starters: plainStarters(GUESS),
  mockCalls: () =>
    [0, 2, 4].flatMap((stepCount) =>
      [
        { type: LOOK, arg: "box" },
        { type: GUESS, arg: "42" },
        { type: "other", arg: "hm" },
      ].map((proposed) => ({ context: { ...CONTEXT, stepCount }, proposed, actionTypes: ACTIONS })),
    ),
};
