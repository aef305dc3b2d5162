import { injectContext, ProgramFunction, type ActionType, type Intervention, type MathContext } from "hasp";

/** Characters of a quoted piece of the draft. */
const LONGEST = 160;

export default class Overgeneralization extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.draft.cases.length > 0;
  }

  intervene(ctx: MathContext): Intervention {
    return injectContext(
      basis(ctx) +
        symmetry(ctx) +
        "Check for each case that what you say of all of them holds in it, and correct the answer where it does not.",
      "the draft says of all cases what may hold in some",
    );
  }
}

/** The rules that the draft names, first and last; a draft that names none builds on its cases. */
function basis({ draft: { rules, cases } }: MathContext): string {
  const [first, last] = [rules[0], rules.at(-1)];
  if (first === undefined)
    return `The draft concludes from its cases, of which the first is "${cut(cases[0] ?? "")}". `;
  const both =
    last === undefined || last === first ? `"${cut(first)}"` : `"${cut(first)}" and on "${cut(last)}"`;
  return `The draft builds on ${both}. State the precondition of each rule that it uses. `;
}

function symmetry({ draft: { permutations } }: MathContext): string {
  const [[first, second] = []] = permutations;
  if (first === undefined || second === undefined) return "";
  return `A rule that is symmetric in its numbers gives the same result for "${first}" and "${second}". `;
}

function cut(text: string): string {
  return text.slice(0, LONGEST).replace(/[.,;:]$/, "");
}
