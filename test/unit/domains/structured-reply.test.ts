import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webSearchPrompt } from "../../../src/domains/web-search/prompt.ts";
import { structuredReplies } from "../../../src/domains/web-search/structured-reply.ts";

const parseReply = (text: string) => structuredReplies.parseReply(text);

describe("a reply as JSON", () => {
  it("is a thought and an action that the environment has", () => {
    expect(structuredReplies.schema(["SEARCH", "FINAL", "invalid"])).toMatchObject({
      properties: { action: { enum: ["SEARCH", "FINAL"] } },
      required: ["thought", "action", "arg"],
    });
    const reply = '{"thought": "so", "action": "SEARCH", "arg": "Tarnby river"}';
    expect(parseReply(reply)).toEqual({ thought: "so", action: { type: "SEARCH", arg: "Tarnby river" } });
  });

  it("is read as text, leniently, where the server did not hold its model to the schema", () => {
    expect(parseReply("Thought: so\nAction: FINAL[Osk]")).toEqual({
      thought: "so",
      action: { type: "FINAL", arg: "Osk" },
      lenient: true,
    });
    for (const text of ["", "{}", '{"action":"SEARCH"}', '{"thought":"","action":"LOOKUP","arg":"x"}'])
      expect(parseReply(text).action.type).toBe("invalid");
    const copied = '{"thought":"so","action":"FINAL","arg":"the answer"}';
    expect(parseReply(copied).action).toEqual({ type: "invalid", arg: copied, raw: copied });
  });

  it("is what the prompt shows and asks for", () => {
    const seen = fc.record({ thought: fc.string(), arg: fc.string() }).map(({ thought, arg }) => ({
      kind: "step" as const,
      t: 0,
      instructions: ["Search for the name."],
      proposal: { thought: thought.trim(), action: { type: "SEARCH", arg: arg.trim() } },
      executed: { type: "SEARCH", arg: arg.trim() },
      observation: "text",
      injected: [],
    }));
    fc.assert(
      fc.property(seen, (one) => {
        const input = { question: "Who?", seen: [one], t: 1, maxSteps: 8, replies: "json" as const };
        const [system, asked, said] = webSearchPrompt.messages(input).map(({ content }) => content);
        fc.pre(one.proposal.action.arg !== "…" && one.proposal.action.arg !== "...");
        expect(parseReply(said ?? "")).toEqual(one.proposal);
        expect(asked).toContain("Next comes one JSON object");
        const example = (system ?? "").split("\n").filter((line) => line.startsWith("{"));
        expect(example.map((line) => parseReply(line).action.type)).toEqual([
          "SEARCH",
          "SEARCH",
          "READ",
          "SEARCH",
          "FINAL",
        ]);
      }),
      { numRuns: 50 },
    );
  });
});
