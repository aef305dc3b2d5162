import { writeFileSync } from "node:fs";
import { expect } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { Episode, Step } from "../../../src/model/episode.ts";
import { readEpisodes } from "../../../src/trace/episode-file.ts";
import { importRun, type ImportedRun } from "../../../src/trace/import-run.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { files, temporaryFolder } from "./support.ts";
import { sha256 } from "../../../src/platform/sha256.ts";

const clock = { now: () => "2026-01-01T00:00:00.000Z" };

export interface Imported {
  readonly value: ImportedRun | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly episodes: readonly Episode[];
  /** Of the run. */
  readonly folder: string;
}

/** Imports files into a fresh run and reads it back. */
export async function importFiles(...sources: readonly string[]): Promise<Imported> {
  const folder = `${temporaryFolder()}/run`;
  const { value, diagnostics } = await importRun(files, { clock, sha256 }, { sources, folder });
  const episodes: Episode[] = [];
  if (value === undefined) return { value, diagnostics, episodes, folder };
  for await (const { value: episode, diagnostics: found } of readEpisodes(
    files,
    (await openRun(files, folder)).index,
  )) {
    expect(found).toEqual([]);
    if (episode !== undefined) episodes.push(episode);
  }
  return { value, diagnostics, episodes, folder };
}

/** Imports one file with this content. */
export function importContent(content: string | Uint8Array, name = "file.json"): Promise<Imported> {
  const file = `${temporaryFolder()}/${name}`;
  writeFileSync(file, content);
  return importFiles(file);
}

/** The only episode of a document that imports without a finding, but perhaps that its question is not known (HASP524). */
export async function importValue(value: unknown, name?: string): Promise<Episode> {
  const { episodes, diagnostics } = await importContent(JSON.stringify(value), name);
  expect(diagnostics.filter(({ code }) => code !== "HASP524")).toEqual([]);
  const [episode] = episodes;
  if (episode === undefined) throw new Error("an episode expected");
  return episode;
}

export const ATIF = {
  schema_version: "ATIF-v1.7",
  session_id: "run-1",
  trajectory_id: "t-1",
  agent: {
    name: "coder",
    version: "2.1",
    model_name: "m",
    tool_definitions: [{ type: "function" }],
    extra: { a: 1 },
  },
  notes: "a note",
  steps: [
    { step_id: 1, source: "system", message: "Be careful.", timestamp: "2026-01-01T00:00:00Z" },
    { step_id: 2, source: "user", message: "Fix the test." },
    {
      step_id: 3,
      source: "agent",
      timestamp: "2026-01-01T00:00:01Z",
      model_name: "m2",
      reasoning_effort: "high",
      message: "Two looks.",
      reasoning_content: "First I look.",
      tool_calls: [
        { tool_call_id: "c1", function_name: "bash", arguments: { command: "ls" }, extra: { timeout: 5 } },
        { tool_call_id: "c2", function_name: "edit", arguments: { path: "a", lines: [1, 2] } },
      ],
      observation: {
        results: [
          { source_call_id: "c2", content: "edited" },
          { source_call_id: "c1", content: "a b", extra: { score: 0.5 } },
        ],
      },
      metrics: {
        prompt_tokens: 10,
        completion_tokens: 4,
        cached_tokens: 2,
        cost_usd: 0.25,
        prompt_token_ids: [1],
        completion_token_ids: [2],
        logprobs: [-0.5],
        extra: { x: 1 },
      },
      llm_call_count: 1,
      extra: { y: 2 },
    },
    {
      step_id: 4,
      source: "agent",
      message: "Delegating.",
      is_copied_context: true,
      tool_calls: [{ tool_call_id: "c1", function_name: "delegate", arguments: {} }],
      observation: {
        results: [{ source_call_id: "c1", subagent_trajectory_ref: [{ trajectory_id: "sub-1" }] }],
      },
    },
    {
      step_id: 5,
      source: "user",
      message: [
        { type: "text", text: "See:" },
        { type: "image", source: { media_type: "image/png", path: "a.png" } },
      ],
    },
    { step_id: 6, source: "agent", message: "Done.", reasoning_content: "All green." },
  ],
  final_metrics: {
    total_prompt_tokens: 10,
    total_completion_tokens: 4,
    total_cost_usd: 0.25,
    total_steps: 6,
  },
  extra: { reward: 1 },
  subagent_trajectories: [
    {
      schema_version: "ATIF-v1.7",
      trajectory_id: "sub-1",
      agent: { name: "sub", version: "1" },
      steps: [{ step_id: 1, source: "agent", message: "ok" }],
    },
  ],
};

/** One JSON value a line. */
export const lines = (...values: object[]): string => values.map((value) => JSON.stringify(value)).join("\n");
/** Type and input of each step. */
export const acted = (episode: Episode | undefined): [string, unknown][] =>
  (episode?.steps ?? []).map(({ executed: { type, arg } }) => [
    type,
    type === "FINAL" || type === "other" ? arg : JSON.parse(arg),
  ]);
export const step = (episode: Episode | undefined, t: number): Partial<Step> => episode?.steps[t] ?? {};
