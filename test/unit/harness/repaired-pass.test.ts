import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import type { Library } from "../../../src/analysis/library.ts";
import { untakenIn } from "../../../src/harness/branch-prefix.ts";
import type { ScriptedStep } from "../../../src/harness/scripted-policy.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { loadSkills, openCore } from "../../support/core.ts";
import { PAPER } from "../../support/shipped.ts";
import { final, play, search } from "../../support/episodes.ts";

const core = openCore();
let library: Library;
beforeAll(async () => {
  library = await loadSkills(core, ...PAPER);
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
});

const saying = (raw: string): ScriptedStep => ({
  thought: "",
  action: { type: "invalid", arg: raw, raw },
});

const run = (script: readonly ScriptedStep[], control = {}) =>
  play({
    question: "Who founded the museum?",
    script,
    library: library.skills,
    host: core.host,
    control: { enableSkillHandlers: false, ...control },
  });

const told = ({ steps }: Episode, t: number) =>
  (steps[t]?.events ?? []).flatMap(({ skillId, status, pass }) =>
    status === "skipped" ? [] : [[skillId, status, pass]],
  );

async function expectReproduced(episode: Episode): Promise<void> {
  const judged = await judgeRecorded(episode, library, core.host);
  expect(judged.map(({ events, executed, diverged }) => ({ events, executed, diverged }))).toEqual(
    episode.steps.map(({ events, executed }) => ({ events, executed, diverged: false })),
  );
}

describe("an action that a Program Function reads from a reply that is none", () => {
  it("is put before the others, which treat it like an action of the policy", async () => {
    const episode = await run([
      search("museum founder"),
      saying("finish[Alice Walton]"),
      final("Alice Walton"),
    ]);
    expect(told(episode, 1)).toEqual(
      expect.arrayContaining([
        ["format_extraction_error", "applied", undefined],
        ["insufficient_exploration", "applied", "repaired"],
      ]),
    );
    expect(episode.steps[1]?.executed.type).toBe("READ");
    await expectReproduced(episode);
  });

  it("is the answer of the episode where it was replaced and no other comes, in a branch, too", async () => {
    const episode = await run([search("museum founder"), saying("finish[Alice Walton]")]);
    expect(episode.steps[1]?.executed.type).toBe("READ");
    expect(episode).toMatchObject({ stopReason: "policy_ended", answer: "Alice Walton" });
    expect(untakenIn({ steps: episode.steps, finalAction: "FINAL", decisions: [] })).toBe("Alice Walton");
  });

  it("runs as it is where nobody objects", async () => {
    const episode = await run([saying("**Action 1:** Search(museum founder)"), final("x")], { maxSteps: 2 });
    expect(episode.steps[0]?.executed).toEqual({ type: "SEARCH", arg: "museum founder" });
    await expectReproduced(episode);
  });

  it("is found today in a record whose library made nothing of the reply", async () => {
    const bare = await play({ question: "Who?", script: [search("a b"), saying("finish[Sam]")] });
    const [, step] = await judgeRecorded(bare, library, core.host);
    expect(step?.events.filter(({ pass }) => pass === "repaired").map(({ skillId }) => skillId)).toContain(
      "insufficient_exploration",
    );
  });
});
