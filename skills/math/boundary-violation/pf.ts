import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type Bound,
  type Intervention,
  type MathContext,
} from "hasp";

export default class BoundaryViolation extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && violationOf(ctx) !== undefined;
  }

  intervene(ctx: MathContext): Intervention {
    return injectContext(
      `The answer ${ctx.draft.answer.text.slice(0, 80)} ${violationOf(ctx)}. ` +
        "Find the first step of the draft from which this follows, compute it again and correct what follows from it.",
      "the answer is outside of what the question allows",
    );
  }
}

/** The bound that the answer breaks, in words; undefined where it breaks none. */
function violationOf({ draft: { answer, asked } }: MathContext): string | undefined {
  if (answer.value === undefined) return undefined;
  const value = numberOf(answer.value);
  for (const bound of asked.bounds) {
    if (answer.unitName === "%" && bound.words === "probability") continue;
    const side = sideOutside(value, bound);
    if (side !== undefined) return `${side}, and the question says "${bound.words}"`;
  }
  if (asked.counted === undefined || !answer.value.includes("/") || answer.unit === "%") return undefined;
  return `is not a whole number, and the question asks how many "${asked.counted}" there are`;
}

function sideOutside(value: number, { least, most, strict }: Bound): string | undefined {
  if (least !== undefined && isOutside(numberOf(least) - value, strict))
    return strict === true ? `is not over ${least}` : `is under ${least}`;
  if (most !== undefined && isOutside(value - numberOf(most), strict))
    return strict === true ? `is not under ${most}` : `is over ${most}`;
  return undefined;
}

function isOutside(distance: number, strict: true | undefined): boolean {
  return strict === true ? distance >= 0 : distance > 0;
}

/** Of an exact value: "-7/2". */
function numberOf(value: string): number {
  const [top, bottom = "1"] = value.split("/");
  return Number(top) / Number(bottom);
}
