import { sameValue } from "./same-value.ts";
import type { ValueShape } from "./shapes.ts";
import { hasSign, withSign } from "./unit-sign.ts";
import { wantedBy, type Wanted } from "./wanted.ts";

/** Undefined: cannot be decided. */
export type Same = boolean | undefined;

const isCurrency = (unit: string): boolean => /^[$€£¢]/.test(unit);

/** One is a rate and the other is what it measures: `$/h` and `$`, `mi/h` and `mi`. */
function isShort(a: string, b: string): boolean {
  return a.includes("/") !== b.includes("/") && a.split("/", 1)[0] === b.split("/", 1)[0];
}

/** Both may be written as "pounds". */
const POUNDS = new Set(["lb", "£"]);

/** Of units with two names; none is converted. */
function sameUnit(a: string, b: string): Same {
  if (POUNDS.has(a) && POUNDS.has(b)) return undefined;
  if (isShort(a, b)) return isCurrency(a) || undefined;
  // `20 degrees` leaves out the scale of `20°C`.
  return (a === "°" || b === "°") && a.startsWith("°") && b.startsWith("°");
}

/** Compares two values with their units. A unit on one side alone does not count; a percentage is its hundredth unless the question asks for one. */
export function sameUnitValue(given: ValueShape, accepted: ValueShape, wanted: Wanted): Same {
  const [a, b] = [given.unit, accepted.unit];
  const bare = (): Same => sameValue(given.expression, accepted.expression);
  if (a === b) return bare();
  if (a !== undefined && b !== undefined) {
    const same = sameUnit(a, b);
    return same === undefined && bare() !== false ? undefined : same === true && bare();
  }
  const unit = a ?? b ?? "";
  const signed = (): Same => sameValue(withSign(given.expression, a), withSign(accepted.expression, b));
  if (hasSign((a === undefined ? given : accepted).expression, unit)) return signed();
  if (unit !== "%" || wanted.percent) return bare();
  if (b !== "%" || !wanted.saysPercent) return signed();
  // A question that only speaks of percent may mean either.
  return bare() === false && signed() !== false ? undefined : bare();
}

const NOT_ASKED = wantedBy("");

/** Compares two sides of one chain. Units may be converted there, as in `1 ft = 12 in`, so that different ones are undecided. */
export function sameLink(left: ValueShape, right: ValueShape): Same {
  if (sameUnitValue(left, right, NOT_ASKED) === true) return true;
  if (left.unit !== undefined && right.unit !== undefined && left.unit !== right.unit) return undefined;
  // `25 = 25\%` may be meant.
  const same = sameValue(left.expression, right.expression);
  return same === true ? undefined : same;
}
