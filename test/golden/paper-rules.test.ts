import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PAPER, paperSkill } from "../support/shipped.ts";
import {
  act,
  callsIn,
  decisionOf,
  eventsOf,
  executedIn,
  openPaperScene,
  partsIn,
  sitesIn,
} from "../support/paper-runs.ts";

/** The five settings and the budgets (SPEC §4, §5), as `hasp run` gives them to a person. */
const scene = openPaperScene("paper-settings");
afterAll(() => scene.close());

const FOLDERS = PAPER.map((folder) => path.basename(folder));
const textOf = (name: string, file: string): string =>
  readFileSync(path.join(paperSkill(name), file), "utf8");
const idOf = (name: string): string => name.replaceAll("-", "_");

const ALL = FOLDERS.map(idOf).toSorted();
const MANDATORY = ["retrieval_failure", "format_extraction_error", "relevant_content_extractor"];
const LLM_HANDLERS = FOLDERS.filter((name) => textOf(name, "SKILL.md").includes("handler: llm")).map(idOf);
/** Nothing that any of these replies sets off. */
const QUIET = ["--skills", path.resolve(paperSkill("language-barrier"))];

const WALTON = {
  question: "Who ran the first store of Walmart?",
  replies: [act("SEARCH[Walmart first store]"), act("READ[doc_0]"), act("FINAL[Sam Walton]")],
};
/** Ends with an answer as chat models give it, on which nobody without a teacher may work. */
const WORDY = {
  question: WALTON.question,
  replies: [...WALTON.replies.slice(0, 2), act('FINAL[The answer is "X".]')],
};

describe("pf-only", () => {
  it("asks every Program Function and never the teacher that is there", async () => {
    const { episode, teacherRequests } = await scene.run({
      asked: WALTON,
      teacher: { handler: '{"override": true}' },
      args: ["--setting", "pf-only"],
    });
    const { by, chosen = [] } = decisionOf(episode, "pf_selector");
    expect(by).toBe("settings");
    expect(chosen.toSorted()).toEqual(ALL);
    expect(chosen).toHaveLength(26);
    expect(teacherRequests).toBe(0);
    expect(callsIn(episode)).toEqual([]);
    expect(partsIn(episode)).not.toContain("difficulty_gate");
  });

  it("lets handlers of code vote for reasons of their own, and those that are a model's not at all", async () => {
    const { episode } = await scene.run({
      asked: {
        question: "Who designed the Halden Bridge at Varn?",
        replies: [
          act("SEARCH[Halden Bridge]"),
          act("SEARCH[engineers of Varn]"),
          act("READ[doc_0]"),
          act("SEARCH[Norwegian women who built]"),
          act("READ[doc_0]"),
          act("FINAL[Ida Moen]"),
        ],
      },
      passages: {
        "Halden Bridge": "The Halden Bridge at Varn was designed by Ida Moen, an engineer.",
        "Ida Moen": "Ida Moen was one of the Norwegian women who built bridges, like that at Varn.",
      },
      args: ["--setting", "pf-only"],
    });
    const { votes = [], calls } = decisionOf(episode, "handler_vote");
    const against = votes.filter(({ override }) => override);
    expect(against).toMatchObject([
      { skillId: "dead_end_search", reason: expect.stringMatching(/3 searches for one answer/) as string },
    ]);
    expect(LLM_HANDLERS).toHaveLength(8);
    expect(votes.filter(({ skillId }) => LLM_HANDLERS.includes(skillId))).toEqual([]);
    expect(calls).toBeUndefined();
  });
});

describe("full without a teacher", () => {
  it("asks every Program Function, says why, and decides nothing that is the teacher's", async () => {
    const { episode } = await scene.run({ asked: WALTON });
    const { reason, chosen = [] } = decisionOf(episode, "pf_selector");
    expect(chosen.toSorted()).toEqual(ALL);
    expect(reason).toContain("No teacher selects");
    for (const part of ["difficulty_gate", "retry", "answer_format"])
      expect(partsIn(episode)).not.toContain(part);
  });

  it("takes the blanks around an answer and nothing else", async () => {
    const blanks = scene.skill(
      "blank-answer",
      `import { modifyAction, ProgramFunction, type ActionType, type StepContext } from "hasp";
export default class BlankAnswer extends ProgramFunction {
  shouldActivate(_ctx: StepContext, type: ActionType): boolean {
    return type === "FINAL";
  }
  intervene(_ctx: StepContext, _type: ActionType, arg: string) {
    return modifyAction({ arg: "  " + arg + "  ", reason: "a test" });
  }
}
`,
    );
    const { episode } = await scene.run({ asked: WORDY, args: ["--skills", blanks] });
    expect(executedIn(episode).at(-1)).toBe('FINAL[  The answer is "X".  ]');
    expect(episode.answer).toBe('The answer is "X".');
  });
});

describe("full with a teacher", () => {
  it("asks the teacher's ten at most, the mandatory three among them", async () => {
    const wanted = ALL.filter((id) => !MANDATORY.includes(id)).slice(0, 12);
    const { episode } = await scene.run({
      asked: WALTON,
      teacher: {
        difficulty_gate: '{"difficulty": 3, "reason": "two facts"}',
        pf_selector: JSON.stringify({ skills: wanted, reason: "they fit" }),
      },
    });
    expect(decisionOf(episode, "difficulty_gate")).toMatchObject({ by: "teacher", value: 3 });
    const { by, chosen = [] } = decisionOf(episode, "pf_selector");
    expect(by).toBe("teacher");
    expect(chosen.toSorted()).toEqual([...MANDATORY, ...wanted.slice(0, 7)].toSorted());
    const asked = new Set(episode.steps.flatMap(({ events }) => events.map(({ skillId }) => skillId)));
    expect([...asked].toSorted()).toEqual(chosen.toSorted());
  });

  it("asks the handlers that are a model's of selected skills alone", async () => {
    const { episode } = await scene.run({
      asked: WALTON,
      teacher: {
        difficulty_gate: '{"difficulty": 3}',
        pf_selector: '{"skills": ["citation_mismatch", "temporal_confusion"], "reason": "two"}',
        handler: '{"override": false, "reason": "fine"}',
      },
    });
    const { votes = [] } = decisionOf(episode, "handler_vote");
    const byModel = votes.map(({ skillId }) => skillId).filter((id) => LLM_HANDLERS.includes(id));
    expect(byModel.toSorted()).toEqual(["citation_mismatch", "temporal_confusion"]);
    expect(
      sitesIn(episode)
        .filter((site) => site.startsWith("handler."))
        .toSorted(),
    ).toEqual(["handler.citation_mismatch", "handler.temporal_confusion"]);
  });

  it.each([
    ["says prose", "I would take most of them.", /no list of skills/],
    ["fails", { kind: "status", status: 400, message: "no" } as const, /./],
  ])("selects by code where the teacher %s", async (_what, pfSelector, because) => {
    const { episode } = await scene.run({
      asked: WALTON,
      teacher: { difficulty_gate: '{"difficulty": 3}', pf_selector: pfSelector },
    });
    const { by, reason, chosen = [] } = decisionOf(episode, "pf_selector");
    expect(by).toBe("code");
    expect(reason).toMatch(because);
    expect(reason).toContain("by code: ");
    expect(chosen.length).toBeLessThanOrEqual(10);
    expect(chosen).toEqual(expect.arrayContaining(MANDATORY));
  });

  it("gives an easy question no skills", async () => {
    const { episode } = await scene.run({
      asked: { ...WALTON, replies: [act("SEARCH[Walmart]"), act("FINAL[Sam Walton]")] },
      teacher: { difficulty_gate: '{"difficulty": 1, "reason": "one lookup"}' },
    });
    expect(decisionOf(episode, "difficulty_gate")).toMatchObject({ by: "teacher", value: 1 });
    expect(episode.steps.flatMap(({ events }) => events)).toEqual([]);
    expect(executedIn(episode)).toEqual(["SEARCH[Walmart]", "FINAL[Sam Walton]"]);
  });
});

describe("teacher-only", () => {
  it("asks the teacher about the answer and nothing else", async () => {
    const { episode, teacherRequests } = await scene.run({
      asked: WORDY,
      teacher: { retry: '{"retry": false}', answer_format: "X" },
      args: ["--setting", "teacher-only"],
    });
    expect(sitesIn(episode).toSorted()).toEqual(["answer_format", "retry"]);
    expect(teacherRequests).toBe(2);
    expect(episode.answer).toBe("X");
    expect(episode.steps.flatMap(({ events }) => events)).toEqual([]);
  });
});

/** The one constant text that each prompt-equivalent Program Function injects, as its source has it. */
function fixedTextOf(name: string): string | undefined {
  const [, source] = /const (?:HINT|WARNING) =([^]+?);\n/.exec(textOf(name, "pf.ts")) ?? [];
  return source
    ?.match(/"(?:[^"\\]|\\.)*"/g)
    ?.map((part) => JSON.parse(part) as string)
    .join("");
}

describe("prompt-only", () => {
  const chain = "Who was the mother of the author of the novel about Victor Frankenstein?";
  const run = () =>
    scene.run({
      asked: {
        question: chain,
        replies: [
          act("SEARCH[Frankenstein novel author]"),
          act("READ[doc_0]"),
          act("SEARCH[author Frankenstein novel]"),
          act("FINAL[Mary Wollstonecraft]"),
        ],
      },
      passages: { Frankenstein: "Frankenstein is a novel by the author Mary Shelley." },
      args: ["--setting", "prompt-only"],
    });

  it("tells the policy the summary of every skill and the texts of those that a prompt could replace", async () => {
    const prompt = await (await run()).prompt(0);
    for (const name of FOLDERS) {
      const [, summary = ""] = /^ *system_summary: (.+)$/m.exec(textOf(name, "SKILL.md")) ?? [];
      expect(summary, name).not.toBe("");
      expect(prompt).toContain(`- ${summary}\n`);
    }
    const texts = FOLDERS.flatMap((name) => fixedTextOf(name) ?? []);
    expect(texts).toHaveLength(10);
    for (const text of texts) expect(prompt).toContain(`- ${text}`);
  });

  it("shows every instruction whose conditions hold, and decides nothing else", async () => {
    const { episode } = await run();
    const shown = episode.steps[3]?.instructions ?? [];
    const afterSearch = shown.filter(({ phase }) => phase === "post_search").map(({ skillId }) => skillId);
    expect(afterSearch.toSorted()).toEqual([
      "dead_end_search",
      "iterative_refinement",
      "multi_hop_reasoning_failure",
      "repeated_action",
      "wrong_entity_confusion",
    ]);
    expect(new Set(partsIn(episode))).toEqual(
      new Set(["switches", "skill_selector", "observation_selector", "step_selector"]),
    );
  });
});

describe("ra-agent", () => {
  it("takes every action and the answer as they were proposed", async () => {
    const { episode } = await scene.run({ asked: WORDY, args: ["--setting", "ra-agent"] });
    expect(partsIn(episode)).toEqual(["switches"]);
    expect(executedIn(episode)).toEqual([
      "SEARCH[Walmart first store]",
      "READ[doc_0]",
      'FINAL[The answer is "X".]',
    ]);
    expect(episode.answer).toBe('The answer is "X".');
    expect(episode.steps.flatMap(({ events, instructions = [] }) => [...events, ...instructions])).toEqual(
      [],
    );
  });
});

describe("a spent budget", () => {
  it("makes a step of one more search, tells the policy that it is spent, and ends nothing", async () => {
    const { episode, prompt } = await scene.run({
      asked: {
        question: WALTON.question,
        replies: [act("SEARCH[Walmart]"), act("SEARCH[Rogers]"), act("FINAL[Sam Walton]")],
      },
      args: [...QUIET, "--max-search-calls", "1"],
    });
    const [, second] = episode.steps;
    expect(second).toMatchObject({
      executed: { type: "SEARCH", arg: "Rogers" },
      notRun: "max_search_calls",
      observation: expect.stringMatching(/^This SEARCH did not run: .* used 1 of 1\./) as string,
    });
    expect(await prompt(0)).toContain("\nAt most 12 steps, 1 search, 10 reads.\n");
    expect(await prompt(2)).toContain(`\nObservation: ${second?.observation}`);
    expect(episode).toMatchObject({ answer: "Sam Walton", stopReason: "final" });
  });

  it("leaves a Program Function that turns to it uncharged", async () => {
    const turn = scene.skill(
      "turn-once",
      `import { modifyAction, ProgramFunction, type ActionType, type StepContext } from "hasp";
export default class TurnOnce extends ProgramFunction {
  override maxFires = 1;
  shouldActivate(_ctx: StepContext, type: ActionType): boolean {
    return type !== "SEARCH";
  }
  intervene(_ctx: StepContext, type: ActionType) {
    return modifyAction({ type: type === "READ" ? "SEARCH" : "READ", arg: "doc_0", reason: "a test" });
  }
}
`,
    );
    const { episode } = await scene.run({
      asked: WALTON,
      args: ["--skills", turn, "--max-search-calls", "1"],
    });
    expect(executedIn(episode)).toEqual([
      "SEARCH[Walmart first store]",
      "READ[doc_0]",
      "READ[doc_0]",
      "FINAL[Sam Walton]",
    ]);
    expect(eventsOf(episode, "turn_once")).toMatchObject([
      { status: "skipped" },
      { status: "limited", reason: expect.stringContaining("no SEARCH is left") as string },
      { status: "applied" },
      { status: "limited", reason: expect.stringContaining("maxFires") as string },
    ]);
  });

  it("of the published rollouts lets a policy that searches four times answer in its fifth step", async () => {
    const searches = ["Walmart first store", "Sam Walton", "Rogers shop", "who ran it"];
    const { episode } = await scene.run({
      asked: {
        question: WALTON.question,
        replies: [...searches.map((query) => act(`SEARCH[${query}]`)), act("FINAL[Sam Walton]")],
      },
      args: ["--setting", "pf-only", "--max-steps", "5", "--max-search-calls", "3"],
    });
    expect(episode).toMatchObject({ answer: "Sam Walton", stopReason: "final", length: 5 });
    expect(episode.steps.map(({ notRun }) => notRun)).toEqual([
      undefined,
      undefined,
      undefined,
      "max_search_calls",
      undefined,
    ]);
  });
});
