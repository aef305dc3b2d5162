/** Spellings of each unit of measure; a plural in "s" is one, too. */
const SPELLINGS: Readonly<Record<string, string>> = {
  second: "sec s",
  minute: "min",
  hour: "hr h",
  day: "",
  week: "wk",
  month: "",
  year: "yr",
  millimeter: "millimetre mm",
  centimeter: "centimetre cm",
  meter: "metre m",
  kilometer: "kilometre km",
  inch: "inches in",
  foot: "feet ft",
  yard: "yd",
  mile: "mi",
  milligram: "mg",
  gram: "g",
  kilogram: "kg",
  ounce: "oz",
  pound: "lb",
  ton: "tonne",
  milliliter: "millilitre ml",
  liter: "litre l",
  gallon: "gal",
  quart: "qt",
  pint: "pt",
  cup: "cupful",
  tablespoon: "tbsp tablespoonful",
  teaspoon: "tsp teaspoonful",
  dollar: "$ usd",
  cent: "¢",
  euro: "€",
  percent: "% percentage",
  degree: "°",
};

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLINGS).flatMap(([name, others]) =>
    [name, ...others.split(" ").filter((other) => other !== "")].flatMap((one) => [
      [one, name] as const,
      [`${one}s`, name] as const,
    ]),
  ),
);
const RATES: ReadonlyMap<string, string> = new Map([
  ["mph", "mile per hour"],
  ["kmh", "kilometer per hour"],
  ["kph", "kilometer per hour"],
]);
/** Characters of a unit. */
const LONGEST = 60;

/** The one name of a unit: "minute" for "mins", "square foot" for "ft^2", "mile per hour" for "mph". Undefined: none that is known. */
export function unitName(written: string): string | undefined {
  if (written.length > LONGEST) return undefined;
  const [top = "", bottom, ...more] = plain(written).split(" per ");
  const first = powered(top);
  if (bottom === undefined) return RATES.get(top) ?? first;
  const second = powered(bottom);
  return more.length === 0 && first !== undefined && second !== undefined
    ? `${first} per ${second}`
    : undefined;
}

/** The unit that a text begins with: "pound" for "pounds of flour". None where it goes on as a rate. */
export function leadingUnit(text: string): string | undefined {
  const words = plain(text.slice(0, LONGEST));
  const whole = unitName(words);
  if (whole !== undefined || words.includes(" per ")) return whole;
  const [first = "", second = ""] = words.split(" ");
  return unitName(`${first} ${second}`) ?? unitName(first);
}

function plain(text: string): string {
  return text
    .replaceAll(/\^\s?\{?\\circ\}?|\\degree/g, "°")
    .replaceAll(/\\(?:text|mathrm|mbox)\b|\\[,;:! ]|[\\{}~.,]/g, " ")
    .toLowerCase()
    .replaceAll(/\s?\/\s?|\s(?:an?|each|every)\s/g, " per ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function powered(text: string): string | undefined {
  const [, before, base = "", behind] =
    /^(square |sq |cubic |cu )?(.+?)(?: ?\^ ?([23])|([²³])| squared| cubed)?$/.exec(text) ?? [];
  const name = NAMES.get(base);
  const exponent = behind ?? { "²": "2", "³": "3" }[text.at(-1) ?? ""];
  if (name === undefined) return undefined;
  if (before?.startsWith("s") === true || exponent === "2" || text.endsWith(" squared"))
    return `square ${name}`;
  const isCubic = before !== undefined || exponent === "3" || text.endsWith(" cubed");
  return isCubic ? `cubic ${name}` : name;
}
