import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { PromptSeen } from "../../../src/domains/domain.ts";
import { webSearchPrompt } from "../../../src/domains/web-search/prompt.ts";

const proposal = (type: string, arg: string, raw?: string) => ({
  thought: "so",
  action: { type, arg, ...(raw !== undefined && { raw }) },
});
const ASKED = { t: 0, instructions: [] };
const FORM =
  'The question is still: Who?\nNext come a line "Thought: …" on this observation and a line "Action: …" with FINAL, READ or SEARCH.';
const FORM_AT_END =
  /The question is still: Who\?\nNext come .* and a line "Action: …" with FINAL, READ or SEARCH\.$/;
const messages = (...seen: PromptSeen[]) =>
  webSearchPrompt.messages({ question: "Who?", seen, t: seen.length, maxSteps: 8 });

it("begins with the actions and the question", () => {
  const [system, user] = messages();
  expect(system).toMatchObject({ role: "system" });
  for (const action of ["SEARCH[", "READ[", "FINAL["]) expect(system?.content).toContain(action);
  expect(user).toEqual({ role: "user", content: "Question: Who?" });
});

it("tells what was done and what came of it, with contexts set apart", () => {
  const step: PromptSeen = {
    kind: "step",
    ...ASKED,
    proposal: proposal("FINAL", "Sam"),
    executed: { type: "READ", arg: "doc_0" },
    observation: "text",
    injected: ["Take care."],
    because: "no text names him.",
  };
  expect(messages(step).slice(2)).toEqual([
    { role: "assistant", content: "Thought: so\nAction: FINAL[Sam]" },
    {
      role: "user",
      content: `In place of FINAL("Sam"), READ("doc_0") ran. Reason: no text names him.\nObservation: text\nHint: Take care.\n\n${FORM}`,
    },
  ]);
});

it("asks again after a held-back answer, and for an answer at the last step", () => {
  const heldBack: PromptSeen = {
    kind: "held-back",
    ...ASKED,
    proposal: proposal("FINAL", "Sam"),
    injected: ["Look again."],
  };
  expect(messages(heldBack).at(-1)?.content).toContain("has not been given yet");
  const last = webSearchPrompt.messages({ question: "Who?", seen: [], t: 7, maxSteps: 8 });
  expect(last.at(-1)?.content).toMatch(
    /Last step: .*\n\nThe question is still: Who\?\n.*"Action: …" with FINAL\.$/,
  );
});

it("quotes a reply that was no action as it was, and cuts an endless observation", () => {
  const step: PromptSeen = {
    kind: "step",
    ...ASKED,
    proposal: proposal("invalid", "hm", "hm"),
    executed: { type: "invalid", arg: "hm" },
    observation: "x".repeat(100_000),
    injected: [],
  };
  const shown = messages(step);
  expect(shown[2]).toEqual({ role: "assistant", content: "hm" });
  expect(shown[3]?.content.length).toBeLessThan(9_000);
  expect(shown[3]?.content).toContain("of 100000 characters");
});

it("ends each message that carries a text of a skill, or follows a reply without an action, with the question and the form", () => {
  const step = {
    kind: "step",
    ...ASKED,
    executed: { type: "SEARCH", arg: "x" },
    observation: "text",
  } as const;
  const plain: PromptSeen = { ...step, proposal: proposal("SEARCH", "x"), injected: [] };
  const end = (...seen: PromptSeen[]) => messages(...seen).at(-1)?.content ?? "";
  expect(end(plain)).toBe("Observation: text");
  const carrying: PromptSeen[] = [
    { ...plain, injected: ["Take care."] },
    { ...plain, proposal: proposal("SEARCH", "y"), because: "it has run before" },
    { ...plain, proposal: proposal("invalid", "hm", "hm"), executed: { type: "invalid", arg: "hm" } },
    { kind: "held-back", ...ASKED, proposal: proposal("FINAL", "Sam"), injected: ["Look again."] },
    { kind: "next-round", ...ASKED, proposal: proposal("FINAL", "Sam"), note: "Not taken." },
  ];
  for (const seen of carrying) expect(end(seen)).toMatch(FORM_AT_END);
  expect(end(carrying[0] ?? plain).endsWith(FORM)).toBe(true);
  const reminded = webSearchPrompt.messages({
    question: "Who?",
    seen: [plain],
    instructions: ["Search for the name."],
    t: 1,
    maxSteps: 8,
  });
  expect(reminded.at(-1)?.content).toBe(`Observation: text\n\nHint: Search for the name.\n\n${FORM}`);
});

it("shows the beginning of a long reply without an action again, and renders all of it for a record", () => {
  const raw = "so ".repeat(1000).trim();
  const { action, thought } = proposal("invalid", raw, raw);
  const step: PromptSeen = {
    kind: "step",
    ...ASKED,
    proposal: { action, thought },
    executed: action,
    observation: "text",
    injected: [],
  };
  expect(messages(step)[2]?.content).toHaveLength(302);
  expect(webSearchPrompt.render({ action, thought })).toBe(raw);
});

it("repeats only the beginning of a long question", () => {
  const { length } = webSearchPrompt.form({ question: "long ".repeat(10_000) });
  expect(length).toBeLessThan(700);
});

it("writes an action that was taken out of a reply without one in its own form", () => {
  const step: PromptSeen = {
    kind: "step",
    ...ASKED,
    proposal: proposal("invalid", "I search for\nTarnby.", "I search for\nTarnby."),
    executed: { type: "SEARCH", arg: "Tarnby" },
    observation: "text",
    injected: [],
  };
  expect(messages(step)[2]?.content).toBe("Thought: I search for Tarnby.\nAction: SEARCH[Tarnby]");
});

it("shows a reply without a thought as the action alone, so that no empty thought is there to copy", () => {
  const step: PromptSeen = {
    kind: "step",
    ...ASKED,
    proposal: { ...proposal("SEARCH", "Tarnby"), thought: "" },
    executed: { type: "SEARCH", arg: "Tarnby" },
    observation: "text",
    injected: [],
  };
  expect(messages(step)[2]?.content).toBe("Action: SEARCH[Tarnby]");
});

it("says a message again as it was, so that a server reads only what is new", () => {
  const text = fc.string({ maxLength: 40 });
  const asked = (t: number) => ({ t, instructions: t % 2 === 0 ? [] : [`Hint of step ${t}.`] });
  const step = fc.record({
    thought: text,
    arg: text,
    observation: text,
    injected: fc.array(text, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 7 }), (steps) => {
      const seen = steps.map(({ thought, arg, ...rest }, t): PromptSeen => ({
        kind: "step",
        ...asked(t),
        proposal: { thought, action: { type: "SEARCH", arg } },
        executed: { type: "SEARCH", arg },
        ...rest,
      }));
      const sent = [...steps.keys(), steps.length].map((t) =>
        webSearchPrompt.messages({ question: "Who?", seen: seen.slice(0, t), maxSteps: 8, ...asked(t) }),
      );
      for (const [t, before] of sent.slice(0, -1).entries())
        expect(sent[t + 1]?.slice(0, before.length)).toEqual(before);
    }),
  );
});

it("does not repeat an observation that the same action has brought before", () => {
  const step: PromptSeen = {
    kind: "step",
    ...ASKED,
    proposal: proposal("READ", "doc_0"),
    executed: { type: "READ", arg: "doc_0" },
    observation: "Tarnby\nTarnby is a market town on the river Osk.",
    injected: [],
  };
  const another: PromptSeen = { ...step, observation: "Lund\nLund is a town in Sweden with a university." };
  const told = messages(step, step, another, { ...step, injected: ["Search for the river."] });
  const users = told.filter(({ role }) => role === "user").map(({ content }) => content);
  expect(users[1]).toContain("market town");
  expect(users[2]).toBe("Observation: the same as before");
  expect(users[3]).toContain("university");
  expect(users[4]).toBe(`Observation: the same as before\nHint: Search for the river.\n\n${FORM}`);
  const bare = webSearchPrompt.withoutContexts(told, { ...step, injected: ["Search for the river."] });
  expect(bare?.at(-1)?.content).toBe("Observation: the same as before");
});

it("alternates between user and assistant whatever was seen", () => {
  const heldBack: PromptSeen = {
    kind: "held-back",
    ...ASKED,
    proposal: proposal("FINAL", "Sam"),
    injected: [],
  };
  const roles = messages(heldBack, heldBack, heldBack)
    .slice(1)
    .map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "user", "assistant", "user", "assistant", "user"]);
});
