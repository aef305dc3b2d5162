import { RequestError } from "../../src/protocol/connection.ts";
import { IDLE, shownOf, type Failure, type Loaded, type LoadKey, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

type Value<K extends LoadKey> = Extract<ReplayState[K], { state: "ready" }>["value"];

export interface Loader {
  /** Asks for what a part of the state shows. A later call for the same part cancels this one. */
  load<K extends LoadKey>(
    key: K,
    what: string,
    ask: (signal: AbortSignal) => Promise<Value<K>>,
  ): Promise<Value<K> | undefined>;
  /** Cancels what is under way for these parts and empties them. */
  clear(...keys: LoadKey[]): void;
}

export function failureOf(what: string, error: unknown): Failure {
  return {
    what,
    why: error instanceof Error ? error.message : String(error),
    next: error instanceof RequestError ? error.next : undefined,
  };
}

/** Keeps the value that is asked for again, also where it is asked for twice before an answer. */
function loadingAgain<T>(loaded: Loaded<T>): Loaded<T> {
  const before = shownOf(loaded);
  return before === undefined ? { state: "loading" } : { state: "loading", before };
}

/** Brings requests into the store, at most one at a time for each part of the state. */
export function createLoader(store: Store<ReplayState>): Loader {
  const running = new Map<LoadKey, AbortController>();
  const put = (key: LoadKey, value: ReplayState[LoadKey]): void => store.update({ [key]: value });
  return {
    async load(key, what, ask) {
      running.get(key)?.abort();
      const controller = new AbortController();
      running.set(key, controller);
      // What is shown of a run, and its notes, stays while they are read again.
      const stays = (key === "run" || key === "notes") && store.get()[key].state === "ready";
      if (!stays) put(key, loadingAgain<unknown>(store.get()[key]) as ReplayState[LoadKey]);
      try {
        const value = await ask(controller.signal);
        if (controller.signal.aborted) return undefined;
        put(key, { state: "ready", value } as ReplayState[LoadKey]);
        return value;
      } catch (error) {
        if (!controller.signal.aborted) put(key, { state: "failed", failure: failureOf(what, error) });
        return undefined;
      }
    },
    clear(...keys) {
      for (const key of keys) {
        running.get(key)?.abort();
        put(key, IDLE);
      }
    },
  };
}
