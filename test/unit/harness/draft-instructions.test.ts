import { describe, expect, it } from "vitest";
import type { Policy, PolicyInput } from "../../../src/harness/policy.ts";
import { scriptedPolicy, type ScriptedStep } from "../../../src/harness/scripted-policy.ts";
import { SETTING_CONTROL, type Control } from "../../../src/model/control.ts";
import type { Proposal } from "../../../src/model/episode.ts";
import type { PfHost } from "../../../src/sandbox/pf-host.ts";
import { final, hostOf, injects, librarySkill, play, search } from "../../support/episodes.ts";

/** A skill that asks for every case of an argument by cases, and one that asks for a check of any answer. */
const library = [
  librarySkill("case_incompleteness", {
    phases: {
      pre_final: { conditions: ["has_case_analysis"], priorityBoost: 0, text: "Does a case lack?" },
    },
  }),
  librarySkill("plain", {
    phases: { pre_final: { conditions: [], priorityBoost: 0, text: "Check the answer." } },
  }),
];

/** A Program Function that holds back every FINAL. */
const host = () =>
  hostOf(({ proposed }) => (proposed.type === "FINAL" ? [injects("case_incompleteness", "Two cases.")] : []));

const by = (thought: string, action = final("4")): Proposal => ({ thought, action });

async function watch(
  script: readonly ScriptedStep[],
  maxSteps: number,
  { control, pfs = host() }: { readonly control?: Partial<Control>; readonly pfs?: PfHost } = {},
) {
  const inputs: PolicyInput[] = [];
  const inner = scriptedPolicy("scripted", () => script);
  const policy: Policy = {
    id: "watching",
    propose: async (input, signal) => (inputs.push(input), inner.propose(input, signal)),
  };
  const episode = await play({ policy, library, host: pfs, control: { maxSteps, ...control } });
  return { episode, inputs };
}

describe("pre_final instructions on the draft of an answer", () => {
  it.each([
    ["a single step", 1, []],
    ["many steps", 12, [by("", search("x"))]],
  ])("are read with the context that holds it back, in an episode of %s", async (_, maxSteps, before) => {
    const script = [...before, by("Case 1: x is even. Case 2: x is odd."), by("Both are covered.")];
    const { episode, inputs } = await watch(script, maxSteps);
    const last = episode.steps.at(-1);
    expect(last?.instructions).toContainEqual({
      skillId: "case_incompleteness",
      phase: "pre_final",
      text: "Does a case lack?",
      proposal: 1,
    });
    const prompt = inputs.at(-1)?.messages.at(-1)?.content ?? "";
    expect(prompt).toContain("Two cases.");
    expect(prompt).toContain("Does a case lack?");
    // Before the answer was proposed nothing said that it argues by cases.
    for (const { instructions = [] } of inputs.slice(0, -1))
      expect(instructions).not.toContain("Does a case lack?");
    expect(episode.decisions?.filter(({ part }) => part === "step_selector").at(-1)).toMatchObject({
      t: before.length,
      chosen: expect.arrayContaining(["case_incompleteness"]) as string[],
    });
    expect(episode).toMatchObject({ answer: "4", stopReason: "final" });
  });

  it("leave the message to the context that holds it back, where they do not look at the draft", async () => {
    const script = [by("", search("x")), by("It is four."), by("Sure.")];
    const last = async (control?: Partial<Control>): Promise<string> => {
      const { inputs } = await watch(script, 12, control === undefined ? {} : { control });
      return inputs.at(-1)?.messages.at(-1)?.content ?? "";
    };
    expect(await last()).toContain("Two cases.");
    expect(await last()).not.toContain("Check the answer.");
    expect(await last({ maxPhaseInstructions: 2 })).toContain("Check the answer.");
  });

  it("are not read where their conditions do not hold on the draft, and none is read twice", async () => {
    const { episode, inputs } = await watch([by("A case of wine."), by("Sure.")], 1);
    expect(inputs.at(0)?.instructions).toEqual(["Check the answer."]);
    expect(inputs.at(1)?.instructions).toEqual([]);
    expect(episode.steps[0]?.instructions?.map(({ text }) => text)).toEqual(["Check the answer."]);
  });

  it("are read before the proposal in the setting of text alone, where nothing holds an answer back", async () => {
    const { inputs } = await watch([by("Case 1: x.")], 1, {
      control: SETTING_CONTROL["prompt-only"],
      pfs: hostOf(),
    });
    expect(inputs).toHaveLength(1);
    expect(inputs[0]?.instructions).toEqual(
      expect.arrayContaining(["Does a case lack?", "Check the answer."]),
    );
  });
});
