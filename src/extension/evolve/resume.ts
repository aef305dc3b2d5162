import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import type { EvolutionFile } from "../../evolve/artifacts.ts";
import { SETTINGS } from "../../model/control.ts";
import { z } from "../../model/zod.ts";
import { Unmet } from "../failure.ts";
import { configuredModels, CONFIGURE, dollarLimit, readSpec } from "../models/chosen-model.ts";
import { placeOf } from "../questions/places.ts";
import { corpusSteps, draftedPlan, type PlanServices, type RunDraft } from "../questions/plan.ts";
import { askInTurn } from "../in-turn.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { dollarProblem } from "./choices.ts";
import type { EvolvePlan, PlanSource } from "./plan.ts";

const recordedSchema = z.object({
  kind: z.literal("recorded"),
  runs: z.array(z.object({ run: z.string() })),
});
const liveSchema = z.object({
  kind: z.literal("live"),
  questions: z.object({ file: z.string() }),
  policy: z.string(),
  samples: z.number(),
  limit: z.number().int().positive().nullable(),
  dataset: z.string().nullable(),
  setting: z.enum(SETTINGS),
  prefilter: z.boolean(),
});

/** Choices of an evolution that its `evolution.json` does not hold; kept for the workspace in this editor. */
const keptSchema = z.object({
  maxDollars: z.number().positive().optional(),
  corpus: z.string().optional(),
});
type Kept = z.infer<typeof keptSchema>;

const memoryKey = (folder: vscode.Uri): string => `hasp.evolution:${folder.toString()}`;

/** Keeps what a resume needs besides `evolution.json`. */
export async function keepChoices(
  memory: vscode.Memento,
  folder: vscode.Uri,
  { maxDollars, source }: Pick<EvolvePlan, "maxDollars" | "source">,
): Promise<void> {
  const corpus = source.kind === "live" ? source.rollouts.corpus?.toString() : undefined;
  const kept: Kept = {
    ...(maxDollars !== undefined && { maxDollars }),
    ...(corpus !== undefined && { corpus }),
  };
  await memory.update(memoryKey(folder), kept);
}

/** Undefined where the evolution was begun elsewhere. */
const keptChoices = (memory: vscode.Memento, folder: vscode.Uri): Kept | undefined =>
  keptSchema.safeParse(memory.get(memoryKey(folder))).data;

/** Whether a model may cost money or sends texts away. */
const isPaid = (spec: string): boolean => ["endpoint", "vscode"].includes(readSpec(spec).kind);

/**
 * The spec that `evolution.json` names. A file of the workspace cannot choose an endpoint: it must be one that the person has configured.
 * A script or a recorded run lies in the workspace folder.
 */
function allowed(root: vscode.Uri, role: string, spec: string): string {
  if (spec.startsWith("vscode:") || configuredModels().some((one) => one.spec === spec)) return spec;
  const [, file] = /^(?:scripted|recorded):([^#]+)/.exec(spec) ?? [];
  if (file !== undefined && !isAbsolute(file) && placeOf(root, file).inside) return spec;
  throw new Unmet(
    `The evolution was begun with the ${role} ${spec}, which is not configured here.`,
    "Configure that model to resume it.",
    CONFIGURE,
  );
}

function inside(root: vscode.Uri, name: string): vscode.Uri {
  const place = placeOf(root, name);
  if (!place.inside)
    throw new Unmet(`${name} is not in this workspace folder.`, "Resume it with `hasp evolve`.");
  return vscode.Uri.file(place.path);
}

const otherwise = (): never => {
  throw new Unmet("The evolution was begun with options of `hasp evolve`.", "Resume it by that command.");
};

async function corpusOf(
  services: PlanServices,
  draft: RunDraft,
  kept: Kept | undefined,
): Promise<vscode.Uri | undefined | "left"> {
  if (kept !== undefined) return kept.corpus === undefined ? undefined : vscode.Uri.parse(kept.corpus, true);
  const asked = await askInTurn(services.title, draft, (now) => corpusSteps(services, now));
  if (asked === undefined) return "left";
  return draftedPlan(services, asked)?.corpus;
}

async function sourceOf(
  services: PlanServices,
  root: vscode.Uri,
  { rollouts, domain }: EvolutionFile,
  kept: Kept | undefined,
): Promise<PlanSource | undefined> {
  const recorded = recordedSchema.safeParse(rollouts).data;
  if (recorded !== undefined) {
    const runs = recorded.runs.map(({ run }) =>
      inside(root, run.endsWith(".jsonl") ? run : `${run}/episodes.jsonl`),
    );
    return { kind: "recorded", runs };
  }
  const live = liveSchema.safeParse(rollouts).data ?? otherwise();
  if (live.samples !== 1 || live.dataset !== null || live.prefilter) otherwise();
  const { setting, limit } = live;
  const policy = allowed(root, "policy", live.policy);
  const questions = inside(root, live.questions.file);
  const corpus = await corpusOf(services, { root, questions, domain, policy, setting }, kept);
  if (corpus === "left") return undefined;
  return {
    kind: "live",
    rollouts: { questions, domain, corpus, policy, setting, limit: limit ?? undefined },
  };
}

/** Asks for the budget where money may be spent; `left` where the person leaves. */
async function budgetOf(title: string, specs: readonly string[], kept: Kept | undefined) {
  const known = kept?.maxDollars ?? dollarLimit();
  if (!specs.some(isPaid)) return known;
  const text = await vscode.window.showInputBox({
    title,
    prompt:
      "Budget in US dollars, earlier sittings included. Leave it empty for no limit. Enter resumes the evolution.",
    value: known === undefined ? "" : String(known),
    ignoreFocusOut: true,
    validateInput: (value) => dollarProblem(value.trim()),
  });
  if (text === undefined) return "left";
  return text.trim() === "" ? undefined : Number(text);
}

export interface ResumeServices {
  readonly questions: PlanServices;
  readonly memory: vscode.Memento;
  readonly title: string;
}

/** The plan of an evolution that is there, from its `evolution.json`; asks for what that does not say. Undefined when the person leaves. */
export async function resumePlan(
  { questions, memory, title }: ResumeServices,
  { root, folder, name }: { readonly root: vscode.Uri; readonly folder: vscode.Uri; readonly name: string },
  order: EvolutionFile,
): Promise<EvolvePlan | undefined> {
  const kept = keptChoices(memory, folder);
  const source = await sourceOf(questions, root, order, kept);
  if (source === undefined) return undefined;
  const author = allowed(root, "author", order.author);
  const teacher = order.teacher === "none" ? undefined : allowed(root, "teacher", order.teacher);
  const policy = source.kind === "live" ? [source.rollouts.policy] : [];
  const specs = [author, ...policy, ...(teacher === undefined ? [] : [teacher])].filter(
    (spec) => !spec.startsWith("recorded:"),
  );
  const maxDollars = await budgetOf(title, specs, kept);
  if (maxDollars === "left") return undefined;
  const { mode, gate, worth, epochs } = order;
  return { root, source, author, teacher, mode, gate, worth, epochs, maxDollars, name };
}

/** The folder of the workspace that an evolution is in. */
export function rootOf(folder: vscode.Uri): vscode.Uri {
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri;
  if (root === undefined || parentOf(parentOf(parentOf(folder))).path !== root.path)
    throw new Unmet(
      `${folder.fsPath} is not in .hasp/evolutions of a workspace folder.`,
      "Open the folder that holds it.",
    );
  return root;
}
