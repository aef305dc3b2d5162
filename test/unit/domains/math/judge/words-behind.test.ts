import { expect, test } from "vitest";
import type { Pair } from "./pairs.ts";
import { named, verdictOf } from "./verdict-of.ts";

const r = String.raw;

/** A number with words behind it. */
const PAIRS: readonly Pair[] = [
  // Words that calculate, parts, more numbers.
  ["3 hundredths", "3", "undecided"],
  ["3 fifths", "3", "undecided"],
  ["3 fifths", "3/5", "undecided"],
  ["3 quarters", "3", "undecided"],
  ["3 times pi", "3", "undecided"],
  ["3 out of ten", "3", "undecided"],
  ["3 point five", "3", "undecided"],
  ["5 dozen", "5", "undecided"],
  ["5 dozen eggs", "5", "undecided"],
  [r`5\text{ dozen}`, "5", "undecided"],
  [r`5\text{ and a half}`, "5", "undecided"],
  ["$5 dozen", "5", "undecided"],
  ["5 squared", "5", "undecided"],
  ["5 minus x", "5", "undecided"],
  ["5 over pi", "5", "undecided"],
  ["5 less than x", "5", "undecided"],
  ["5 divided by x", "5", "undecided"],
  ["5 choose two", "5", "undecided"],
  ["5th root", "5", "undecided"],
  ["2 to the n", "2", "undecided"],
  ["x = 5 dozen", "5", "undecided"],
  ["5 million two hundred", "5 million", "undecided"],
  ["seven", "7", "same"],
  ["5 but not six", "5", "undecided"],
  ["5 without remainder", "5", "undecided"],
  // Two units, directions, halves of the day.
  ["5 feet six inches", "5 feet", "undecided"],
  ["5 feet six inches", "5", "undecided"],
  ["12 am", "12 pm", "undecided"],
  ["12 p.m.", "12", "undecided"],
  ["5 units left", "5 units right", "undecided"],
  ["5 miles north", "5 miles south", "undecided"],
  ["60 miles", "60 mph", "undecided"],
  ["5 dollars per hour", "$5", "same"],
  // A unit with words behind it.
  ["12 inches long", "12 cm", "different"],
  ["12 inches long", "12", "same"],
  ["25 percent of the pupils", r`25\%`, "same"],
  ["25 percent of the pupils", "1/4", "same"],
  ["8 hours each day", "8 hours", "undecided"],
  ["3 pounds sterling", "£3", "same"],
  // Units in one letter, behind a command, behind a formula in dollar signs.
  ["5 m/s", "5", "same"],
  ["5 m/s", "5 meters per second", "same"],
  ["5 m/s^2", "5 m/s", "different"],
  ["5 g/L", "5 grams per liter", "same"],
  ["5 sq m", "5 m²", "same"],
  ["$5/hour", "$5 per hour", "same"],
  ["5/hour", "5 hours", "undecided"],
  ["$3 loss", "$3 profit", "undecided"],
  [r`10\pi cm`, r`10\pi`, "same"],
  [r`10\pi cm`, r`10\pi\text{ m}`, "different"],
  ["$5$ cm", "5 cm", "same"],
  ["$5$ cm", "5 m", "different"],
  ["$12$ inches", "12", "same"],
  [r`$2\pi$ cm`, r`2\pi\text{ cm}`, "same"],
  ["$5$ euros", "€5", "same"],
  ["$5$ euros", "$5", "different"],
  ["$25$ percent", r`25\%`, "same"],
  ["$25$%", r`25\%`, "same"],
  ["25 per cent", r`25\%`, "same"],
  ["$$5$$ cm", "5 cm", "same"],
  ["$x$ = 5", "5", "same"],
  ["$5 or $6", "5 euros or 6 euros", "different"],
  ["5¢", "5 cents", "same"],
  ["5¢", "$5", "different"],
  // Scales of temperature.
  ["20°C", "20", "same"],
  ["20°C", "20 degrees Celsius", "same"],
  ["20°C", "20 degrees", "same"],
  ["-5°C", "-5", "same"],
  [r`20^\circ\text{C}`, r`20^{\circ} C`, "same"],
  [r`20^\circ\text{C}`, r`20^\circ\text{F}`, "different"],
  ["20 degrees Fahrenheit", "20 degrees Celsius", "different"],
  // Pounds may be money.
  ["£5", "5 pounds", "undecided"],
  ["£5", "6 pounds", "different"],
  ["5 lb", "5 pounds", "same"],
  // One quantity in two parts.
  ["5 dollars and 50 cents", "5.50", "undecided"],
  ["2 hours and 30 minutes", "150", "undecided"],
  ["2 hours and 30 minutes", "30 minutes and 2 hours", "same"],
  ["2 and 1/2", "2.5", "undecided"],
  ["2 and 1/2", "1/2, 2", "same"],
  ["2 and 3", "5", "different"],
  // Dates.
  ["5 June", "5 July", "undecided"],
  // Counted things.
  ["3 apples", "3", "same"],
  ["5 red marbles", "5", "same"],
  ["5 red marbles", "6", "different"],
  ["5 apples left", "5", "same"],
  ["5 in total", "$5", "same"],
  ["5 times", "5", "same"],
  ["5 times a week", "5", "same"],
  [r`5\text{ apples}`, "5", "same"],
];

test.each(named(PAIRS))("$given and $accepted: $same", ({ given, accepted, same, question }) => {
  expect(verdictOf(given, accepted, question)).toBe(same);
  expect(verdictOf(accepted, given, question)).toBe(same);
});
