import { injectContext, ProgramFunction, type ActionType, type Intervention, type MathContext } from "hasp";

/** Cases that are quoted, and characters of one. */
const QUOTED = 4;
const LONGEST = 80;

export default class CaseIncompleteness extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.draft.cases.length > 0;
  }

  intervene(ctx: MathContext): Intervention {
    const { cases, permutations } = ctx.draft;
    return injectContext(
      `The draft lists cases: ${quoted(cases)}. Such a count is right where the cases leave nothing out and none is another one again. ` +
        permuted(permutations) +
        "Add each case that the list leaves out, drop each one that it has twice, and count again.",
      "the draft argues by cases",
    );
  }
}

function permuted(groups: readonly (readonly string[])[]): string {
  const [first] = groups;
  if (first === undefined) return "";
  const more = groups.length === 1 ? "" : ` (one of ${groups.length} such groups)`;
  return `${quoted(first)}${more} are the same numbers in another order: count them once unless the question counts orders apart. `;
}

function quoted(texts: readonly string[]): string {
  const shown = texts.slice(0, QUOTED).map((text) => `"${text.slice(0, LONGEST)}"`);
  return shown.join(", ") + (texts.length > QUOTED ? ", ..." : "");
}
