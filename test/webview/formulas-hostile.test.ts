import { expect, test } from "vitest";
import { HOSTILE_FORMULAS, nested } from "../../webview/fixture/formulas.ts";
import { LONGEST_FORMULA } from "../../webview/formulas/parts.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A pixel of rounding aside. */
function isInside(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x - 1 &&
    inner.y >= outer.y - 1 &&
    inner.x + inner.width <= outer.x + outer.width + 1 &&
    inner.y + inner.height <= outer.y + outer.height + 1
  );
}

test("hostile formulas stay text, or in their row: nothing runs, loads, or leaves its place", async () => {
  const replay = await tests.open("formulas&skills=0");
  const thought = tests.page.locator(".row.thought").first();
  await eventually(async () => (await thought.locator("math").count()) > 0, true);
  await replay.press("j");
  await shows(thought, String.raw`\href{javascript:alert(1)}{press here}`);
  const drawn = HOSTILE_FORMULAS.flatMap(([latex, isDrawn]) => (isDrawn ? [`\\(${latex}\\)`] : []));
  await eventually(() => thought.locator(".formula-source").allTextContents(), drawn);
  const row = await thought.boundingBox();
  for (const math of await thought.locator("math").all()) {
    const box = await math.boundingBox();
    if (row === null || box === null) throw new Error("A formula is not laid out.");
    expect(isInside(box, row), (await math.textContent()) ?? "").toBe(true);
  }
  await shows(replay.row("proposed"), String.raw`$\href{javascript:alert(1)}{press here}$`);
  const foreign = tests.page
    .locator(".step, .episode-header")
    .locator("a, img, script, [data-evil], .evil, [href]");
  expect(await foreign.count()).toBe(0);
});

/** Formulas that take long to read or to lay out, and whether they are drawn; "either": as deep as the browser's stack is. */
const SLOW: readonly (readonly [latex: string, isDrawn: boolean | "either"])[] = [
  ["{".repeat(1_900), false],
  ["(".repeat(400), true],
  ["(".repeat(1_900), "either"],
  ["[".repeat(1_900), "either"],
  [String.raw`\left(`.repeat(300), false],
  [String.raw`\frac`.repeat(380), false],
  ["x^".repeat(900), false],
  [nested(String.raw`\sqrt{`, 70), true],
  [nested(String.raw`\sqrt{`, 85), false],
  [nested(String.raw`\sqrt{`, 270), false],
  [nested(String.raw`\frac{1}{`, 70), true],
  [nested(String.raw`\frac{1}{`, 85), false],
  [nested(String.raw`\frac{1}{`, 190), false],
  [nested("x_{", 70), true],
  [nested("x_{", 85), false],
  [nested("x_{", 490), false],
  [String.raw`\implies`.repeat(240), false],
  [nested(String.raw`\boxed{`, 70), true],
  [nested(String.raw`\boxed{`, 240), false],
  ["&".repeat(1_900), false],
  [String.raw`\\`.repeat(900), true],
  [String.raw`\begin{matrix}`.repeat(18) + String.raw`\end{matrix}`.repeat(18), true],
  [String.raw`\begin{matrix}`.repeat(60) + String.raw`\end{matrix}`.repeat(60), false],
  [nested(String.raw`\text{`, 250), true],
  ["x'".repeat(900), true],
  [String.raw`\mathchoice{a}{b}{c}{d}`.repeat(80), true],
  [String.raw`\rule{9999em}{9999em}`, false],
  [String.raw`\hspace{-9999em}x`, false],
  [nested(String.raw`\overbrace{`, 70), true],
  [nested(String.raw`\overbrace{`, 150), false],
  ["(x)".repeat(600), true],
  [nested(String.raw`\underset{a}{`, 35), true],
  [nested(String.raw`\underset{a}{`, 120), false],
  [String.raw`\char`.repeat(300), false],
  ["%".repeat(900), true],
  ["\\\u0000", false],
  ["\ud800", false],
];

/** Runs in the page: whether each formula is drawn, and the milliseconds until it is laid out. */
const DRAW = `((latex) => {
  const started = performance.now();
  const pieces = haspDrawFormulas("$$" + latex + "$$", "text").flatMap((part) => part.pieces ?? []);
  document.body.append(...pieces);
  document.body.getBoundingClientRect();
  for (const piece of pieces) piece.remove();
  return [pieces.length > 0, performance.now() - started];
})`;

test("a hostile formula is drawn or refused at once", async () => {
  await tests.open("formulas&skills=0");
  await eventually(async () => (await tests.page.locator("math").count()) > 0, true);
  const formulas = [...SLOW, ...HOSTILE_FORMULAS];
  const results = await tests.page.evaluate<[boolean, number][]>(
    `${JSON.stringify(formulas.map(([latex]) => latex))}.map(${DRAW})`,
  );
  const named = formulas.map(([latex]) =>
    `${latex.slice(0, 30)} of ${latex.length} characters`.toWellFormed().replace("\0", "NUL"),
  );
  expect(Math.max(...formulas.map(([latex]) => latex.length))).toBeLessThanOrEqual(LONGEST_FORMULA);
  expect(results.map(([isDrawn], i) => [named[i], isDrawn])).toEqual(
    formulas.map(([, isDrawn], i) => [named[i], isDrawn === "either" ? expect.any(Boolean) : isDrawn]),
  );
  expect(Math.max(...results.map(([, time]) => time))).toBeLessThan(1_000);
});
