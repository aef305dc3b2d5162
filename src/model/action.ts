import { z } from "./zod.ts";

/**
 * What an agent does in one step. `type` is from its domain's action space (web-search: SEARCH, READ, FINAL),
 * or `other` for a real action that the space has no name for, or `invalid` for text that is no action at all.
 * `raw` keeps the words of the policy where the mapping lost something (always for `other` and `invalid`).
 */
export const actionSchema = z.object({
  type: z.string().min(1),
  arg: z.string(),
  raw: z.string().optional(),
});
export type Action = z.infer<typeof actionSchema>;

/** One line for people: `SEARCH("Helen Walton")`. */
export function formatAction(action: Pick<Action, "type" | "arg">): string {
  return `${action.type}(${JSON.stringify(action.arg)})`;
}

export function sameAction(a: Action, b: Action): boolean {
  return a.type === b.type && a.arg === b.arg;
}
