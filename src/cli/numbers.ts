import { InvalidArgumentError } from "commander";

function parsed(text: string, accept: (value: number) => boolean, what: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!accept(value)) throw new InvalidArgumentError(`It must be ${what}.`);
  return value;
}

/** An option's value as a whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) =>
    parsed(
      text,
      (value) => Number.isSafeInteger(value) && value >= least,
      `a whole number, ${least} or more`,
    );
}

/** An option's value as a number of at least `least`. */
export function amount(least: number): (text: string) => number {
  return (text) =>
    parsed(text, (value) => Number.isFinite(value) && value >= least, `a number, ${least} or more`);
}
