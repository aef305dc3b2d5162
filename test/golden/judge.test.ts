import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import { episodesIn, ROOT, SAMPLE_RUN } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import {
  loopbackModel,
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
  type LoopbackOptions,
} from "../support/loopback-model.ts";

/**
 * `hasp judge` as a person runs it, on the sample run: 11 of its 12 episodes have an answer, and 6 of those match exactly. Two of the
 * others share half of their words with an accepted answer.
 */
const [ANSWERED, EXACT, HALF] = [11, 6, 2];

const models: LoopbackModel[] = [];
const scenes: HookScene[] = [];
afterEach(async () => {
  for (const model of models.splice(0)) await model.close();
});
afterAll(() => {
  for (const scene of scenes) scene.close();
});

function sceneWithRun(name: string): HookScene {
  const scene = openScene(name);
  scenes.push(scene);
  cpSync(path.join(ROOT, SAMPLE_RUN), scene.at("run"), { recursive: true });
  return scene;
}

async function serving(
  behave: (call: LoopbackCall) => Behaviour,
  options: LoopbackOptions = {},
): Promise<LoopbackModel> {
  const model = await loopbackModel(behave, options);
  models.push(model);
  return model;
}

const judgesOf = (episodes: readonly Episode[]) =>
  episodes.flatMap(({ verdicts = [] }) => verdicts.map(({ judge }) => judge));
const outcomesOf = (episodes: readonly Episode[]) => episodes.map(({ outcome }) => outcome);
const rowsOf = (out: string): Record<string, number> => {
  const { inputs } = JSON.parse(out) as { inputs: { rows: { outcome: string; answers: number }[] }[] };
  return Object.fromEntries((inputs[0]?.rows ?? []).map(({ outcome, answers }) => [outcome, answers]));
};

describe("hasp judge", () => {
  it("adds the verdicts of another judge once, by which runs are then scored and compared", async () => {
    const scene = sceneWithRun("judge-f1");
    const before = await episodesIn(scene.at("run"));
    const judged = await scene.hasp("judge", "run", "--judge", "f1");
    expect(judged).toMatchObject({ code: 0, err: "" });
    expect(judged.out).toContain(`f1>=0.5: ${ANSWERED} verdicts added, ${EXACT + HALF} of them right`);
    expect(judged.out).toContain(`right by the first alone 0, by this one alone ${HALF}`);
    const after = await episodesIn(scene.at("run"));
    expect(outcomesOf(after)).toEqual(outcomesOf(before));
    expect(judgesOf(after)).toEqual(Array.from({ length: ANSWERED }, () => "f1>=0.5"));
    const bytes = readFileSync(scene.at("run/episodes.jsonl"), "utf8");
    expect((await scene.hasp("judge", "run", "--judge", "f1")).out).toContain("0 verdicts added");
    expect(readFileSync(scene.at("run/episodes.jsonl"), "utf8")).toBe(bytes);

    expect(rowsOf((await scene.hasp("score", "run", "--json")).out)).toMatchObject({ correct: EXACT });
    const score = await scene.hasp("score", "run", "--by", "f1", "--json");
    expect(rowsOf(score.out)).toEqual({ correct: EXACT + HALF, wrong: 3, halted: 1, all: 12 });
    expect((await scene.hasp("score", "run", "--by", "f1")).out).toContain("run, outcomes by f1>=0.5");

    cpSync(path.join(ROOT, SAMPLE_RUN), scene.at("other"), { recursive: true });
    const lacking = await scene.hasp("compare", "run", "other", "--by", "f1>=0.5");
    expect(lacking.code).toBe(2);
    expect(lacking.err).toContain('has no verdict of "f1>=0.5".');
    await scene.hasp("judge", "other", "--judge", "f1:0.8");
    const strict = await scene.hasp("compare", "run", "other", "--by", "f1:0.8");
    expect(strict.err).toMatch(/has no verdict of "f1:0\.8"\.\s+→ It has those of f1>=0\.5\./);
    await scene.hasp("judge", "other", "--judge", "f1");
    const both = await scene.hasp("compare", "run", "other", "--by", "f1");
    expect(both.out).toContain("right and wrong by the verdicts of f1>=0.5");
    const quick = await scene.hasp("compare", "run", "other", "--by", "f1", "--quick", "--json");
    expect(JSON.parse(quick.out)).toMatchObject({ by: "f1>=0.5", verdicts: { won: 0, lost: 0 } });
    const unclear = await scene.hasp("score", "other", "--by", "0.");
    expect(unclear.err).toContain('"0." may be f1>=0.5, f1>=0.8.');
  });

  it("asks a model about what does not match exactly, and nobody again", async () => {
    const scene = sceneWithRun("judge-model");
    const model = await serving(() => ({ kind: "text", text: '{"equivalent": true}' }));
    const asked = ["judge", "run", "--judge", `${model.url}#loopback`];
    const judged = await scene.hasp(...asked);
    expect(judged.out).toContain(`${ANSWERED} verdicts added, ${ANSWERED} of them right`);
    expect(model.calls).toHaveLength(ANSWERED - EXACT);
    const again = await scene.hasp(...asked);
    expect(again.out).toContain("0 verdicts added");
    expect(model.calls).toHaveLength(ANSWERED - EXACT);
    expect((await scene.hasp(...asked, "--again")).out).toContain(`${ANSWERED} verdicts added`);
    expect(judgesOf(await episodesIn(scene.at("run")))).toHaveLength(2 * ANSWERED);
    // A part of its name is enough.
    expect(rowsOf((await scene.hasp("score", "run", "--by", "loopback", "--json")).out)).toEqual({
      correct: ANSWERED,
      halted: 1,
      all: 12,
    });
  });

  it("judges as the domain does where no judge is named, drafts too", async () => {
    const scene = sceneWithRun("judge-domain");
    const judged = await scene.hasp("judge", "run");
    expect(judged).toMatchObject({ code: 0, err: "" });
    expect(judged.out).toContain(`exact_match: ${ANSWERED} verdicts added, ${EXACT} of them right`);
    expect(judged.out).toMatch(/drafts: \d+ verdicts added, \d+ of them right/);
    const after = await episodesIn(scene.at("run"));
    const drafts = after.flatMap(({ steps }) =>
      steps.flatMap(({ proposals }) => proposals.filter(({ action }) => action.type === "FINAL")),
    );
    expect(drafts.map(({ verdicts }) => verdicts?.length)).toEqual(drafts.map(() => 1));
  });

  it("says the cost before a model is asked, with drafts only on request", async () => {
    const scene = sceneWithRun("judge-cost");
    const model = await serving(({ index }) =>
      index < ANSWERED - EXACT
        ? { kind: "text", text: '{"equivalent": true}' }
        : { kind: "status", status: 401 },
    );
    const asked = ["judge", "run", "--judge", `${model.url}#loopback`, "--price", "100/200"];
    const { out } = await scene.hasp(...asked);
    const cost =
      /^11 answers to judge: 5 calls, about [\d,]+ tokens in and at most 1,280 out, at most about \$0\.\d\d$/m;
    expect(out).toMatch(cost);
    expect(out).toMatch(
      /^--drafts would judge 1 draft more: 1 call, about \d+ tokens in and at most 256 out, /m,
    );
    expect(out.search(cost)).toBeLessThan(out.indexOf("verdicts added"));
    // The endpoint refuses this call: the cost was said before.
    const refused = await scene.hasp(...asked, "--drafts");
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(/^0 answers and 1 draft to judge: 1 call, /m);
    expect(refused.out).toContain("the judge failed or could not be asked: 1.");
    expect(model.calls).toHaveLength(ANSWERED - EXACT + 1);
  });

  it("keeps what came before it was stopped, and goes on from there", async () => {
    const scene = sceneWithRun("judge-stopped");
    let second = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (second = resolve));
    const model = await serving(
      ({ index }) => (index === 1 ? { kind: "stall" } : { kind: "text", text: '{"equivalent": false}' }),
      { onEvent: (event, { index }) => event === "begin" && index === 1 && second() },
    );
    const asked = ["judge", "run", "--judge", `${model.url}#loopback`, "--concurrency", "1"];
    const { child, ended } = scene.start([path.join(ROOT, "dist/hasp.cjs"), ...asked], "");
    await arrived;
    child.kill("SIGINT");
    const { out, code } = await ended;
    expect(out).toContain("Interrupted: the verdicts so far are kept, and the same command goes on.");
    expect(code).not.toBe(0);
    const kept = judgesOf(await episodesIn(scene.at("run"))).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(ANSWERED);
    const rest = await scene.hasp(...asked);
    expect(rest).toMatchObject({ code: 0, err: "" });
    expect(rest.out).toContain(`${ANSWERED - kept} verdicts added`);
    expect(judgesOf(await episodesIn(scene.at("run")))).toHaveLength(ANSWERED);
  });
});
