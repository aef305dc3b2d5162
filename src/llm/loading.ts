import { ModelError } from "./chat-model.ts";
import type { Timing } from "./timing.ts";

/** Milliseconds that a server is waited for while it loads its model. */
export const MOST_LOADING_MS = 300_000;
/** Milliseconds between two looks at it. */
export const LOOK_AGAIN_MS = 2_000;
/** Milliseconds between two messages about it. */
const SAID_EVERY_MS = 10_000;
/** Milliseconds without a try after which the next refusal is another loading: more than the longest wait between two tries. */
const FORGOTTEN_MS = 120_000;

/** True for the words of a 503 of a server that is still loading its model, not of one that failed to. */
export function saysLoading(text: string): boolean {
  return /\bloading\b/i.test(text) && !/\b(error|fail(ed|ure)?|cannot|could not|unable)\b/i.test(text);
}

/** The loading of one model, as all its chats meet it. */
export interface Loading {
  /** A try met the server loading. Throws ModelError where that has lasted too long. */
  met(): void;
  /** A try met it otherwise. */
  over(): void;
}

/** @param say receives, now and then, that it is waited for. */
export function watchLoading(
  id: string,
  timing: Timing,
  say: ((message: string) => void) | undefined,
): Loading {
  let seen: { readonly since: number; readonly last: number; readonly said: number } | undefined;
  return {
    met() {
      const now = timing.now();
      const isNew = seen === undefined || now - seen.last > FORGOTTEN_MS;
      const { since, said } = isNew || seen === undefined ? { since: now, said: -Infinity } : seen;
      const seconds = Math.round((now - since) / 1000);
      if (now - since >= MOST_LOADING_MS) {
        seen = { since, last: now, said };
        throw new ModelError(
          "server_error",
          `${id} is still loading its model after ${seconds} s.`,
          "See the log of the server, and try again once the model is loaded; a smaller one loads sooner.",
        );
      }
      const isDue = now - said >= SAID_EVERY_MS;
      seen = { since, last: now, said: isDue ? now : said };
      if (isDue) say?.(`${id} is still loading its model; waiting${seconds === 0 ? "" : `, ${seconds} s`}`);
    },
    over() {
      seen = undefined;
    },
  };
}
