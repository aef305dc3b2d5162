import { REGISTERED } from "../../../src/domains/registered.ts";
import { describe, expect, it } from "vitest";
import type { BacktestHit, BacktestReport, SkillBacktest } from "../../../src/analysis/backtest.ts";
import { recordedFindings } from "../../../src/analysis/trigger-rules.ts";
import type { GroupWorth } from "../../../src/model/worth.ts";
import type { PfEvent } from "../../../src/model/intervention.ts";
import { drawQuestions } from "../../../src/analysis/worth/separation.ts";
import { groupWorth } from "../../../src/analysis/worth/group-worth.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { placesIn } from "../../../src/skill/skill-places.ts";

const EPISODES = 10;
const STEPS = 2;

const NO_WORTH = groupWorth([], () => true, drawQuestions(0));

function hit(episode: number, t: number, status: PfEvent["status"] = "applied"): BacktestHit {
  const at = { run: "r", index: episode, episodeId: `${episode}`, outcome: "wrong", t } as const;
  return { ...at, status, reason: "", diverged: false };
}

const everywhere = (status?: PfEvent["status"]): BacktestHit[] =>
  Array.from({ length: EPISODES * STEPS }, (_, i) => hit(Math.floor(i / STEPS), i % STEPS, status));

function skill(skillId: string, hits: BacktestHit[], episodes = EPISODES): SkillBacktest {
  const none = { retrieved: 0, fired: 0, applied: 0, steps: 0 };
  const counts = { wrong: { ...none, retrieved: episodes }, correct: none, halted: none, unjudged: none };
  return { skillId, counts, stepsAsked: episodes * STEPS, divergedSteps: 0, errors: 0, hits };
}

function report(...skills: SkillBacktest[]): BacktestReport {
  const none = { correct: 0, wrong: 0, halted: 0, unjudged: 0 };
  const group = { skillIds: skills.map(({ skillId }) => skillId), fired: none, applied: none };
  const selections = { recorded: 0, "by code": 0, "every PF": 0 };
  const numbers = { notSeparating: [], foreign: [], leftOut: 0, selections, evaluations: 0 };
  return { skills, episodes: none, library: group, modifiers: group, worth: NO_WORTH, ...numbers };
}

function folder(skillId: string) {
  const text = `---\nname: ${skillId}\ndescription: d\nmetadata:\n  hasp:\n    skill_id: ${skillId}\n---\n`;
  const { value } = parseSkill(text, { file: "SKILL.md", folder: skillId }, REGISTERED);
  if (value === undefined) throw new Error("no skill");
  const pfSource = "class Pf {\n  shouldActivate() {}\n}\n";
  return { folder: `skills/${skillId}`, skill: value, pfSource, places: placesIn(text, value) };
}

const told = (...skills: SkillBacktest[]): string[] =>
  recordedFindings(report(...skills), [folder("a"), folder("b")]).map(
    ({ diagnostic: { severity, code, file, range }, about }) =>
      `${severity} ${code} ${file}:${range.start.line + 1}:${range.start.character + 1} about ${about.join(" ")}`,
  );

describe("What recorded episodes say about a trigger", () => {
  it("that never fires, at its method", () =>
    expect(told(skill("a", []))).toEqual(["hint HASP313 skills/a/pf.ts:2:3 about skills/a"]));

  it("that fires on every step", () =>
    expect(told(skill("a", everywhere("noop")))).toEqual(["hint HASP314 skills/a/pf.ts:2:3 about skills/a"]));

  it("nothing of one that fires on all steps but one, however many proposals the others had", () =>
    expect(told(skill("a", [...everywhere("noop").slice(1), hit(3, 0, "noop"), hit(3, 0, "noop")]))).toEqual(
      [],
    ));

  it("nothing on few episodes, where it failed, or where its skill was not asked at all", () => {
    expect(told(skill("a", [], EPISODES - 1))).toEqual([]);
    expect(told({ ...skill("a", []), errors: 1 })).toEqual([]);
    expect(told(skill("a", [], 0))).toEqual([]);
  });
});

describe("What recorded episodes say about the worth of changes", () => {
  /** 6 changes helped in wrong episodes, 4 harmed in right ones; above a random trigger by `value`, ± 0.1. */
  function worth(value: number, harmed = 4): GroupWorth {
    const { counts } = NO_WORTH;
    const aboveRandom = { low: value - 0.1, high: value + 0.1 };
    const zero = { low: 0, high: 0 };
    const changes = 6 + harmed;
    const episodes = { wrong: { episodes: 20, helped: 6 }, right: { episodes: 20, harmed } };
    const intervals = changes < 10 ? undefined : { value: zero, aboveRandom, helped: zero, harmed: zero };
    const all = { value: 0.1, random: 0.1 - value, aboveRandom: value, changes, intervals, ...episodes };
    return {
      ...NO_WORTH,
      counts: {
        ...counts,
        wrong: { ...counts.wrong, answer: { ...counts.wrong.answer, could_help: 6 } },
        correct: { ...counts.correct, answer: { ...counts.correct.answer, harmed } },
        halted: { ...counts.halted, answer: { ...counts.halted.answer, could_help: 1 } },
      },
      separation: { ...NO_WORTH.separation, all },
    };
  }
  const changing = (of: GroupWorth): SkillBacktest => ({ ...skill("a", [hit(0, 0)]), worth: of });

  it("that are not shown to be worth more than those of a random trigger: at its method, with the numbers", () => {
    const one = changing(worth(0.02));
    expect(told(one)).toEqual(["hint HASP315 skills/a/pf.ts:2:3 about skills/a"]);
    const [found] = recordedFindings(report(one), [folder("a")]);
    expect(found?.diagnostic.message).toContain(
      "(could help 7, harmed 4; above a random trigger +2.0% (95%: −8.0% to +12.0%))",
    );
    expect(found?.diagnostic.next).toContain("`hasp backtest`");
  });

  it("nothing of changes that are worth more, nor of few", () => {
    expect(told(changing(worth(0.2)))).toEqual([]);
    expect(told(changing(worth(0.02, 3)))).toEqual([]);
  });
});

describe("What recorded episodes say about two skills", () => {
  const [one, two, three] = [hit(0, 0), hit(1, 0), hit(2, 1)];

  it("of which the first modifies wherever the second wants to: on both", () =>
    expect(
      told(
        skill("a", [one, two, three, hit(4, 0)]),
        skill(
          "b",
          [one, two, three].map((each) => ({ ...each, status: "overridden" })),
        ),
      ),
    ).toEqual([
      "information HASP409 skills/a/SKILL.md:6:15 about skills/a skills/b",
      "information HASP409 skills/b/SKILL.md:6:15 about skills/a skills/b",
    ]));

  it("with the worth of the first changes at these steps, which are those of the first", () => {
    const worth = (value: "could_help" | "harmed") => ({ kind: "answer", value, why: "" }) as const;
    const first = [{ ...one, worth: worth("harmed") }, { ...two, worth: worth("harmed") }, three];
    const elsewhere = { ...hit(4, 0), worth: worth("could_help") };
    const over = [one, two, three].map((each) => ({ ...each, status: "overridden" }) as const);
    const both = [skill("a", [...first, elsewhere]), skill("b", over)];
    const found = recordedFindings(report(...both), [folder("a"), folder("b")]);
    expect(found.map(({ diagnostic }) => diagnostic.message.split(": ").slice(1).join(": "))).toEqual([
      "that one never gets its way. Worth of the first changes there, by a: harmed 2.",
      "it never gets its way. Worth of the first changes there, by a: harmed 2.",
    ]);
  });

  it("nothing where the second has a step of its own, or too few to tell", () => {
    expect(told(skill("a", [one, two, three]), skill("b", [one, two, three, hit(5, 0)]))).toEqual([]);
    expect(told(skill("a", [one, two]), skill("b", [one, two]))).toEqual([]);
  });
});
