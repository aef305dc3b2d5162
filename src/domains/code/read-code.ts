import type { CodeDraft } from "./code-types.d.ts";

/** Reads the proposed program of an answer to a question. Never fails; what cannot be read is left out. */
export function readCode({ answer }: { readonly question: string; readonly answer: string }): CodeDraft {
  return { source: answer };
}
