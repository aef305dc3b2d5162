import { afterAll, expect, test } from "vitest";
import { explainSkill, type ExplainOrder } from "../../../src/app/explain.ts";
import { foreignDomain } from "../../../src/domains/registry.ts";
import { episodesIn, openCore, readFolders, SAMPLE_RUN } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";
import { judgingWith } from "./support.ts";

const core = openCore();
const { judging, open } = judgingWith(core);
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function orderOf(change: Partial<ExplainOrder> = {}): Promise<ExplainOrder> {
  const skills = await readFolders(core.compiler, paperSkill("insufficient-exploration"));
  const episode = (await episodesIn(SAMPLE_RUN)).find(({ id }) => id === "walton-plain");
  if (episode === undefined) throw new Error("no episode");
  return { skills, skill: "insufficient_exploration", episode, t: 3, ...change };
}

test.each(["insufficient_exploration", "insufficient-exploration"])(
  "explains a step by %s",
  async (skill) => {
    const { value } = await explainSkill(await orderOf({ skill }), judging);
    expect(value).toMatchObject({ event: { skillId: "insufficient_exploration", status: "applied" } });
    expect(value?.explanation?.activated).toBe(true);
    expect(open()).toBe(0);
  },
);

test("an episode of an unregistered domain is explained as one of agent, with the notice", async () => {
  const order = await orderOf();
  const skills = order.skills.map((folder) => ({
    ...folder,
    folder: "skills/agent/insufficient-exploration",
  }));
  const episode = { ...order.episode, facts: { ...order.episode.facts, domain: "cookery" } };
  const { value } = await explainSkill({ ...order, skills, episode }, judging);
  expect(value?.notice).toBe(foreignDomain("cookery"));
  expect((await explainSkill(order, judging)).value?.notice).toBeUndefined();
});

test("each step is its own, also after a step with two proposals", async () => {
  const order = await orderOf();
  const [first, ...rest] = order.episode.steps;
  if (first === undefined) throw new Error("no step");
  const twice = { ...first, proposals: [...first.proposals, ...first.proposals] };
  const episode = { ...order.episode, steps: [twice, ...rest] };
  for (const t of rest.map((_, i) => i + 1)) {
    const { value } = await explainSkill({ ...order, episode, t }, judging);
    expect(value?.proposed).toEqual(episode.steps[t]?.proposals[0]?.action);
  }
});

test.each<[string, Partial<ExplainOrder>, RegExp]>([
  ["a skill that is not there", { skill: "nobody" }, /No skill here is called nobody\. Loaded: insuff/],
  [
    "a step that is not there",
    { t: 99 },
    /There is no step 100\. Steps are counted from 1; this episode has/,
  ],
  ["a library without skills", { skills: [] }, /Loaded: none/],
])("%s is a diagnostic that says what to do", async (_, change, says) => {
  const { value, diagnostics } = await explainSkill(await orderOf(change), judging);
  expect(value).toBeUndefined();
  const last = diagnostics.at(-1);
  expect(`${last?.message} ${last?.next}`).toMatch(says);
});

test("a skill of another domain does not act in the episode", async () => {
  const skills = await readFolders(core.compiler, "skills/coding-agent");
  const skill = skills.find(({ pfSource }) => pfSource !== undefined)?.skill?.skillId ?? "";
  const { diagnostics } = await explainSkill(await orderOf({ skills, skill }), judging);
  expect(diagnostics.at(-1)?.message).toContain("is of another domain");
});
