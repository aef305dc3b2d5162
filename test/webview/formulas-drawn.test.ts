import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { eventually } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

/** Shows a formula as the thought of a step, and gives its element once it is drawn. */
async function draw(formula: string): Promise<Locator> {
  await tests.open("formulas&skills=0");
  const clamp = tests.page.locator(".row.thought hasp-clamp").first();
  await clamp.evaluate((element, text) => Object.assign(element, { text }), formula);
  await eventually(() => clamp.locator(".formula-source").allTextContents(), [formula]);
  return clamp.locator(".formula-drawn");
}

interface Styles {
  readonly getComputedStyle: (element: unknown) => Readonly<Record<string, string>>;
}

/** A computed value of an element's style. */
function styleOf(element: Locator, name: string): Promise<string | undefined> {
  return element.evaluate(
    (node, property) => (globalThis as unknown as Styles).getComputedStyle(node)[property],
    name,
  );
}

test.each([
  [String.raw`$0.\overline{3}$`, "borderTopStyle"],
  [String.raw`$\underline{AB}$`, "borderBottomStyle"],
  [String.raw`$\fbox{7}$`, "borderLeftStyle"],
  [String.raw`$\longdiv{12}$`, "borderTopStyle"],
  [String.raw`$\angl{n}$`, "borderRightStyle"],
  [String.raw`$\phase{30}$`, "borderBottomStyle"],
  [String.raw`$\textcircled{2}$`, "borderTopStyle"],
])("the sign of %s is a border", async (formula, border) => {
  const drawn = await draw(formula);
  expect(await styleOf(drawn.locator("menclose"), border)).toBe("solid");
});

/** A gradient has its middle line across its direction. */
const [UP, DOWN] = ["to right bottom", "to right top"];

test.each([
  [String.raw`$\frac{\cancel{6}}{2}$`, [UP]],
  [String.raw`$\bcancel{x}$`, [DOWN]],
  [String.raw`$\xcancel{x}$`, [UP, DOWN]],
  [String.raw`$\sout{x}$`, [""]],
])("the strike of %s is a background in the colour of the text", async (formula, directions) => {
  const drawn = await draw(formula);
  const colour = await styleOf(drawn.locator("menclose"), "color");
  const background = await styleOf(drawn.locator("menclose"), "backgroundImage");
  expect(background?.split("linear-gradient").slice(1)).toEqual(
    directions.map((direction) => expect.stringContaining(direction)),
  );
  expect(background).toContain(colour);
});

test("the arrow of a cancelled term covers it, and its value follows", async () => {
  const drawn = await draw(String.raw`$\cancelto{0}{x+y}$`);
  expect(await styleOf(drawn.locator(".tml-cancelto"), "backgroundImage")).toContain("linear-gradient");
  expect(await styleOf(drawn.locator(".tml-cancelto"), "position")).toBe("absolute");
});

test("a wide hat reaches over its letters", async () => {
  const drawn = await draw(String.raw`$\widehat{ABC}$`);
  const hat = await drawn.locator("mo[class*=tml-hat]").boundingBox();
  const letters = await drawn.locator("mover > :first-child").boundingBox();
  expect(hat?.width).toBeGreaterThan((letters?.width ?? Infinity) / 2);
});

test("a percent sign hides nothing that follows it", async () => {
  const drawn = await draw(String.raw`\(20% \times 50\% = 10\)`);
  expect(await drawn.textContent()).toBe("20%×50%=10");
});

test.each(["align", "equation", "gather", "multline", "alignat"])(
  "%s is drawn, without numbers",
  async (name) => {
    const columns = name === "alignat" ? "{2}" : "";
    const drawn = await draw(String.raw`\begin{${name}}${columns} a = b \end{${name}}`);
    expect(await drawn.textContent()).toBe("a=b");
  },
);

test("a formula with a tag of its own is drawn", async () => {
  const drawn = await draw(String.raw`\[ a = b \tag{1} \]`);
  expect(await drawn.textContent()).toBe("a=b(1)");
});

test.each([
  String.raw`$\color{white}{x}+y$`,
  String.raw`$\textcolor{red}{\left(x\right)}$`,
  String.raw`$\colorbox{black}{x}$`,
  String.raw`$\fcolorbox{red}{white}{x}$`,
  String.raw`$\rule{3em}{0.1em}x$`,
])("%s is drawn in the colours of the theme", async (formula) => {
  const drawn = await draw(formula);
  const colour = await styleOf(drawn, "color");
  const transparent = "rgba(0, 0, 0, 0)";
  for (const part of await drawn.locator("math *").all()) {
    expect(await styleOf(part, "color")).toBe(colour);
    expect([colour, transparent]).toContain(await styleOf(part, "backgroundColor"));
    expect(await styleOf(part, "borderLeftColor")).toBe(colour);
  }
  const rule = drawn.locator("mspace");
  if ((await rule.count()) > 0) expect(await styleOf(rule, "backgroundColor")).toBe(colour);
});

test.each([
  String.raw`$x\llap{y}$`,
  String.raw`$\mathrlap{x+y}z$`,
  String.raw`$\sum_{\mathclap{1\le i}}x$`,
  String.raw`$\smash[b]{x}y$`,
  String.raw`$\smash xy$`,
  String.raw`$\hspace{-1em}x$`,
  String.raw`$\frac{\kern-2em x}{y}$`,
  String.raw`$x+y\mkern-36mu$`,
  String.raw`$${String.raw`\!`.repeat(40)}x$`,
])("the parts of %s lie beside each other", async (formula) => {
  const drawn = await draw(formula);
  expect(await drawn.locator("mpadded").count()).toBe(0);
  const line = await drawn.locator("math").boundingBox();
  for (const part of await drawn.locator("mi").all()) {
    const box = await part.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(line?.x ?? NaN);
    expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(
      (line?.x ?? NaN) + (line?.width ?? NaN) + 1,
    );
  }
});

test.each([
  String.raw`$\int\!\!\!x\,dx$`,
  String.raw`$x\qquad y\hspace{2cm}z$`,
  String.raw`$\Bigg(\frac{a}{b}\Bigg)$`,
  String.raw`$\TeX \xrightarrow{abc} \rightleftharpoons \coloneqq$`,
  String.raw`$\begin{pmatrix}1\\[1em]2\end{pmatrix}$`,
  String.raw`$7 \mbox{ rows}$`,
])("%s is drawn, with its spaces", async (formula) => {
  expect(await (await draw(formula)).locator("math").count()).toBeGreaterThan(0);
});

test.each([
  String.raw`$\hspace{-9999em}x$`,
  String.raw`$\hspace{-40cm}x$`,
  String.raw`$\rule{20em}{20em}$`,
  String.raw`$\rule{99in}{99in}$`,
  String.raw`$\rule[-90em]{1em}{1em}$`,
  String.raw`$\raise{90em}{x}$`,
  String.raw`$\lower{90em}{x}$`,
  String.raw`$\raisebox{-99em}{x}$`,
  String.raw`$\frac{x \above 90em y}{2}$`,
  String.raw`$\kern 90cm x$`,
])("%s stays text: it would leave its line", async (formula) => {
  const drawn = await draw("$x$");
  await tests.page
    .locator(".row.thought hasp-clamp")
    .first()
    .evaluate((element, text) => Object.assign(element, { text }), `$x$ ${formula}`);
  const text = tests.page.locator(".row.thought hasp-clamp .text").first();
  await eventually(() => text.textContent(), `$x$x ${formula}`);
  expect(await drawn.count()).toBe(1);
});

test.each([
  ["number", "1234567890".repeat(30)],
  ["text", String.raw`\text{${"many words in one text ".repeat(15)}}`],
])("a %s that is longer than its line is scrolled, not cut", async (_, latex) => {
  const drawn = await draw(`$${latex}$`);
  const clamp = tests.page.locator(".row.thought hasp-clamp").first();
  await eventually(() => clamp.getByRole("group", { name: "the thought" }).count(), 1);
  const [line, token] = [await drawn.boundingBox(), await drawn.locator("mn, mtext").boundingBox()];
  const text = await clamp.locator(".text").evaluate(({ scrollWidth }) => scrollWidth);
  expect(token?.width).toBeLessThanOrEqual(text);
  expect(token?.height).toBeLessThanOrEqual((line?.height ?? NaN) + 1);
});

test("a long formula runs from the left, also in a text that runs from the right", async () => {
  const chain = Array.from({ length: 12 }, (_, i) => `x_{${i}}`).join(" + ");
  await tests.open("formulas&skills=0");
  const clamp = tests.page.locator(".row.thought hasp-clamp").first();
  await clamp.evaluate((element, text) => Object.assign(element, { text }), `כן $${chain}$`);
  const pieces = clamp.locator("math");
  await eventually(async () => (await pieces.count()) > 2, true);
  const boxes = await Promise.all((await pieces.all()).map((piece) => piece.boundingBox()));
  const starts = boxes.map((box) => box?.x ?? NaN);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});
