import type { Domain } from "../domains/domain.ts";
import { defaultDomain, domainOf } from "../domains/registry.ts";
import type { Resources } from "../model/job.ts";
import type { Target } from "../model/target.ts";
import { sbatchOptions } from "./remote/script.ts";

export const PRESET_NAMES = [
  "e1",
  "e2",
  "e3",
  "e4",
  "e5",
  "e6",
  "evolve-web",
  "evolve-math",
  "evolve-code",
  "bootstrap",
  "eval-7b",
  "eval-30b",
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** What a kind of job asks for: the envelope in which the jobs of the paper ran. */
export interface Preset {
  readonly resources: Resources;
  readonly about: string;
  /** Hours that the job of the paper took, about. */
  readonly measured?: number;
}

/** Memory of every job, in GB. */
const MEMORY_GB = 48;

const preset = (about: string, gpus: number, hours: number, measured?: number): Preset => ({
  about,
  resources: { gpus, nodes: 1, memoryGb: MEMORY_GB, hours },
  ...(measured !== undefined && { measured }),
});

/** SPEC §8, "Stack". */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  e1: preset("Experiment E1", 1, 24, 12),
  e2: preset("Experiment E2", 2, 30, 24),
  e3: preset("Experiment E3", 2, 24, 18),
  e4: preset("Experiment E4", 2, 48, 20),
  e5: preset("Experiment E5", 2, 48, 22),
  e6: preset("Experiment E6", 2, 48, 14),
  "evolve-web": preset("Evolution in web-search, 5 epochs", 2, 40, 30),
  "evolve-math": preset("Evolution in math, 3 epochs", 2, 12, 8),
  "evolve-code": preset("Evolution in code, 3 epochs", 1, 12, 10),
  bootstrap: preset("The rollout before a bootstrap", 1, 6),
  "eval-7b": preset("Evaluation of skills with a model of 7B", 2, 24),
  "eval-30b": preset("Evaluation of skills with a model of 30B", 2, 30),
};

export const presetNamed = (name: string): PresetName | undefined =>
  PRESET_NAMES.find((one) => one === name.toLowerCase());

/** The preset of an evolution in a domain: the one that the domain names, else the one with its name. */
function evolutionIn(domain: Domain | undefined, name: string): PresetName | undefined {
  return presetNamed(domain?.evolutionPreset ?? `evolve-${name}`);
}

/** The preset of a command that nobody has chosen one for; undefined where none fits. */
export function presetOf(command: {
  readonly name: string;
  /** The experiment's name, such as `e1`. */
  readonly experiment?: string | undefined;
  readonly domain?: string | undefined;
  /** Whether the job serves a student. */
  readonly isServed: boolean;
}): PresetName | undefined {
  const { name, experiment = "", domain = defaultDomain().name, isServed } = command;
  if (name === "experiment") return presetNamed(experiment);
  if (name === "evolve") return evolutionIn(domainOf(domain), domain);
  if (name === "bootstrap") return "bootstrap";
  return name === "run" && isServed ? "eval-7b" : undefined;
}

/** The head of a batch script that asks for what a preset does, for a person's own scripts. */
export function presetHeader(name: PresetName, target: Target): readonly string[] {
  const { about, resources, measured } = PRESETS[name];
  const options = [`--job-name=hasp-${name}`, "--requeue", ...sbatchOptions(target, resources)];
  return [
    "#!/bin/sh",
    `# ${about}${measured === undefined ? "" : `: about ${measured} hours on L40S cards`}.`,
    ...options.map((option) => `#SBATCH ${option}`),
  ];
}
