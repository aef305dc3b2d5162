import type { Pass } from "./intervention.ts";

/** Says of an event that it is not about the proposal as the policy made it. */
export const PASS_WORDS: Readonly<Record<Pass, string>> = {
  repaired: "on the repaired action: ",
  post: "after it ran: ",
};
