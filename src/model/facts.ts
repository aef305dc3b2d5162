/** A part of an order that a person agrees to: its name, and its value as it is. */
export type Fact = readonly [name: string, value: string];

const isEntries = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every value of an order in JSON by its path, as in `config.train.epochs`. */
export function factsOf(value: unknown, path = ""): readonly Fact[] {
  if (isEntries(value))
    return Object.entries(value).flatMap(([key, one]) => factsOf(one, path === "" ? key : `${path}.${key}`));
  return [[path, typeof value === "string" ? value : JSON.stringify(value)]];
}
