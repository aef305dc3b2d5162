import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeBound,
  type CodeContext,
  type Intervention,
} from "hasp";

/** Bounds that are quoted. */
const QUOTED = 3;

const FACTS: Readonly<Record<CodeBound["kind"], string>> = {
  "range from 1": "leaves out 0 and its own end",
  "length - 1": "is the last index, and as an end leaves the last item out",
  "next index": "needs an item behind the current one",
};

export default class CodeOffByOne extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && ctx.code.bounds.length > 0;
  }

  intervene(ctx: CodeContext): Intervention {
    const quoted = [...new Set(ctx.code.bounds.map(({ text, kind }) => `"${text}" ${FACTS[kind]}.`))];
    if (quoted.length === 0) return noop("no bound is one off the usual");
    return injectContext(
      `${quoted.slice(0, QUOTED).join(" ")} Run the first and the last round by hand, and correct the bound if an item is left out.`,
      "bounds that are one off the usual",
    );
  }
}
