import { expect, test } from "vitest";
import { tellingLine } from "../../../src/model/telling-line.ts";

test.each([
  ["import sys\nfrom math import pi\n\n@cache\ndef area(r):\n    return pi * r\n", "def area(r):"],
  ["# a comment\n'''\nclass Gauge:\n", "class Gauge:"],
  ["```python\nprint(1)\n```", "print(1)"],
  ["Read n.\nPrint it.", "Read n."],
  ["who was the first keeper", "who was the first keeper"],
  ["import sys\nimport os", "import sys"],
  ["", ""],
  [" \n\t\n", ""],
])("of %j the line that tells most is %j", (text, line) => {
  expect(tellingLine(text, 100)).toBe(line);
});

test("it is cut, and no longer text is looked through than needed", () => {
  expect(tellingLine("x".repeat(1_000_000), 20)).toBe(`${"x".repeat(19)}…`);
  expect(tellingLine("#\n".repeat(500_000), 20)).toBe("#");
});
