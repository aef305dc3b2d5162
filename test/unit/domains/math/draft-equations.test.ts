import { expect, test } from "vitest";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";

/** Each equation as it is quoted; one that does not hold with what its left side makes. */
function equationsIn(thought: string): readonly string[] {
  const { equations } = readDraft({ question: "", thought, answer: "" });
  return equations.map(({ text, holds, makes }) => (holds ? text : `${text} ✗ ${makes}`));
}

const tex = String.raw;

test.each([
  ["78 * 3 = 224", "78 * 3 = 224 ✗ 234"],
  ["She pays $4 x 9 = $36 for it.", "$4 x 9 = $36"],
  [tex`\(6 \cdot 80 = 480\)`, tex`6 \cdot 80 = 480`],
  [tex`$9 + 8 = 16$, so`, "9 + 8 = 16 ✗ 17"],
  [tex`\frac{1}{4} + 3 = 3.25`, tex`\frac{1}{4} + 3 = 3.25`],
  [tex`\sqrt{49} + 1 = 9`, tex`\sqrt{49} + 1 = 9 ✗ 8`],
  [tex`\binom{6}{2} = 15`, tex`\binom{6}{2} = 15`],
  [tex`\frac{180 \text{ seats}}{12 \text{ rows}} = 15`, tex`\frac{180 \text{ seats}}{12 \text{ rows}} = 15`],
  [tex`5 \text{ m} \times 4 \text{ m} = 20 \text{ m}^2`, tex`5 \text{ m} \times 4 \text{ m} = 20`],
  [tex`40^\circ + 60^\circ = 101^\circ`, tex`40^\circ + 60^\circ = 101 ✗ 100`],
  [tex`31{,}250 + 750 = 32{,}000`, tex`31{,}250 + 750 = 32{,}000`],
  [tex`\begin{align*} 3 + 9 &= 12 \end{align*}`, "3 + 9 = 12"],
  ["17 - 4 - 6 = 7 plums", "17 - 4 - 6 = 7"],
  ["7 times 3 = 21", "7 times 3 = 21"],
  ["18 plums divided by 3 = 7", "18 plums divided by 3 = 7 ✗ 6"],
  ["25% of 60 = 15", "25% of 60 = 15"],
  ["30 percent of 60 = 20", "30 percent of 60 = 20 ✗ 18"],
  ["3/4 of 24 = 18", "3/4 of 24 = 18"],
  ["9/20 = 45%", "9/20 = 45%"],
  ["9 / 20 * 100 = 45%", "9 / 20 * 100 = 45%"],
  ["35% + 40% = 75%", "35% + 40% = 75%"],
  ["20/60 x 100% = 20%", "20/60 x 100% = 20% ✗ 1/3"],
  ["50 days / 7 days/week = 9 weeks", "50 days / 7 days/week = 9 ✗ 50/7"],
  ["14 plums + 5 plums = 19 plums", "14 plums + 5 plums = 19"],
  ["$6 per hour * 7 hours = $42", "$6 per hour * 7 hours = $42"],
  ["30 km/hour * 2 hours = 60 km", "30 km/hour * 2 hours = 60"],
  ["3 (red ones) + 4 = 7", "3 (red ones) + 4 = 7"],
  ["3 1/2 * 4 = 14", "3 1/2 * 4 = 14"],
  ["2(5 + 4) = 18", "2(5 + 4) = 18"],
  ["2x7 = 14", "2x7 = 14"],
  ["8 x .5 = 4", "8 x .5 = 4"],
  ["8 x $.50 = $4", "8 x $.50 = $4"],
  ["-6 + 9 = 3", "-6 + 9 = 3"],
  ["6 × (–2) = –12", "6 × (–2) = –12"],
  ["3**2 = 9", "3**2 = 9"],
  ["2^{5} = 30", "2^{5} = 30 ✗ 32"],
  ["3² + 4³ = 74", "3² + 4³ = 74 ✗ 73"],
  ["4! = 24", "4! = 24"],
  ["That makes 5 * 7 = 35!", "5 * 7 = 35"],
  ["**6 * 7 = 41**", "6 * 7 = 41 ✗ 42"],
  ["6 * 7 = **41**", "6 * 7 = 41 ✗ 42"],
  ["She ran 5 miles and 3 + 4 = 8 laps.", "3 + 4 = 8 ✗ 7"],
  ["- 5 + 4 = 9", "5 + 4 = 9"],
  ["3. 8 + 5 = 13", "8 + 5 = 13"],
  ["Step 4: 30 / 8 = 3.75", "30 / 8 = 3.75"],
  ["(6 + 3 = 9)", "6 + 3 = 9"],
  ["6 * 5\n= 30", "6 * 5 = 30"],
  ["6 * 5 =\n30", "6 * 5 = 30"],
  ["b = 5 + 4 = 9", "5 + 4 = 9"],
  ["3, 4, 5 + 4 = 9", "5 + 4 = 9"],
  ["In 3 weeks she has 5 * 4 = 21.", "5 * 4 = 21 ✗ 20"],
  ["for a total of 6 * 4 = 25", "6 * 4 = 25 ✗ 24"],
  ["The 4th child gets 9 - 3 = 6.", "9 - 3 = 6"],
  ["The average age is 45/3 = 15.", "45/3 = 15"],
  ["The rise from 12 to 4 + 5 = 10", "4 + 5 = 10 ✗ 9"],
  ["Is it 5? 5 + 3 = 9.", "5 + 3 = 9 ✗ 8"],
  ["Ratio 5: 5 + 3 = 9.", "5 + 3 = 9 ✗ 8"],
  ["The base is 5 by 3, 5 + 3 = 9.", "5 + 3 = 9 ✗ 8"],
])("reads %s", (text, expected) => expect(equationsIn(text)).toEqual([expected]));

test.each([
  ["to the digits that are written", "2/3 = 0.67", "2/3 = 0.67"],
  ["digits may be cut off", "2/3 = 0.66", "2/3 = 0.66"],
  ["one digit more is off", "2/3 = 0.69", "2/3 = 0.69 ✗ 2/3"],
  ["a whole number near by", "200 / 3 = 67", "200 / 3 = 67"],
  ["a whole number far off", "7 / 3 = 2", "7 / 3 = 2 ✗ 7/3"],
  ["money", "$20 / 3 = $6.67", "$20 / 3 = $6.67"],
  ["about", "22/7 ≈ 3.1", "22/7 ≈ 3.1"],
  ["floating point", "0.1 + 0.2 = 0.30000000000000004", "0.1 + 0.2 = 0.30000000000000004"],
  ["an operand that looks rounded", "16.67 * 6 = 100", "16.67 * 6 = 100"],
  ["an exact decimal is not rounded", "0.1 + 0.2 = 0.4", "0.1 + 0.2 = 0.4 ✗ 3/10"],
  ["an exact sum is off in its last digit", "17.6 + 4.3 = 21.8", "17.6 + 4.3 = 21.8 ✗ 219/10"],
  ["money that is exact", "$14.30 + $9.85 = $24.16", "$14.30 + $9.85 = $24.16 ✗ 483/20"],
  ["an exact percentage", "1/8 = 12.6%", "1/8 = 12.6% ✗ 1/8"],
  ["a rounded percentage", "1/3 * 100% = 33.4%", "1/3 * 100% = 33.4%"],
  ["a fraction without blanks divides as one", "3/4 ÷ 1/8 = 6", "3/4 ÷ 1/8 = 6"],
  ["… written close together", "3/4÷1/8 = 6", "3/4÷1/8 = 6"],
  ["… behind a spaced sign", "3/4 / 1/8 = 6", "3/4 / 1/8 = 6"],
  ["… behind a command", tex`3/4 \div 1/8 = 6`, tex`3/4 \div 1/8 = 6`],
  ["… behind words", "5 divided by 1/3 = 15", "5 divided by 1/3 = 15"],
  ["… and is quoted with its own value", "18 ÷ 2/3 = 26", "18 ÷ 2/3 = 26 ✗ 27"],
  ["a row of slashes goes from the left", "24/4/3 = 3", "24/4/3 = 3 ✗ 2"],
])("truth: %s", (_, text, expected) => expect(equationsIn(text)).toEqual([expected]));

test.each([
  ["half of 10 = 6"],
  ["twice 5 + 3 = 16"],
  ["one third of 12 + 1 = 5"],
  ["5 more than 3 * 2 = 11"],
  ["1/2 of the 8 * 3 = 12"],
  ["the sum of 3 and 5 * 2 = 16"],
  ["the average of 3 + 5 + 7 = 5"],
  ["total - rent 5 * 2 = 10"],
  ["1:30 + 2 = 3:30"],
  ["3/4/2020 = 5"],
  ["a ratio of 7:11 = 4"],
  ["10–12 = 5"],
  ["pages 5 - 10 = 15 pages"],
  ["5th + 2 = 8th"],
  ["101_2 = 5"],
  ["25 = 1 (mod 4)"],
  ["17 mod 5 = 2"],
  ["17 / 5 = 3 remainder 2"],
  ["17 / 5 = 3 R 2"],
  ["17 / 5 = 3, with 2 left over"],
  ["about 20 / 3 = 6"],
  ["5 / 2 = 2 and 1/2"],
  ["1 + 2 + ... + 10 = 54"],
  ["f(3) = 9"],
  ["gcd(12, 18) = 6"],
  ["log 100 = 2"],
  ["x - 5 = 10"],
  ["4 + 5 = 9 + x"],
  ["100 - 20% = 80"],
  ["2 dozen * 3 = 72"],
  ["1.5 million * 2 = 3 million"],
  ["1 hour = 60 minutes"],
  ["2 hours + 30 minutes = 150 minutes"],
  ["50 cents * 4 = $2"],
  ["17 / 5 = 3 boxes with 2 left"],
  ["5 feet 6 inches = 66 inches"],
  ["90 / 60 = 1 hour 30 minutes"],
  ["2 + 3 * 4 = 20"],
  ["if 5 + 3 = 9"],
  ["5 + 3 = 9, which is wrong"],
  ["11 < 30 / 11 = 11"],
  [tex`0.\overline{3} * 3 = 2`],
  ["6 / 0 = 0"],
  ["8 am - 5 pm = 9 hours"],
  [tex`6! = 6 \times 5 \times 4!`],
  [tex`\frac{1 \text{ km}}{2 \text{ hours}} = \frac{1000 \text{ meters}}{120 \text{ minutes}}`],
  [tex`\frac{20 \text{ dozen}}{5} = 48`],
  ["5 = five"],
  ["18 ÷ 2/3 = 3"],
  [tex`1/3 = 0.\overline{3}`],
  [tex`1/3 = 0.\dot{3}`],
  ["1/3 = 0.(3)"],
  ["5 feet 6 inches + 4 inches = 70 inches"],
  ["1 hour and 20 minutes + 10 minutes = 90 minutes"],
  ["Is 5 + 3 = 9? No."],
  ["We check whether 5 + 3 = 9."],
  ["5 + 3 is not = 9"],
  ["17 / 5 = 4 (rounded up)"],
  ["5 added to 3 * 2 = 11"],
  ["5 subtracted from 3 * 4 = 7"],
  ["12 : 4 + 1 = 4"],
  ["11 + 1 = 100 in base 2"],
  ["In base 2, 11 + 1 = 100"],
  ["29 ÷ 7 = 4 r. 1"],
  ["twice the price $4 + $5 = $18"],
  ["3 times the sum 4 + 5 = 27"],
  ["It is 9 because Jo + 1 = 9"],
  ["40 mph * 15 minutes = 10 miles"],
  ["40 mph * 15 minutes = 10"],
  ["9 + 6 = 3 o'clock"],
  ["2 hours * 20 = 2400 minutes"],
])("leaves out %s", (text) => expect(equationsIn(text)).toEqual([]));

test("a chain is its links, and may compute on", () => {
  expect(equationsIn("4 + 5 = 9 = 3^2")).toEqual(["4 + 5 = 9", "9 = 3^2"]);
  expect(equationsIn("20 / 2 = 10 * 3 = 30")).toEqual(["20 / 2 = 10 * 3", "10 * 3 = 30"]);
  expect(equationsIn("3 + 4 = 7 ≠ 8")).toEqual(["3 + 4 = 7"]);
});

test("words behind the right side name its unit, and a preposition names none", () => {
  expect(equationsIn("4 feet + 3 feet = 8 in total")).toEqual(["4 feet + 3 feet = 8 ✗ 7"]);
  expect(equationsIn("3 hours * 20 = 70 minutes")).toEqual(["3 hours * 20 = 70 ✗ 60"]);
});

test("sentences keep their equations apart", () => {
  expect(equationsIn("2*$4=$8 and 3*$5=$15; 8+15=$24")).toEqual(["2*$4=$8", "3*$5=$15", "8+15=$24 ✗ 23"]);
  expect(equationsIn("30 - 12 = 18 so 18 / 3 = 6")).toEqual(["30 - 12 = 18", "18 / 3 = 6"]);
});

test("a number that was rounded may be a little off later", () => {
  expect(equationsIn("100 / 7 = 14.3. 14.3 * 7 = 100")).toEqual(["100 / 7 = 14.3", "14.3 * 7 = 100"]);
  expect(equationsIn("14.3 * 7 = 101")).toEqual(["14.3 * 7 = 101 ✗ 1001/10"]);
});

test("a calculator's mark is read where the text is not, and its copy is compared", () => {
  expect(equationsIn("She has 6*2=<<6*2=12>>12 plums.")).toEqual(["6*2=12"]);
  expect(equationsIn("She has 6 * 2 = <<6*2=12>>21 plums.")).toEqual(["6*2=12", "6 * 2 = 21 ✗ 12"]);
  const cut = "It is 2.3 + 4.7 = <<2.3+4.7=6.999999999999999>>6.99 plums.";
  expect(equationsIn(cut)).toEqual(["2.3 + 4.7 = 6.99"]);
  expect(equationsIn("It is 2.3 + 4.7 = <<2.3+4.7=6.9>>6.9 plums.")).toEqual(["2.3 + 4.7 = 6.9 ✗ 7"]);
  expect(equationsIn("Half of 12 is <<12/2=7>>7.")).toEqual(["12/2=7 ✗ 6"]);
  expect(equationsIn("They are 5+6+7=<<5+6+7=19>>19 plums.")).toEqual(["5+6+7=19 ✗ 18"]);
});

test("both sides are quoted", () => {
  const [first] = readDraft({ question: "", thought: "Pay $5 + $3 = $9.", answer: "" }).equations;
  expect(first).toEqual({ text: "$5 + $3 = $9", left: "$5 + $3", right: "$9", holds: false, makes: "8" });
});
