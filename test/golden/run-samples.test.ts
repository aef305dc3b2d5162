import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEpisode } from "../../src/trace/episode-file.ts";
import { episodeFingerprint } from "../../src/trace/fingerprint.ts";
import { hashText } from "../../src/trace/hash.ts";
import { openMessages } from "../../src/trace/message-reader.ts";
import { messageIds } from "../../src/trace/message-copy.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import type { Episode } from "../../src/model/episode.ts";
import { ROOT } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { loopbackModel, type LoopbackCall, type LoopbackModel } from "../support/loopback-model.ts";

/** `hasp run --samples 4` as a person runs it: a process, a model server, a kill, shards. */
const QUESTIONS = 30;
const SAMPLES = 4;
const SHARDS = 3;
const MINUTES = 180_000;

const scenes: HookScene[] = [];
let model: LoopbackModel;
/** Hears of each call that the model has received. */
let onCall = (): void => undefined;

/** Resolves after so many more calls. */
function calls(count: number): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    onCall = () => {
      left -= 1;
      if (left === 0) resolve();
    };
  });
}

/** A model at temperature 0.8 that honours `seed`: what it says depends on that and on how far it is. */
function sampled({ request }: LoopbackCall): string {
  const { messages, seed, temperature } = request as LoopbackCall["request"] & { readonly seed?: number };
  const drawn = Number.parseInt(hashText(`${temperature} ${seed} ${messages.length}`).slice(-6), 16);
  if (messages.length > 8 || drawn % 3 === 0) return `Thought: ${drawn}\nAction: FINAL[answer ${drawn % 2}]`;
  return `Thought: ${drawn}\nAction: ${drawn % 3 === 1 ? `SEARCH[river number ${drawn % 50}]` : "READ[doc_0]"}`;
}

function sceneWithQuestions(name: string): HookScene {
  const scene = openScene(name);
  scenes.push(scene);
  const rows = Array.from({ length: QUESTIONS }, (_, i) => ({
    id: `q${i}`,
    question: `Which river is number ${i}?`,
    gold: ["answer 1"],
  }));
  writeFileSync(scene.at("questions.jsonl"), `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
  return scene;
}

const runArgs = (output: string, ...more: string[]): string[] => [
  "run",
  "--questions",
  "questions.jsonl",
  "--corpus",
  path.join(ROOT, "samples/corpus/passages.jsonl"),
  "--policy",
  `${model.url}#loopback`,
  "--no-skills",
  "--samples",
  String(SAMPLES),
  "--temperature",
  "0.8",
  "--top-p",
  "0.9",
  "--seed",
  "5",
  "--concurrency",
  "8",
  "-o",
  output,
  ...more,
];

function episodesOf(scene: HookScene, run: string): Episode[] {
  const lines = readFileSync(scene.at(run, "episodes.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line, i) => {
    const { value } = parseEpisode(line, run, i);
    if (value === undefined) throw new Error(`${run} has a line that is no episode`);
    return value;
  });
}

const results = (episodes: readonly Episode[]) =>
  new Map(
    episodes
      .map((episode) => [episode.id, episodeFingerprint({ ...episode, settings: {} })] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Every sample once, and everything that its policy read. */
async function expectWhole(scene: HookScene, run: string): Promise<void> {
  const episodes = episodesOf(scene, run);
  expect(episodes).toHaveLength(QUESTIONS * SAMPLES);
  expect(new Set(episodes.map(({ questionId, sample }) => `${questionId}#${sample}`)).size).toBe(
    QUESTIONS * SAMPLES,
  );
  const messages = await openMessages(nodeFiles(), scene.at(run));
  for (const episode of episodes)
    for (const id of messageIds(episode)) expect(await messages.upTo(id)).toBeDefined();
}

let straight: Episode[];
beforeAll(async () => {
  model = await loopbackModel((call) => ({ kind: "text", text: sampled(call) }), {
    onEvent: (event) => event === "begin" && onCall(),
  });
  const scene = sceneWithQuestions("samples-straight");
  const ran = await scene.hasp(...runArgs("run"));
  expect(ran).toMatchObject({ err: "" });
  expect(ran.out).toContain(`${QUESTIONS * SAMPLES} episodes`);
  expect(ran.out).toMatch(/best of 4[^]*pass@1 \d+\.\d % \(\d+\.\d–\d+\.\d\), pass@4/);
  straight = episodesOf(scene, "run");
  await expectWhole(scene, "run");
}, MINUTES);
afterAll(async () => {
  await model.close();
  for (const scene of scenes) scene.close();
});

describe("four samples of each question", () => {
  it("differ from each other, each with a seed and the sampling of its own", () => {
    const own = straight.filter(({ questionId }) => questionId === "q7");
    expect(own.map(({ id }) => id).toSorted()).toEqual(["q7#1", "q7#2", "q7#3", "q7#4"]);
    expect(new Set(own.map(({ settings }) => settings?.sampling?.seed)).size).toBe(4);
    expect(own[0]?.settings?.sampling).toMatchObject({ temperature: 0.8, topP: 0.9 });
    const ways = straight.map(({ steps }) => JSON.stringify(steps.map(({ executed }) => executed)));
    expect(new Set(ways).size).toBeGreaterThan(QUESTIONS);
  });

  it(
    "come out the same where the run was killed and goes on",
    async () => {
      const scene = sceneWithQuestions("samples-killed");
      const underWay = calls(2 * QUESTIONS);
      const { child, ended } = scene.start([path.join(ROOT, "dist/hasp.cjs"), ...runArgs("run")], "");
      await underWay;
      child.kill("SIGKILL");
      expect((await ended).signal).toBe("SIGKILL");
      const begun = episodesOf(scene, "run").length;
      expect(begun).toBeGreaterThan(0);
      expect(begun).toBeLessThan(QUESTIONS * SAMPLES);
      const resumed = await scene.hasp(...runArgs("run", "--resume"));
      expect(resumed.err).toBe("");
      await expectWhole(scene, "run");
      expect(results(episodesOf(scene, "run"))).toEqual(results(straight));
    },
    MINUTES,
  );

  it(
    "come out the same in shards that are merged, and in a run that had fewer samples first",
    async () => {
      const scene = sceneWithQuestions("samples-shards");
      const parts = Array.from({ length: SHARDS }, (_, i) => `part-${i + 1}`);
      for (const [i, part] of parts.entries())
        expect((await scene.hasp(...runArgs(part, "--shard", `${i + 1}/${SHARDS}`))).err).toBe("");
      const merged = await scene.hasp("merge", ...parts.toReversed(), "-o", "whole");
      expect(merged).toMatchObject({ code: 0, err: "" });
      await expectWhole(scene, "whole");
      expect(results(episodesOf(scene, "whole"))).toEqual(results(straight));
      const more = sceneWithQuestions("samples-more");
      const one = runArgs("run").map((word, i, all) => (all[i - 1] === "--samples" ? "1" : word));
      expect((await more.hasp(...one)).out).toContain(`${QUESTIONS} episodes`);
      expect((await more.hasp(...runArgs("run", "--resume"))).out).toContain(
        `${QUESTIONS * (SAMPLES - 1)} episodes`,
      );
      expect(results(episodesOf(more, "run"))).toEqual(results(straight));
      const compared = await scene.hasp("compare", "whole", more.at("run"), "--json");
      expect(JSON.parse(compared.out)).toMatchObject({
        verdicts: { won: 0, lost: 0 },
        samples: { paired: QUESTIONS * SAMPLES },
      });
    },
    MINUTES,
  );
});
