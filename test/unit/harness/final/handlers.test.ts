import { describe, expect, it } from "vitest";
import { DEFAULT_CONTROL } from "../../../../src/model/control.ts";
import { voteOnFinal, type HandlerInput } from "../../../../src/harness/final/handlers.ts";
import type { PfVote } from "../../../../src/sandbox/pf-host.ts";
import type { Handler } from "../../../../src/model/skill.ts";
import { initialContext } from "../../../../src/trace/context-at.ts";
import { librarySkill } from "../../../support/episodes.ts";
import { noTeacher, teacherSaying } from "../../../support/teacher.ts";
import { FACTS } from "../../trace/support.ts";
import { webSearchRules } from "../../../../src/domains/web-search/context-rules.ts";

const context = initialContext("Who was the husband of Helen Walton?", FACTS, webSearchRules);
const skill = (id: string, handler?: Handler) => librarySkill(id, handler && { handler }).skill;
const llm = (id: string) => skill(id, { kind: "llm", question: `Is ${id} right?` });
const code = (id: string) => skill(id, { kind: "code" });

/** A host whose PFs vote as given; a PF that is not named has no vote. */
const voting = (votes: Record<string, object>): Pick<HandlerInput, "host" | "loaded"> => ({
  loaded: new Set(Object.keys(votes)),
  host: {
    votes: async (ids) =>
      ids.map((skillId) => ({ skillId, ...(votes[skillId] ?? { kind: "none" }) }) as PfVote),
  },
});

const vote = (more: Partial<HandlerInput>) =>
  voteOnFinal({
    t: 2,
    answer: "Sam",
    context,
    facts: FACTS,
    skills: [],
    ...voting({}),
    states: new Map(),
    control: { ...DEFAULT_CONTROL, handlerVoteThreshold: 1 },
    overridden: 0,
    teacher: noTeacher,
    ...more,
  });

const against = (query?: string) => JSON.stringify({ override: true, reason: "no source", query });

describe("the vote on a FINAL", () => {
  it("is none where no skill has a handler that votes, and none is recorded of an inline one that returns nothing", async () => {
    const skills = [skill("plain"), skill("inline", { kind: "inline" })];
    expect(await vote({ skills })).toEqual({ action: undefined, decision: undefined });
  });

  it("turns it into the first voter's search when more than the threshold vote so", async () => {
    const teacher = teacherSaying({
      "handler.a": against(),
      "handler.b": against("Sam Walton Helen Walton husband"),
      "handler.c": '{"override": false, "reason": "fine"}',
    });
    const { action, decision } = await vote({ skills: [llm("a"), llm("b"), llm("c")], teacher });
    expect(action).toEqual({ type: "SEARCH", arg: "Sam Walton Helen Walton husband" });
    expect(decision).toMatchObject({
      part: "handler_vote",
      t: 2,
      by: "teacher",
      value: true,
      reason: expect.stringContaining("2 of 3 handlers"),
      votes: [
        { skillId: "a", override: true },
        { skillId: "b", override: true },
        { skillId: "c", override: false, reason: "fine" },
      ],
      calls: [{ site: "handler.a" }, { site: "handler.b" }, { site: "handler.c" }],
    });
  });

  it("is not held where the environment has no SEARCH: nobody is asked, and the decision says why", async () => {
    const facts = { actionTypes: ["LOOK", "GUESS"], finalAction: "GUESS" };
    const teacher = teacherSaying({ "handler.a": against("x y z"), "handler.b": against() });
    const { action, decision } = await vote({ skills: [llm("a"), llm("b")], teacher, facts });
    expect(action).toBeUndefined();
    expect(decision).toEqual({
      part: "handler_vote",
      t: 2,
      by: "settings",
      reason: "The GUESS stands: the environment has no SEARCH to run in its place.",
    });
  });

  it("lets it stand at the threshold itself", async () => {
    const teacher = teacherSaying({ "handler.a": against("x y z") });
    const { action, decision } = await vote({ skills: [llm("a"), code("b")], teacher });
    expect(action).toBeUndefined();
    expect(decision).toMatchObject({ value: false, reason: expect.stringContaining("takes more than 1") });
  });

  it("counts what the vote of a code or inline handler returns; one that fails abstains", async () => {
    const skills = [
      code("against"),
      code("stands"),
      code("failed"),
      skill("silent", { kind: "inline" }),
      skill("inline", { kind: "inline" }),
      code("unloaded"),
    ];
    const { action, decision } = await vote({
      skills,
      ...voting({
        against: { kind: "against", reason: "the query was never tried" },
        stands: { kind: "stands" },
        failed: { kind: "error", message: "threw" },
        silent: { kind: "stands" },
        inline: { kind: "against", reason: "half an answer", query: "Helen Walton husband" },
      }),
    });
    expect(decision).toMatchObject({ by: "code", value: true });
    expect(decision?.votes).toEqual([
      { skillId: "against", override: true, reason: "the query was never tried" },
      { skillId: "stands", override: false, reason: "lets the answer stand" },
      { skillId: "failed", override: false, reason: "abstains: threw" },
      { skillId: "inline", override: true, reason: "half an answer", query: "Helen Walton husband" },
    ]);
    expect(action).toEqual({ type: "SEARCH", arg: "Helen Walton husband" });
  });

  it("skips LLM-assisted handlers without a teacher", async () => {
    expect(await vote({ skills: [llm("a"), llm("b")] })).toEqual({ action: undefined, decision: undefined });
  });

  it.each([
    "The answer looks wrong to me.",
    '{"override": "yes"}',
    "{",
    "",
    '{"override": true, "query": "the search, 3 to 12 words", "reason": "no date was read"}',
  ])("takes %j from a teacher as an abstention", async (reply) => {
    const { action, decision } = await vote({
      skills: [llm("a")],
      teacher: teacherSaying({ "handler.a": reply }),
      control: { ...DEFAULT_CONTROL, handlerVoteThreshold: 0 },
    });
    expect(action).toBeUndefined();
    expect(decision?.votes?.[0]?.reason).toContain("abstains");
  });

  it("does not take a query of one word or of a whole page", async () => {
    for (const query of ["Walton", "word ".repeat(40)]) {
      const { action } = await vote({
        skills: [llm("a")],
        teacher: teacherSaying({ "handler.a": against(query) }),
        control: { ...DEFAULT_CONTROL, handlerVoteThreshold: 0 },
      });
      expect(action?.arg).toBe("husband Helen Walton Sam");
    }
  });

  it.each<[string, Partial<HandlerInput>]>([
    ["overrides are used up", { overridden: 1 }],
    ["no step is left", { context: { ...context, stepCount: context.maxSteps - 1 } }],
    ["no search is left", { context: { ...context, searchCount: DEFAULT_CONTROL.maxSearchCalls } }],
  ])("is not held where %s: nobody is asked", async (why, more) => {
    const asked: { site: string; prompt: string }[] = [];
    const { action, decision } = await vote({
      skills: [llm("a")],
      teacher: teacherSaying({}, asked),
      ...more,
    });
    expect(action).toBeUndefined();
    expect(decision).toMatchObject({ by: "settings", reason: expect.stringContaining(why) });
    expect(asked).toEqual([]);
  });
});
