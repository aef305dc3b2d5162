import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { PromptSeen } from "../../../../src/domains/domain.ts";
import { mathPrompt } from "../../../../src/domains/math/prompt.ts";
import { clip } from "../../../../src/model/clip.ts";

const QUESTION = "A crate holds 14 jars. How many jars are in 6 crates?";
const THOUGHT = "Each crate has 14 jars,\n  so 6 crates have 6 * 14 = 86 jars.";
const FORM = "Work step by step, and write the answer alone on the last line as \\boxed{…}.";
const END = `The question is still: ${QUESTION}\n${FORM}`;

const proposal = { thought: THOUGHT, action: { type: "FINAL", arg: "86" } };
const heldBack = (...injected: string[]): PromptSeen => ({
  kind: "held-back",
  t: 0,
  instructions: [],
  proposal,
  injected,
});
const messages = (seen: readonly PromptSeen[], more = {}) =>
  mathPrompt.messages({ question: QUESTION, seen, t: 0, maxSteps: 1, ...more });

it("asks for the working and a box, short enough for a small model, and lists what has helped", () => {
  const [system, user, ...others] = messages([], { summaries: ["Name the unit.", "Check signs."] });
  expect(system?.content).toBe(
    `Solve the problem. ${FORM}\n\nWhat has helped with such problems:\n- Name the unit.\n- Check signs.`,
  );
  expect(messages([])[0]?.content.length).toBeLessThan(200);
  expect([user, others]).toEqual([{ role: "user", content: QUESTION }, []]);
});

it("says nothing of steps that are left", () => {
  expect(JSON.stringify(messages([heldBack("Check it.")]))).not.toMatch(/last step|steps? left/i);
});

it("shows a draft that was held back whole, as its own turn, and then hints, the question and the form", () => {
  expect(messages([heldBack("6 * 14 makes 84.", "Check the unit.")]).slice(1)).toEqual([
    { role: "user", content: QUESTION },
    { role: "assistant", content: `${THOUGHT}\n\\boxed{86}` },
    {
      role: "user",
      content: `This answer has not been given yet.\nHint: 6 * 14 makes 84.\nHint: Check the unit.\n\n${END}`,
    },
  ]);
});

it("shows instructions as hints before the proposal that they are for, and a note of another round", () => {
  expect(messages([], { instructions: ["List the cases."] }).at(-1)?.content).toBe(
    `${QUESTION}\n\nHint: List the cases.\n\n${END}`,
  );
  const round: PromptSeen = { kind: "next-round", t: 0, instructions: [], proposal, note: "Try again." };
  expect(messages([round]).at(-1)?.content).toBe(`Try again.\n\n${END}`);
});

it("asks again after an empty reply", () => {
  const action = { type: "invalid", arg: "", raw: "" };
  const step: PromptSeen = {
    kind: "step",
    t: 0,
    instructions: [],
    proposal: { thought: "", action },
    executed: action,
    observation: "",
    injected: [],
  };
  expect(messages([step]).slice(2)).toEqual([
    { role: "assistant", content: "(nothing)" },
    { role: "user", content: `This is no answer.\n\n${END}` },
  ]);
});

it("repeats only the beginning of a long question", () => {
  expect(mathPrompt.form({ question: "long ".repeat(10_000) }).length).toBeLessThan(700);
});

it("reads what it writes: a draft that is shown again is the same draft", () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[a-z0-9 +=()\n-]{0,60}$/), (arg, thought) => {
      const answer = clip(arg, 30)
        .replaceAll(/[{}\\$]/g, "")
        .trim();
      fc.pre(!["", "...", "…", "answer"].includes(answer.toLowerCase()));
      const said = { thought: thought.trim(), action: { type: "FINAL", arg: answer } };
      const read = mathPrompt.parseReply(mathPrompt.render(said));
      expect(read.action.arg).toBe(answer);
      expect(read.thought).toBe(said.thought);
      expect(read.lenient).toBeUndefined();
    }),
  );
});

it("does not add a second box to a working that ends with one", () => {
  const thought = "So the rope is \\boxed{28} meters long.";
  expect(mathPrompt.render({ thought, action: { type: "FINAL", arg: "28" } })).toBe(thought);
});

it("loses the contexts of a step, and nothing else", () => {
  const action = { type: "FINAL", arg: "86" };
  const step = {
    kind: "step",
    t: 0,
    instructions: [],
    proposal,
    executed: action,
    observation: "",
    injected: ["Check it."],
  } as const;
  const bare = mathPrompt.withoutContexts(messages([step]), step);
  expect(bare).toEqual(messages([{ ...step, injected: [] }]));
  expect(mathPrompt.withoutContexts(messages([]), step)).toBeUndefined();
});
