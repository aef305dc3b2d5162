import { describe, expect, it } from "vitest";
import { readAsked } from "../../../../src/domains/math/draft/asked.ts";

describe("the words of a question bound its answer", () => {
  it.each([
    [
      "What is the smallest positive integer divisible by 6 and 8?",
      { words: "positive", least: "0", strict: true },
    ],
    ["Find all negative values of $x$ with $x^2 = 9$.", { words: "negative", most: "0", strict: true }],
    ["Find the largest non-negative integer below 3.", { words: "non-negative", least: "0" }],
    ["What is the positive difference of 3 and 8?", { words: "positive", least: "0" }],
    ["What is the largest two-digit prime number?", { words: "two-digit", least: "10", most: "99" }],
    [
      "What is the only integer between 40 and 50 that 7 divides?",
      { words: "between 40 and 50", least: "40", most: "50", strict: true },
    ],
    ["Which number from 1 to 9 is prime and even?", { words: "from 1 to 9", least: "1", most: "9" }],
    ["What is the largest prime less than 50?", { words: "less than 50", most: "50", strict: true }],
    ["What is the smallest multiple of 7 that is at least 100?", { words: "at least 100", least: "100" }],
    [
      "Two dice are thrown. What is the probability of a double?",
      { words: "probability", least: "0", most: "1" },
    ],
    ["Ana has 4 eggs. How many eggs are left?", { words: "How many eggs", least: "0" }],
    ["How many of the 30 students sing?", { words: "How many of the 30", least: "0", most: "30" }],
    ["How many integers from 1 to 100 are squares?", { words: "from 1 to 100", least: "0", most: "100" }],
    ["For how many ordered pairs is ab = 6?", { words: "how many ordered pairs", least: "0" }],
    ["Find the number of ways to sit.", { words: "Find the number of ways", least: "0" }],
    ["How many more eggs does she need?", { words: "How many more eggs", least: "0" }],
    ["How old is Mia?", { words: "How old", least: "0" }],
    ["How much money does she have left?", { words: "How much money does she have left", least: "0" }],
    ["How many more pages did Ida read?", { words: "How many more", least: "0" }],
    [
      "Compute $2^{20}$ modulo 1001. Give your answer as an integer between 0 and 999, inclusive.",
      { least: "0", most: "999" },
    ],
  ])("%s", (question, bound) => expect(readAsked(question).bounds[0]).toMatchObject(bound));

  it.each([
    "What is the sum of the two-digit multiples of 30?",
    "What is the difference between 5 and 8?",
    "What is the distance between -3 and 4?",
    "What is the product of the positive and the negative root of x^2 = 5?",
    "Let m and n be positive integers with m < n. What is m - n?",
    "Find the value of x if x is less than 3 times y.",
    "The probability is $\\frac{m}{n}$ in lowest terms, written as m/n. Find $m + n$.",
    "What is 100 times the probability of a double?",
    "What is the probability, as a percent, of a double?",
    "What is the probability of a double? Express your answer as a percent.",
    "What is the probability of a double? Round to the nearest percent.",
    "What is the probability of a double, in %?",
    "How many degrees is it at night?",
    "By how much does the temperature change?",
    "What is the slope of the line?",
    "What number between 5 and 6 thousand is a cube?",
    "Which number from 1 to 4! is a square and a cube?",
    "Simplify $3 - 8$.",
    "",
  ])("not: %s", (question) => expect(readAsked(question).bounds).toEqual([]));
});

describe("a count has no bound of numbers that it does not count", () => {
  it.each([
    ["How many of the 3 digit numbers are odd?", "How many of"],
    ["How many of the 3-digit numbers are odd?", "How many of"],
    ["How many of the 4 letter words are names?", "How many of"],
    ["How many of the 5 dozens are sold?", "How many of"],
    ["How many of the 2 types of pens are sold?", "How many of"],
    ["How many integers between 1 and 10^6 are even?", "How many integers"],
    ["How many integers from 1 to 5 thousand are even?", "How many integers"],
    ["How many integers from 1 to 2n are even, for n = 8?", "How many integers"],
    ["How many numbers can be formed with three of the digits from 1 to 6?", "How many numbers"],
    ["How many squares have corners with whole coordinates from 0 to 4?", "How many squares"],
    ["How many primes are sums of two numbers from 1 to 9?", "How many primes"],
    ["How many multiples of 3 have digits from 1 to 4?", "How many multiples"],
  ])("%s", (question, words) => {
    const [bound] = readAsked(question).bounds;
    expect(bound).toMatchObject({ least: "0" });
    expect(bound?.words.startsWith(words)).toBe(true);
    expect(bound?.most).toBeUndefined();
  });

  it.each([
    ["How many integers from 1 to 100 are squares?", "100"],
    ["How many even numbers between 10 and 20 are there?", "11"],
    ["How many multiples of 3 from 1 to 30 are odd?", "30"],
    ["How many positive integers are there from 5 to 9?", "5"],
    ["How many of the 30 students sing?", "30"],
    ["How many of the 12 eggs are left?", "12"],
  ])("but: %s", (question, most) => expect(readAsked(question).bounds[0]).toMatchObject({ most }));
});

describe("things are counted that come whole", () => {
  it.each([
    ["How many eggs are left?", "eggs"],
    ["If 3 leave, how many more students does the bus hold?", "students"],
    ["For how many ordered pairs of integers is ab = 6?", "ordered pairs of integers"],
    ["How many girl scouts went?", "girl scouts"],
    ["Find the number of residents who own a boat.", "residents"],
    ["How many of the following integers n are odd?", undefined],
    ["How many integers greater than 3 are odd?", "integers"],
    ["How many people does each car hold?", "people"],
  ])("%s", (question, counted) => expect(readAsked(question).counted).toBe(counted));

  it.each([
    "How many hours are left?",
    "How many times as many does she have?",
    "How many cups of flour are in it?",
    "How many cookies does each child get?",
    "How many eggs does a hen lay on average?",
    "On average, how many players are in each team?",
    "There are 7 teams of two sizes. On average, how many players are in a team?",
    "What is the mean? That is, in the mean, how many eggs are in a nest?",
    "How many can he buy?",
    "How many pizzas did they eat?",
    "How many gigabytes does she need?",
    "How many kilowatt-hours does she need?",
    "How many handfuls of rice are in it?",
    "How many revolutions does it make?",
    "How much does he have?",
    "How many parts can be written as m/n? Find m + n.",
  ])("not: %s", (question) => expect(readAsked(question).counted).toBeUndefined());
});

describe("a question asks for a unit", () => {
  it.each([
    ["How many minutes does it take?", "minutes", "min"],
    ["How many more square feet are there?", "square feet", "ft^2"],
    ["How fast is it, in miles per hour?", "miles per hour", "mi/h"],
    ["How much does she earn in dollars?", "dollars", "$"],
    ["What percent of them sing?", "percent", "%"],
    ["How long is it? Express your answer in inches.", "inches", "in"],
    ["What is the area, in square units?", undefined, undefined],
    ["How many eggs are in the fridge?", undefined, undefined],
    ["Find the number of minutes that it takes.", "minutes", "min"],
    ["How many seconds are in a minute?", "seconds", "s"],
    ["It takes 5 minutes. What is it in all?", undefined, undefined],
    ["How much money did he make in week 3?", undefined, undefined],
    ["How much money did he make in year two?", undefined, undefined],
    ["How much money did the pupils in second grade raise?", undefined, undefined],
    ["How much did she spend in day care?", undefined, undefined],
    ["How much did they eat in hours 4 and 5?", undefined, undefined],
  ])("%s", (question, unit, name) => {
    const asked = readAsked(question);
    expect([asked.unit, asked.unitName]).toEqual([unit, name]);
  });
});

describe("a question asks for a form", () => {
  it.each([
    [
      "What is it? Express your answer as a common fraction.",
      "as a common fraction",
      ["fraction", "integer"],
    ],
    ["It is $\\frac{m}{n}$ for relatively prime m and n. Find $m+n$.", "m+n", ["integer"]],
    ["It can be written as $a\\sqrt{b} + c$. Find $a + b + c$.", "a + b + c", ["integer"]],
    ["What is the area in terms of $\\pi$?", "in terms of \\pi", ["expression"]],
    ["What is 10/7 to the nearest tenth?", "to the nearest tenth", ["decimal", "integer", "percent"]],
    ["Where do they meet? Give the point as an ordered pair.", "as an ordered pair", ["tuple"]],
    ["What is the solution set, in interval notation?", "in interval notation", ["interval", "tuple", "set"]],
    [
      "What is the area in terms of $r$ and $h$?",
      "in terms of r",
      ["expression", "equation", "tuple", "set"],
    ],
    ["What are the roots? Answer as a set.", "as a set", ["set"]],
    [
      "What is it? Answer as a common fraction in terms of $\\pi$.",
      "as a common fraction in terms of \\pi",
      ["fraction", "integer", "expression"],
    ],
    ["What is it, in terms of a percentage of the whole?", undefined, undefined],
    ["What is $m + n$ for m = 3 and n = 4?", undefined, undefined],
    ["What is the slope?", undefined, undefined],
  ])("%s", (question, words, wanted) => {
    const { form } = readAsked(question);
    expect([form?.words, form?.wanted]).toEqual([words, wanted]);
  });
});
