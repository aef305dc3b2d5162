import { unitOf } from "../judge/units.ts";

/** Characters of a unit. */
const LONGEST = 60;

/** The one name of a unit of measure: "min" for "minutes", "ft^2" for "square feet". Undefined: none that is known. */
export function unitName(written: string): string | undefined {
  return written.length > LONGEST ? undefined : unitOf(plain(written));
}

/** The unit that a text begins with: "lb" for "pounds of flour". None where it goes on as a rate. */
export function leadingUnit(text: string): string | undefined {
  const words = plain(text.slice(0, LONGEST));
  const whole = unitOf(words);
  if (whole !== undefined || /\/| per /.test(words)) return whole;
  const [first = "", second = ""] = words.split(" ");
  return unitOf(`${first} ${second}`) ?? unitOf(first);
}

/** Without marks of LaTeX; "10 hours each week" is a rate. */
function plain(text: string): string {
  return text
    .replaceAll(/\^\s?\{?\\circ\}?|\\degree/g, "°")
    .replaceAll(/\\(?:text|mathrm|mbox)\b|\\[,;:! ]|[\\{}~.,]/g, " ")
    .replaceAll(/\s(?:an?|each|every)\s/g, " per ")
    .replaceAll(/ ?\^ ?/g, "^")
    .replaceAll(/\s+/g, " ")
    .trim();
}
