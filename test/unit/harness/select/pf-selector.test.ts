import { describe, expect, it } from "vitest";
import { NO_PF_LISTS } from "../../../../src/domains/domain.ts";
import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import { selectPfs } from "../../../../src/harness/select/pf-selector.ts";
import { rankSkills } from "../../../../src/harness/select/skill-selector.ts";
import type { TeacherClient } from "../../../../src/harness/teacher.ts";
import { librarySkill } from "../../../support/episodes.ts";
import { noTeacher, teacherSaying } from "../../../support/teacher.ts";

const { mandatory, light } = webSearch.pfLists;
const IDS = [
  ...mandatory,
  ...light,
  "answer_completeness",
  "decompose_complex_question",
  "multi_hop_reasoning_failure",
  "wrong_entity_confusion",
  ...Array.from({ length: 8 }, (_, i) => `other_${i}`),
];
const skills = IDS.map((id) => librarySkill(id).skill);
const CHAIN = "Who was the mother of the author of the novel that Mary wrote?";

const select = (question: string, teacher: TeacherClient = noTeacher, control = {}) =>
  selectPfs({
    question,
    ranked: rankSkills(skills, "web-search", question),
    lists: webSearch.pfLists,
    control: { pfTopK: 10, pinnedSkills: [], ...control },
    teacher,
  });

describe("the PFs of a question without a teacher", () => {
  it("are all of them, whatever the question and pf_top_k, and the decision says so", async () => {
    for (const question of ["What is 17 * 23?", "Who painted Guernica?", CHAIN]) {
      const { chosen, decision } = await select(question, noTeacher, { pfTopK: 2 });
      expect([...chosen].toSorted()).toEqual(IDS.toSorted());
      expect(decision).toMatchObject({ by: "settings", leftOut: [] });
      expect(decision.reason).toContain("every Program Function is asked");
    }
  });
});

describe("a library without some that the domain's groups name", () => {
  const [first = "", ...absent] = mandatory;
  const fewer = IDS.filter((id) => !absent.includes(id) && !light.includes(id));
  const selectOf = (question: string, teacher: TeacherClient) =>
    selectPfs({
      question,
      ranked: rankSkills(
        fewer.map((id) => librarySkill(id).skill),
        "web-search",
        question,
      ),
      lists: webSearch.pfLists,
      control: { pfTopK: 4, pinnedSkills: [] },
      teacher,
    });

  it("is selected from as if they had never been named", async () => {
    expect((await selectOf(CHAIN, noTeacher)).chosen).toEqual(new Set(fewer));
    for (const question of ["What is 17 * 23?", "Who painted Guernica?"]) {
      const { chosen, decision } = await selectOf(question, teacherSaying({}));
      expect([...chosen]).toEqual([first]);
      expect(JSON.stringify(decision)).not.toMatch(new RegExp([...absent, ...light].join("|")));
    }
    const chain = await selectOf(CHAIN, teacherSaying({}));
    expect(chain.chosen.size).toBe(4);
    expect(fewer).toEqual(expect.arrayContaining([...chain.chosen]));
  });

  it("leaves a teacher as many places more", async () => {
    const named = ["other_1", "other_2", "other_3", "other_4"];
    const teacher = teacherSaying({ pf_selector: JSON.stringify({ skills: named, reason: "they fit" }) });
    const { chosen, decision } = await selectOf(CHAIN, teacher);
    expect([...chosen]).toEqual([first, ...named.slice(0, 3)]);
    expect(decision.reason).toBe("they fit");
  });
});

/** A teacher that answers nothing. */
const failing = teacherSaying({});

describe("the PFs of a question, by code where the teacher fails", () => {
  it("are the mandatory three for a computation", async () => {
    const { chosen, decision } = await select("What is 17 * 23?", failing);
    expect([...chosen]).toEqual(mandatory);
    expect(decision).toMatchObject({ by: "code", reason: expect.stringContaining("computation") });
  });

  it("are four light ones more for a simple question", async () => {
    expect([...(await select("Who painted Guernica?", failing)).chosen]).toEqual([...mandatory, ...light]);
  });

  it("are safe, decomposing and entity-aware for a chain, then by relevance, up to pf_top_k", async () => {
    const { chosen, decision } = await select(CHAIN, failing);
    expect(chosen.size).toBe(10);
    expect([...chosen]).toEqual(
      expect.arrayContaining([...mandatory, "decompose_complex_question", "wrong_entity_confusion"]),
    );
    expect(decision.leftOut).toHaveLength(IDS.length - 10);
  });

  it("hold what the person pinned, whatever the branch and the number", async () => {
    const pinned = await select("What is 1 + 1?", failing, {
      pinnedSkills: ["other_7", "not_there"],
      pfTopK: 2,
    });
    expect([...pinned.chosen]).toEqual([...mandatory, "other_7"]);
  });

  it("pass over what a list names and the library lacks", async () => {
    const few = await selectPfs({
      question: CHAIN,
      ranked: rankSkills([librarySkill("mine").skill], "web-search", CHAIN),
      lists: webSearch.pfLists,
      control: { pfTopK: 10, pinnedSkills: [] },
      teacher: failing,
    });
    expect([...few.chosen]).toEqual(["mine"]);
  });
});

describe("the PFs of a question, by the teacher", () => {
  it("are those it names, after the mandatory ones, which it is not asked about", async () => {
    const asked: { site: string; prompt: string }[] = [];
    const reply = 'Here you are: {"skills": ["other_3", "other_1", "other_3"], "reason": "fits"}';
    const { chosen, decision } = await select(CHAIN, teacherSaying({ pf_selector: reply }, asked));
    expect([...chosen]).toEqual([...mandatory, "other_3", "other_1"]);
    expect(decision).toMatchObject({ by: "teacher", calls: [{ site: "pf_selector" }] });
    expect(asked[0]?.prompt).toContain("- other_3: ");
    expect(asked[0]?.prompt).not.toContain(`- ${mandatory[0]}: `);
  });

  it("are cut where it ranks everything, and unknown ids are told", async () => {
    const reply = JSON.stringify({ skills: [...IDS, "no_such_skill", 7] });
    const { chosen, decision } = await select(CHAIN, teacherSaying({ pf_selector: reply }));
    expect(chosen.size).toBe(10);
    expect(decision.reason).toContain("no_such_skill");
  });

  it.each(["They all look useful.", '{"skills": "other_1"}', "[]", '{"skills": ["other_1"'])(
    "are chosen by code where it says %j",
    async (reply) => {
      const { chosen, decision } = await select(CHAIN, teacherSaying({ pf_selector: reply }));
      expect(decision).toMatchObject({
        by: "code",
        reason: expect.stringContaining("holds no list of skills"),
      });
      expect(chosen).toEqual((await select(CHAIN, failing)).chosen);
    },
  );

  it("are chosen by code where it gives back the form, as a small model does", async () => {
    const reply = JSON.stringify({ skills: IDS, reason: "a few words" });
    const { chosen, decision } = await select(CHAIN, teacherSaying({ pf_selector: reply }));
    expect(decision).toMatchObject({ by: "code", reason: expect.stringContaining("repeats its prompt") });
    expect(chosen).toEqual((await select(CHAIN, failing)).chosen);
  });
});

it("takes the most relevant where the domain has no groups, whatever the question", async () => {
  const question = "Who painted Guernica?";
  const ranked = rankSkills(skills, "agent", question);
  const control = { pfTopK: 2, pinnedSkills: [] };
  const { chosen } = await selectPfs({ question, ranked, lists: NO_PF_LISTS, control, teacher: failing });
  expect([...chosen]).toEqual(ranked.slice(0, 2).map(({ skill }) => skill.skillId));
});
