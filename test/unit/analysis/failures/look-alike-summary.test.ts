import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { failureRequest } from "../../../../src/analysis/failures/failure-prompt.ts";
import { summariseFailure } from "../../../../src/analysis/failures/summarise-failure.ts";
import { scriptedModel } from "../../../../src/llm/scripted-model.ts";
import { episode } from "../../trace/support.ts";
import { ROOT } from "../../../support/core.ts";

const FAILED = episode("e", { outcome: "wrong", answer: "Vienna", gold: ["Inn"] });
const KNOWN = ["premature_final"];
const OWN = {
  category: "stale_evidence",
  abstraction: "It trusts an old page.",
  trigger: "The page is older.",
  intervention_hint: "Search again.",
};
const { request, short } = failureRequest(FAILED, KNOWN);
const PLACEHOLDERS = '{"category": "…", "abstraction": "…", "trigger": "…", "intervention_hint": "…"}';
const COPIED = JSON.stringify({
  category: "premature_final",
  abstraction: "One sentence that says what goes wrong, true of every failure of this kind.",
  trigger:
    "one sentence that says how the failure shows in the agent's state or proposed action before it happens",
  intervention_hint:
    "One sentence that says which change of the action, or which reminder, would prevent it.",
});

const ask = async (...replies: string[]) => {
  const model = scriptedModel(replies);
  return { result: await summariseFailure(FAILED, KNOWN, (one) => model.chat(one)), asked: model.requests };
};

describe("a reply that only looks like a summary", () => {
  it.each([
    ["placeholders", PLACEHOLDERS, "category, abstraction, trigger, intervention_hint repeat the form"],
    ["sentences of the form", COPIED, "abstraction, trigger, intervention_hint repeat the form"],
    ["the prompt", request.messages.map(({ content }) => content).join("\n"), "of its words are copied"],
  ])("%s: it is asked once more in the short form, and kept", async (_, reply, why) => {
    const { result, asked } = await ask(reply, JSON.stringify(OWN));
    expect(asked).toEqual([request, short]);
    const refused = { text: reply, why: expect.stringContaining(why) };
    expect(result).toEqual({ kind: "made", summary: OWN, refused: [refused] });
    expect(short.messages[0]?.content.length).toBeLessThan((request.messages[0]?.content.length ?? 0) / 2);
  });

  it("is kept, too, where the second reply names the answer", async () => {
    const of = { ...FAILED, gold: ["Innsbruck"] };
    const model = scriptedModel([PLACEHOLDERS, JSON.stringify({ ...OWN, trigger: "It names Innsbruck." })]);
    const result = await summariseFailure(of, KNOWN, (one) => model.chat(one));
    expect(result).toMatchObject({ kind: "names answer", refused: [{ text: PLACEHOLDERS }] });
  });

  it("twice is none, and both replies are kept", async () => {
    const { result } = await ask(COPIED, PLACEHOLDERS);
    expect(result).toMatchObject({
      kind: "unreadable",
      problem: expect.stringContaining("HASP858"),
      refused: [{ text: COPIED }, { text: PLACEHOLDERS }],
    });
  });
});

describe("a summary of its own", () => {
  it.each([
    ["short", JSON.stringify(OWN)],
    ["by a model of 1.5 B", readFileSync(path.join(ROOT, "test/fixtures/model/roles/summary.txt"), "utf8")],
    [
      "in a fence, after a thought",
      `<think>one sentence that says what goes wrong</think>\n\`\`\`json\n${JSON.stringify(OWN)}\n\`\`\``,
    ],
    ["in German", JSON.stringify({ ...OWN, abstraction: "Der Agent sucht zweimal dasselbe." })],
  ])("is taken at once: %s", async (_, reply) => {
    const { result, asked } = await ask(reply);
    expect([result.kind, asked.length]).toEqual(["made", 1]);
  });

  it("may repeat the sentences of a first reply of which the category alone was wrong", async () => {
    const long = {
      ...OWN,
      abstraction:
        "The agent takes the newest page that it finds for the truth and never looks at the older one which its question is about.",
      trigger: "Two pages give different years for one event, and the later page alone was opened.",
    };
    const first = JSON.stringify({ ...long, category: "Stale Evidence" });
    const { result, asked } = await ask(first, JSON.stringify(long));
    expect(asked[1]?.messages).toHaveLength(4);
    expect(result).toMatchObject({ kind: "made", summary: long, refused: [{ text: first }] });
  });

  it("after an empty reply or a thought alone is asked for in the long form", async () => {
    for (const reply of ["", "</think>", '{"category": "stale_ev']) {
      const { result, asked } = await ask(reply, JSON.stringify(OWN));
      expect([result.kind, asked[1]?.messages.length]).toEqual(["made", 4]);
    }
  });
});
