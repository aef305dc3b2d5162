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
