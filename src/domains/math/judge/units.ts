/** Units that have one meaning, by their names. A noun that is none of them says what is counted, and does not part answers. */
const NAMES: Readonly<Record<string, string>> = {
  $: "dollar usd buck",
  "€": "euro eur",
  "£": "gbp",
  "¢": "cent",
  "%": "percent percentage pct",
  "°": "degree deg",
  "°C": "celsius",
  "°F": "fahrenheit",
  rad: "radian",
  mm: "millimeter millimetre",
  cm: "centimeter centimetre",
  m: "meter metre",
  km: "kilometer kilometre",
  in: "inch inche",
  ft: "foot feet",
  yd: "yard",
  mi: "mile",
  mg: "milligram",
  g: "gram",
  kg: "kilogram kilo",
  oz: "ounce",
  lb: "pound",
  ml: "milliliter millilitre",
  l: "liter litre",
  gal: "gallon",
  qt: "quart",
  pt: "pint",
  cup: "cupful",
  tbsp: "tablespoon tablespoonful",
  tsp: "teaspoon teaspoonful",
  ton: "tonne",
  s: "second sec",
  min: "minute",
  h: "hour hr",
  day: "",
  week: "wk",
  month: "",
  year: "yr",
  mph: "",
};

const CANONICAL = new Map(
  Object.entries(NAMES).flatMap(([unit, names]) =>
    [unit, ...names.split(" ")].map((name) => [name, unit] as const),
  ),
);
CANONICAL.delete("");

/** `mph`, `m/s`: speeds are written in two ways. */
const PER = new Map([
  ["mph", "mi/h"],
  ["kph", "km/h"],
]);

function ofWord(word: string): string | undefined {
  const plain = word.replace(/\.$/, "");
  return (
    CANONICAL.get(plain) ??
    CANONICAL.get(plain.toLowerCase()) ??
    CANONICAL.get(plain.toLowerCase().replace(/s$/, ""))
  );
}

const POWERS: Readonly<Record<string, string>> = {
  square: "^2",
  sq: "^2",
  "sq.": "^2",
  cubic: "^3",
  cu: "^3",
};

/**
 * The unit of a text such as `square feet`, `cm^2`, `miles per hour`. Undefined where a word of it is not a unit: `apples` are counted, not
 * measured. At most 60 characters are read.
 */
export function unitOf(text: string): string | undefined {
  const plain = text
    .slice(0, 60)
    .trim()
    .replaceAll("²", "^2")
    .replaceAll("³", "^3")
    .replaceAll(/[{}]/g, "")
    .replace(/^pounds? sterling$/i, "gbp")
    .replace(/^per cent$/i, "percent")
    .replace(
      /^(?:°|degrees?)\s*([cf])(?:elsius|ahrenheit)?$/i,
      (_, scale: string) => `°${scale.toUpperCase()}`,
    );
  const sides = plain.split(/\s*\/\s*|\s+per\s+|\s+(?:an?)\s+/);
  const units = sides.map(ofSide);
  if (units.includes(undefined)) return undefined;
  const unit = units.join("/");
  return PER.get(unit) ?? unit;
}

function ofSide(side: string): string | undefined {
  const words = side.split(/\s+/).filter((word) => word !== "");
  const power = POWERS[words[0]?.toLowerCase() ?? ""];
  const [name, exponent] = (words[power === undefined ? 0 : 1] ?? "").split("^");
  const rest = words.slice(power === undefined ? 1 : 2);
  const isPower = rest.length === 1 && /^(?:squared|cubed)$/.test(rest[0] ?? "");
  if (name === undefined || (rest.length > 0 && !isPower)) return undefined;
  const unit = ofWord(name);
  if (unit === undefined) return undefined;
  const behind = isPower
    ? rest[0] === "squared"
      ? "^2"
      : "^3"
    : exponent === undefined
      ? ""
      : `^${exponent}`;
  return unit + (power ?? behind);
}
