import { EVOLVE_PRESETS } from "../evolve/presets.ts";
import type { EvolveOrder, LiveRollouts, RecordedRollouts } from "../evolve/order.ts";
import type { WorkspaceConfig } from "../app/run/settings.ts";
import { domainOf } from "../domains/registry.ts";
import { defaultGate, isOpen } from "../model/evolution.ts";
import type { NodeFiles } from "../platform/files.ts";
import { controlFor, withoutErrors } from "./control-options.ts";
import type { Call } from "./define-command.ts";
import { episodeOrder, namedFile } from "./episode-session.ts";
import type { EVOLVE_OPTIONS } from "./evolve-options.ts";
import { modelOrder } from "./models.ts";
import { backtestRuns, runnableOrRefuse } from "./runs.ts";
import { CliError } from "./terminal.ts";

export type EvolveCall = Call<typeof EVOLVE_OPTIONS>;
type EvolveCallOptions = EvolveCall["options"];

/** Mode, gate and worth: those of the preset, which must not be contradicted, else those of the options. */
export function decisionsOf(
  options: Partial<Pick<EvolveCallOptions, "preset" | "mode" | "gate" | "worth">>,
): Pick<EvolveOrder, "mode" | "gate" | "worth"> {
  const preset = options.preset === undefined ? undefined : EVOLVE_PRESETS[options.preset];
  for (const name of ["mode", "gate"] as const) {
    const [own, given] = [preset?.[name], options[name]];
    if (own !== undefined && given !== undefined && own !== given)
      throw new CliError(
        `The preset ${options.preset ?? ""} has the ${name} ${own}, not ${given}.`,
        `Leave out --${name}, or --preset.`,
      );
  }
  if (preset !== undefined && preset.gate === undefined && options.gate === undefined)
    throw new CliError("The preset filtering compares gates.", "Name one with --gate.");
  const mode = preset?.mode ?? options.mode ?? "full";
  const gate = preset?.gate ?? options.gate ?? defaultGate(mode);
  const byDefault = preset?.worth ?? !isOpen(gate);
  const worth = options.worth === undefined ? byDefault : options.worth === "on";
  return { mode, gate, worth };
}

function liveRollouts(call: EvolveCall, config: WorkspaceConfig, questions: string): LiveRollouts {
  const { options, isGiven } = call;
  const { policy, dataset, limit, samples, concurrency, prefilter, output, maxDollars } = options;
  if (policy === undefined)
    throw new CliError("No policy is named.", "Add --policy, or take recorded runs with --episodes.");
  const domain = runnableOrRefuse((isGiven("domain") ? undefined : config.domain) ?? options.domain);
  const order = episodeOrder(
    { options: { ...options, policy, output, maxDollars }, isGiven },
    config,
    domain,
  );
  const plain = prefilter === true ? controlFor({ setting: "ra-agent", set: [] }, config, domain) : undefined;
  const { folder: _folder, maxDollars: _most, ...episode } = order;
  return {
    kind: "live",
    run: {
      ...episode,
      questions: namedFile(questions),
      dataset,
      limit,
      shard: undefined,
      samples,
      concurrency,
    },
    prefilter: plain && withoutErrors(plain),
  };
}

async function rolloutsOf(
  call: EvolveCall,
  config: WorkspaceConfig,
  files: NodeFiles,
): Promise<LiveRollouts | RecordedRollouts> {
  const { episodes, questions, prefilter } = call.options;
  if (episodes !== undefined && questions !== undefined)
    throw new CliError("Both --episodes and --questions are named.", "Take recorded runs, or live rollouts.");
  if (questions !== undefined) return liveRollouts(call, config, questions);
  if (episodes === undefined)
    throw new CliError(
      "Nothing is named to learn from.",
      "Add --episodes <run…> for recorded runs, or --questions and --policy for live rollouts.",
    );
  if (prefilter === true) throw new CliError("--prefilter is for live rollouts.", "Leave it out.");
  return { kind: "recorded", runs: await backtestRuns(episodes, files) };
}

/** The order of a command line; CliError where it contradicts itself. */
export async function evolveOrder(call: EvolveCall, config: WorkspaceConfig): Promise<EvolveOrder> {
  const { options, files } = call;
  const { output: folder, epochs, author, authorPrice, teacher, teacherPrice } = options;
  const {
    candidates,
    minCluster: minClusterSize,
    librarySize,
    pin = [],
    evolveSeed: seed,
    maxDollars,
  } = options;
  const rollouts = await rolloutsOf(call, config, files);
  const domain = rollouts.kind === "live" ? rollouts.run.domain : domainOf(options.domain);
  if (domain === undefined) throw new CliError(`There is no domain ${options.domain}.`, "Check --domain.");
  return {
    folder,
    domain,
    generated: options.generated ?? `skills/${domain.name}/generated`,
    epochs,
    ...decisionsOf(options),
    caps: { candidates, minClusterSize, librarySize },
    rollouts,
    author: modelOrder(author, authorPrice),
    teacher: teacher === undefined ? undefined : modelOrder(teacher, teacherPrice),
    pinned: pin,
    seed,
    maxDollars,
  };
}
