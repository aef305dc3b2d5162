import { isContainment } from "../../../scoring/containment.ts";
import type { DomainJudge } from "../../../scoring/judge.ts";

/** Runs the tests of a question on an answer, in containment. */
const NAME = "tests";

export const codeJudge: DomainJudge = {
  name: NAME,
  needsMaterial: true,
  async open({ concurrency, openContainment }) {
    const containment = await openContainment(concurrency);
    return {
      name: NAME,
      needsMaterial: true,
      judge: async () => undefined,
      close: async () => {
        if (isContainment(containment)) await containment.close();
      },
    };
  },
};
