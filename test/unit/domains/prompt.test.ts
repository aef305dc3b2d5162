import { expect, it } from "vitest";
import type { PromptSeen } from "../../../src/domains/domain.ts";
import { webSearchPrompt } from "../../../src/domains/web-search/prompt.ts";

const proposal = (type: string, arg: string, raw?: string) => ({
  thought: "so",
  action: { type, arg, ...(raw !== undefined && { raw }) },
});
const messages = (...seen: PromptSeen[]) =>
  webSearchPrompt.messages({ question: "Who?", seen, t: seen.length, maxSteps: 8 });

it("begins with the actions and the question", () => {
  const [system, user] = messages();
  expect(system).toMatchObject({ role: "system" });
  for (const action of ["SEARCH[", "READ[", "FINAL["]) expect(system?.content).toContain(action);
  expect(user).toEqual({ role: "user", content: "Question: Who?\n\nStep 1 of 8." });
});

it("tells what was done and what came of it, with contexts set apart", () => {
  const step: PromptSeen = {
    kind: "step",
    proposal: proposal("FINAL", "Sam"),
    executed: { type: "READ", arg: "doc_0" },
    observation: "text",
    injected: ["Take care."],
  };
  expect(messages(step).slice(2)).toEqual([
    { role: "assistant", content: "Thought: so\nAction: FINAL[Sam]" },
    {
      role: "user",
      content:
        'In place of your action this one ran: READ("doc_0")\nObservation: text\n<note>\nTake care.\n</note>\n\nStep 2 of 8.',
    },
  ]);
});

it("asks again after a held-back answer, and for an answer at the last step", () => {
  const heldBack: PromptSeen = {
    kind: "held-back",
    proposal: proposal("FINAL", "Sam"),
    injected: ["Look again."],
  };
  expect(messages(heldBack).at(-1)?.content).toContain("has not been given yet");
  const last = webSearchPrompt.messages({ question: "Who?", seen: [], t: 7, maxSteps: 8 });
  expect(last.at(-1)?.content).toContain("last step");
});

it("quotes a reply that was no action as it was, and cuts an endless observation", () => {
  const step: PromptSeen = {
    kind: "step",
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

it("alternates between user and assistant whatever was seen", () => {
  const heldBack: PromptSeen = { kind: "held-back", proposal: proposal("FINAL", "Sam"), injected: [] };
  const roles = messages(heldBack, heldBack, heldBack)
    .slice(1)
    .map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "user", "assistant", "user", "assistant", "user"]);
});
