import { expect, test } from "vitest";
import {
  formulaParts,
  LONGEST_FORMULA,
  MOST_FORMULAS,
  type FormulaText,
} from "../../../webview/formulas/parts.ts";

/** The formulas of a text, as they are written. */
function formulas(text: string, kind: FormulaText = "text"): string[] {
  const parts = formulaParts(text, kind);
  expect(parts.map((part) => (typeof part === "string" ? part : part.source)).join("")).toBe(text);
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part.source]));
}

test.each([
  [String.raw`so \(x = 2\), and \[ y = 3 \] too`, [String.raw`\(x = 2\)`, String.raw`\[ y = 3 \]`]],
  ["with $x$, $n^2+1$ and $$a \\\\ b$$.", ["$x$", "$n^2+1$", "$$a \\\\ b$$"]],
  [String.raw`with $ \frac{1}{2} $ inside`, [String.raw`$ \frac{1}{2} $`]],
  [String.raw`$5 for \(\frac{1}{2}\) of it, 3$ off`, [String.raw`\(\frac{1}{2}\)`]],
  ["the number $12$ and the sum $3 + 4$", ["$12$", "$3 + 4$"]],
  ["$ABC$, $ABCD$ and $(xyz)$", ["$ABC$", "$ABCD$", "$(xyz)$"]],
  ["$abc = n$, so is $ABC?$", ["$abc = n$", "$ABC?$"]],
  ["$2x$ of $10n$ in $2i$, $5!$", ["$2x$", "$10n$", "$2i$", "$5!$"]],
  [
    String.raw`$40\%$ or $7.5\%$, $40%$, as $3:4$`,
    [String.raw`$40\%$`, String.raw`$7.5\%$`, "$40%$", "$3:4$"],
  ],
  [
    String.raw`$1{,}000$, $1{,}250{,}000.5$ and $1\,000$`,
    ["$1{,}000$", "$1{,}250{,}000.5$", String.raw`$1\,000$`],
  ],
  [
    String.raw`$x^2 \text{ if $x > 0$, else } 0$, or $y$`,
    [String.raw`$x^2 \text{ if $x > 0$, else } 0$`, "$y$"],
  ],
  [String.raw`$\frac{1}{2$ and $x$ of {$y$}`, ["$x$", "$y$"]],
  [String.raw`$a \\$ of $5`, [String.raw`$a \\$`]],
  [String.raw`$\$5 + 3$ in all`, [String.raw`$\$5 + 3$`]],
  [String.raw`is \boxed{\frac{1}{2}}.`, [String.raw`\boxed{\frac{1}{2}}`]],
  [String.raw`\sqrt[3]{8} and \frac{a}{b} [1]`, [String.raw`\sqrt[3]{8}`, String.raw`\frac{a}{b}`]],
  [
    String.raw`\begin{align*} a &= b \\ c &= d \end{align*}`,
    [String.raw`\begin{align*} a &= b \\ c &= d \end{align*}`],
  ],
  [String.raw`\boxed{a \text{ if } b\}}`, [String.raw`\boxed{a \text{ if } b\}}`]],
])("%j holds the formulas %j", (text, expected) => {
  expect(formulas(text)).toEqual(expected);
});

test.each([
  "A pen is $5 and a book is $7.",
  "between $5-$10, or $5/$6",
  "It costs $20 to $30, i.e. 20$ more",
  "$5 per hour, then 3$ each",
  "$5 for all, and $7",
  "4 at $5 each is $4*5=$20, or $20=$",
  "$5 and $6",
  "costs $5 or $6.50",
  "$20/hour and $30, or $20/hour$",
  "$20 dollars = 20$",
  "$each one is free$",
  "$5: all of it for 7$",
  "$5 (per person)$",
  "only one $ here",
  "${HOME} and $USER, $HOME/$PATH, $(ls) $1 $2",
  `{"pen": "$5", "book": {"price": "$7"}}`,
  "$ x $ has spaces",
  "$x\n\ny$",
  String.raw`\$5 and \$7`,
  String.raw`an open \( and \[ and $$ and \begin{align}`,
  String.raw`\frac alone, \boxed`,
  String.raw`\boxed{never closed`,
  "a_b and c^2 in words",
  "",
])("%j is plain", (text) => {
  expect(formulas(text)).toEqual([]);
});

test.each([String.raw`\frac{1}{2}`, "x^2 + 1", String.raw`\left(3, \frac{\pi}{2}\right)`, String.raw`10\%`])(
  "an answer %j is one formula",
  (text) => {
    expect(formulas(text, "answer")).toEqual([text]);
  },
);

test.each(["42", "The value_of_it", "x = 1\ny = 2", "about $5 and $7", "Sam Brown"])(
  "an answer %j is plain",
  (text) => {
    expect(formulas(text, "answer")).toEqual([]);
  },
);

test("an answer in words keeps its marked formulas", () => {
  expect(formulas("it is $x^2$ metres", "answer")).toEqual(["$x^2$"]);
});

test("formulas on their own are told from those in a line", () => {
  const parts = formulaParts(String.raw`\(a\) \[b\] $c$ $$d$$`, "text");
  expect(parts.flatMap((part) => (typeof part === "string" ? [] : [[part.latex, part.display]]))).toEqual([
    ["a", false],
    ["b", true],
    ["c", false],
    ["d", true],
  ]);
});

test("the length of a formula, and their number, are bounded", () => {
  const long = "x".repeat(LONGEST_FORMULA + 1);
  expect(formulas(`\\(${long}\\) $${long}$ $$${long}$$ \\boxed{${long}}`)).toEqual([]);
  expect(formulas("$x$ ".repeat(5_000))).toHaveLength(MOST_FORMULAS);
});

test.each(["\\(", "$", "$x", "\\boxed{", "\\frac", "{", "\\begin{a}", "\\", "\\$", "$$x"])(
  "a megabyte of %j is read at once",
  (piece) => {
    const text = `$${piece.repeat(Math.ceil(1_000_000 / piece.length))}`;
    const started = performance.now();
    formulas(text);
    expect(performance.now() - started).toBeLessThan(2_000);
  },
);
