import type * as vscode from "vscode";
import { modelPolicy, type Sampling } from "../../harness/model-policy.ts";
import type { Policy } from "../../harness/policy.ts";
import { collectRecordings, recordedPolicy } from "../../harness/recorded-policy.ts";
import type { Domain } from "../../domains/domain.ts";
import type { Episode } from "../../model/episode.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { readEpisodes } from "../../trace/episode-file.ts";
import { openRun } from "../../trace/run-folder.ts";
import { Failure } from "../failure.ts";
import { readSpec } from "../models/chosen-model.ts";
import type { Models, ModelUse } from "../models/open-model.ts";
import { placeOf } from "./inputs.ts";

export interface PolicyServices {
  readonly files: NodeFiles;
  readonly models: Models;
  readonly domain: Domain;
  readonly root: vscode.Uri;
  readonly sampling: Sampling;
}

async function* episodesIn(files: NodeFiles, folder: string): AsyncGenerator<Episode> {
  const { index } = await openRun(files, folder, { save: false });
  for await (const { value } of readEpisodes(files, index)) if (value !== undefined) yield value;
}

/** What proposes the actions: the model or the recorded run of a spec. A recorded run stands inside the workspace. */
export async function openPolicy(services: PolicyServices, spec: string, use: ModelUse): Promise<Policy> {
  const { files, models, domain, root, sampling } = services;
  const parsed = readSpec(spec);
  if (parsed.kind !== "recorded") return modelPolicy(await models.open(spec, use), domain.prompt, sampling);
  const { path, inside } = placeOf(root, parsed.run);
  if (!inside)
    throw new Failure(`${path} is not inside the workspace.`, "Import its episodes, and choose that run.");
  const recordings = await collectRecordings(episodesIn(files, path), parsed.trial);
  if (recordings.count === 0) throw new Failure(`${spec} holds no episodes.`, "Choose another run.");
  return recordedPolicy(spec, recordings);
}
