import { InvalidArgumentError } from "commander";

function parsed(text: string, accept: (value: number) => boolean, what: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!accept(value)) throw new InvalidArgumentError(`It must be ${what}.`);
  return value;
}

/** An option's value as a whole number of at least `least`. */
export const wholeNumber = (least: number) => (text: string) =>
  parsed(text, (n) => Number.isSafeInteger(n) && n >= least, `a whole number, ${least} or more`);

/** An option's value as a number of at least `least`. */
export const amount = (least: number) => (text: string) =>
  parsed(text, (n) => Number.isFinite(n) && n >= least, `a number, ${least} or more`);
