import { afterAll, expect, test } from "vitest";
import { caseOfStep, verdictsOnStep } from "../../../src/app/step-verdicts.ts";
import { episodesIn, openCore, readFolders, SAMPLE_RUN } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";
import { judgingWith } from "./support.ts";

const core = openCore();
const { judging, open } = judgingWith(core);
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

test("each skill says what it decides on the step, also one that is switched off; the step becomes a case", async () => {
  const episode = (await episodesIn(SAMPLE_RUN)).find(({ id }) => id === "walton-plain");
  if (episode === undefined) throw new Error("no episode");
  const names = ["insufficient-exploration", "retrieval-failure"].map((name) => paperSkill(name));
  const skills = await readFolders(core.compiler, ...names);
  const step = { episode, t: 3 };
  const off = skills.map((one) => ({ ...one, isDisabled: true }));
  const verdicts = await verdictsOnStep(step, off, judging);
  expect(open()).toBe(0);
  const fires = verdicts.get("insufficient_exploration");
  expect(fires).toMatchObject({ fires: true, memory: {}, expect: { fires: true, type: "MODIFY_ACTION" } });
  expect(fires?.words).toMatch(/^fires → MODIFY_ACTION/);
  expect(verdicts.get("retrieval_failure")).toMatchObject({ fires: false, words: "does not fire" });
  const made = caseOfStep("walton", step, {}, { fires: true });
  expect(made).toMatchObject({ name: "walton", proposed: episode.steps[3]?.proposals[0]?.action });
  expect(() => caseOfStep("walton", { episode, t: 99 }, {}, { fires: true })).toThrow(RangeError);
});
