import { ModelError } from "./chat-model.ts";
import type { Timing } from "./timing.ts";

/** Watches one chat: that bytes keep coming, and that it ends. */
export interface Watchdog {
  /** Aborts with the caller's own reason, or with ModelError `timeout`. */
  readonly signal: AbortSignal;
  /** A try begins: the wait for its first byte starts. */
  begin(): void;
  /** A byte came: the wait for the next one starts anew. */
  touch(): void;
  /** Nothing is expected until `begin`. */
  rest(): void;
  /** Must be called when the chat is over. */
  end(): void;
}

export interface WatchLimits {
  /** Milliseconds until the first byte: a server sends none while it reads the prompt. */
  readonly firstMs: number;
  /** Milliseconds without a byte after that. */
  readonly idleMs: number;
  /** Milliseconds for a chat with all its tries and waits. */
  readonly totalMs: number;
}

/** @param id the model, for the message. */
export function watchdog(id: string, limits: WatchLimits, timing: Timing, caller?: AbortSignal): Watchdog {
  const controller = new AbortController();
  const timeout = (message: string, next: string) => (): void =>
    controller.abort(new ModelError("timeout", message, next));
  const stalled = (ms: number) =>
    timeout(
      `${id} sent nothing for ${seconds(ms)}.`,
      "See whether the server is overloaded or stuck, or allow a longer silence.",
    );
  const follow = (): void => controller.abort(caller?.reason);
  if (caller?.aborted === true) follow();
  caller?.addEventListener("abort", follow, { once: true });
  const stopTotal = timing.after(
    limits.totalMs,
    timeout(
      `${id} was not done after ${seconds(limits.totalMs)}.`,
      "Allow more time for a call, or shorter replies.",
    ),
  );
  let stopIdle = (): void => undefined;
  const rest = (): void => stopIdle();
  const expectByte = (ms: number): void => {
    stopIdle();
    stopIdle = timing.after(ms, stalled(ms));
  };
  return {
    signal: controller.signal,
    rest,
    begin: () => expectByte(limits.firstMs),
    touch: () => expectByte(limits.idleMs),
    end() {
      stopIdle();
      stopTotal();
      caller?.removeEventListener("abort", follow);
    },
  };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
