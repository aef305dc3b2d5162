import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { webSearchPrompt } from "../../src/domains/web-search/prompt.ts";
import { paperSkill } from "../support/shipped.ts";
import { act, eventsOf, executedIn, HOLDS_BACK, openPaperScene, statusesOf } from "../support/paper-runs.ts";

/** Malformed replies, drafts, the pass after an action, triggers, caps and phases (SPEC §1–§3), as `hasp run` records them. */
const scene = openPaperScene("paper-steps");
afterAll(() => scene.close());

const PF_ONLY = ["--setting", "pf-only"];
const shipped = (...names: readonly string[]): string[] => [
  ...PF_ONLY,
  "--skills",
  ...names.map((name) => path.resolve(paperSkill(name))),
];

describe("an answer whose thought goes through cases", () => {
  const NOTE = "Have you been through every case?";
  const guard = () =>
    scene.skill(
      "case-guard",
      HOLDS_BACK,
      `    phases:
      pre_final:
        conditions: [has_case_analysis]
        priority_boost: 0.1
        action: verify_solution
        text: ${NOTE}
`,
    );

  it.each(["1", "12"])("is held back with the instruction on cases, of %s steps", async (maxSteps) => {
    const { episode, prompt } = await scene.run({
      asked: {
        question: "Is it even?",
        replies: [act("FINAL[yes]", "Case 1: it is even. Case 2: it is odd."), act("FINAL[no]")],
      },
      args: [...PF_ONLY, "--skills", guard(), "--max-steps", maxSteps],
    });
    expect(episode.steps[0]?.instructions).toEqual([
      { skillId: "case_guard", phase: "pre_final", text: NOTE, proposal: 1 },
    ]);
    expect(await prompt(0, 0)).not.toContain(NOTE);
    expect(await prompt(0, 1)).toContain(NOTE);
    expect(await prompt(0, 1)).toContain("Wait a moment.");
    expect(episode).toMatchObject({ answer: "no", length: 1 });
  });

  it("has no such instruction where it goes through none", async () => {
    const { episode } = await scene.run({
      asked: { question: "Is it even?", replies: [act("FINAL[yes]"), act("FINAL[no]")] },
      args: [...PF_ONLY, "--skills", guard()],
    });
    expect(episode.steps[0]?.instructions).toBeUndefined();
    expect(episode.answer).toBe("no");
  });
});

describe("a reply in another notation", () => {
  const asked = { question: "Who ran the store?", replies: ["finish[Sam]", act("FINAL[Sam]")] };

  it("becomes the action that it means, by an event of format_extraction_error", async () => {
    const { episode } = await scene.run({ asked, args: PF_ONLY });
    expect(episode.steps[0]?.proposals[0]?.action).toMatchObject({ type: "invalid", arg: "finish[Sam]" });
    expect(eventsOf(episode, "format_extraction_error")).toMatchObject([
      { status: "applied", intervention: { newActionType: "FINAL", newActionArg: "Sam" } },
      { status: "skipped", pass: "repaired" },
    ]);
    expect(executedIn(episode)).toEqual(["FINAL[Sam]"]);
  });

  it("is judged as that action by the others: an answer after a search alone becomes a READ", async () => {
    const replies = [act("SEARCH[store]"), "finish[Sam]", act("FINAL[Sam]")];
    const { episode } = await scene.run({ asked: { ...asked, replies }, args: PF_ONLY });
    expect(eventsOf(episode, "insufficient_exploration")).toContainEqual(
      expect.objectContaining({ status: "applied", pass: "repaired" }),
    );
    expect(executedIn(episode)[1]).toBe("READ[doc_0]");
  });

  it("stays unreadable in ra-agent, and the next prompt says the form", async () => {
    const { episode, prompt } = await scene.run({ asked, args: ["--setting", "ra-agent"] });
    expect(executedIn(episode)).toEqual(["invalid[finish[Sam]]", "FINAL[Sam]"]);
    const { observation } = episode.steps[0] ?? {};
    expect(observation).toMatch(/^\(No action could be read/);
    expect(await prompt(1)).toContain(
      `Observation: ${observation}\n\n${webSearchPrompt.form({ question: asked.question })}`,
    );
  });
});

describe("an answer in quotation marks after a search alone", () => {
  it("is read up on all the same: trimming it is no reason to end", async () => {
    const { episode } = await scene.run({
      asked: {
        question: "Who ran the store?",
        replies: [act("SEARCH[Walmart store]"), act('FINAL["Sam Walton"]')],
      },
      args: PF_ONLY,
    });
    expect(executedIn(episode)[1]).toBe("READ[doc_0]");
    expect(eventsOf(episode, "insufficient_exploration")[1]).toMatchObject({ status: "applied" });
    expect(eventsOf(episode, "format_extraction_error")[1]).toMatchObject({
      status: "overridden",
      by: "insufficient_exploration",
    });
  });
});

describe("a READ of a text full of numbers", () => {
  const census = Array.from({ length: 20 }, (_, i) => `In ${1900 + i} it had ${3000 + 17 * i} people.`).join(
    " ",
  );

  it("brings its hint with the very next prompt, and a backtest finds it again", async () => {
    const { episode, prompt, folder } = await scene.run({
      asked: {
        question: "How many people did the town have in 1907?",
        replies: [act("SEARCH[town people]"), act("READ[doc_0]"), act("FINAL[3119]")],
      },
      passages: { Town: `The town has people. ${census}` },
      args: shipped("reading-comprehension-error"),
    });
    const fired = eventsOf(episode, "reading_comprehension_error").filter(
      ({ status }) => status === "applied",
    );
    expect(fired).toMatchObject([{ pass: "post" }]);
    expect(episode.steps[1]?.events).toContainEqual(fired[0]);
    const [injected] = episode.steps[1]?.injected ?? [];
    expect(await prompt(1)).not.toContain("the one sentence of this text");
    expect(injected?.text).toContain("the one sentence of this text");
    expect(await prompt(2)).toContain(injected?.text);

    const again = await scene.hasp("backtest", "--recorded-skills", "--episodes", folder, "--json");
    expect(JSON.parse(again.out)).toMatchObject({
      selections: { recorded: 1 },
      skills: [
        {
          skillId: "reading_comprehension_error",
          counts: { wrong: { fired: 1, applied: 1, steps: 1 } },
          hits: [{ t: 1, status: "applied", reason: fired[0]?.reason }],
        },
      ],
    });
  });
});

describe("triggers", () => {
  const read = (...titles: readonly string[]) => titles.map((title) => act(`READ[${title}]`));

  it("decompose_complex_question fires on a chain of facts and not on a single one", async () => {
    const { episodes } = await scene.run({
      asked: [
        {
          question: "Who was the mother of the author of the novel about Victor Frankenstein?",
          replies: [act("SEARCH[Frankenstein]"), act("FINAL[x]")],
        },
        { question: "Who founded Walmart?", replies: [act("SEARCH[Walmart]"), act("FINAL[x]")] },
      ],
      args: shipped("decompose-complex-question"),
    });
    expect(episodes.map((one) => statusesOf(one, "decompose_complex_question")[0])).toEqual([
      "applied",
      "skipped",
    ]);
  });

  it("answer_completeness fires on one word for a question of several parts and not on a number", async () => {
    const question = "In which city was the architect of the museum that Alice Walton founded born?";
    const { episodes } = await scene.run({
      asked: [
        { question, replies: [act("FINAL[Haifa]")] },
        { question: `${question} Really?`, replies: [act("FINAL[Port Said]")] },
        {
          question: "In which year was the museum that Alice Walton founded opened?",
          replies: [act("FINAL[2011]")],
        },
        { question: "In which city is Haifa's port?", replies: [act("FINAL[Haifa]")] },
      ],
      args: shipped("answer-completeness"),
    });
    expect(episodes.map((one) => statusesOf(one, "answer_completeness")[0])).toEqual([
      "applied",
      "skipped",
      "skipped",
      "skipped",
    ]);
    expect(episodes[0]).toMatchObject({ answer: "Haifa" });
    expect(episodes[0]?.steps[0]?.proposals).toHaveLength(2);
  });

  it("misinformation_detector fires where two texts that were read date one event differently", async () => {
    const { episodes } = await scene.run({
      asked: [
        {
          question: "When was Acme Bank founded?",
          replies: [...read("Acme Bank", "History of banks"), act("FINAL[1901]")],
        },
        {
          question: "When was Zenith Bank founded?",
          replies: [...read("Zenith Bank", "Zenith in brief"), act("FINAL[1950]")],
        },
      ],
      passages: {
        "Acme Bank": "Acme Bank was founded in 1901.",
        "History of banks": "Acme Bank was founded in 1911.",
        "Zenith Bank": "Zenith Bank was founded in 1950.",
        "Zenith in brief": "Zenith Bank was founded in 1950 and stayed small.",
      },
      args: shipped("misinformation-detector"),
    });
    const statuses = episodes.map((one) => statusesOf(one, "misinformation_detector"));
    expect(statuses[0]).toEqual(["skipped", "skipped", "applied", "limited"]);
    expect(statuses[1]).toEqual(["skipped", "skipped", "skipped"]);
  });

  it("negation_oversight fires where no thought takes up the question's negation", async () => {
    const question = "Which of the Walton children was not born in Arkansas?";
    const { episodes } = await scene.run({
      asked: [
        { question, replies: [act("FINAL[Rob Walton]", "Rob was born in Tulsa.")] },
        {
          question: `${question} Say a name.`,
          replies: [act("FINAL[Rob Walton]", "Rob was born in Tulsa, not in Arkansas.")],
        },
        {
          question: "Which of the Walton children was born in Tulsa?",
          replies: [act("FINAL[Rob Walton]", "Rob was born in Tulsa.")],
        },
      ],
      args: shipped("negation-oversight"),
    });
    expect(episodes.map((one) => statusesOf(one, "negation_oversight")[0])).toEqual([
      "applied",
      "skipped",
      "skipped",
    ]);
  });
});

describe("caps of an episode", () => {
  const long = (i: number): string =>
    `I have to find out number ${i} of all the stores that the man from the small town in Oklahoma ever opened`;

  it("let a Program Function change two actions, and retrieval_failure three", async () => {
    const upper = scene.skill(
      "always-more",
      `import { modifyAction, ProgramFunction, type ActionType, type StepContext } from "hasp";
export default class AlwaysMore extends ProgramFunction {
  shouldActivate(_ctx: StepContext, type: ActionType): boolean {
    return type === "SEARCH";
  }
  intervene(_ctx: StepContext, _type: ActionType, arg: string) {
    return modifyAction({ arg: arg + " store", reason: "a test" });
  }
}
`,
    );
    const asked = {
      question: "Who ran the store?",
      replies: [...[1, 2, 3, 4].map((i) => act(`SEARCH[${long(i)}]`)), act("FINAL[x]")],
    };
    const own = await scene.run({ asked, args: [...PF_ONLY, "--skills", upper] });
    expect(statusesOf(own.episode, "always_more")).toEqual([
      "applied",
      "applied",
      "limited",
      "limited",
      "skipped",
    ]);
    const { episode } = await scene.run({ asked, args: shipped("retrieval-failure") });
    expect(statusesOf(episode, "retrieval_failure")).toEqual([
      "applied",
      "applied",
      "applied",
      "limited",
      "skipped",
    ]);
    expect(executedIn(episode)[3]).toBe(`SEARCH[${long(4)}]`);
  });
});

describe("applicable_phases", () => {
  it("keep a skill for answers away from a search, with the reason", async () => {
    const late = scene.skill(
      "late-word",
      `import { injectContext, ProgramFunction } from "hasp";
export default class LateWord extends ProgramFunction {
  shouldActivate(): boolean {
    return true;
  }
  intervene() {
    return injectContext("A late word.", "a test");
  }
}
`,
      "    applicable_phases: [answer]\n",
    );
    const { episode } = await scene.run({
      asked: { question: "Who ran the store?", replies: [act("SEARCH[store]"), act("FINAL[Sam]")] },
      args: [...PF_ONLY, "--skills", late],
    });
    const [search, final] = eventsOf(episode, "late_word");
    expect(search).toMatchObject({
      status: "skipped",
      reason: "the skill does not apply to this phase (applicable_phases)",
    });
    expect(final).toMatchObject({ status: "applied" });
  });
});
