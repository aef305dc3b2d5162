import { FINAL } from "../../model/action-types.ts";
import type { RunEnvironment } from "../environment.ts";

/** No tools: the answer is all that there is to do. */
export const answerOnly: RunEnvironment = {
  settings: { kind: "none", topK: 0 },
  openTools: () => ({
    actionTypes: [FINAL],
    searchReturnsText: false,
    execute: async () => ({ observation: "" }),
  }),
  check: async () => [],
  close: () => undefined,
};
