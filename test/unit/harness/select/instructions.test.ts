import { describe, expect, it } from "vitest";
import { DEFAULT_CONTROL } from "../../../../src/model/control.ts";
import { CONDITION_TESTS, holds } from "../../../../src/harness/select/conditions.ts";
import {
  selectInstructions,
  selectOnDraft,
  type InstructionInput,
} from "../../../../src/harness/select/instructions.ts";
import type { Skill } from "../../../../src/model/skill.ts";
import type { StepContext } from "../../../../src/model/step-context.ts";
import { CONDITIONS } from "../../../../src/skill/vocabulary.ts";
import { initialContext } from "../../../../src/trace/context-at.ts";
import { librarySkill } from "../../../support/episodes.ts";
import { FACTS } from "../../trace/support.ts";
import { webSearchRules } from "../../../../src/domains/web-search/context-rules.ts";

const START = initialContext("Who was the mother of the author of the novel?", FACTS, webSearchRules);
const contextOf = (more: Partial<StepContext>): StepContext => ({ ...START, ...more });
const facts = (more: Partial<StepContext>, observation = "") => ({ context: contextOf(more), observation });

describe("conditions", () => {
  it("are the words of the registry, each with a test", () => {
    expect(Object.keys(CONDITION_TESTS).toSorted()).toEqual(Object.keys(CONDITIONS).toSorted());
  });

  it.each<[string, Partial<StepContext>, Partial<StepContext>]>([
    ["search_empty", { searchCount: 1, emptyResults: true }, { searchCount: 1 }],
    ["no_search_yet", {}, { searchCount: 1 }],
    ["no_read_yet", {}, { hasRead: true }],
    ["has_read", { hasRead: true }, {}],
    ["single_source", { readCount: 1 }, { readCount: 2 }],
    ["sources_conflict", { contradictorySources: true }, {}],
    ["few_steps_left", { stepCount: START.maxSteps - 2 }, {}],
    ["multi_hop_question", {}, { question: "Who painted Guernica?" }],
    ["negated_question", { question: "Which of them was not a poet?" }, {}],
    [
      "search_repeated",
      {
        actionHistory: [
          { type: "SEARCH", arg: "Ada mother" },
          { type: "SEARCH", arg: "mother of Ada" },
        ],
      },
      {
        actionHistory: [
          { type: "SEARCH", arg: "Ada mother" },
          { type: "SEARCH", arg: "Babbage engine" },
        ],
      },
    ],
  ])("%s holds, and does not", (name, yes, no) => {
    expect(holds([name], facts(yes))).toBe(true);
    expect(holds([name], facts(no))).toBe(false);
  });

  it("has_case_analysis holds on the draft of an answer alone", () => {
    const on = (draft: string | undefined) => holds(["has_case_analysis"], { ...facts({}), draft });
    expect(on("Case 1: x is even.\n4")).toBe(true);
    expect(on("A case of wine.\n4")).toBe(false);
    expect(on(undefined)).toBe(false);
  });

  it.each([
    [
      "a list with a value in each line",
      "- x = 0 gives y = −7\n- x = −2 gives y = −5\n- x = 6 gives y = 11",
      true,
    ],
    ["numbered lines", "1. (0, −7)\n2) (−2, −5)\n(c) (6, 11)\nThree.", true],
    ["tuples in a sentence", "The pairs are (0, −7) and (−2, −5).", true],
    ["the word with its noun", "There is one ordered triple.", true],
    ["two lines", "- x = 0\n- x = 1\nSo 2.", false],
    ["lines without a value", "- first it is even\n- then it is odd\n- so it is none", false],
    ["other words", "He repairs what she ordered: 12 lamps, 3 in order.", false],
  ])("enumerates holds on a draft: %s", (_, draft, expected) => {
    expect(holds(["enumerates"], { ...facts({}), draft })).toBe(expected);
    expect(holds(["enumerates"], facts({}))).toBe(false);
  });

  it("enumerates takes no time on a long draft", () => {
    const draft = `- ${"x".repeat(200_000)}\n`.repeat(5);
    expect(holds(["enumerates"], { ...facts({}), draft })).toBe(false);
  });

  it("hold only together; an unknown one never does", () => {
    expect(holds(["no_read_yet", "no_search_yet"], facts({}))).toBe(true);
    expect(holds(["no_read_yet", "has_read"], facts({}))).toBe(false);
    expect(holds(["toString"], facts({}))).toBe(false);
    expect(holds([], facts({}))).toBe(true);
    expect(holds(["long_observation"], facts({}, "x".repeat(2_001)))).toBe(true);
  });
});

const phase = (text: string, priorityBoost = 0, conditions: string[] = []) => ({
  conditions,
  priorityBoost,
  text,
});
const skill = (id: string, priority: number, phases: Skill["phases"]): Skill =>
  librarySkill(id, { priority, phases }).skill;

const SKILLS = [
  skill("weak", 0.1, { post_search: phase("weak after a search") }),
  skill("strong", 0.8, {
    post_search: phase("strong after a search", 0.1),
    pre_final: phase("strong before the end"),
  }),
  skill("reader", 0.5, {
    post_read: phase("after a read"),
    pre_final: phase("read first", 0, ["no_read_yet"]),
  }),
];

const inputOf = (more: Partial<InstructionInput>): InstructionInput => ({
  t: 1,
  context: contextOf({ stepCount: 1, searchCount: 1 }),
  observation: "",
  skills: SKILLS,
  control: { ...DEFAULT_CONTROL, maxPhaseInstructions: 2 },
  last: "SEARCH",
  searchReturnsText: false,
  holdsBack: true,
  onlyFinal: false,
  textAlone: new Set(),
  told: 0,
  standing: new Set(),
  ...more,
});
const choose = (more: Partial<InstructionInput>) => selectInstructions(inputOf(more));
const texts = (more: Partial<InstructionInput>) => choose(more).instructions.map(({ text }) => text);

describe("where the policy can do nothing but answer", () => {
  const DRAFT = "Case 1: x = 2. Case 2: x = 3.";
  const alone = { onlyFinal: true, last: undefined, context: contextOf({ maxSteps: 1 }) } as const;
  const cases = skill("cases", 0.6, { pre_final: phase("check each case", 0, ["has_case_analysis"]) });
  const onDraft = (more: Partial<InstructionInput>) =>
    selectOnDraft({ ...inputOf({ ...alone, skills: [cases, ...SKILLS] }), draft: DRAFT, ...more });

  it("texts of pre_final wait for the draft, however few steps are left", () => {
    expect(texts({ ...alone, onlyFinal: false })).toContain("strong before the end");
    expect(texts(alone)).toEqual([]);
    // Where no final action is ever held back, nothing else would show them.
    expect(texts({ ...alone, holdsBack: false })).toContain("strong before the end");
  });

  it("a skill that is text alone holds the draft back where its condition on it holds, and not twice", () => {
    const textAlone = new Set(["cases", "strong"]);
    const choice = onDraft({ textAlone });
    expect(choice.holdsBack).toBe(true);
    expect(choice.instructions.map(({ text }) => text)).toContain("check each case");
    expect(onDraft({ textAlone, standing: choice.standing }).holdsBack).toBe(false);
    expect(onDraft({ textAlone, draft: "x = 2" }).holdsBack).toBe(false);
    // The PF of a skill decides for it.
    expect(onDraft({}).holdsBack).toBe(false);
    expect(onDraft({ textAlone, onlyFinal: false }).holdsBack).toBe(false);
  });
});

describe("phase instructions", () => {
  it("are those of the phase that the last action opened, by priority and boost", () => {
    expect(texts({})).toEqual(["strong after a search", "weak after a search"]);
    expect(texts({ last: "READ" })).toEqual(["after a read"]);
    expect(texts({ last: undefined })).toEqual([]);
  });

  it("give way to the contexts that the policy reads with the observation", () => {
    expect(texts({ told: 1 })).toEqual(["strong after a search"]);
    expect(texts({ told: 2 })).toEqual([]);
    const control = { ...DEFAULT_CONTROL, promptOnlyMode: true };
    expect(texts({ told: 2, control })).toEqual(["strong after a search", "weak after a search"]);
  });

  it("of pre_final come once some steps are done, in what room is left", () => {
    const context = contextOf({ stepCount: 2 });
    expect(texts({ context, last: "READ" })).toEqual(["after a read", "strong before the end"]);
    expect(choose({ context, last: "READ" }).decisions).toMatchObject([
      { part: "observation_selector", t: 1, chosen: ["reader"] },
      { part: "step_selector", chosen: ["strong"], leftOut: [{ skillId: "reader" }] },
    ]);
  });

  it("of high priority are shown beyond the room", () => {
    const control = { ...DEFAULT_CONTROL, maxPhaseInstructions: 0, highPriorityThreshold: 0.9 };
    expect(texts({ control })).toEqual(["strong after a search"]);
  });

  it("are not shown again while their conditions go on to hold", () => {
    const first = choose({});
    const second = choose({ standing: first.standing });
    expect(second.instructions).toEqual([]);
    expect(second.decisions).toEqual([]);
    const read = choose({ standing: second.standing, last: "READ" });
    expect(texts({ standing: read.standing })).toEqual(["strong after a search", "weak after a search"]);
  });

  it("take a text that a search returned as read", () => {
    expect(texts({ searchReturnsText: true })).toContain("after a read");
  });

  it("say what the action means where a phase has no text of its own", () => {
    const skills = [
      skill("s", 0.5, { post_search: { conditions: [], priorityBoost: 0, action: "reformulate_search" } }),
    ];
    expect(texts({ skills })).toEqual(["Search again with other words."]);
  });
});
