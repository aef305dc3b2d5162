import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { codingAgentPrompt } from "../../../../src/domains/coding-agent/prompt.ts";
import { CODING_ACTIONS } from "../../../../src/model/coding-tools.ts";
import type { PromptInput, PromptSeen } from "../../../../src/domains/domain.ts";
import { ROOT } from "../../../support/core.ts";

const parseReply = (text: string) => codingAgentPrompt.parseReply(text);
const messages = (about: PromptInput) => codingAgentPrompt.messages(about);
const form = (about: { readonly question: string }) => codingAgentPrompt.form(about);
const question = "The search ignores capital letters. It should not.";
const grep = { thought: "I look.", action: { type: "Grep", arg: '{"pattern":"lower"}' } };
const final = { thought: "", action: { type: "FINAL", arg: "Done." } };
const ASKED = { t: 0, instructions: [] };
const step: Extract<PromptSeen, { kind: "step" }> = {
  kind: "step",
  ...ASKED,
  proposal: grep,
  executed: grep.action,
  observation: "src/search.js:4",
  injected: [],
};
const invalid = (raw: string): PromptSeen => {
  const action = { type: "invalid", arg: raw, raw };
  return { ...step, proposal: { thought: "", action }, executed: action, observation: "" };
};
const input = (seen: readonly PromptSeen[], more: Partial<PromptInput> = {}): PromptInput => {
  const t = seen.filter(({ kind }) => kind !== "held-back").length;
  return { question, seen, t, maxSteps: 9, ...more };
};
const lastOf = (seen: readonly PromptSeen[], more: Partial<PromptInput> = {}): string =>
  messages(input(seen, more)).at(-1)?.content ?? "";
const heldBack: PromptSeen = {
  kind: "held-back",
  ...ASKED,
  proposal: final,
  injected: ["No test has run. Run npm test."],
};
const kinds: readonly PromptSeen[] = [
  step,
  { ...step, injected: ["The file was not read. Read it."] },
  { ...step, executed: { type: "List", arg: '{"path":"src"}' }, because: "the folder is unknown" },
  { ...step, executed: { type: "REFUSE", arg: "The file holds a key." }, observation: "" },
  invalid("I will look."),
  heldBack,
  { kind: "next-round", ...ASKED, proposal: final, note: "The task asks for a test." },
];

describe("the prompt of a coding agent", () => {
  it("ends each message that carries a skill's text with the task and the form of a call, and no other", () => {
    const end = form({ question });
    const ended = kinds.map((seen) => lastOf([seen]).endsWith(`\n\n${end}`));
    expect(ended).toEqual([false, true, true, true, true, true, true]);
    expect(lastOf([])).not.toContain(end);
    const reminded = lastOf([heldBack], { instructions: ["Name the test that passed."] });
    expect(reminded).toContain("- Name the test that passed.\n\n");
    expect(reminded.endsWith(end)).toBe(true);
    expect(reminded.split(end)).toHaveLength(2);
  });

  it("sends each message again as it was, so that a server reads only what is new", () => {
    const instructions = ["Look twice."];
    const seen = kinds.map((one, t) => ({ ...one, t, instructions: t % 2 === 0 ? instructions : [] }));
    for (let t = 0; t < seen.length; t++) {
      const before = messages(input(seen.slice(0, t), { t, instructions: seen[t]?.instructions ?? [] }));
      const after = messages(input(seen.slice(0, t + 1), { t: t + 1 }));
      expect(after.slice(0, before.length)).toEqual(before);
    }
  });

  it("says the budget shortly, and the last step as what is to be done", () => {
    expect(lastOf([step])).toBe("Tool answer: src/search.js:4\n\n8 steps left.");
    expect(lastOf([step], { maxSteps: 2 })).toContain("Last step: end with FINAL.");
  });

  it("names the call that ran in place of another, and the reason", () => {
    const [, , rewritten] = kinds;
    expect(lastOf(rewritten === undefined ? [] : [rewritten])).toMatch(
      /^In place of Grep\(lower\), List\(src\) ran\. Reason: the folder is unknown\.\nTool answer: src/,
    );
  });

  it("repeats only the beginning of a long task", () => {
    expect(form({ question: "long ".repeat(10_000) }).length).toBeLessThan(600);
  });

  it("has a worked example whose calls the agent can make, in the form of its own replies", () => {
    const exampleIn = (actionTypes: readonly string[]): string =>
      messages(input([], { actionTypes }))[0]?.content.split("An example, ")[1] ?? "";
    const callsIn = (text: string) => text.split("\n").filter((line) => line.startsWith("{"));
    for (const types of [CODING_ACTIONS, ["Bash", "FINAL"]]) {
      const calls = callsIn(exampleIn(types)).map((line) => parseReply(`Thought: so\n${line}`));
      expect(calls.map(({ lenient }) => lenient)).toEqual([undefined, undefined, undefined]);
      expect(calls.every(({ action }) => types.includes(action.type))).toBe(true);
      expect(calls.at(-1)?.action.type).toBe("FINAL");
    }
    expect(exampleIn(["WebSearch", "FINAL"])).toBe("");
  });

  it("has no text but its example that is a call when it is copied", () => {
    const [system = ""] = messages(input([])).map(({ content }) => content.split("An example, ")[0]);
    const read = kinds.map((seen) => lastOf([seen], { instructions: ["Look twice."] }));
    for (const text of [system, form({ question }), ...read]) {
      expect(parseReply(text).action.type).toBe("invalid");
      for (const line of text.split("\n")) expect(parseReply(line).action.type).toBe("invalid");
    }
  });

  it("answers a reply without a call with its place, and a copy of that answer with other words", () => {
    expect(lastOf([invalid("Let me {see}.")])).toMatch(
      /^No tool ran\. Reason: the JSON at character 8 of the reply/,
    );
    const [notice = ""] = lastOf([invalid("I will look.")]).split("\n\n");
    expect(notice).toBe("No tool ran. Reason: the reply has no JSON.");
    expect(lastOf([invalid(notice)])).toMatch(/^No tool ran\. The reply repeats a message/);
  });
});

/** A reply of Qwen2.5-Coder-1.5B-Instruct, with what it had read. */
interface Recorded {
  readonly promptVersion: string | null;
  readonly input: PromptInput | null;
  readonly request: { readonly messages: unknown; readonly stop: readonly string[] };
  readonly reply: { readonly text: string };
}
const recorded = (name: string): Recorded =>
  JSON.parse(
    readFileSync(path.join(ROOT, "test/fixtures/model/coding-agent", `${name}.json`), "utf8"),
  ) as Recorded;

describe("a real model", () => {
  it.each(["first-step", "held-back", "no-call"])("keeps to the form of this prompt: %s", (name) => {
    const { promptVersion, input: told, request, reply } = recorded(name);
    expect(promptVersion).toBe(codingAgentPrompt.version);
    expect(told && messages(told)).toEqual(request.messages);
    expect(request.stop).toEqual(codingAgentPrompt.stop);
    const { action, thought, lenient } = parseReply(reply.text);
    expect(action.type).toBe("Grep");
    expect(thought).not.toBe("");
    expect(lenient).toBeUndefined();
  });

  it("answers another prompt in prose, which is no call", () => {
    expect(parseReply(recorded("prose").reply.text).action.type).toBe("invalid");
  });
});
