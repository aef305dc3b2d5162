import { FINAL } from "../../model/action-types.ts";
import type { OpenEnvironment, RunEnvironment } from "../environment.ts";

/** No tools: the answer is all that there is to do. */
const answerOnly: RunEnvironment = {
  settings: { kind: "none", topK: 0 },
  openTools: () => ({
    actionTypes: [FINAL],
    searchReturnsText: false,
    execute: async () => ({ observation: "" }),
  }),
  check: async () => [],
  close: () => undefined,
};

/** Opens the environment of a domain whose questions are answered in one step. */
export const openAnswerOnly: OpenEnvironment = async () => ({ value: answerOnly, diagnostics: [] });
