import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type CodeContext,
  type CodeLoop,
  type Intervention,
  type QuestionLimit,
} from "hasp";

/** A size for which a loop in a loop takes too long. */
const LARGE = 100_000;

export default class CodeComplexityAnalysis extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: CodeContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && large(ctx) !== undefined && innerLoop(ctx) !== undefined;
  }

  intervene(ctx: CodeContext): Intervention {
    const [limit, loop] = [large(ctx), innerLoop(ctx)];
    if (limit === undefined || loop?.outer === undefined) return noop("no loop in a loop over large input");
    return injectContext(
      `The task allows "${limit.words}", and the loop "${loop.text}" runs within "${loop.outer.text}". ` +
        "Count its rounds for the largest input, and replace the inner loop if they are too many.",
      "a loop in a loop over large input",
    );
  }
}

function large({ code }: CodeContext): QuestionLimit | undefined {
  return code.limits.find(({ most, isSize }) => isSize && most >= LARGE);
}

/** A loop that stands in another; neither has a fixed number of rounds. */
function innerLoop({ code }: CodeContext): CodeLoop | undefined {
  const fixed = new Set(
    code.loops.filter(({ isFixed }) => isFixed).map(({ line, text }) => `${line} ${text}`),
  );
  return code.loops.find(({ outer, isFixed }) => {
    return outer !== undefined && !isFixed && !fixed.has(`${outer.line} ${outer.text}`);
  });
}
