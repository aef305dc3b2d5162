import type { ChatOptions } from "./chat-model.ts";

/** What the one call is given that all its callers share. */
export interface SharedOptions {
  /** Aborts when the last caller has gone. */
  readonly signal: AbortSignal;
  readonly onText: (piece: string) => void;
  readonly onRestart: () => void;
}

/** `first`: this caller is the one the call was made for. */
export interface Shared<T> {
  readonly value: T;
  readonly first: boolean;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  readonly callers: Set<ChatOptions>;
  said: string;
}

/**
 * Equal calls in flight become one. Each caller hears the whole text, also what was said before it came; each may leave by
 * its own signal without disturbing the others, and the call is aborted when nobody is left.
 */
export function shareCalls<T>() {
  const flights = new Map<string, Flight<T>>();

  const start = (key: string, call: (shared: SharedOptions) => Promise<T>): Flight<T> => {
    const controller = new AbortController();
    const callers = new Set<ChatOptions>();
    const onText = (piece: string): void => {
      flight.said += piece;
      for (const caller of callers) caller.onText?.(piece);
    };
    const onRestart = (): void => {
      flight.said = "";
      for (const caller of callers) caller.onRestart?.();
    };
    const forget = (): void => void (flights.get(key) === flight && flights.delete(key));
    // Begins a tick later, when the first caller has joined and hears everything.
    const result = Promise.resolve().then(() => call({ signal: controller.signal, onText, onRestart }));
    const flight: Flight<T> = { result, controller, callers, said: "" };
    result.then(forget, forget);
    flights.set(key, flight);
    return flight;
  };

  return async (
    key: string,
    caller: ChatOptions,
    call: (shared: SharedOptions) => Promise<T>,
  ): Promise<Shared<T>> => {
    const running = flights.get(key);
    const flight = running ?? start(key, call);
    const leave = (): void => {
      flight.callers.delete(me);
      if (flight.callers.size > 0) return;
      // Who comes now must not join a call that is being aborted.
      flights.delete(key);
      flight.controller.abort(caller.signal?.reason);
    };
    const me = { ...caller };
    flight.callers.add(me);
    if (flight.said !== "") caller.onText?.(flight.said);
    return { value: await orAborted(flight.result, caller.signal, leave), first: running === undefined };
  };
}

/** `result`, or the signal's reason as soon as that aborts, after `leave`. */
function orAborted<T>(result: Promise<T>, signal: AbortSignal | undefined, leave: () => void): Promise<T> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      leave();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
