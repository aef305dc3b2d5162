import { describe, expect, it } from "vitest";
import { DEFAULT_CONTROL } from "../../../../src/model/control.ts";
import { voteOnFinal, type HandlerInput } from "../../../../src/harness/final/handlers.ts";
import type { PfEvent } from "../../../../src/model/intervention.ts";
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
const event = (skillId: string, status: PfEvent["status"]): PfEvent => ({
  skillId,
  proposal: 0,
  status,
  reason: `${skillId} says so`,
});

const vote = (more: Partial<HandlerInput>) =>
  voteOnFinal({
    t: 2,
    answer: "Sam",
    context,
    facts: FACTS,
    skills: [],
    events: [],
    control: { ...DEFAULT_CONTROL, handlerVoteThreshold: 1 },
    overridden: 0,
    teacher: noTeacher,
    ...more,
  });

const against = (query?: string) => JSON.stringify({ override: true, reason: "no source", query });

describe("the vote on a FINAL", () => {
  it("is none where no skill has a handler that votes", async () => {
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

  it("counts a code handler as its PF judged: fired or limited against, skipped or failed not", async () => {
    const skills = [code("fired"), code("limited"), code("skipped"), code("failed"), code("unasked")];
    const events = [
      event("fired", "applied"),
      event("limited", "limited"),
      event("skipped", "skipped"),
      event("failed", "error"),
    ];
    const { action, decision } = await vote({ skills, events });
    expect(decision?.by).toBe("code");
    expect(decision?.votes?.filter(({ override }) => override).map(({ skillId }) => skillId)).toEqual([
      "fired",
      "limited",
    ]);
    expect(action).toEqual({ type: "SEARCH", arg: "husband Helen Walton Sam" });
  });

  it("has LLM-assisted handlers abstain without a teacher", async () => {
    const { decision } = await vote({ skills: [llm("a"), llm("b")] });
    expect(decision?.votes?.every(({ override, reason }) => !override && /no teacher/.test(reason))).toBe(
      true,
    );
    expect(decision?.calls).toBeUndefined();
  });

  it.each(["The answer looks wrong to me.", '{"override": "yes"}', "{", ""])(
    "takes %j from a teacher as an abstention",
    async (reply) => {
      const { action, decision } = await vote({
        skills: [llm("a")],
        teacher: teacherSaying({ "handler.a": reply }),
        control: { ...DEFAULT_CONTROL, handlerVoteThreshold: 0 },
      });
      expect(action).toBeUndefined();
      expect(decision?.votes?.[0]?.reason).toContain("abstains");
    },
  );

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
