import { expect, test } from "vitest";
import {
  briefFacts,
  factSentences,
  firesBrief,
  firesSentence,
} from "../../../src/extension/workspace/skill-words.ts";
import type { Skill } from "../../../src/model/skill.ts";

const SKILL: Skill = {
  skillId: "look_twice",
  name: "look-twice",
  description: "Use when a look is not enough.",
  title: "Look twice",
  version: 2,
  priority: 0.7,
  errorCategory: "test",
  applicableModes: ["all"],
  applicablePhases: ["search"],
  systemSummary: "Look twice.",
  phases: {},
  supersedes: [],
  body: "# Look twice",
};

test("a row says what a skill does, its handler and its place in the order", () => {
  expect(briefFacts({ ...SKILL, handler: { kind: "code" } }, "modifies")).toEqual([
    "modifies",
    "code handler",
    "priority 0.7",
    "v2",
  ]);
  expect(briefFacts(SKILL, "builds-text")[0]).toBe("builds text");
  expect(briefFacts(SKILL, "none")[0]).toBe("text only");
});

test("until its code was looked at, a row says only what SKILL.md does", () => {
  expect(briefFacts(SKILL, undefined)).toEqual(["priority 0.7", "v2"]);
  expect(factSentences(SKILL, undefined)).toEqual(["No handler.", "Priority 0.7, version 2."]);
});

test("the tooltip of fixed texts says that a prompt could do the same, unless the skill votes as well", () => {
  const sentence = (skill: Skill): string | undefined => factSentences(skill, "prompt-equivalent")[0];
  expect(briefFacts(SKILL, "prompt-equivalent")[0]).toBe("fixed text");
  expect(sentence(SKILL)).toMatch(/^Prompt-equivalent: /);
  expect(sentence({ ...SKILL, handler: { kind: "inline" } })).toMatch(/^Prompt-equivalent: /);
  expect(sentence({ ...SKILL, handler: { kind: "llm" } })).toBe(
    "Its Program Function adds fixed texts only.",
  );
});

test("the tooltip says it in sentences, and what the skill supersedes", () => {
  const skill = { ...SKILL, handler: { kind: "llm" } as const, supersedes: ["look_once"] };
  expect(factSentences(skill, "modifies")).toEqual([
    "Its Program Function may change an action.",
    "Handler: llm. The teacher is asked its question about each answer, and may vote for another search.",
    "Priority 0.7, version 2.",
    "Supersedes look_once.",
  ]);
});

test("in how many episodes of the latest backtest a skill fired, by outcome", () => {
  const none = { retrieved: 0, fired: 0 };
  const counts = {
    wrong: { retrieved: 9, fired: 4 },
    correct: { retrieved: 5, fired: 1 },
    halted: none,
    unjudged: none,
  };
  expect(firesBrief({ counts })).toBe("fired in 5");
  expect(firesSentence({ counts })).toBe("Latest backtest: fired in 4 of 9 wrong, 1 of 5 correct episodes.");
  const unseen = { wrong: none, correct: none, halted: none, unjudged: none };
  expect(firesSentence({ counts: unseen })).toBe("Latest backtest: no episode for it.");
});
