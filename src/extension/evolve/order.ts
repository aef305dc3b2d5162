import type * as vscode from "vscode";
import type { EvolveOrder, LiveRollouts, RecordedRollouts } from "../../evolve/order.ts";
import { domainOf } from "../../domains/registry.ts";
import { GENERATED_FOLDER } from "../../model/domain-folder.ts";
import { EVOLVE_LIMITS } from "../../model/evolution.ts";
import { defaultSampling } from "../../model/sampling.ts";
import { SPLIT_SEED } from "../../trace/question-split.ts";
import { searchingRuns } from "../runs/searching-runs.ts";
import { Unmet } from "../failure.ts";
import { modelOrder } from "../models/open-model.ts";
import { runOrderIn, type RunBundles } from "../questions/order.ts";
import { nameIn } from "../questions/places.ts";
import { controlFor, domainFor, type RunConfig } from "../questions/run-config.ts";
import { toolsIn } from "../questions/tools.ts";
import type { ToolOrder } from "../../domains/environment.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import type { EvolvePlan, Rollouts } from "./plan.ts";

/** `.hasp/evolutions/<name>`, relative to the workspace folder. */
export const folderNamed = (name: string): string => `.hasp/evolutions/${name}`;

/** The folder of generated skills of a domain, relative to the workspace folder. */
export const generatedOf = (domain: string): string => `skills/${domain}/${GENERATED_FOLDER}`;

interface Source {
  readonly rollouts: LiveRollouts | RecordedRollouts;
  readonly domain: EvolveOrder["domain"];
}

async function recorded(
  { editorServices: { runs }, judging }: RunBundles,
  root: vscode.Uri,
  files: readonly vscode.Uri[],
  config: RunConfig,
): Promise<Source> {
  const found: FoundRun[] = [];
  for (const file of files) found.push(await runs.read(file));
  const ofRuns = found[0]?.run?.domain ?? config.value.domain;
  const domain = ofRuns === undefined ? domainFor(undefined) : domainOf(ofRuns);
  if (domain === undefined)
    throw new Unmet(
      `The runs are of the domain ${ofRuns ?? ""}, which is not registered.`,
      "Choose other runs.",
    );
  const searching = await searchingRuns(judging, found);
  const named = searching.map((run, i) => {
    const { file } = found[i] ?? {};
    const name = file === undefined ? run.folder : nameIn(root, parentOf(file).fsPath);
    return { ...run, run: name, folder: name };
  });
  return { rollouts: { kind: "recorded", runs: named }, domain };
}

function live(
  root: vscode.Uri,
  rollouts: Rollouts,
  {
    teacher,
    config,
    tools: allowed,
  }: { teacher: string | undefined; config: RunConfig; tools: ToolOrder | undefined },
): Source {
  const { domain: name, setting, ...plan } = rollouts;
  const domain = domainFor(name ?? config.value.domain);
  const tools = allowed ?? toolsIn(config.value, domain);
  const { maxDollars: _budget, ...order } = runOrderIn(root, { ...plan, teacher });
  const run = {
    ...order,
    ...controlFor(config, setting, domain),
    tools,
    sampling: defaultSampling(domain),
    samples: 1,
    dataset: undefined,
    shard: undefined,
  };
  return { rollouts: { kind: "live", run, prefilter: undefined }, domain };
}

/** Parts of an order that the wizard does not ask for. */
export type OrderParts = Pick<EvolveOrder, "caps" | "seed" | "pinned">;

export const USUAL_PARTS: OrderParts = {
  caps: {
    candidates: EVOLVE_LIMITS.candidates,
    minClusterSize: EVOLVE_LIMITS.minClusterSize,
    librarySize: EVOLVE_LIMITS.librarySize,
  },
  seed: SPLIT_SEED,
  pinned: [],
};

/** The order of a plan, with names relative to the workspace folder. `tools`: those that the person allowed. */
export async function evolveOrder(
  bundles: RunBundles,
  plan: EvolvePlan,
  {
    config,
    tools,
    parts = USUAL_PARTS,
  }: {
    readonly config: RunConfig;
    readonly tools?: ToolOrder | undefined;
    readonly parts?: OrderParts | undefined;
  },
): Promise<EvolveOrder> {
  const { root, source, author, teacher, mode, gate, worth, epochs, maxDollars, name } = plan;
  const { rollouts, domain } =
    source.kind === "recorded"
      ? await recorded(bundles, root, source.runs, config)
      : live(root, source.rollouts, { teacher, config, tools });
  return {
    folder: folderNamed(name),
    domain,
    generated: generatedOf(domain.name),
    epochs,
    mode,
    gate,
    worth,
    ...parts,
    rollouts,
    author: modelOrder(author),
    teacher: teacher === undefined ? undefined : modelOrder(teacher),
    maxDollars,
  };
}
