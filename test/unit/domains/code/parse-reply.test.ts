import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReply } from "../../../../src/domains/code/parse-reply.ts";
import { codePrompt } from "../../../../src/domains/code/prompt.ts";

function read(reply: string) {
  const { action, thought, lenient = false } = parseReply(reply);
  return { type: action.type, program: action.arg, thought, lenient };
}

const PROGRAM = "def third(items):\n    if len(items) < 3:\n        return None\n\n    return items[2]";
const fenced = (program: string, language = "python"): string => `\`\`\`${language}\n${program}\n\`\`\``;

describe("a reply in the form of the prompt", () => {
  it("has its program with every line break and indentation, and its plan as the thought", () => {
    const wanted = { type: "FINAL", program: PROGRAM, lenient: false };
    expect(read(`Short lists have none.\n\n${fenced(PROGRAM)}`)).toEqual({
      ...wanted,
      thought: "Short lists have none.",
    });
    expect(read(fenced(PROGRAM))).toEqual({ ...wanted, thought: "" });
    expect(read(`Plan.\n${fenced(PROGRAM)}\nIt looks at one item.`)).toEqual({
      ...wanted,
      thought: "Plan.\n\nIt looks at one item.",
    });
  });

  it("keeps the indentation of a body alone", () => {
    expect(read(fenced("    return items[2]")).program).toBe("    return items[2]");
  });
});

describe("a reply in another form is lenient, and answers", () => {
  it.each([
    ["no fence", PROGRAM, PROGRAM, ""],
    ["prose around bare code", `Here it is:\n\n${PROGRAM}\n`, PROGRAM, "Here it is:"],
    ["a fence that does not close", `Plan.\n\`\`\`python\n${PROGRAM}`, PROGRAM, "Plan."],
    ["a body of a function", "\n\n    return items[2]\n\n", "    return items[2]", ""],
    ["a sentence", "I cannot do that.", "I cannot do that.", ""],
  ])("%s", (_, reply, program, thought) => {
    expect(read(reply)).toEqual({ type: "FINAL", program, thought, lenient: true });
  });

  it("two programs: the last one that defines something, the other is thought", () => {
    const first = "def third(items):\n    return items[3]";
    const { program, thought, lenient } = read(
      `Try:\n${fenced(first)}\nNo, better:\n${fenced(PROGRAM)}\nUse:\n${fenced("third([1, 2, 3])")}`,
    );
    expect({ program, lenient }).toEqual({ program: PROGRAM, lenient: true });
    expect(thought).toContain("return items[3]");
  });

  it("only an empty reply is invalid", () => {
    for (const reply of ["", " \n\t "]) expect(read(reply).type).toBe("invalid");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (reply) => {
        const { type, program } = read(`x${reply}`);
        expect(type).toBe("FINAL");
        expect(program).not.toBe("");
      }),
    );
  });
});

describe("a reasoning model", () => {
  it("answers behind its thoughts, and shows them where the reply has no plan", () => {
    expect(read(`<think>Lists may be short.</think>\n${fenced(PROGRAM)}`)).toEqual({
      type: "FINAL",
      program: PROGRAM,
      thought: "Lists may be short.",
      lenient: false,
    });
    expect(read(`<think>Hm.</think>\nShort lists have none.\n${fenced(PROGRAM)}`).thought).toBe(
      "Short lists have none.",
    );
  });

  it("keeps the first indentation of a body behind its thoughts", () => {
    expect(read("<think>Hm.</think>\n    return items[2]").program).toBe("    return items[2]");
  });

  it("that was cut off answers with the program in its thoughts", () => {
    expect(read(`<think>Perhaps\n${fenced(PROGRAM)}\nor`)).toMatchObject({ program: PROGRAM, lenient: true });
  });
});

describe("a program that is shown again is the same program", () => {
  const line = fc.stringMatching(/^ {0,8}[a-z(=+:"]{1,12}$/);

  it("reads what it writes", () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.stringMatching(/^[a-z0-9 .\n]{0,60}$/),
        (lines, plan) => {
          const arg = ["def f(x):", ...lines, "    return x"].join("\n");
          const said = { thought: plan.trim(), action: { type: "FINAL", arg } };
          expect(read(codePrompt.render(said))).toEqual({
            type: "FINAL",
            program: arg,
            thought: said.thought,
            lenient: false,
          });
        },
      ),
    );
  });

  it("also where the program has fences of its own", () => {
    const arg = 'def doc():\n    """\n```\nx = 1\n```\n    """\n    return 1';
    expect(read(codePrompt.render({ thought: "Plan.", action: { type: "FINAL", arg } }))).toEqual({
      type: "FINAL",
      program: arg,
      thought: "Plan.",
      lenient: false,
    });
  });
});

it("reads a megabyte of anything to the end", () => {
  for (const unit of ["`", "```\n", "```python\n", "\n", " ", "def f():\n", '"""\n', "~~~\n"])
    expect(read(`${unit.repeat(1_000_000 / unit.length)}x`).type).toBe("FINAL");
});
