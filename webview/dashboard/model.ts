import type { CurveName, DashboardPage, TrainingRun } from "../../src/protocol/dashboard.ts";
import { X_AXES, type XAxis } from "./axis.ts";
import type { RunPoints } from "./points.ts";
import type { Range } from "./zoom.ts";
import type { Failed } from "../shared/failed.ts";

/** A run that is shown: its points, and its place among colours and dashes. */
export interface ShownRun {
  readonly run: TrainingRun;
  readonly points: RunPoints | undefined;
  /** 0-based; kept while the run is shown. */
  readonly slot: number;
  readonly troubles: readonly string[];
}

/** State that outlives a reload of the window. */
export interface KeptState {
  readonly shown: readonly string[];
  readonly axis: XAxis;
  readonly isSmooth: boolean;
  readonly zoom: Range | undefined;
}

/** All that the view draws. */
export interface DashboardState extends Omit<KeptState, "shown"> {
  /** Undefined until the host has answered. */
  readonly page: DashboardPage | undefined;
  /** Slots of the shown runs by their ids, in the order in which they were ticked. */
  readonly slots: ReadonlyMap<string, number>;
  readonly points: ReadonlyMap<string, RunPoints>;
  /** Grows when points arrive. */
  readonly version: number;
  readonly troubles: ReadonlyMap<string, readonly string[]>;
  /** The place of the common cursor on the x axis; undefined: none. */
  readonly cursor: number | undefined;
  readonly keysOpen: boolean;
  readonly failed: Failed | undefined;
}

export const INITIAL_DASHBOARD: DashboardState = {
  page: undefined,
  slots: new Map(),
  points: new Map(),
  version: 0,
  troubles: new Map(),
  axis: "step",
  isSmooth: true,
  zoom: undefined,
  cursor: undefined,
  keysOpen: false,
  failed: undefined,
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function keptRange(value: unknown): Range | undefined {
  if (!isRecord(value)) return undefined;
  const { from, to } = value;
  const isRange = typeof from === "number" && typeof to === "number" && from < to;
  return isRange ? { from, to } : undefined;
}

/** The state that an earlier page kept; undefined where there is none that can be used. */
export function keptState(value: unknown): KeptState | undefined {
  if (!isRecord(value)) return undefined;
  const { shown, axis, isSmooth, zoom } = value;
  const known = X_AXES.find((one) => one === axis);
  if (!Array.isArray(shown) || known === undefined || typeof isSmooth !== "boolean") return undefined;
  const ids = shown.filter((id) => typeof id === "string");
  return { shown: ids, axis: known, isSmooth, zoom: keptRange(zoom) };
}

/** Slots of these runs: those of a run that had one stay, others get the lowest that are free. */
export function slotsFor(
  ids: readonly string[],
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const taken = new Set(ids.flatMap((id) => before.get(id) ?? []));
  const slots = new Map<string, number>();
  let next = 0;
  for (const id of ids) {
    const own = before.get(id);
    if (own === undefined) while (taken.has(next)) next++;
    slots.set(id, own ?? next);
    taken.add(own ?? next);
  }
  return slots;
}

/** The runs to show on a page: those of before that are still there and the first one; the newest where there would be none. `before` undefined: a first look. */
export function runsToShow(
  { runs, first }: DashboardPage,
  before: readonly string[] | undefined,
): readonly string[] {
  const there = new Set(runs.map(({ id }) => id));
  const kept = (before ?? []).filter((id) => there.has(id));
  const wanted = first !== null && there.has(first) && !kept.includes(first) ? [...kept, first] : kept;
  const [newest] = runs;
  return before === undefined && wanted.length === 0 && newest !== undefined ? [newest.id] : wanted;
}

export function shownRuns({ page, slots, points, troubles }: DashboardState): readonly ShownRun[] {
  return (page?.runs ?? []).flatMap((run) => {
    const slot = slots.get(run.id);
    if (slot === undefined) return [];
    return [{ run, slot, points: points.get(run.id), troubles: troubles.get(run.id) ?? [] }];
  });
}

/** The x axis from its first to its last point; undefined without points. */
export function wholeRange(shown: readonly ShownRun[], axis: XAxis): Range | undefined {
  let [from, to] = [Infinity, -Infinity];
  for (const { points } of shown) {
    const xs = points?.curves(axis).raw.loss.xs;
    if (xs === undefined || xs.length === 0) continue;
    from = Math.min(from, xs[0] ?? Infinity);
    to = Math.max(to, xs.at(-1) ?? -Infinity);
  }
  if (from > to) return undefined;
  // A single point has some room around it.
  return from === to ? { from: from - 1, to: to + 1 } : { from, to };
}

export interface CurveWords {
  readonly title: string;
  readonly unit: string;
  readonly meaning: string;
}

export const CURVE_WORDS: Readonly<Record<CurveName, CurveWords>> = {
  loss: { title: "Loss", unit: "", meaning: "Training loss of the batch." },
  mean_token_accuracy: {
    title: "Token accuracy",
    unit: "",
    meaning: "Share of the corrected target tokens that the model would have chosen.",
  },
  entropy: {
    title: "Entropy",
    unit: "nats",
    meaning: "Entropy of the model's choice, per corrected target token.",
  },
  grad_norm: { title: "Gradient norm", unit: "", meaning: "Norm of the gradient before it is clipped." },
  learning_rate: {
    title: "Learning rate",
    unit: "",
    meaning: "Learning rate of the optimizer; it warms up anew in each iteration.",
  },
  num_tokens: {
    title: "Tokens",
    unit: "",
    meaning: "Tokens seen so far, earlier iterations included.",
  },
};
