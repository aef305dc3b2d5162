import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Library } from "../../src/analysis/library.ts";
import type { StepContext } from "../../src/model/step-context.ts";
import { loadSkills, openCore } from "../support/core.ts";
import { PAPER } from "../support/shipped.ts";
import { question } from "../support/pf-fixtures.ts";

const core = openCore();
let library: Library;
beforeAll(async () => {
  library = await loadSkills(core, ...PAPER);
});
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const searches = (...queries: readonly string[]): Partial<StepContext> => ({
  searchCount: queries.length,
  stepCount: queries.length,
  maxSteps: 12,
  actionHistory: queries.map((arg) => ({ type: "SEARCH", arg })),
});

/** An answer before which the PF of the skill is silent: its vote against it, and a near miss that has none. */
interface Ballot {
  readonly skillId: string;
  readonly answer: string;
  readonly against: Partial<StepContext>;
  readonly because: RegExp;
  readonly stands: Partial<StepContext>;
  /** Of the near miss, where it is another than `answer`. */
  readonly standing?: string;
}

const BALLOTS: readonly Ballot[] = [
  {
    skillId: "repeated_action",
    answer: "Ida Moen",
    against: searches("Halden Bridge", "Halden Bridge engineer"),
    because: /one search says all that another says/,
    stands: searches("Halden Bridge", "engineer of the crossing at Varn"),
  },
  {
    skillId: "dead_end_search",
    answer: "Ida Moen",
    against: searches("Halden Bridge", "engineers of Varn", "Norwegian women who built"),
    because: /3 searches for one answer/,
    stands: searches("Halden Bridge", "engineers of Varn"),
  },
  {
    skillId: "insufficient_exploration",
    answer: "Ida Moen",
    against: { ...searches("Halden", "Varn"), readCount: 1, hasRead: true, allReadContents: ["A ferry."] },
    because: /of 2 searches 1 led to a text/,
    stands: {
      ...searches("Halden", "Varn"),
      readCount: 1,
      hasRead: true,
      allReadContents: ["The Halden Bridge at Varn."],
    },
  },
  {
    skillId: "overfull_answer",
    answer: "the Royal Bridge Company",
    against: searches("Halden Bridge"),
    because: /the answer has 4 words/,
    stands: {},
    standing: "Ida Moen",
  },
  {
    skillId: "question_echo",
    answer: "Halden Moen",
    against: searches("Halden Bridge"),
    because: /half of the answer stands in the question/,
    stands: { question: "Who is older, Halden Moen or Ida Berg?" },
  },
  {
    skillId: "retrieval_failure",
    answer: "Ida Moen",
    against: searches("the name of the engineer who built the Halden Bridge"),
    because: /a search of 10 words/,
    stands: searches("Halden Bridge engineer"),
  },
];

describe("a handler votes by a judgement of its own, on an answer that its Program Function lets stand", () => {
  async function ask(skillId: string, answer: string, context: Partial<StepContext>) {
    const call = question("FINAL", answer, {
      question: "Who was the engineer of the Halden Bridge at Varn?",
      ...context,
    });
    const [verdict] = await core.host.step(new Map([[skillId, { memory: {}, fires: 0, modifies: 0 }]]), call);
    const [vote] = await core.host.votes([skillId], new Map(), call);
    return { fired: verdict?.kind, vote };
  }

  it.each(BALLOTS)("$skillId", async ({ skillId, answer, against, because, stands, standing = answer }) => {
    expect(await ask(skillId, answer, against)).toMatchObject({
      fired: "skipped",
      vote: { kind: "against", reason: expect.stringMatching(because) },
    });
    expect((await ask(skillId, standing, stands)).vote).toMatchObject({ kind: "stands" });
  });

  it("are those of the five code handlers, and of one inline handler", () => {
    const voting = library.active.filter(({ traits }) => traits.votes).map(({ skill }) => skill.skillId);
    expect(voting.toSorted()).toEqual(BALLOTS.map(({ skillId }) => skillId).toSorted());
  });
});
