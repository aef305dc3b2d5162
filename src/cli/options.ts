import { Option } from "commander";
import { SHIPPED_LISTS } from "../model/shipped-lists.ts";
import { amount, wholeNumber, wholeNumbers } from "./numbers.ts";

/** An option whose parsed value is a T. `parsed` is there for the type alone. */
export type Typed<T> = Option & { readonly parsed?: T };

/** Options by the names that commander gives their values, in the order in which `--help` lists them. */
export type Options = Readonly<Record<string, Typed<unknown>>>;

type ValueOf<O> = O extends { readonly parsed?: infer T } ? T : never;

/** The parsed values of options. */
export type OptionsOf<O extends Options> = { readonly [Name in keyof O]: ValueOf<O[Name]> };

/** An option without a value. */
export const flag = (flags: string, about: string): Typed<boolean | undefined> => new Option(flags, about);

export const text = (flags: string, about: string): Typed<string | undefined> => new Option(flags, about);

/** An option with several values. */
export const texts = (flags: string, about: string): Typed<string[] | undefined> => new Option(flags, about);

export const oneOf = <Choice extends string>(
  flags: string,
  about: string,
  choices: readonly Choice[],
): Typed<Choice | undefined> => new Option(flags, about).choices(choices);

/** An option with several values, each of them one of these. */
export const someOf = <Choice extends string>(
  flags: string,
  about: string,
  choices: readonly Choice[],
): Typed<Choice[] | undefined> => new Option(flags, about).choices(choices);

/** An option with a whole number of at least `least` and, where it is given, at most `most`. */
export const whole = (flags: string, about: string, least = 0, most?: number): Typed<number | undefined> =>
  new Option(flags, about).argParser(wholeNumber(least, most));

/** An option with whole numbers of at least `least`, with commas between them. */
export const wholes = (flags: string, about: string, least = 0): Typed<number[] | undefined> =>
  new Option(flags, about).argParser(wholeNumbers(least));

/** An option with a number of at least `least`. */
export const decimal = (flags: string, about: string, least = 0): Typed<number | undefined> =>
  new Option(flags, about).argParser(amount(least));

/** The option, without which the command refuses to run. */
export const needed = <T>(option: Typed<T>): Typed<NonNullable<T>> =>
  option.makeOptionMandatory() as Typed<NonNullable<T>>;

/** The option with a default, which `--help` shows. */
export const withDefault = <T>(option: Typed<T>, value: NonNullable<T>): Typed<NonNullable<T>> =>
  option.default(value) as Typed<NonNullable<T>>;

/** The list of shipped skills of every command that reads them. */
export const TRIGGERS = oneOf(
  "--triggers <list>",
  "which shipped skills: worth (default, or that of hasp.yaml), or paper for reproductions",
  SHIPPED_LISTS,
);

/** The option of commands that ask the skills, in the words of `--help`. */
export const SKILL_FOLDERS = texts(
  "--skills <dir...>",
  "skill folders or folders above them (default: the libraries of hasp.yaml)",
);
