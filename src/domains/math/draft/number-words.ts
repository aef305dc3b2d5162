import { add, divide, multiply, ONE, rational, type Rational } from "../expression/rational.ts";
import { unitName } from "./units.ts";

const valuesOf = (entries: string): ReadonlyMap<string, Rational> =>
  new Map(
    entries.split("|").flatMap((entry) => {
      const [word = "", num = "", den = "1"] = entry.split(/[ /]/);
      const value = rational(BigInt(num), BigInt(den));
      return value === undefined ? [] : [[word, value] as const];
    }),
  );

/** "One" and "a" are left out: they seldom count. */
const WORDS = valuesOf(
  "two 2|three 3|four 4|five 5|six 6|seven 7|eight 8|nine 9|ten 10|eleven 11|twelve 12|thirteen 13|fourteen 14|fifteen 15|sixteen 16" +
    "|seventeen 17|eighteen 18|nineteen 19|twenty 20|thirty 30|forty 40|fifty 50|sixty 60|seventy 70|eighty 80|ninety 90|dozen 12|dozens 12|twice 2|double 2|thrice 3|triple 3|half 1/2",
);
const DENOMINATORS = valuesOf(
  "half 2|halves 2|third 3|thirds 3|fourth 4|fourths 4|quarter 4|quarters 4|fifth 5|fifths 5|sixth 6|sixths 6|seventh 7|sevenths 7" +
    "|eighth 8|eighths 8|ninth 9|ninths 9|tenth 10|tenths 10|hundredth 100|hundredths 100|thousandth 1000|thousandths 1000",
);
const SCALES = valuesOf("hundred 100|thousand 1000|million 1000000");
const DOZEN: Rational = { num: 12n, den: 1n };

/** The second of two words with a hyphen, which together have no value, or another one. */
const NO_NOUN =
  /-(?!old$)|^(?:and|by|to|or|of|in|on|a|the|way|first|second|\w*(?:teen|ty)|eleven|twelve)(?:-|$)/;

/** The factor that a word is behind a number: "hundred". */
export const scaleOf = (word: string): Rational | undefined => SCALES.get(word);

/** The value of "twenty", "twenty-five", "two-thirds", "half-dozen", "eight-hour"; undefined for other words. */
export function numberWord(text: string): Rational | undefined {
  const hyphen = text.indexOf("-");
  if (hyphen < 0) return WORDS.get(text);
  const [first, second] = [text.slice(0, hyphen), text.slice(hyphen + 1)];
  if (first === "one") return fraction(ONE, second);
  const value = WORDS.get(first);
  return value && withSecond(value, second);
}

function withSecond(value: Rational, second: string): Rational | undefined {
  const digit = second === "one" ? ONE : WORDS.get(second);
  if (digit !== undefined && digit.den === 1n && digit.num < 10n)
    return isTens(value) ? add(value, digit) : undefined;
  if (DENOMINATORS.has(second)) return isTens(value) ? undefined : fraction(value, second);
  const scale = second === "dozen" ? DOZEN : SCALES.get(second);
  if (scale !== undefined) return multiply(value, scale);
  // "half-mile" is a number, and "half-empty" is none.
  if (value.den !== 1n) return unitName(second) === undefined ? undefined : value;
  return NO_NOUN.test(second) ? undefined : value;
}

/** "Twenty-fifth" is an ordinal. */
const isTens = ({ num }: Rational): boolean => num >= 20n;

function fraction(value: Rational, denominator: string): Rational | undefined {
  const parts = DENOMINATORS.get(denominator);
  return parts && divide(value, parts);
}
