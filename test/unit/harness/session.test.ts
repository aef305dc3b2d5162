import { describe, expect, it } from "vitest";
import { SETTING_CONTROL, SETTINGS, type Control, type Setting } from "../../../src/model/control.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { ChatModel } from "../../../src/llm/chat-model.ts";
import type { PfHost } from "../../../src/sandbox/pf-host.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { final, hostOf, injects, librarySkill, play, search, skips } from "../../support/episodes.ts";

const QUESTION = "Who was the mother of the author of the novel that Mary wrote?";

/** Says something fitting at each site, by what the prompts ask for. */
function teacher(asked: string[] = []): ChatModel {
  return scriptedModel((request) => {
    const prompt = request.messages.at(-1)?.content ?? "";
    const site = /Rate how hard/.test(prompt)
      ? "gate"
      : prompt.startsWith("Helpers can watch")
        ? "selector"
        : /Check one thing/.test(prompt)
          ? "handler"
          : /another round/.test(prompt)
            ? "retry"
            : "format";
    asked.push(site);
    const replies = {
      gate: '{"difficulty": 4, "reason": "chained"}',
      selector: '{"skills": ["inject_one", "vote_code", "vote_llm"], "reason": "all fit"}',
      handler: '{"override": true, "query": "mother of Mary author", "reason": "no source"}',
      retry: '{"retry": false, "advice": ""}',
      format: "Jane",
    };
    return replies[site];
  });
}

const library = [
  librarySkill("inject_one", {
    phases: { post_search: { conditions: [], priorityBoost: 0, text: "Read before you answer." } },
  }),
  librarySkill("vote_code", { handler: { kind: "code" } }),
  librarySkill("vote_llm", { handler: { kind: "llm", question: "Is it grounded?" } }),
];

/** `vote_code` votes against every FINAL; `inject_one` gives a hint on every search. Only PFs that are asked answer. */
function host(): PfHost {
  const judging = hostOf((question) =>
    question.proposed.type === "FINAL" ? [skips("vote_code")] : [injects("inject_one", "A hint.")],
  );
  return {
    ...judging,
    step: async (states, question, ask) =>
      (await judging.step(states, question, ask)).filter(({ skillId }) => states.has(skillId)),
    votes: async (ids) => ids.map((skillId) => ({ skillId, kind: "against", reason: "no source" })),
  };
}

const script = [search("Mary novel author"), final("Jane, I think"), final("Jane, I think")];

async function under(setting: Setting, more: Partial<Control> = {}, model?: ChatModel): Promise<Episode> {
  const control: Partial<Control> = {
    enableDifficultyGating: true,
    enableRetry: true,
    enableAnswerFormatting: true,
    pinnedSkills: [],
    pfTopK: 10,
    handlerVoteThreshold: 0,
    ...SETTING_CONTROL[setting],
    ...more,
  };
  return play({
    question: QUESTION,
    script,
    library,
    host: host(),
    control,
    teacher: model ?? teacher(),
    gold: ["Jane"],
  });
}

const parts = ({ decisions }: Episode) => (decisions ?? []).map(({ part, by }) => `${part} ${by}`);

describe("an episode in full", () => {
  it("records each decision of the harness with its reason, and each teacher call with its site and usage", async () => {
    const episode = await under("full");
    expect(parts(episode)).toEqual([
      "switches settings",
      "difficulty_gate teacher",
      "skill_selector code",
      "pf_selector teacher",
      "observation_selector code",
      "handler_vote teacher",
      "observation_selector code",
      "handler_vote settings",
      "retry teacher",
      "answer_format teacher",
    ]);
    expect(episode.decisions?.every(({ reason }) => reason.length > 5)).toBe(true);
    const calls = (episode.decisions ?? []).flatMap(({ calls: made }) => made ?? []);
    expect(calls.map(({ site }) => site)).toEqual([
      "difficulty_gate",
      "pf_selector",
      "handler.vote_llm",
      "retry",
      "answer_format",
    ]);
    expect(calls.every(({ usage }) => usage !== undefined && usage.latencyMs !== undefined)).toBe(true);
  });

  it("turns a voted-down FINAL into the search, once, and gives the answer in the form asked for", async () => {
    const episode = await under("full");
    expect(episode.steps.map(({ executed }) => executed)).toEqual([
      { type: "SEARCH", arg: "Mary novel author" },
      { type: "SEARCH", arg: "mother of Mary author" },
      { type: "FINAL", arg: "Jane, I think" },
    ]);
    expect(episode).toMatchObject({ answer: "Jane", outcome: "correct", stopReason: "final" });
  });

  it("shows the phase instruction after a search whose results came without a context, and records it with the step", async () => {
    const episode = await under("full");
    expect(episode.steps.map(({ instructions }) => instructions?.map(({ text }) => text))).toEqual([
      undefined,
      undefined,
      ["Read before you answer."],
    ]);
  });
});

describe("the five settings (SPEC §5)", () => {
  const surfaces = async (setting: Setting) => {
    const asked: string[] = [];
    const episode = await under(setting, {}, teacher(asked));
    return {
      asked: [...new Set(asked)].toSorted(),
      pfs: episode.steps.some(({ events }) => events.length > 0),
      votes: (episode.decisions ?? []).some(({ votes }) => votes !== undefined),
      text: episode.steps.some(({ instructions }) => instructions !== undefined),
      summaries: (episode.decisions ?? []).some(({ part }) => part === "skill_selector"),
    };
  };

  it("differ in what acts, exactly", async () => {
    const found = Object.fromEntries(
      await Promise.all(SETTINGS.map(async (s) => [s, await surfaces(s)] as const)),
    );
    expect(found).toEqual({
      full: {
        asked: ["format", "gate", "handler", "retry", "selector"],
        pfs: true,
        votes: true,
        text: true,
        summaries: true,
      },
      "pf-only": { asked: [], pfs: true, votes: true, text: true, summaries: true },
      "teacher-only": { asked: ["format", "retry"], pfs: false, votes: false, text: false, summaries: false },
      "prompt-only": { asked: [], pfs: false, votes: false, text: true, summaries: true },
      "ra-agent": { asked: [], pfs: false, votes: false, text: false, summaries: false },
    });
  });

  it("pf-only skips the teacher-assisted handler", async () => {
    const episode = await under("pf-only");
    const votes = episode.decisions?.find((one) => one.votes !== undefined)?.votes;
    expect(votes).toMatchObject([{ skillId: "vote_code", override: true }]);
  });
});

describe("switches", () => {
  it("below the difficulty threshold nothing of the skills acts", async () => {
    const episode = await under("full", { difficultyThreshold: 5 });
    expect(parts(episode).slice(0, 2)).toEqual(["switches settings", "difficulty_gate teacher"]);
    expect(episode.steps.every(({ events, instructions }) => events.length === 0 && !instructions)).toBe(
      true,
    );
  });

  it("leave out skills that a prompt could replace", async () => {
    const control = { enablePromptOnlySkills: false, enableDifficultyGating: false };
    const promptOnly = library.map((one) => ({ ...one, promptOnly: one.skill.skillId === "inject_one" }));
    const episode = await play({ script, library: promptOnly, host: host(), control });
    expect(episode.decisions?.find(({ part }) => part === "pf_selector")?.chosen).not.toContain("inject_one");
    expect(episode.decisions?.[0]?.reason).toContain("a prompt could replace");
  });

  it("a site that is off takes its code path; a group switches all of its sites off", async () => {
    const asked: string[] = [];
    await under("full", { teacherSitesOff: ["handler", "pf_selector"] }, teacher(asked));
    expect(new Set(asked)).toEqual(new Set(["gate", "retry", "format"]));
  });
});

describe("another round", () => {
  const saying = (retry: string): ChatModel =>
    scriptedModel(({ messages }) =>
      (messages.at(-1)?.content ?? "").includes("another round") ? retry : "",
    );
  const again = '{"retry": true, "advice": "Look for her by name."}';

  it("goes on after an answer that the teacher rejects, and the policy reads why", async () => {
    const said = [search("a b"), final("unknown"), search("c d"), final("Jane")];
    const control = { enableRetry: true };
    const episode = await play({ script: said, control, gold: ["Jane"], teacher: saying(again) });
    expect(episode.steps.map(({ executed }) => executed.type)).toEqual([
      "SEARCH",
      "FINAL",
      "SEARCH",
      "FINAL",
    ]);
    expect(episode.steps[1]?.observation).toContain("was not taken");
    expect(episode).toMatchObject({ answer: "Jane", outcome: "correct" });
  });

  it("is none without a teacher: the answer is taken as it is", async () => {
    const said = [search("a b"), final("unknown"), search("c d"), final("Jane")];
    const episode = await play({ script: said, control: { enableRetry: true }, gold: ["Jane"] });
    expect(episode).toMatchObject({ answer: "unknown", length: 2 });
    expect(episode.decisions?.map(({ part }) => part)).not.toContain("retry");
  });

  it("keeps the first answer where no other comes", async () => {
    const control = { enableRetry: true };
    const episode = await play({
      script: [final("unknown")],
      control,
      gold: ["Jane"],
      teacher: saying(again),
    });
    expect(episode).toMatchObject({ answer: "unknown", outcome: "wrong", stopReason: "policy_ended" });
  });
});
