import type { Outcome } from "../../src/model/episode.ts";
import type { PfEvent, PfStatus } from "../../src/model/intervention.ts";
import type { IconName } from "../shared/icon.ts";

interface Look {
  readonly icon: IconName;
  /** A class of `styles/base.ts` that takes its colour from the theme. */
  readonly tone: string;
  readonly label: string;
}

export const OUTCOME_LOOKS: Readonly<Record<Outcome, Look>> = {
  correct: { icon: "pass", tone: "good", label: "correct" },
  wrong: { icon: "error", tone: "bad", label: "wrong" },
  halted: { icon: "debug-stop", tone: "warn", label: "halted" },
  unjudged: { icon: "question", tone: "quiet", label: "unjudged" },
  abandoned: { icon: "discard", tone: "quiet", label: "abandoned" },
};

const STATUS_LOOKS: Readonly<Record<PfStatus, Look>> = {
  applied: { icon: "triangle-up", tone: "changed", label: "applied" },
  overridden: { icon: "arrow-swap", tone: "quiet", label: "overridden" },
  noop: { icon: "dash", tone: "quiet", label: "noop" },
  limited: { icon: "circle-slash", tone: "warn", label: "limited" },
  skipped: { icon: "circle-large-outline", tone: "quiet", label: "skipped" },
  error: { icon: "error", tone: "bad", label: "error" },
};

/** The shape says what an applied PF did: ▲ changed the action, ● added context. */
export function statusLook(event: PfEvent): Look {
  const look = STATUS_LOOKS[event.status];
  const injected = event.status === "applied" && event.intervention?.type === "INJECT_CONTEXT";
  return injected ? { ...look, icon: "circle-filled", tone: "injected" } : look;
}

/** Most telling first; PFs of one status keep the order they were asked in. */
const WEIGHT: Readonly<Record<PfStatus, number>> = {
  applied: 0,
  error: 1,
  overridden: 2,
  limited: 3,
  noop: 4,
  skipped: 5,
};

export function mostTelling<T>(items: readonly T[], statusOf: (item: T) => PfStatus): T | undefined {
  return items.toSorted((a, b) => WEIGHT[statusOf(a)] - WEIGHT[statusOf(b)])[0];
}
