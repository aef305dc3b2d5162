import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextPrompts, contextsOf, contextSkills } from "../../../src/dataset/context-rows.ts";
import { codingAgentPrompt } from "../../../src/domains/coding-agent/prompt.ts";
import type { PromptSeen } from "../../../src/domains/domain.ts";
import { webSearchPrompt } from "../../../src/domains/web-search/prompt.ts";
import type { ChatMessage } from "../../../src/llm/chat-model.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { final, hostOf, injects, librarySkill, play, search, skips } from "../../support/episodes.ts";

/** Texts that look like the frame of a prompt as well: what an observation or a context quotes must not mislead. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc
    .array(
      fc.constantFrom(
        "<note>\n",
        "\n</note>",
        "Hint: ",
        "The question is still: ",
        "Observation: ",
        "Answer: ",
        "\n\n",
        "Keep in mind now:\n- ",
        "Step 2 of 9.",
        "x",
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((parts) => parts.join("")),
);
const context = text.map((words) => `C ${words}`);
const texts = fc.uniqueArray(context, { maxLength: 2 });

/** One step: an answer that is held back first, where `held` is not empty; a search; contexts before it and after it. */
const step = fc.record({ held: texts, before: texts, after: texts, observation: text });
type Plan = readonly {
  readonly held: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly observation: string;
}[];

const SKILLS = ["one", "two"];

/** What the policy reads, by step and proposal, in an episode of this plan; the contexts read with the observation of `silent` do not come. */
async function played(plan: Plan, silent?: number): Promise<[Episode, Map<string, readonly ChatMessage[]>]> {
  const read = new Map<string, readonly ChatMessage[]>();
  let observed = 0;
  const host = {
    ...hostOf(),
    step: async (
      states: Parameters<ReturnType<typeof hostOf>["step"]>[0],
      { context: { stepCount }, proposed, pass }: Parameters<ReturnType<typeof hostOf>["step"]>[1],
    ) => {
      // After the action the context counts its step.
      const t = pass === "post" ? stepCount - 1 : stepCount;
      const { held = [], before = [], after = [] } = plan[t] ?? {};
      const said = proposed.type === "FINAL" ? held : t === silent ? [] : pass === "post" ? after : before;
      return [...states.keys()].map((id, i) => {
        const words = said[i];
        return words === undefined ? skips(id) : injects(id, words);
      });
    },
  };
  const episode = await play({
    script: [
      ...plan.map(({ held }) => (held.length > 0 ? [final("a"), search("b")] : search("b"))),
      final("end"),
    ],
    host,
    library: SKILLS.map((id) => librarySkill(id)),
    environment: {
      actionTypes: ["SEARCH", "READ", "FINAL"],
      searchReturnsText: false,
      execute: async () => ({ observation: plan[observed++]?.observation ?? "" }),
    },
    conversation: {
      read: (messages) => {
        read.set(String(read.size), messages);
        return String(read.size - 1);
      },
    },
  });
  return [episode, read];
}

describe("the prompt without contexts", () => {
  it("knows the reason of an action that the settings put in the place of another", async () => {
    const [episode] = await played([{ held: [], before: ["C x"], after: [], observation: "o" }]);
    const reason = "No READ here.";
    const searched = { part: "snippet_mode", t: 0, by: "settings", reason, value: "b" } as const;
    const [, second] = episode.steps;
    const contexts = second && contextsOf({ ...episode, decisions: [searched] }, second);
    expect(contexts?.observed).toMatchObject({ because: reason, injected: ["C x"] });
  });

  it("is what the harness gives its policy where the contexts do not come", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (plan) => {
        const [episode, read] = await played(plan);
        for (const one of episode.steps) {
          const contexts = contextsOf(episode, one);
          const both = [one.proposals[0], one.proposals.at(-1)].map((at) => read.get(at?.messages ?? ""));
          const found = contextPrompts(contexts, [both[0], both[1]], webSearchPrompt);
          const [quiet, readThere] = await played(plan, one.t - 1);
          const wanted = readThere.get(quiet.steps[one.t]?.proposals[0]?.messages ?? "");
          expect(found).toEqual({ prompt: wanted, privileged: both[1] });
          // Each text that came in here, and no other: in the order in which it was read.
          const before = plan[one.t - 1];
          const texts = [...(before?.before ?? []), ...(before?.after ?? [])].filter(
            (words, i, all) => all.indexOf(words) === i && !(before?.held ?? []).includes(words),
          );
          // Those of one pass stand in ascending priority.
          const isBefore = (words: string): boolean => (before?.before ?? []).includes(words);
          const came = [
            ...texts.filter(isBefore).toReversed(),
            ...texts.filter((words) => !isBefore(words)).toReversed(),
          ];
          const held = (plan[one.t]?.held ?? []).toReversed();
          expect(contexts.all.map((given) => given.text)).toEqual([...came, ...held]);
        }
      }),
      { numRuns: 60 },
    );
  });

  const proposal = fc.record({
    thought: text,
    action: fc.record({ type: fc.constantFrom("SEARCH", "Bash", "invalid"), arg: text }),
  });
  const action = fc.record({ type: fc.constantFrom("SEARCH", "Bash", "REFUSE"), arg: text });
  const asked = { t: fc.nat(8), instructions: texts };
  const lastStep = fc.record({
    ...asked,
    kind: fc.constant("step" as const),
    proposal,
    executed: action,
    observation: fc.oneof(text, fc.constant("long ".repeat(4000))),
    injected: texts,
  });
  const earlier: fc.Arbitrary<PromptSeen> = fc.oneof(
    lastStep,
    fc.record({ ...asked, kind: fc.constant("held-back" as const), proposal, injected: texts }),
    fc.record({ ...asked, kind: fc.constant("next-round" as const), proposal, note: text }),
  );

  it.each([
    ["web-search", webSearchPrompt],
    ["coding-agent", codingAgentPrompt],
  ])("is in %s what the prompt says of a step without contexts", (_, prompt) => {
    fc.assert(
      fc.property(
        fc.record({ seen: fc.array(earlier, { maxLength: 3 }), last: lastStep, reminders: texts }),
        fc.integer({ min: 0, max: 8 }),
        ({ seen, last, reminders }, t) => {
          const input = { question: "Who?", t, maxSteps: 9, instructions: reminders };
          const read = prompt.messages({ ...input, seen: [...seen, last] });
          const bare = prompt.messages({ ...input, seen: [...seen, { ...last, injected: [] }] });
          expect(prompt.withoutContexts(read, last)).toEqual(bare);
          const other = { ...last, observation: `${last.observation}!` };
          if (last.observation.length < 100 && last.executed.type !== "REFUSE")
            expect(prompt.withoutContexts(read, { ...other, injected: ["never read"] })).toBeUndefined();
        },
      ),
    );
  });
});

describe("contexts of a step", () => {
  it("names the skills that gave them, each once", () => {
    expect(contextSkills([])).toEqual([]);
    const given = ["b", "a", "b"].map((skillId, i) => ({ skillId, text: String(i) }));
    expect(contextSkills(given)).toEqual(["b", "a"]);
  });

  it("has no prompts where the record has none", () => {
    const nothing = { observed: undefined, all: [] };
    const one: ChatMessage[] = [{ role: "user", content: "x" }];
    expect(contextPrompts(nothing, [undefined, one], webSearchPrompt)).toBe("no_prompt");
    expect(contextPrompts(nothing, [one, []], webSearchPrompt)).toBe("no_prompt");
    expect(contextPrompts(nothing, [one, one], undefined)).toEqual({ prompt: one, privileged: one });
  });
});
