import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { correctionOf } from "../../src/analysis/signals/evidence.ts";
import type { Episode, Step } from "../../src/model/episode.ts";
import type { StepSignals } from "../../src/model/signals.ts";
import type { SignalsReport, StepPlace } from "../../src/model/signals-report.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { openMessages } from "../../src/trace/message-reader.ts";
import { PAPER } from "../support/shipped.ts";
import {
  DATA,
  episodesOf,
  firstOfEach,
  HOTPOT,
  ROLLOUT_BUDGETS,
  writeQuestions,
} from "../support/redrive.ts";
import { openTrainScene, placeOf, rowsOf, type Built, type Row } from "../support/train-data.ts";

/** Layers 1 and 2 (SPEC §8) over real trajectories that are driven again with the shipped library. */
const scene = openTrainScene("train-redriven");
afterAll(() => scene.close());

const QUESTIONS = 50;
const SOURCES = [
  ["fireact", "trajectories/fireact-hotpotqa-even.jsonl"],
  ["reflexion", "trajectories/reflexion-hotpotqa.jsonl"],
] as const;

interface Signals {
  readonly report: SignalsReport;
  readonly steps: readonly (StepPlace & StepSignals & { readonly measured: boolean })[];
}

const FLOOR = 0.25;
const key = (episode: string, t: number): string => `${episode}:${t + 1}`;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

describe.skipIf(!existsSync(path.join(DATA, SOURCES[0][1]))).each(SOURCES)(
  "hasp train-data on episodes of %s (skipped without ../shared/data)",
  (name, file) => {
    const run = `${name}-run`;
    let built: Built;
    let signals: Signals;
    let sft: readonly Row[];
    let dpo: readonly Row[];
    let prompts: readonly Row[];
    let steps: readonly Row[];
    let recorded: ReadonlyMap<string, Step>;
    let episodes: readonly Episode[];

    async function hasp(...args: readonly string[]): Promise<string> {
      const { code, out, err } = await scene.hasp(...args);
      if (code !== 0) throw new Error(`hasp ${args[0]} ended with ${code}: ${err}`);
      return out;
    }

    beforeAll(async () => {
      await hasp("import", "--from", name, path.join(DATA, file), "-o", name);
      const all = [...firstOfEach(episodesOf(scene.at(name)))];
      writeQuestions(scene.at(`${name}.jsonl`), new Map(all.slice(-QUESTIONS)));
      const asked = ["--questions", `${name}.jsonl`, "--corpus", HOTPOT, "--policy", `recorded:${name}`];
      const skills = ["--skills", ...PAPER.map((folder) => path.resolve(folder)), "--setting", "pf-only"];
      await hasp("run", ...asked, ...skills, ...ROLLOUT_BUDGETS, "-o", run);
      built = await scene.build([run, "-o", name + "-data"]);
      signals = JSON.parse(await hasp("signals", run, "--json")) as Signals;
      const rows = (of: string): readonly Row[] => rowsOf(scene.at(`${name}-data/${of}.jsonl`));
      [sft, dpo, prompts, steps] = [rows("a-sft"), rows("a-dpo"), rows("a-prompt"), rows("steps")];
      episodes = episodesOf(scene.at(run));
      recorded = new Map(
        episodes.flatMap(({ id, steps: all }) => all.map((step) => [key(id, step.t), step])),
      );
    }, 120_000);

    it("accounts for every step: a row or a reason", () => {
      expect(episodes).toHaveLength(QUESTIONS);
      expect(steps.map(placeOf)).toEqual([...recorded.keys()]);
      expect(sft.length).toBeGreaterThan(0);
      const kept = steps.filter(({ dropped }) => dropped === "");
      expect(kept.map(placeOf)).toEqual(sft.map(placeOf));
      const [card] = built.cards;
      expect(card?.rows).toBe(sft.length);
      expect(sft.length + sum(card?.dropped.map((one) => one.steps) ?? [])).toBe(steps.length);
      expect(sum(card?.sources.map((one) => one.steps) ?? [])).toBe(steps.length);
      expect(prompts.map(placeOf)).toEqual(sft.map(placeOf));
      expect(prompts.map(({ prompt }) => prompt)).toEqual(sft.map(({ prompt }) => prompt));
    });

    it("agrees with hasp signals on steps, rewards and those over the floor", () => {
      const { all, behindDivergence, modified } = signals.report;
      const { scored } = built.cards[0] ?? {};
      expect(scored?.steps).toBe(all.steps);
      expect(scored?.overFloor).toBe(all.overFloor);
      expect(scored?.reward).toBeCloseTo(all.reward, 9);
      expect(all.steps + behindDivergence).toBe(steps.length);
      const behind = steps.filter(({ dropped }) => dropped === "behind_divergence");
      expect(behind).toHaveLength(behindDivergence);
      const measured = signals.steps.filter((one) => one.measured);
      const rewards = new Map(measured.map(({ episode, t, reward }) => [key(episode, t), reward]));
      for (const row of sft) {
        expect(row.sample_weight).toBeCloseTo(rewards.get(placeOf(row)) ?? NaN, 5);
        expect(row.sample_weight).toBeGreaterThanOrEqual(FLOOR);
      }
      const under = steps.filter(({ dropped }) => dropped === "under_floor");
      for (const row of under) expect(rewards.get(placeOf(row))).toBeLessThan(FLOOR);
      expect(measured.filter((one) => one.correction === "modified")).toHaveLength(modified);
      const other = steps.filter(
        ({ dropped = "" }) => !["", "under_floor", "behind_divergence"].includes(dropped),
      );
      expect(sft.length + under.length + other.length).toBe(measured.length);
    });

    it.each([0, 0.1, 0.4])("makes rows of all steps over a floor of %d", async (floor) => {
      const folder = `${name}-floor-${floor}`;
      await scene.build([run, "-o", folder, "--floor", String(floor)]);
      const others = new Set(
        steps.filter(({ dropped = "" }) => !["", "under_floor"].includes(dropped)).map(placeOf),
      );
      const expected = steps.filter((row) => !others.has(placeOf(row)) && (row.reward ?? -1) >= floor);
      expect(rowsOf(scene.at(folder, "a-sft.jsonl")).map(placeOf)).toEqual(expected.map(placeOf));
    });

    it("pairs the modified steps of its rows, as the cards count them", () => {
      const modified = sft.filter((row) => correctionOf(recorded.get(placeOf(row))!) === "modified");
      expect(modified.length).toBeGreaterThan(0);
      expect(dpo.map(placeOf)).toEqual(modified.map(placeOf));
      const [card, dpoCard] = built.cards;
      const byCorrection = new Map(card?.byCorrection.map(({ name: of, rows }) => [of, rows]));
      expect(byCorrection.get("modified")).toBe(dpo.length);
      expect(sum([...byCorrection.values()])).toBe(sft.length);
      expect(dpoCard?.rows).toBe(dpo.length);
      expect(sum(dpoCard?.dropped.map((one) => one.steps) ?? [])).toBe(steps.length - dpo.length);
    });

    it("takes every text from the record: the prompt as it was read, the completion as it was written", async () => {
      const messages = await openMessages(nodeFiles(), scene.at(run));
      for (const row of sft) {
        const { proposals, executed } = recorded.get(placeOf(row))!;
        const read = await messages.upTo(proposals[0]?.messages ?? "");
        expect(row.prompt).toEqual(read?.map(({ role, content }) => ({ role, content })));
        const text = row.completion?.[0]?.content ?? "";
        expect(row.completion).toEqual([{ role: "assistant", content: text }]);
        if (row.correction === "modified") expect(text).toContain(`${executed.type}[${executed.arg}]`);
        else expect(text).toBe(proposals.at(-1)?.completion?.text);
      }
      for (const { chosen, rejected, ...row } of dpo) {
        expect(chosen).toEqual(sft.find((one) => placeOf(one) === placeOf(row))?.completion);
        const proposed = recorded.get(placeOf(row))?.proposals[0]?.completion?.text;
        expect(rejected).toEqual([{ role: "assistant", content: proposed }]);
      }
    });
  },
);
