import type { JudgedPf, JudgedStep, StepMarks } from "./replay.ts";

/** Decisions of a library on every step of an episode, as of the writing of the page. */
export interface JudgedEpisode {
  readonly marks: readonly StepMarks[];
  readonly steps: readonly JudgedStep[];
}

/** A judgement whose Program Functions stand in a pool: most of them say the same on step after step. */
export interface PooledEpisode extends Pick<JudgedEpisode, "marks"> {
  readonly steps: readonly PooledStep[];
}

interface PooledStep extends Omit<JudgedStep, "pfs"> {
  /** Positions in the pool. */
  readonly pfs: readonly number[];
}

export interface JudgedPool {
  /** Each entry once, in the order in which it was met. */
  readonly entries: readonly JudgedPf[];
  put(judged: JudgedEpisode): PooledEpisode;
}

/** Takes the judgements of many episodes; what is equal as JSON is kept once. */
export function judgedPool(): JudgedPool {
  const entries: JudgedPf[] = [];
  const known = new Map<string, number>();
  const place = (pf: JudgedPf): number => {
    const key = JSON.stringify(pf);
    const found = known.get(key) ?? entries.push(pf) - 1;
    known.set(key, found);
    return found;
  };
  return {
    entries,
    put: ({ marks, steps }) => ({
      marks,
      steps: steps.map((step) => ({ ...step, pfs: step.pfs.map(place) })),
    }),
  };
}

/** What was put in. */
export function unpool({ marks, steps }: PooledEpisode, entries: readonly JudgedPf[]): JudgedEpisode {
  return {
    marks,
    steps: steps.map((step) => ({ ...step, pfs: step.pfs.flatMap((at) => entries[at] ?? []) })),
  };
}
