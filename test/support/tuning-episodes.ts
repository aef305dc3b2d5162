import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { isInSplit, SPLIT_SEED } from "../../src/trace/question-split.ts";
import { ROOT } from "./core.ts";
import { sha256 } from "../../src/platform/sha256.ts";

const DATA = path.join(ROOT, "../shared/data/trajectories");
const SOURCES = { reflexion: "reflexion-hotpotqa.jsonl", fireact: "fireact-hotpotqa-even.jsonl" } as const;
export type Source = keyof typeof SOURCES;

export const hasTuningEpisodes = existsSync(path.join(DATA, SOURCES.fireact));

/** The parts on which skills are tuned. The third one is read for reports alone, and no test of the gate reads it. */
const TUNING = { parts: [1, 2], of: 3, seed: SPLIT_SEED };

/** Writes a run with the episodes of the tuning parts into a folder. Answers them. */
export async function writeTuningRun(folder: string, source: Source): Promise<readonly Episode[]> {
  const whole = `${folder}.whole`;
  const clock = { now: () => "2026-01-01T00:00:00.000Z" };
  const sources = [path.join(DATA, SOURCES[source])];
  await importRun(nodeFiles(), { clock, sha256 }, { sources, format: source, folder: whole });
  const lines = readFileSync(path.join(whole, "episodes.jsonl"), "utf8").split("\n").filter(Boolean);
  const kept = lines.filter((line) => isInSplit((JSON.parse(line) as Episode).question, TUNING));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "run.json"), readFileSync(path.join(whole, "run.json")));
  writeFileSync(path.join(folder, "episodes.jsonl"), kept.map((line) => `${line}\n`).join(""));
  return kept.map((line) => JSON.parse(line) as Episode);
}
