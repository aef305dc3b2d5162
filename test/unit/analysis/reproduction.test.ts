import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import type { ActiveSkill, Library } from "../../../src/analysis/library.ts";
import { byTurn } from "../../../src/harness/order.ts";
import type { ScriptedStep } from "../../../src/harness/scripted-policy.ts";
import type { LibrarySkill } from "../../../src/harness/select/select.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import {
  DEFAULT_CONTROL,
  KNOBS,
  SETTING_CONTROL,
  SETTINGS,
  type Control,
  type Knob,
} from "../../../src/model/control.ts";
import type { Episode } from "../../../src/model/episode.ts";
import type { PfEvent } from "../../../src/model/intervention.ts";
import type { PfProgram, PfTraits, Skill } from "../../../src/model/skill.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { parseEpisode, serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { final, librarySkill, play, plentiful, read, search } from "../../support/episodes.ts";
import { PF_POOL } from "../../support/pf-pool.ts";

const host = createPfHost(createSandbox(threadCpuNow));
const traits = new Map<string, PfTraits>();
beforeAll(async () => {
  for (const pf of await host.load(PF_POOL)) if (pf.ok) traits.set(pf.skillId, pf.traits);
});
afterAll(() => host.close());

/** A skill of a generated library: a program of the pool, and all that the selection and the vote look at. */
interface Made {
  readonly program: PfProgram;
  readonly promptOnly: boolean;
  readonly more: Partial<Skill>;
}

const made: fc.Arbitrary<Made> = fc.record({
  program: fc.constantFrom(...PF_POOL),
  promptOnly: fc.constantFrom(false, false, false, true),
  more: fc.record({
    priority: fc.constantFrom(0.1, 0.5, 0.9),
    applicableModes: fc.constantFrom(["all"], ["all"], ["web-search"], ["web-search"], ["other"]),
    handler: fc.constantFrom(
      undefined,
      { kind: "code" as const },
      { kind: "llm" as const, question: "Right?" },
    ),
  }),
});

function libraryOf(skills: readonly Made[]): Library {
  const all = skills.map(({ program, promptOnly, more }): LibrarySkill & ActiveSkill => {
    const { skill } = librarySkill(program.skillId, more);
    const own = { ...program, priority: skill.priority };
    const known = traits.get(program.skillId);
    if (known === undefined) throw new Error(`${program.skillId} does not load`);
    return { skill, program: own, promptOnly, traits: known, source: program.code, domain: undefined };
  });
  const inTurn = all.toSorted((a, b) => byTurn(a.program, b.program));
  return { skills: inTurn, active: inTurn, kept: [], diagnostics: [] };
}

function valueOf(knob: Knob): fc.Arbitrary<boolean | number> {
  if (knob.kind === "flag") return fc.boolean();
  const most = Math.min(knob.most, knob.least + 12);
  return knob.whole ? fc.integer({ min: knob.least, max: most }) : fc.constantFrom(knob.least, knob.fallback);
}

/** Every knob within its range, under every setting. The wall time of an episode is no decision. */
const control: fc.Arbitrary<Control> = fc
  .record({
    setting: fc.constantFrom(...SETTINGS),
    values: fc.record(Object.fromEntries(Object.entries(KNOBS).map(([key, knob]) => [key, valueOf(knob)]))),
    // The switches that let PFs act are on more often than off: there is little to reproduce without them.
    open: fc.constantFrom(true, true, true, false),
    contextBudget: fc.constantFrom(0, 6, 20, 160, 900),
    maxSteps: fc.integer({ min: 3, max: 9 }),
    teacherSitesOff: fc.subarray(["pf", "handler", "retry", "pf.always_asks"]),
  })
  .map(({ setting, values, open, ...more }) => ({
    ...DEFAULT_CONTROL,
    ...values,
    ...SETTING_CONTROL[setting],
    ...(open && {
      skillsEnabled: true,
      enableProgramFunctions: true,
      enableTeacher: true,
      pfOnlyMode: false,
      enableDifficultyGating: false,
      maxSearchCalls: 10,
    }),
    ...more,
    timeoutSeconds: 300,
  }));

const answer = fc.constantFrom("Jane Doe", "unknown", "", "enough", "case 1: Jane Doe").map(final);
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a b c d", "e f g", "again 1").map(search) },
  fc.constantFrom("doc_0", "doc_9").map(read),
  fc.constant({ type: "invalid", arg: "", raw: "Let me see." }),
);
/** An agent that looks around and then answers: a second answer of a step comes where the first is held back. */
const script = fc
  .tuple(
    fc.array(action, { maxLength: 5, size: "max" }),
    fc.array(fc.oneof(fc.tuple(answer, fc.oneof(answer, action)), action), { maxLength: 4, size: "max" }),
  )
  .map(([looks, answers]): ScriptedStep[] => [...looks, ...answers]);

/** Answers by the words of the prompt: some replies are of use, some are not, and some calls fail. */
const teacher = fc.option(
  fc.constantFrom(0, 1, 2).map((mood) =>
    scriptedModel(({ messages: [{ content } = { content: "" }] }) => {
      if (content.startsWith("fail")) return { error: "server_error" };
      if (content.includes("Rate how hard")) return `{"difficulty": ${mood + 2}}`;
      if (content.startsWith("Helpers")) return mood === 0 ? '{"skills": ["always_asks"]}' : "none of them";
      if (content.includes("Check one thing")) return `{"override": ${mood === 1}, "query": "two words"}`;
      if (content.includes("another round")) return `{"retry": ${mood === 2}, "advice": "Look again."}`;
      return `${mood}: ${content.split(" ").slice(1, 3).join(" ")}`;
    }, `mood-${mood}`),
  ),
  { nil: undefined },
);

/** Acts by its phase text alone: where answering is all there is to do, it holds a draft back. */
const textAlone: LibrarySkill = {
  ...librarySkill("text_alone", {
    phases: {
      pre_final: { conditions: ["has_case_analysis"], priorityBoost: 0, text: "Look at each case again." },
    },
  }),
  program: undefined,
};

const ENVIRONMENTS = {
  reads: { searchReturnsText: false, actionTypes: plentiful.actionTypes },
  "search returns text": { searchReturnsText: true, actionTypes: ["SEARCH", "FINAL"] },
  "only answers": { searchReturnsText: false, actionTypes: ["FINAL"] },
};

const environment = fc.constantFrom(...Object.values(ENVIRONMENTS)).map((one) => ({
  ...plentiful,
  ...one,
  execute: async ({ type, arg }: { type: string; arg: string }) => ({
    observation: arg.startsWith("e") ? "" : `${type} brought ${arg}`,
  }),
}));

/** As a run writes the episode and a replay reads it. */
function recorded(episode: Episode): Episode {
  const { value } = parseEpisode(serialiseEpisode(episode), "episodes.jsonl", 0);
  if (value === undefined) throw new Error("The episode cannot be read back.");
  return value;
}

/** Judging the record gives the record again, step by step. */
async function expectReproduced(episode: Episode, library: Library): Promise<PfEvent[]> {
  const judged = await judgeRecorded(episode, library, host);
  const steps = judged.map(({ events, executed, injected, diverged }) => ({
    events,
    executed,
    injected,
    diverged,
  }));
  expect(steps).toEqual(
    episode.steps.map(({ events, executed, injected }) => ({ events, executed, injected, diverged: false })),
  );
  return episode.steps.flatMap(({ events }) => events);
}

/** Every answer that was proposed has its verdict where the accepted one is known, and none where it is not. */
function expectDraftsJudged({ steps, gold }: Episode): void {
  const proposals = steps.flatMap((step) => step.proposals);
  for (const { action, verdicts } of proposals) {
    const isJudged = gold !== undefined && action.type === "FINAL";
    expect(verdicts?.map(({ judge }) => judge)).toEqual(isJudged ? ["exact_match"] : undefined);
  }
}

/** A PF that asks about each action, and a teacher that answers in two words. */
function askingPf() {
  const [program] = PF_POOL.filter(({ skillId }) => skillId === "always_asks");
  if (program === undefined) throw new Error("no such PF");
  const library = libraryOf([{ program, promptOnly: false, more: {} }]);
  return { library, model: scriptedModel(() => "two words") };
}

describe("judging an episode with its own library, control and recorded teacher replies", () => {
  it("gives its events and executed actions again", async () => {
    const seen = new Map<string, number>();
    const task = fc.record({
      skills: fc.uniqueArray(made, {
        minLength: 3,
        maxLength: 12,
        size: "max",
        selector: ({ program }) => program.skillId,
      }),
      question: fc.constantFrom(
        "Who was it?",
        "Who was the mother of the author of the novel that Mary wrote?",
      ),
      pins: fc.constantFrom(true, true, false),
      control,
      script,
      teacher,
      environment,
      gold: fc.constantFrom(["Jane Doe"], undefined),
    });
    await fc.assert(
      fc.asyncProperty(task, async ({ skills, pins, teacher: asked, gold, ...played }) => {
        const library = libraryOf(skills);
        const pinnedSkills = pins ? library.active.map(({ skill }) => skill.skillId) : [];
        const episode = await play({
          ...played,
          ...(gold !== undefined && { gold }),
          host,
          library: [...library.skills, textAlone],
          control: { ...played.control, pinnedSkills },
          ...(asked !== undefined && { teacher: asked }),
        });
        expectDraftsJudged(episode);
        // A context that held one back would be in `injected`.
        if (episode.steps.some(({ proposals, injected }) => proposals.length === 2 && injected.length === 0))
          seen.set("held by a text", (seen.get("held by a text") ?? 0) + 1);
        for (const { status, teacherCalls = [] } of await expectReproduced(recorded(episode), library)) {
          seen.set(status, (seen.get(status) ?? 0) + 1);
          seen.set("asked", (seen.get("asked") ?? 0) + teacherCalls.length);
        }
      }),
      { numRuns: 300 },
    );
    // A property over episodes in which nothing happens would hold for any code.
    const all = ["skipped", "limited", "applied", "overridden", "noop", "error", "asked", "held by a text"];
    for (const what of all) expect([what, (seen.get(what) ?? 0) > 0]).toEqual([what, true]);
  });

  it("lets a PF that asks for more tokens than the run allows have its reply", async () => {
    const { library, model } = askingPf();
    const control = { teacherMaxTokens: 1 };
    const episode = await play({
      script: [search("a b c")],
      host,
      library: library.skills,
      teacher: model,
      control,
    });
    expect(model.requests[0]).toMatchObject({ maxTokens: 1 });
    const [event] = await expectReproduced(recorded(episode), library);
    expect(event).toMatchObject({
      status: "applied",
      teacherCalls: [{ maxTokens: 256, reply: "two words" }],
    });
  });

  it("says where a PF asks the teacher something that the record has no reply to", async () => {
    const { library, model } = askingPf();
    const episode = await play({ script: [search("a b c")], host, library: library.skills, teacher: model });
    const [event] = await expectReproduced(recorded(episode), library);
    expect(event).toMatchObject({ status: "applied", intervention: { newActionArg: "two words" } });
    const steps = episode.steps.map((step) => ({ ...step, events: [] }));
    const [judged] = await judgeRecorded({ ...episode, steps }, library, host);
    expect(judged?.events[0]).toMatchObject({
      status: "noop",
      reason: expect.stringContaining("No reply recorded") as string,
    });
  });
});
