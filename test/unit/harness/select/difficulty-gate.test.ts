import { describe, expect, it } from "vitest";
import { DEFAULT_CONTROL } from "../../../../src/model/control.ts";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { heuristicDifficulty, passGate } from "../../../../src/harness/select/difficulty-gate.ts";
import { noTeacher, teacherSaying } from "../../../support/teacher.ts";

const EASY = "Who painted Guernica?";
const HARD =
  "Which of the two directors who worked with the composer of the 1994 film's score was born later, and in what city of the country's north?";

describe("the difficulty of a question, by code", () => {
  it("grows with length, hops and constraints, from 1 to 5", () => {
    expect(heuristicDifficulty(EASY)).toBe(1);
    expect(heuristicDifficulty("Who was the mother of the author of the novel?")).toBe(3);
    expect(heuristicDifficulty(HARD)).toBe(5);
    expect(heuristicDifficulty("")).toBe(1);
    expect(heuristicDifficulty("who ".repeat(100_000))).toBeLessThanOrEqual(5);
  });
});

describe("the difficulty gate", () => {
  it("is not there where it is switched off", async () => {
    expect(
      await passGate(EASY, { ...DEFAULT_CONTROL, enableDifficultyGating: false }, noTeacher, webSearch),
    ).toBeUndefined();
  });

  it("is not there where no teacher rates", async () => {
    expect(await passGate(EASY, DEFAULT_CONTROL, noTeacher, webSearch)).toBeUndefined();
  });

  it("lets a question below the threshold run without skills, by code where the teacher fails", async () => {
    expect(await passGate(EASY, DEFAULT_CONTROL, teacherSaying({}), webSearch)).toMatchObject({
      open: false,
      decision: {
        part: "difficulty_gate",
        by: "code",
        value: 1,
        reason: expect.stringContaining("no skills"),
      },
    });
    expect(await passGate(HARD, DEFAULT_CONTROL, teacherSaying({}), webSearch)).toMatchObject({
      open: true,
      decision: { value: 5 },
    });
  });

  it("asks the teacher where there is one, and records the call", async () => {
    const teacher = teacherSaying({
      difficulty_gate: '```json\n{"difficulty": 4, "reason": "two hops"}\n```',
    });
    expect(await passGate(EASY, DEFAULT_CONTROL, teacher, webSearch)).toMatchObject({
      open: true,
      decision: {
        by: "teacher",
        value: 4,
        calls: [{ site: "difficulty_gate" }],
        reason: expect.stringContaining("two hops"),
      },
    });
  });

  it.each([
    ["prose", "I would say it is rather easy."],
    ["a score off the scale", '{"difficulty": 11}'],
    ["half a score", '{"difficulty": 2.5}'],
    ["nothing", ""],
  ])("takes its code path where the teacher answers with %s", async (_, reply) => {
    const gate = await passGate(EASY, DEFAULT_CONTROL, teacherSaying({ difficulty_gate: reply }), webSearch);
    expect(gate?.decision).toMatchObject({ by: "code", value: 1, calls: [{ reply }] });
    expect(gate?.decision.reason).toContain("teacher's reply holds no difficulty");
  });

  it("takes its code path where the teacher gives back the form, as a small model does", async () => {
    const reply = '```json\n{\n  "difficulty": 1,\n  "reason": "a few words"\n}\n```';
    const gate = await passGate(HARD, DEFAULT_CONTROL, teacherSaying({ difficulty_gate: reply }), webSearch);
    expect(gate).toMatchObject({ open: true, decision: { by: "code", value: 5, calls: [{ reply }] } });
    expect(gate?.decision.reason).toContain("the teacher's reply repeats its prompt (reason)");
  });

  it("takes its code path where the teacher fails", async () => {
    const gate = await passGate(EASY, DEFAULT_CONTROL, teacherSaying({}), webSearch);
    expect(gate?.decision).toMatchObject({
      by: "code",
      reason: expect.stringContaining("no reply to difficulty_gate"),
    });
  });
});
