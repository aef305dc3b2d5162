import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareAnswer, findAnswer } from "../../../../src/domains/math/find-answer.ts";
import { parseReply } from "../../../../src/domains/math/parse-reply.ts";
import { ROOT } from "../../../support/core.ts";

/** Answer, working, and whether the form was another one than the prompt's. */
function read(reply: string) {
  const { action, thought, lenient = false } = parseReply(reply);
  return { type: action.type, answer: action.arg, thought, lenient };
}
const answerOf = (reply: string): string => read(reply).answer;

describe("a reply in the form of the prompt", () => {
  it.each([
    ["3 + 4 = 7\n\\boxed{7}", "3 + 4 = 7"],
    ["3 + 4 = 7\n\n$\\boxed{7}$", "3 + 4 = 7"],
    ["3 + 4 = 7\n**Answer:** $\\boxed{7}$.", "3 + 4 = 7"],
    ["3 + 4 = 7\n\\[\n\\boxed{7}\n\\]", "3 + 4 = 7"],
    ["3 + 4 = 7,\n  so it is \\(\\boxed{7}\\).", "3 + 4 = 7,\n  so it is \\(\\boxed{7}\\)."],
    ["\\boxed{7}", ""],
  ])("%j has its working %j", (reply, thought) => {
    expect(read(reply)).toEqual({ type: "FINAL", answer: "7", thought, lenient: false });
  });

  it("has braces, signs and words within its box", () => {
    expect(answerOf("\\boxed{\\frac{1}{2}}")).toBe("\\frac{1}{2}");
    expect(answerOf("\\boxed{\\{1, 2\\}}")).toBe("\\{1, 2\\}");
    expect(answerOf("\\boxed{ -7 }")).toBe("-7");
    expect(answerOf("\\boxed{[0, 1)}")).toBe("[0, 1)");
    expect(answerOf("\\boxed{\\text{Monday}}")).toBe("\\text{Monday}");
  });

  it("answers with its last box, and with none that is empty or copied from the prompt", () => {
    expect(answerOf("First \\boxed{3}.\nIn all \\boxed{5}.")).toBe("5");
    expect(answerOf("It is \\boxed{5}.\n\\boxed{}")).toBe("5");
    expect(answerOf("It is \\boxed{5}.\n\\boxed{…}")).toBe("5");
  });
});

describe("a reply in another form", () => {
  it.each([
    ["two\nThe answer is 7.", "7", "two"],
    ["two\nSo the final answer is: $7$", "7", "two"],
    ["two\nA: 26", "26", "two"],
    ["two\n#### 1,234", "1,234", "two"],
    ["two\n**Final Answer:**\n\n$-7$", "-7", "two"],
    ["two\n### Answer\n(3, 4)", "(3, 4)", "two"],
    ["two\n\\fbox{9}", "9", "two"],
    ["two\n\\framebox{9}", "9", "two"],
    ["two\n\\boxed 7", "7", "two"],
    ["two\n\\boxed{3 + \\frac{1", "3 + \\frac{1", "two"],
    ["two\n7", "7", "two"],
    ["two\n\\[\n7\n\\]", "7", "two"],
    ["two\n$$\n7.\n$$", "7", "two"],
    ["two\nThe answer is:\n\\[\n7\n\\]", "7", "two"],
    ["two\nAnswer:\n$$\n7\n$$", "7", "two"],
    ["two\n7\n\\]", "\\]", "two\n7"],
    ["5 * 3 = 15 apples are left.", "5 * 3 = 15 apples are left", "5 * 3 = 15 apples are left."],
  ])("%j answers %j after %j", (reply, answer, thought) => {
    expect(read(reply)).toEqual({ type: "FINAL", answer, thought, lenient: true });
  });

  it("keeps what a line says besides its answer", () => {
    const reply = "Final Answer: The final answer is $204$. I hope it is correct.";
    expect(read(reply)).toEqual({ type: "FINAL", answer: "204", thought: reply, lenient: true });
    const unit = "So the rope has a length of \\(\\boxed{28}\\) meters.";
    expect(read(unit)).toEqual({ type: "FINAL", answer: "28", thought: unit, lenient: true });
  });

  it("is no answer where its working speaks of one", () => {
    expect(answerOf("The answer is plausible.\nIn all 12 apples")).toBe("In all 12 apples");
    expect(answerOf("#### 2. Second step\n4 + 4 = 8\nA: 8")).toBe("8");
    expect(answerOf("#### Second step\n8")).toBe("8");
  });

  it("is invalid where it is empty, and nowhere else", () => {
    for (const reply of ["", " \n\t"])
      expect(read(reply)).toEqual({ type: "invalid", answer: "", thought: "", lenient: false });
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (reply) => {
        const { action } = parseReply(`x${reply}`);
        expect(action.type).toBe("FINAL");
        expect(action.arg).not.toBe("");
      }),
    );
  });
});

describe("a reasoning model", () => {
  it("answers behind its thoughts, and shows them where the reply has no working", () => {
    expect(read("<think>So 4 * 5 = 20, \\boxed{3}?</think>\n4 * 5 = 20\n\\boxed{20}")).toEqual({
      type: "FINAL",
      answer: "20",
      thought: "4 * 5 = 20",
      lenient: false,
    });
    expect(read("<think>4 * 5 = 20</think>\n\\boxed{20}").thought).toBe("4 * 5 = 20");
  });

  it("that was cut off answers with the end of its thoughts", () => {
    expect(read("<think>4 * 5 = 20\nThe answer is 20")).toMatchObject({ answer: "20", lenient: true });
  });
});

it("marks of layout come off an answer, signs and currencies stay", () => {
  const bare: readonly (readonly [string, string])[] = [
    ["$7$", "7"],
    ["\\(\\frac{1}{2}\\).", "\\frac{1}{2}"],
    ["**-7**", "-7"],
    ["$$x$$", "x"],
    ["$5", "$5"],
    ["$a$ and $b$", "$a$ and $b$"],
    ["0.5", "0.5"],
    ["1, 2, ...", "1, 2, ..."],
  ];
  expect(bare.map(([text]) => bareAnswer(text))).toEqual(bare.map(([, answer]) => answer));
});

it("a megabyte of anything takes no second", () => {
  const megabyte = (unit: string): string => unit.repeat(1_000_000 / unit.length);
  const started = performance.now();
  for (const unit of [
    "{",
    "\\boxed{",
    "\\boxed{}",
    "answer is ",
    "\n",
    "answer:\n",
    "####",
    " ",
    " *",
    "\\[\n",
    "$",
  ])
    parseReply(`7${megabyte(unit)}`);
  expect(performance.now() - started).toBeLessThan(5_000);
});

const FOLDER = path.join(ROOT, "../shared/data/answers");

describe.skipIf(!existsSync(FOLDER))("recorded solutions (skipped without ../shared/data)", () => {
  interface Row {
    readonly solution: string;
    readonly answer: string;
  }

  it.each([
    ["gsm8k-gpt3-even.jsonl", 2_632],
    ["math-qwen-even.jsonl", 400],
  ])("%s: at least %i have the answer that their source tells", (name, least) => {
    const file = path.join(FOLDER, name);
    const rows = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    const plain = (text: string): string => text.replaceAll(/\s/g, "");
    const same = rows.filter(
      ({ solution, answer }) => plain(findAnswer(solution)?.text ?? "") === plain(answer),
    );
    expect(same.length).toBeGreaterThanOrEqual(least);
  });
});
