import type { Step } from "../../model/episode.ts";
import type { MathDraft } from "./math-types.d.ts";
import { readDraft } from "./read-draft.ts";

/** The draft of the last answer that a step proposed; its context has the first one. Undefined where it proposed none. */
export function lastDraft(
  question: string,
  { proposals }: Pick<Step, "proposals">,
  finalAction: string,
): { readonly draft: MathDraft; readonly thought: string } | undefined {
  const proposal = proposals.findLast(({ action }) => action.type === finalAction);
  if (proposal === undefined) return undefined;
  const { thought, action } = proposal;
  return { draft: readDraft({ question, thought, answer: action.arg }), thought };
}
