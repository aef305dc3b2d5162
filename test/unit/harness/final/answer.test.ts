import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tidyAnswer } from "../../../../src/domains/answer-format.ts";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { formatAnswer } from "../../../../src/harness/final/answer-format.ts";
import { decideRetry } from "../../../../src/harness/final/retry.ts";
import { initialContext } from "../../../../src/trace/context-at.ts";
import { noTeacher, teacherSaying } from "../../../support/teacher.ts";
import { FACTS } from "../../trace/support.ts";
import { webSearchRules } from "../../../../src/domains/web-search/context-rules.ts";

const QUESTION = "Who was the husband of Helen Walton?";

describe("an answer's form, by code", () => {
  it.each([
    ["The final answer is: Sam Walton", "Sam Walton"],
    ["Answer: Sam Walton.", "Sam Walton"],
    ['"Sam Walton"', "Sam Walton"],
    ["**Sam Walton**", "Sam Walton"],
    ["Sam  Walton\n", "Sam Walton"],
    ["answer 3", "answer 3"],
    ["Sam Walton Jr.", "Sam Walton Jr."],
    ["U.S.A.", "U.S.A."],
    ["1962.", "1962"],
    ['"Kind of Blue" and "Time Out"', '"Kind of Blue" and "Time Out"'],
    ["Answer:", "Answer:"],
    ["", ""],
  ])("%j becomes %j", (said, wanted) => {
    expect(tidyAnswer(said)).toBe(wanted);
  });

  it.each(["'", "`", "‘", "* '"])("takes no time to speak of for many %j", (mark) => {
    // The square of this many would take minutes, which the time limit of tests ends.
    const answer = `${mark.repeat(400_000)}x`;
    expect(tidyAnswer(answer)).toBe(answer);
    expect(tidyAnswer(`'x${mark.repeat(400_000)}y`).endsWith("y")).toBe(true);
  });

  it("property: never invents or loses a letter of the answer's last word", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z][a-z]{2,9}( [A-Z][a-z]{2,9}){0,3}$/), (name) => {
        expect(tidyAnswer(`The answer is "${name}".`)).toBe(name);
      }),
    );
  });
});

describe("an answer's form, by the teacher", () => {
  it("is taken where it is the same answer", async () => {
    const teacher = teacherSaying({ answer_format: "Sam Walton\nbecause …" });
    expect(
      await formatAnswer(QUESTION, "It must have been Sam Walton, the founder", teacher, webSearch),
    ).toMatchObject({
      answer: "Sam Walton",
      decision: {
        part: "answer_format",
        by: "teacher",
        value: "Sam Walton",
        calls: [{ site: "answer_format" }],
      },
    });
  });

  it("is not taken where it is another answer, or a lecture", async () => {
    for (const reply of [
      "Bud Walton",
      "The husband of Helen was a man who founded a chain of shops, Sam Walton",
      "",
    ]) {
      const formatted = await formatAnswer(
        QUESTION,
        "Sam",
        teacherSaying({ answer_format: reply }),
        webSearch,
      );
      expect(formatted).toMatchObject({ answer: "Sam", decision: { by: "code" } });
    }
  });

  it.each([
    ["Is it so?", "It is indeed so"],
    ["He has a son. Does she have one, too?", "Both have"],
    ["Are they alike?", "True"],
  ])("may be yes or no to %j", async (question, answer) => {
    const teacher = teacherSaying({ answer_format: "Yes." });
    expect((await formatAnswer(question, answer, teacher, webSearch)).answer).toBe("Yes");
  });

  it.each([
    ["If one is a moor, what is the other?", "it is a heath"],
    ["Are the two mills in one county?", "West Riding"],
  ])("is not yes or no to %j where the answer was %j", async (question, answer) => {
    const teacher = teacherSaying({ answer_format: "Yes" });
    expect((await formatAnswer(question, answer, teacher, webSearch)).answer).toBe(answer);
  });

  it("holds no number that the answer lacks: a small model lists a name, a date and a number", async () => {
    const teacher = teacherSaying({ answer_format: "Lime Tree Press, 2005, 1" });
    expect(await formatAnswer(QUESTION, "Lime Tree Press", teacher, webSearch)).toMatchObject({
      answer: "Lime Tree Press",
      decision: { by: "code" },
    });
    const day = teacherSaying({ answer_format: "12 March 1990" });
    expect((await formatAnswer(QUESTION, "on March 12th, 1990", day, webSearch)).answer).toBe(
      "12 March 1990",
    );
  });

  it("is code's where the teacher fails, and an empty answer is not put to it", async () => {
    const asked: { site: string; prompt: string }[] = [];
    expect((await formatAnswer(QUESTION, "Answer: Sam", teacherSaying({}), webSearch)).answer).toBe("Sam");
    expect((await formatAnswer(QUESTION, " ", teacherSaying({}, asked), webSearch)).answer).toBe("");
    expect(asked).toEqual([]);
  });
});

describe("the form of a domain", () => {
  const asked: { site: string; prompt: string; maxTokens?: number }[] = [];
  const teacher = teacherSaying({ answer_format: "x = 3/4" }, asked);

  it("is none where the domain has none: the answer is given as it is, its first indentation included", async () => {
    const code = "    total = 0\n    return total\n";
    for (const one of [teacher, noTeacher])
      expect(await formatAnswer(QUESTION, code, one, {})).toEqual({ answer: code, decision: undefined });
    expect(asked).toEqual([]);
  });

  it("may be its own: words of the prompt, lengths, and what code does", async () => {
    const answerFormat = {
      form: "Write the number alone.",
      replyTokens: 200,
      shown: 5,
      words: 3,
      tidy: (answer: string) => answer.trim().toUpperCase(),
    };
    const own = await formatAnswer(QUESTION, "so x = 3/4 at last", teacher, { answerFormat });
    expect(own).toMatchObject({ answer: "X = 3/4", decision: { calls: [{ maxTokens: 200 }] } });
    expect(asked[0]?.prompt).toMatch(/\nAnswer: so x \nWrite the number alone\.$/);
    const failed = await formatAnswer(QUESTION, " three", teacherSaying({}), { answerFormat });
    expect(failed.answer).toBe("THREE");
  });
});

const context = initialContext(QUESTION, FACTS, webSearchRules);
const retry = (answer: string, more: Partial<Parameters<typeof decideRetry>[0]> = {}) =>
  decideRetry({
    t: 3,
    answer,
    context,
    round: 1,
    maxRounds: 2,
    teacher: teacherSaying({}),
    domain: webSearch,
    ...more,
  });

describe("without a teacher", () => {
  it("an answer loses the blanks around it and nothing else, and nothing is recorded", async () => {
    const said = ' The answer is: "Sam Walton". ';
    expect(await formatAnswer(QUESTION, said, noTeacher, webSearch)).toEqual({
      answer: said.trim(),
      decision: undefined,
    });
  });

  it("no answer has another round, and nothing is recorded", async () => {
    for (const answer of ["", "unknown", "Sam"])
      expect(await retry(answer, { teacher: noTeacher })).toEqual({ note: undefined, decision: undefined });
  });
});

describe("another round", () => {
  it.each([
    "",
    "?",
    "unknown",
    "I don't know",
    "Not found.",
    "It cannot be determined from the sources",
    "N/A",
  ])("is given by code to %j, which is no answer, where the teacher fails", async (answer) => {
    const { note, decision } = await retry(answer);
    expect(note).toContain("was not taken");
    expect(decision).toMatchObject({ part: "retry", t: 3, by: "code", value: true });
  });

  it.each([
    "Sam Walton",
    "no",
    "No Country for Old Men",
    "Nonesuch Records",
    "None But the Lonely Heart",
    "Unknown Mortal Orchestra",
  ])("is not given by code to %j where the teacher fails", async (answer) => {
    expect(await retry(answer)).toMatchObject({ note: undefined, decision: { value: false } });
  });

  it("is the teacher's to give, with its advice", async () => {
    const teacher = teacherSaying({ retry: '{"retry": true, "advice": "Look for her husband by name."}' });
    const { note, decision } = await retry("Bud Walton", { teacher });
    expect(note).toContain("Look for her husband by name.");
    expect(decision).toMatchObject({ by: "teacher", value: true, calls: [{ site: "retry" }] });
    expect(
      (await retry("unknown", { teacher: teacherSaying({ retry: '{"retry": false}' }) })).note,
    ).toBeUndefined();
  });

  it.each([
    "Yes, do try again!",
    // By a model of 1.5 B.
    '{"retry": true, "advice": "The answer is missing, does not answer this question, or is at odds with what was found."}',
    '{"retry": true, "advice": "What to do differently, one sentence."}',
  ])("is decided by code where the teacher answers %j", async (reply) => {
    const teacher = teacherSaying({ retry: reply });
    expect(await retry("Sam Walton", { teacher })).toMatchObject({
      note: undefined,
      decision: { by: "code" },
    });
  });

  it("is not given after the last round or the last step, and nobody is asked", async () => {
    const asked: { site: string; prompt: string }[] = [];
    const teacher = teacherSaying({}, asked);
    expect(await retry("unknown", { round: 2, teacher })).toMatchObject({
      note: undefined,
      decision: { by: "settings" },
    });
    const last = { ...context, stepCount: context.maxSteps - 1 };
    expect((await retry("Sam", { context: last, teacher })).decision).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
