import { InvalidArgumentError } from "commander";

function parsed(text: string, accept: (value: number) => boolean, what: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!accept(value)) throw new InvalidArgumentError(`It must be ${what}.`);
  return value;
}

/** An option's value as a whole number of at least `least` and, where it is given, at most `most`. */
export const wholeNumber = (least: number, most?: number) => (text: string) =>
  parsed(
    text,
    (n) => Number.isSafeInteger(n) && n >= least && n <= (most ?? n),
    most === undefined ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`,
  );

/** An option's value as a number of at least `least`. */
export const amount = (least: number) => (text: string) =>
  parsed(text, (n) => Number.isFinite(n) && n >= least, `a number, ${least} or more`);

/** An option's value as whole numbers with commas between them, each of at least `least`. */
export const wholeNumbers = (least: number) => (text: string) => text.split(",").map(wholeNumber(least));
