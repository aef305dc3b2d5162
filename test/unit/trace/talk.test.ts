import { describe, expect, it } from "vitest";
import { episodeOf } from "../../../src/trace/formats/conversation.ts";
import { type PromptSource, toolsText } from "../../../src/trace/formats/talk.ts";
import type { AgentTurn, ReadEpisode, Turn } from "../../../src/trace/formats/turn.ts";

const user = (text: string): Turn => ({ kind: "user", text });
const system = (text: string): Turn => ({ kind: "system", text });
const result = (text: string, callId?: string): Turn => ({ kind: "result", text, callId });
const call = (name: string, args: unknown, id?: string) => ({ name, args, id });
const says = (text: string, calls: AgentTurn["calls"] = [], more: Partial<AgentTurn> = {}): AgentTurn => ({
  kind: "agent",
  text,
  reasoning: "",
  calls,
  ...more,
});

/** The prompt of each step, a message as `role: content`. */
function read({ prompts = [] }: ReadEpisode): readonly (readonly string[] | undefined)[] {
  return prompts.map((prompt) =>
    prompt?.talk.slice(0, prompt.upTo).map(({ role, content }) => `${role}: ${content}`),
  );
}

const replies = ({ episode }: ReadEpisode): readonly (string | undefined)[] =>
  episode.steps.map(({ proposals }) => proposals[0]?.completion?.text);

const talk = (turns: readonly Turn[], prompts: PromptSource | undefined, coding = false): ReadEpisode =>
  episodeOf({
    id: "e",
    source: "test",
    turns,
    prompts,
    ...(coding && { coding: { cwd: undefined } }),
  });

describe("prompts of a conversation", () => {
  const turns = [
    system("Be brief."),
    user("How warm?"),
    says("I look.", [call("weather", { city: "Oslo" }, "a"), call("clock", '{"zone": 1}', "b")]),
    result("4", "a"),
    result("noon", "b"),
    says("4 at noon."),
  ];
  const calls =
    'I look.\n<tool_call>\n{"name":"weather","arguments":{"city":"Oslo"}}\n</tool_call>\n' +
    '<tool_call>\n{"name":"clock","arguments":{"zone":1}}\n</tool_call>';
  const answers = "user: <tool_response>\n4\n</tool_response>\n\n<tool_response>\nnoon\n</tool_response>";

  it("hold calls and results as text, and only the first step of a reply has them", () => {
    const whole = talk(turns, "whole");
    expect(read(whole)).toEqual([
      ["system: Be brief.", "user: How warm?"],
      undefined,
      ["system: Be brief.", "user: How warm?", `assistant: ${calls}`, answers],
    ]);
    expect(replies(whole)).toEqual([calls, undefined, "4 at noon."]);
  });

  it("of a transcript say so, and what its host says stands in the user's place", () => {
    const transcript = talk(turns, "transcript");
    expect(read(transcript)[0]).toEqual(["user: Be brief.\n\nHow warm?"]);
    const marks = transcript.episode.steps.map(({ proposals }) => proposals[0]?.fromTranscript);
    expect(marks).toEqual([true, undefined, true]);
  });

  it("are none where the format tells too little", () => {
    const silent = talk(turns, undefined);
    expect(replies(silent)).toEqual([undefined, undefined, undefined]);
    expect(read(silent)).toEqual([undefined, undefined, undefined]);
  });

  it("of a turn that has its own are these, word for word, and no transcript's", () => {
    const own = {
      read: { talk: [{ role: "user" as const, content: "exactly this" }], upTo: 1 },
      completion: { text: "exactly that", finish: "length" as const },
    };
    const mixed = talk([user("Hi"), says("that", [], own), user("And?"), says("so")], "transcript");
    expect(read(mixed)).toEqual([
      ["user: exactly this"],
      ["user: Hi", "assistant: exactly that", "user: And?"],
    ]);
    expect(mixed.episode.steps[0]?.proposals[0]).toEqual(
      expect.objectContaining({ completion: own.completion }),
    );
    expect(mixed.episode.steps[0]?.proposals[0]).not.toHaveProperty("fromTranscript");
    expect(mixed.episode.steps[1]?.proposals[0]).toMatchObject({ fromTranscript: true });
  });

  it("never grow once a reply was made to them", () => {
    const later = talk([user("a"), says("b"), user("c"), user("d"), says("e")], "whole");
    expect(read(later)).toEqual([["user: a"], ["user: a", "assistant: b", "user: c\n\nd"]]);
    const first = talk([says("Hello."), user("a"), says("b")], "whole");
    expect(read(first)).toEqual([[], ["assistant: Hello.", "user: a"]]);
  });

  it("keep thoughts apart from replies, and thoughts of earlier turns out of prompts", () => {
    const turnsWithThoughts = [user("a"), says("b", [], { reasoning: "hm" }), user("c"), says("d")];
    const thinking = talk(turnsWithThoughts, "whole");
    expect(thinking.episode.steps[0]?.proposals[0]?.completion).toEqual({
      text: "b",
      reasoning: "hm",
      finish: "stop",
    });
    expect(read(thinking)[1]).toEqual(["user: a", "assistant: b", "user: c"]);
  });

  it("hold arguments that are no JSON as they are, and calls without arguments", () => {
    const odd = talk([user("a"), says("", [call("x", "not {json"), call("y", undefined)])], "whole");
    expect(replies(odd)[0]).toBe(
      '<tool_call>\n{"name":"x","arguments":"not {json"}\n</tool_call>\n' +
        '<tool_call>\n{"name":"y","arguments":{}}\n</tool_call>',
    );
  });

  it("of a session of 50,000 turns share one list of messages", () => {
    const long = Array.from({ length: 50_000 }, (_, i) => [user(`u${i}`), says(`a${i}`)]).flat();
    const { prompts = [] } = talk(long, "transcript", true);
    expect(prompts).toHaveLength(50_000);
    expect(new Set(prompts.map((prompt) => prompt?.talk)).size).toBe(1);
    expect(prompts.at(-1)?.upTo).toBe(99_999);
  });
});

describe("words of a coding agent before a call", () => {
  const words = says("First I look.", [], { reasoning: "one" });
  const then = says("", [call("Read", { file_path: "a" }, "r")], { reasoning: "two" });
  const reply = 'First I look.\n<tool_call>\n{"name":"Read","arguments":{"file_path":"a"}}\n</tool_call>';

  it("are the beginning of one reply where the agent read nothing between them", () => {
    const one = talk([user("Fix it"), words, then], "transcript", true);
    expect(read(one)).toEqual([["user: Fix it"]]);
    expect(one.episode.steps[0]?.proposals[0]).toMatchObject({
      thought: "one\n\ntwo\n\nFirst I look.",
      completion: { text: reply, reasoning: "one\n\ntwo" },
    });
  });

  it("are part of the prompt where the host said something after them", () => {
    const two = talk([user("Fix it"), words, system("Mind the tests."), then], "transcript", true);
    expect(read(two)).toEqual([["user: Fix it", "assistant: First I look.", "user: Mind the tests."]]);
    expect(replies(two)).toEqual([reply.replace("First I look.\n", "")]);
  });
});

it("tools of a request are one JSON object a line, and nothing where there are none", () => {
  expect(toolsText([])).toBe("");
  expect(toolsText([{ name: "a" }, { name: "b" }])).toBe('<tools>\n{"name":"a"}\n{"name":"b"}\n</tools>');
});
