import { NO_PF_LISTS, type RunnableDomain } from "../../../src/domains/domain.ts";
import type { RunEnvironment } from "../../../src/domains/environment.ts";
import type { StepContext } from "../../../src/model/step-context.ts";
import { judgeOf } from "../../../src/scoring/judge.ts";
import type { AskedAbout, OwnFields } from "../../../src/trace/context-at.ts";
import { plainStarters } from "../../../src/skill/scaffold-starters.ts";
import { ESTIMATE_DATASETS } from "./datasets.ts";

const FINAL = "FINAL";
const ACTIONS = [FINAL];
const JUDGE = "within tolerance";

const CONTEXT: StepContext = {
  question: "How long is the bridge, in metres?",
  stepCount: 0,
  maxSteps: 1,
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

/** The estimate that stands behind `Answer:`, else the last line. */
function answerIn(text: string): string {
  const [, marked] = /^Answer: *(.+)$/m.exec(text) ?? [];
  return (marked ?? text.trim().split("\n").at(-1) ?? "").trim();
}

/** What a Program Function of the domain knows of a draft, read once by the domain. */
export interface EstimateContext extends StepContext {
  /** The numbers of the thought, in their order, and the answer as a number where it is one. */
  readonly draft: { readonly numbers: readonly number[]; readonly answer?: number };
}

/** The same for authors of Program Functions. */
const PF_TYPES = `
/** What a Program Function of the domain estimate knows besides. */
export interface EstimateContext extends StepContext {
  readonly draft: {
    /** The numbers of the thought, in their order. */
    readonly numbers: readonly number[];
    /** The answer, where it is a number. */
    readonly answer?: number;
  };
}
`;

function draftOf({ thought, action }: AskedAbout): EstimateContext["draft"] {
  const numbers = (thought.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const answer = Number(action.arg);
  return Number.isNaN(answer) || action.arg.trim() === "" ? { numbers } : { numbers, answer };
}

const own: OwnFields = {
  initial: (): Partial<EstimateContext> => ({ draft: { numbers: [] } }),
  proposed: (_, proposal): Partial<EstimateContext> => ({ draft: draftOf(proposal) }),
  advance: () => ({}),
  remembered: ({ type, arg }) => ({ type, arg }),
};

/** No tools: the answer is all that there is to do. */
const environment: RunEnvironment = {
  settings: { kind: "none", topK: 0 },
  openTools: () => ({
    actionTypes: ACTIONS,
    searchReturnsText: false,
    execute: async () => ({ observation: "" }),
  }),
  check: async () => [],
  close: () => undefined,
};

/**
 * A domain of one step whose judge needs more than gold: how far an estimate may be off stands in the material of its question. `−7` is not
 * `7`, and `1.5` is not `15`.
 */
export const estimate: RunnableDomain = {
  name: "estimate",
  about: "Numbers within a tolerance.",
  actionTypes: ACTIONS,
  finalAction: FINAL,
  defaults: { maxSteps: 1, enableDifficultyGating: false },
  pfLists: NO_PF_LISTS,
  pfTypes: PF_TYPES,
  contextRules: { isEmptySearch: (observation) => observation === "", contradicts: () => false, own },
  prompt: {
    version: "estimate/1",
    messages: ({ question, seen, summaries = [], instructions = [] }) => [
      { role: "system", content: ["Give an estimate, last as `Answer: <number>`.", ...summaries].join("\n") },
      { role: "user", content: question },
      ...seen.flatMap(({ proposal, ...one }) => [
        { role: "assistant" as const, content: `${proposal.thought}\nAnswer: ${proposal.action.arg}` },
        { role: "user" as const, content: "injected" in one ? one.injected.join("\n") : "" },
      ]),
      ...(instructions.length === 0 ? [] : [{ role: "user" as const, content: instructions.join("\n") }]),
    ],
    render: ({ thought, action }) => `${thought}\nAnswer: ${action.arg}`,
    withoutContexts: () => undefined,
    form: () => "End with `Answer: <number>`.",
    stop: [],
    parseReply: (text) => ({
      thought: text.replace(/^Answer:.*$/m, "").trim(),
      action: { type: FINAL, arg: answerIn(text) },
    }),
  },
  openEnvironment: async () => ({ value: environment, diagnostics: [] }),
  datasets: ESTIMATE_DATASETS,
  judge: judgeOf({
    name: JUDGE,
    needsMaterial: true,
    async judge({ answer, gold, material }) {
      if (gold === undefined || material === undefined) return undefined;
      const off = Math.min(...gold.map((accepted) => Math.abs(Number(accepted) - Number(answer))));
      const passed = off <= Number(material);
      return { judge: JUDGE, score: passed ? 1 : 0, passed, evidence: { off: String(off) } };
    },
  }),
  keys: { answer: (text) => text.trim(), question: (text) => text.trim() },
  revisedPairs: true,
  starters: plainStarters(FINAL),
  mockCalls: () =>
    [0, 1, 2].flatMap((i) =>
      [FINAL, "other", "invalid"].map((type) => ({
        context: { ...CONTEXT, thought: `Draft ${i}.` },
        proposed: { type, arg: "42" },
        actionTypes: ACTIONS,
      })),
    ),
};
