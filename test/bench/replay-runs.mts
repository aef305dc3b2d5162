import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Episode, Step } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { encodeEpisode } from "../../src/trace/episode-file.ts";
import { createRun } from "../../src/trace/create-run.ts";
import { realData, realEpisodes } from "./real-library.mts";
import { makeBigFile, prose, sampleEpisode, type BigFile } from "./trace-big-file.mts";

const files = nodeFiles();
const GIGABYTE = 1e9;
/** With these, a gigabyte is 10,000 episodes. */
const LINE_BYTES = 100_000;
const LONG_STEPS = 5_000;
const RUN = { domain: "web-search", createdAt: "2026-11-20T09:00:00.000Z", source: "bench" } as const;

async function writeRun(folder: string, episodes: readonly Episode[]): Promise<void> {
  const title = path.basename(folder);
  await createRun(files, folder, { id: title, title, ...RUN });
  await writeFile(path.join(folder, "episodes.jsonl"), Buffer.concat(episodes.map(encodeEpisode)));
}

/** A gigabyte of 10,000 episodes, in a run folder. */
export async function makeBigRun(folder: string): Promise<BigFile> {
  await createRun(files, folder, { id: "big", title: "big", ...RUN });
  return makeBigFile(path.join(folder, "episodes.jsonl"), GIGABYTE, LINE_BYTES);
}

function longStep(t: number): Step {
  const isLast = t === LONG_STEPS - 1;
  const search = { type: "SEARCH", arg: prose(40, t) };
  const read = { type: "READ", arg: `doc_${t % 5}` };
  const action = isLast ? { type: "FINAL", arg: "Bon Jovi" } : t % 2 === 0 ? search : read;
  const proposals = [{ thought: prose(150, t), action }];
  return {
    t,
    proposals,
    events: [],
    executed: action,
    injected: [],
    observation: isLast ? "" : prose(600, t),
  };
}

/** One episode of 5,000 steps, searching and reading in turn. */
export async function makeLongRun(folder: string): Promise<void> {
  const sample = sampleEpisode(0, 1_000);
  const steps = Array.from({ length: LONG_STEPS }, (_, t) => longStep(t));
  const facts = { ...sample.facts, maxSteps: LONG_STEPS };
  await writeRun(folder, [{ ...sample, id: "long", outcome: "wrong", length: LONG_STEPS, facts, steps }]);
}

/** The recorded Reflexion episodes where they are at hand, else the sample's; says which. */
export async function makeRealRun(folder: string, root: string): Promise<string> {
  const data = realData(root);
  if (data === undefined) {
    await writeRun(folder, []);
    const sample = path.join(root, "samples/.hasp/runs/first-look/episodes.jsonl");
    await copyFile(sample, path.join(folder, "episodes.jsonl"));
    return "sample";
  }
  const episodes = (await realEpisodes(data)).filter(({ run }) => run === "reflexion");
  await writeRun(
    folder,
    episodes.map(({ episode }) => episode),
  );
  return "Reflexion";
}
