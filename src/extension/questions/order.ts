import type * as vscode from "vscode";
import type { ModelOrder } from "../../app/run/models.ts";
import type { RunServices } from "../../app/run/parts.ts";
import { sha256 } from "../../platform/sha256.ts";
import { openWebClient } from "../../platform/web-client.ts";
import { SETTINGS } from "../contributions.ts";
import { dollarLimit } from "../models/chosen-model.ts";
import { modelOrder } from "../models/open-model.ts";
import type { Services } from "../services.ts";
import { readSetting } from "../settings.ts";
import type { RunPlan } from "./plan.ts";
import { namedFile, requireInside } from "./places.ts";

export type RunBundles = Pick<Services, "editorServices" | "judging" | "modelServices">;

/** Services of a run below a workspace folder. An unsaved change of the questions is not part of it. */
export function runServices(
  { editorServices, judging, modelServices }: RunBundles,
  root: vscode.Uri,
): RunServices {
  const { files, clock, library } = editorServices;
  const models = modelServices.models.servicesIn(root);
  const { keys, timing, redactor } = models;
  return {
    files,
    clock,
    sha256,
    models,
    compiler: judging.compiler,
    startHost: judging.startHost,
    openContainment: judging.openContainment,
    environment: { openClient: openWebClient, keys, timing, redactor },
    readSkills: async (domain) =>
      library.read((await library.list()).filter((skill) => skill.domain === domain)),
  };
}

/** The models of an order. A recorded run lies inside the workspace folder. */
export function modelsOf(
  root: vscode.Uri,
  { policy, teacher }: { readonly policy: string; readonly teacher: string | undefined },
): { readonly policy: ModelOrder; readonly teacher: ModelOrder | undefined } {
  requireInside(root, policy);
  return { policy: modelOrder(policy), teacher: teacher === undefined ? undefined : modelOrder(teacher) };
}

/** The parts of an order that every run of the editor has alike. */
export function runOrderIn(
  root: vscode.Uri,
  plan: Pick<RunPlan, "questions" | "corpus" | "policy" | "teacher"> & {
    readonly limit?: number | undefined;
  },
) {
  const { questions, corpus, limit } = plan;
  return {
    ...modelsOf(root, plan),
    questions: namedFile(root, questions),
    corpus: corpus === undefined ? undefined : namedFile(root, corpus),
    limit,
    maxDollars: dollarLimit(),
    concurrency: Math.max(1, readSetting(SETTINGS.runConcurrency)),
  };
}
