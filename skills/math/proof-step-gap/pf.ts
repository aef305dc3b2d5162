import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type MathContext,
} from "hasp";

/** Values that everybody knows: small numbers, clocks, calendars, measures, percentages. */
const KNOWN = new Set(
  (
    "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 20 24 25 26 28 29 30 31 32 36 40 45 48 50 52 60 64 75 80 90 100 120 125 128 144 150 180 200" +
    " 240 250 256 270 300 360 365 366 400 500 512 600 720 800 900 1000 1024 1440 1760 2000 3600 5280 10000 100000 1000000" +
    " 1/2 1/3 2/3 1/4 3/4 1/5 1/6 1/8 3/2 5/2 1/10 1/20 1/25 1/100 1/1000 157/50"
  ).split(" "),
);
/** Measures in other measures, as they are written. */
const MEASURES = new Set(
  "2.54 0.3937 0.3048 3.28 3.281 39.37 1.609 1.6 1.61 0.621 0.62 0.6214 2.2 2.205 2.2046 0.4536 0.454 453.6 454 28.35 3.785 3.79 1.8 273.15 9.8 9.81".split(
    " ",
  ),
);
/** A question that lists its numbers by a range or a property. */
const LISTS =
  /\b(?:between|from|through|less than|greater than|integers?|whole numbers?|primes?|composites?|multiples?|factors?|divisors?|digits?|squares?|sequence)\b/i;

export default class ProofStepGap extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: MathContext, actionType: ActionType): boolean {
    return actionType === "FINAL" && (ctx.draft.claims.length > 0 || fromNowhere(ctx) !== undefined);
  }

  intervene(ctx: MathContext): Intervention {
    const [claim] = ctx.draft.claims;
    if (claim !== undefined) {
      return injectContext(
        `This sentence claims a step and gives no reason: "${claim}" Write down why it is true, and correct what follows if it is not.`,
        "a step of the draft is claimed and not shown",
      );
    }
    const found = fromNowhere(ctx);
    if (found === undefined) return noop("every step is shown");
    return injectContext(
      `In "${found.equation}" the number ${found.number} comes from nowhere: the question does not have it, and no equation before makes it. ` +
        "Derive it from the question's numbers, or compute without it.",
      "the draft computes with a number from nowhere",
    );
  }
}

/** The first equation that computes with a number without an origin. */
function fromNowhere({ draft, question }: MathContext): { equation: string; number: string } | undefined {
  const isListed = LISTS.test(question);
  const numbers = draft.numbers.filter(
    ({ from, text, value }) =>
      from === "nowhere" && !isKnown(text, value) && !(isListed && !value.includes("/")),
  );
  for (const { left, text } of draft.equations) {
    const parts = new Set(left.replaceAll(/\{,\}|,\\!|,/g, "").match(/\d+(?:\.\d+)?/g) ?? []);
    const number = numbers.find((one) => parts.has(one.text));
    if (number !== undefined) return { equation: text, number: number.text };
  }
  return undefined;
}

function isKnown(text: string, value: string): boolean {
  return KNOWN.has(value) || MEASURES.has(text) || isPi(text);
}

/** Digits of pi, cut off or rounded. */
function isPi(text: string): boolean {
  const decimals = (text.split(".")[1] ?? "").length;
  const isLong = decimals > 1 && decimals < 16;
  return isLong && (`${Math.PI}`.startsWith(text) || Math.PI.toFixed(decimals) === text);
}
