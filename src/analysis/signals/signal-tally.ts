import {
  FAMILIES,
  SLOTS,
  type FamilyNumbers,
  type SlotNumbers,
  type StepSignals,
} from "../../model/signals.ts";
import {
  REWARD_FLOOR,
  type SignalFigures,
  type SignalsReport,
  type SkillFigures,
  type StepPlace,
} from "../../model/signals-report.ts";
import { stepKey } from "../step-key.ts";
import type { EpisodeSignals } from "./episode-signals.ts";

/** Tenths from −1 to 1. */
const BINS = 20;

/** The bin of a number in [−1, 1]. A sum of fractions may lie a hair under its tenth. */
export function rewardBin(reward: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.floor((reward + 1) * 10 + 1e-9)));
}

/** Sums over steps, as they grow. */
interface Sums {
  steps: number;
  overFloor: number;
  reward: number;
  readonly families: Record<keyof FamilyNumbers, number>;
  readonly slots: Record<keyof SlotNumbers, number>;
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

const emptySums = (): Sums => ({
  steps: 0,
  overFloor: 0,
  reward: 0,
  families: zeros(FAMILIES),
  slots: zeros(SLOTS),
});

function addStep(sums: Sums, { reward, families, values }: StepSignals, floor: number): void {
  sums.steps += 1;
  if (reward >= floor) sums.overFloor += 1;
  sums.reward += reward;
  for (const family of FAMILIES) sums.families[family] += families[family];
  for (const slot of SLOTS) sums.slots[slot] += values[slot].value;
}

interface RewardedPlace {
  readonly place: StepPlace;
  readonly reward: number;
}

interface SkillSums {
  readonly sums: Sums;
  modified: number;
  best: RewardedPlace;
  worst: RewardedPlace;
}

/** Whether `a` comes first by its reward, upwards (1) or downwards (−1); of equal ones by its place, whatever the order of the runs. */
function precedes(a: RewardedPlace, b: RewardedPlace, direction: 1 | -1): boolean {
  if (a.reward !== b.reward) return (a.reward - b.reward) * direction < 0;
  const key = ({ place }: RewardedPlace): string => stepKey(place.run, place.index, place.t);
  return key(a) < key(b);
}

/** Adds up the signals of runs, episode by episode, and counts the steps whose reward is at least the floor. */
export function signalTally(floor = REWARD_FLOOR) {
  const all = emptySums();
  const skills = new Map<string, SkillSums>();
  const bins = Array.from({ length: BINS }, () => 0);
  const counts = {
    episodes: 0,
    unjudged: 0,
    diverged: 0,
    onlyFinal: 0,
    behindDivergence: 0,
    modified: 0,
    revised: 0,
    judged: 0,
  };
  const episodeReward = { sum: 0, episodes: 0 };

  function addSkill(skillId: string, step: StepSignals, place: StepPlace): void {
    const { reward } = step;
    const here = { place, reward };
    const known = skills.get(skillId) ?? { sums: emptySums(), modified: 0, best: here, worst: here };
    addStep(known.sums, step, floor);
    if (step.correction === "modified") known.modified += 1;
    if (precedes(here, known.best, -1)) known.best = here;
    if (precedes(here, known.worst, 1)) known.worst = here;
    skills.set(skillId, known);
  }

  return {
    /** `at`: the place of the episode. `judged`: its steps that have a score of a teacher. */
    add(
      { steps, divergence, passed, reward, onlyFinal }: EpisodeSignals,
      at: Omit<StepPlace, "t">,
      judged: (t: number) => boolean,
    ): void {
      counts.episodes += 1;
      if (onlyFinal) counts.onlyFinal += 1;
      if (divergence !== undefined) counts.diverged += 1;
      else if (passed === undefined) counts.unjudged += 1;
      if (reward !== undefined) {
        episodeReward.sum += reward;
        episodeReward.episodes += 1;
      }
      for (const step of steps) {
        if (divergence !== undefined && step.t > divergence.t) {
          counts.behindDivergence += 1;
          continue;
        }
        addStep(all, step, floor);
        const bin = rewardBin(step.reward);
        bins[bin] = (bins[bin] ?? 0) + 1;
        if (step.correction !== "none") counts[step.correction] += 1;
        if (judged(step.t)) counts.judged += 1;
        for (const skillId of step.acted) addSkill(skillId, step, { ...at, t: step.t });
      }
    },
    report(): SignalsReport {
      const bySkill = [...skills].map(([skillId, { sums, modified, best, worst }]): SkillFigures => ({
        skillId,
        ...figuresOf(sums),
        modified,
        best: best.place,
        worst: worst.place,
      }));
      return {
        ...counts,
        all: figuresOf(all),
        episodeReward: { ...episodeReward },
        bins: [...bins],
        skills: bySkill.toSorted((a, b) => b.steps - a.steps || (a.skillId < b.skillId ? -1 : 1)),
      };
    },
  };
}

function figuresOf({ families, slots, ...sums }: Sums): SignalFigures {
  return { ...sums, families: { ...families }, slots: { ...slots } };
}
