import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codingAgentPrompt } from "../../../../src/domains/coding-agent/prompt.ts";

const parseReply = (text: string) => codingAgentPrompt.parseReply(text);

describe("a reply of a coding agent", () => {
  it("is a thought and one call as JSON", () => {
    expect(
      parseReply('Thought: look first\n{"tool": "bash", "input": {"timeout": 5, "command": "ls {a}"}}\nmore'),
    ).toEqual({
      thought: "look first",
      action: { type: "Bash", arg: '{"command":"ls {a}","timeout":5}' },
    });
    expect(parseReply('```json\n{"tool":"FINAL","input":{"text":"Done."}}\n```')).toEqual({
      thought: "",
      action: { type: "FINAL", arg: "Done." },
    });
    expect(parseReply("use {x} and stop").action).toMatchObject({ type: "invalid", raw: "use {x} and stop" });
  });

  it("never fails, whatever the model writes", () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((value) => `{"tool":${value}`),
    );
    fc.assert(
      fc.property(text, (reply) => {
        expect(parseReply(reply).action.type).not.toBe("");
      }),
    );
  });

  it.each(["*", "call", "call:", " ", "`", "{", '{"a":', "**action** : "])(
    "is read at once, also one of many %j",
    (text) => {
      // The square of this many would take minutes, which the time limit of tests ends.
      const many = text.repeat(Math.floor(390_000 / text.length));
      expect(parseReply(`${many}{"tool":"Read","input":{"path":"x"}}`).action.type).not.toBe("");
      expect(parseReply(`x${many}x`).action.type).toBe("invalid");
    },
  );

  it("comes back to the model as it was understood", () => {
    const proposal = parseReply('Thought: a\n{"tool":"Read","input":{"path":"x"}}');
    const seen = [
      {
        kind: "step" as const,
        proposal,
        t: 0,
        instructions: [],
        executed: { type: "REFUSE", arg: "x is secret" },
        observation: "",
        injected: ["n"],
      },
    ];
    const texts = codingAgentPrompt
      .messages({ question: "q", seen, t: 1, maxSteps: 5 })
      .map(({ content }) => content);
    expect(texts[2]).toBe('Thought: a\n{"tool":"Read","input":{"path":"x"}}');
    expect(texts[3]).toContain("Your call was not run: x is secret");
  });
});
