import { valueOf, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** Milliseconds that a step stays in sight at speed 1: time to read its action. */
const STEP_MS = 2_000;
export const SPEEDS = [0.5, 1, 2, 4] as const;

/** Walks through an episode by itself. */
export interface PlayActions {
  /** Starts, from the first step where the last is shown; or pauses. */
  togglePlay(): void;
  pause(): void;
  /** One speed faster (1) or slower (-1). */
  changeSpeed(by: 1 | -1): void;
}

export function createPlayActions(store: Store<ReplayState>, goToStep: (t: number) => void): PlayActions {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const last = (): number => (valueOf(store.get().episode)?.steps.length ?? 0) - 1;
  const pause = (): void => {
    clearTimeout(timer);
    if (store.get().playing) store.update({ playing: false });
  };
  const tick = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!store.get().playing) return;
      goToStep(store.get().t + 1);
      if (store.get().t >= last()) pause();
      else tick();
    }, STEP_MS / store.get().speed);
  };
  return {
    pause,
    togglePlay: () => {
      if (store.get().playing) return pause();
      if (last() < 1) return;
      if (store.get().t >= last()) goToStep(0);
      store.update({ playing: true });
      tick();
    },
    changeSpeed: (by) => {
      const at = SPEEDS.findIndex((speed) => speed === store.get().speed);
      store.update({ speed: SPEEDS[at + by] ?? store.get().speed });
      if (store.get().playing) tick();
    },
  };
}
