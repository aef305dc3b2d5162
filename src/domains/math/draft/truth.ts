import {
  add,
  compare,
  divide,
  multiply,
  ONE,
  parseNumber,
  rational,
  subtract,
  toNumber,
  ZERO,
  type Rational,
} from "../expression/rational.ts";
import { exactValue } from "../expression/evaluate.ts";
import { parseExpression } from "../expression/parse.ts";
import { HALF, HUNDRED } from "./constants.ts";
import type { Link } from "./links.ts";
import type { Side } from "./sides.ts";

/** `unclear`: it does not hold as it is written, but may be meant in a way that does; it counts for nothing. */
export type Truth = "holds" | "fails" | "unclear";

/** Part of the value by which `≈` may be off. */
const ABOUT = 0.05;

/** Decimals that look rounded: 0.33, 16.667, 0.83. */
const LOOKS_ROUNDED = /\.\d*(?:33|66|67|17|83)\d?$|\.\d{4,}$/;

/** Units of which one makes several of the other: a side in one is compared with a side in the other by people, not by digits. */
const FAMILIES: readonly ReadonlyMap<string, number>[] = [
  "second seconds sec secs|minute minutes min mins|hour hours hr hrs mph kph|day days|week weeks|month months|year years|decade decades|century",
  "cent cents|dollar dollars $|quarter quarters|dime dimes|nickel nickels|penny pennies",
  "inch inches in|foot feet ft|yard yards|mile miles mph|mm millimeters|cm centimeter centimeters|meter meters|km kilometer kilometers kph",
  "mg|g gram grams|kg kilogram kilograms|ounce ounces oz|pound pounds lb lbs|ton tons",
  "ml milliliter milliliters|liter liters|cup cups|pint pints|quart quarts|gallon gallons",
].map(
  (family) =>
    new Map(family.split("|").flatMap((names, at) => names.split(" ").map((name) => [name, at] as const))),
);

/** How many of one unit another one of its family has. */
const FACTORS = [
  2, 3, 4, 5, 7, 8, 10, 12, 16, 20, 24, 25, 30, 36, 52, 60, 100, 365, 1_000, 1_440, 1_760, 2_000, 3_600,
  5_280,
];

/** "9 am - 5 pm = 8 hours". */
const TIMES_OF_DAY = new Set(["am", "pm", "o'clock", "o’clock", "noon", "midnight"]);

/** The value that numbers alone make; undefined where a side has none. */
export function valueOf({ expression, isOpen }: Side): Rational | undefined {
  return isOpen ? undefined : valueIn(expression);
}

function valueIn(expression: string): Rational | undefined {
  const parsed = parseExpression(expression);
  return parsed && exactValue(parsed);
}

const magnitude = (value: Rational): Rational => (value.num < 0n ? { ...value, num: -value.num } : value);

function distance(a: Rational, b: Rational): Rational | undefined {
  const between = subtract(a, b);
  return between && magnitude(between);
}

function isWithin(a: Rational, b: Rational, most: Rational | undefined): boolean {
  const between = distance(a, b);
  return between !== undefined && most !== undefined && compare(between, most) <= 0;
}

/** How far a value may be from a single number that is written. Zero where the side is none. */
function tolerance(side: Side): Rational {
  const [only] = side.operands;
  if (only?.kind !== "number" || side.operators.length > 0) return ZERO;
  const written = parseNumber(only.text) ?? ZERO;
  const most = only.text.includes(".") ? digitOf(only.text) : wholeTolerance(written);
  return (hasPercent(side) ? divide(most, HUNDRED) : most) ?? ZERO;
}

/** The same for an exact value: one that the decimals of the number can write is not rounded, unless a calculator gave more digits. */
function toleranceFor(exact: Rational, side: Side, mark: string | undefined): Rational {
  const most = tolerance(side);
  const text = side.operands[0]?.text ?? "";
  const isExact = text.includes(".") && divide(exact, most)?.den === 1n;
  return isExact && !isCutFrom(mark, text) ? ZERO : most;
}

/** `<<9.45+5.55=14.999999999999998>>14.99`: the number is the calculator's without its last digits. */
function isCutFrom(mark: string | undefined, text: string): boolean {
  const result = mark?.slice(mark.lastIndexOf("=") + 1).trim() ?? "";
  return result.length > text.length && result.startsWith(text);
}

/** A whole number stands for one that is within a half and within a hundredth: 132 for 132.3, and not 2 for 2.3. */
function wholeTolerance(written: Rational): Rational {
  const hundredth = divide(magnitude(written), HUNDRED) ?? ZERO;
  return compare(hundredth, HALF) > 0 ? HALF : hundredth;
}

/** One in the last decimal: people also cut digits off. */
function digitOf(text: string): Rational {
  const decimals = text.includes(".") ? text.length - text.indexOf(".") - 1 : 0;
  return rational(1n, 10n ** BigInt(decimals)) ?? ZERO;
}

/** Digits of a calculator's floating point: `0.30000000000000004`. */
function isNoise(a: Rational, b: Rational): boolean {
  const [x, y] = [toNumber(a), toNumber(b)];
  return Math.abs(x - y) <= 1e-9 * Math.abs(x);
}

/** Whether the sides are the same number to the digits that are written. */
function isSame(a: Rational, b: Rational, { left, right, isAbout, mark }: Link): boolean {
  const [forLeft, forRight] = [toleranceFor(b, left, mark), toleranceFor(a, right, mark)];
  if (isWithin(a, b, compare(forLeft, forRight) > 0 ? forLeft : forRight) || isNoise(a, b)) return true;
  return isAbout && Math.abs(toNumber(a) - toNumber(b)) <= ABOUT * Math.abs(toNumber(a));
}

/** `5 / 20 * 100 = 25%` and `75% - 50% = 25`: the sign stands for a unit. */
function isSameInPercent(a: Rational, b: Rational, link: Link): boolean {
  const { left, right } = link;
  const isSum = left.operators.every((sign) => sign === "+" || sign === "-");
  const hundredfold = (value: Rational): Rational => multiply(value, HUNDRED) ?? value;
  if (hasPercent(right)) return isSame(a, hundredfold(b), { ...link, right: { ...right, units: [] } });
  return hasPercent(left) && isSum && isSame(hundredfold(a), b, link);
}

/** How much a side changes where the rounded ones of its operands change in their last digit. */
function slack(side: Side, value: Rational, isRounded: (text: string) => boolean): Rational {
  const rounded = side.operands.filter(({ kind, text }) => kind === "number" && isRounded(text)).slice(0, 4);
  return rounded.reduce((sum, operand) => {
    const moved = add(parseNumber(operand.text) ?? ZERO, digitOf(operand.text));
    const expression = side.expression.replace(operand.text, moved ? `(${moved.num}/${moved.den})` : "");
    const other = valueIn(expression);
    return (other && add(sum, distance(value, other) ?? ZERO)) ?? sum;
  }, ZERO);
}

/** Values in which a side may be meant in place of its exact one. */
function otherValues(side: Side): readonly Rational[] {
  const all = [side.inOrder === undefined ? undefined : valueIn(side.inOrder), fromLeftToRight(side)];
  return all.filter((value) => value !== undefined);
}

/** `2 + 3 * 4 = 20`: operators in the order of writing. */
function fromLeftToRight({
  expression,
  inOrder = expression,
  operands,
  operators,
  units,
}: Side): Rational | undefined {
  if (inOrder.includes("(") || operands.length !== operators.length + 1 || units.includes("%"))
    return undefined;
  const values = operands.map(({ kind, text }) => (kind === "number" ? parseNumber(text) : undefined));
  return values.reduce((made, value, at) => {
    if (made === undefined || value === undefined || at === 0) return value;
    return OPERATIONS[operators[at - 1] ?? ""]?.(made, value);
  }, values[0]);
}

const OPERATIONS: Readonly<Record<string, typeof add>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
};

const hasPercent = ({ units }: Side): boolean => units.includes("%");

/** A number alone, which a unit may follow. */
function isBare({ expression, operands }: Side): boolean {
  return operands[0]?.kind === "number" && /^-? ?[\d.]+(?: %)?$/.test(expression);
}

/** "Pages 5 - 10 = 15 pages": the sign may be a dash. */
function isRange({ left, right }: Link): boolean {
  const [from, to] = left.operands.map(({ text }) => Number(text));
  const isOnlyMinus = left.operators.length === 1 && left.operators[0] === "-";
  return (
    isOnlyMinus &&
    right.operators.length === 0 &&
    Number(from) + Number(to) === Number(right.operands[0]?.text)
  );
}

/** Units of one family are added or converted, or one side is a number of times the other as one unit is of another. */
function mixesUnits({ left, right, unitBehind }: Link, a: Rational, b: Rational): boolean {
  const behind = unitBehind === undefined || unitBehind === "in" ? [] : [unitBehind];
  const all = [...left.units, ...right.units, ...behind];
  if (all.some((unit) => TIMES_OF_DAY.has(unit))) return true;
  const isMixed = FAMILIES.some((family) => new Set(all.flatMap((unit) => family.get(unit) ?? [])).size > 1);
  const adds = [...left.operators, ...right.operators].some((sign) => sign === "+" || sign === "-");
  return isMixed && (adds || !isBare(right) || isConversion(toNumber(a) / toNumber(b)));
}

function isConversion(ratio: number): boolean {
  const times = Math.max(ratio, 1 / ratio);
  return FACTORS.some((factor) => Math.abs(times / factor - 1) < ABOUT);
}

/** Exact truth of a link between two values, to the digits that are written. `wasRounded`: a number that an earlier equation has rounded. */
export function truthOf(link: Link, a: Rational, b: Rational, wasRounded: (text: string) => boolean): Truth {
  if (isSame(a, b, link) || isSameInPercent(a, b, link)) return "holds";
  if (isLoose(link) || mixesUnits(link, a, b) || (link.isRounded && isWithin(a, b, ONE))) return "unclear";
  if (otherValues(link.left).some((other) => isSame(other, b, link))) return "unclear";
  if (link.right.inOrder !== undefined && otherValues(link.right).some((other) => isSame(a, other, link)))
    return "unclear";
  if (holdsWithRounded(link, a, b, wasRounded)) return "holds";
  return goesOnFrom(link, a) ? (link.goesOn ? "holds" : "unclear") : "fails";
}

/** The sign `=` may stand for something else here: "2 dozen = 24", "100 - 20% = 80". */
function isLoose(link: Link): boolean {
  const { left, right } = link;
  const operators = [...left.operators, ...right.operators];
  const addsPercent =
    [left, right].some(hasPercent) && operators.some((sign) => sign === "+" || sign === "-");
  return isBare(left) || link.isExclaimed || addsPercent || isRange(link);
}

/** It holds where the numbers that were rounded before are a little off. */
function holdsWithRounded(
  link: Link,
  a: Rational,
  b: Rational,
  wasRounded: (text: string) => boolean,
): boolean {
  const looksRounded = (text: string): boolean => wasRounded(text) || LOOKS_ROUNDED.test(text);
  const off = add(slack(link.left, a, looksRounded), slack(link.right, b, looksRounded));
  return off !== undefined && off.num > 0n && isWithin(a, b, add(off, tolerance(link.right)));
}

/** `10 / 2 = 5 * 3 = 15`: the right side begins with the result and calculates on. */
function goesOnFrom(link: Link, a: Rational): boolean {
  const [first] = link.right.operands;
  if (first?.kind !== "number" || link.right.operators.length === 0) return false;
  const value = parseNumber(first.text);
  return value !== undefined && compare(a, value) === 0;
}
