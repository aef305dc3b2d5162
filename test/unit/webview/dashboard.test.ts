import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { placeOnAxis, smoothed } from "../../../webview/dashboard/axis.ts";
import { createDecimator, type Line } from "../../../webview/dashboard/decimate.ts";
import { figure, pointNear, tickWords, valueWords } from "../../../webview/dashboard/figures.ts";
import { lookOf } from "../../../webview/dashboard/looks.ts";
import { keptState, runsToShow, slotsFor } from "../../../webview/dashboard/model.ts";
import { panned, within, zoomed } from "../../../webview/dashboard/zoom.ts";

const THEMES_CSS = readFileSync(path.resolve("webview/fixture/themes.css"), "utf8");

/** Tokens of a theme as VS Code sets them. */
function tokensOf(theme: string): ReadonlyMap<string, string> {
  const [, body = ""] = THEMES_CSS.split(`body.vscode-${theme} {`);
  const tokens = body.slice(0, body.indexOf("}")).matchAll(/(--[\w-]+): (.+?);/g);
  return new Map([...tokens].map(([, name = "", value = ""]) => [name, value]));
}

/** Relative luminance of `#rrggbb` (WCAG 2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(["dark", "light", "high-contrast", "high-contrast-light"])("Lines in the theme %s", (theme) => {
  const tokens = tokensOf(theme);

  it.each([0, 1, 2, 3, 4, 5])("line %i is opaque, and stands out as graphics must", (slot) => {
    const colour = tokens.get(lookOf(slot).token) ?? "";
    expect(colour).toMatch(/^#[0-9a-f]{6}$/);
    expect(contrast(colour, tokens.get("--vscode-editor-background") ?? "")).toBeGreaterThan(3);
  });
});

const numbers = (...values: readonly number[]): Float64Array => Float64Array.from(values);
const line = (xs: readonly number[], ys: readonly number[]): Line => ({
  xs: Float64Array.from(xs),
  ys: Float64Array.from(ys),
});

describe("The x axis of several iterations", () => {
  it("offsets an iteration that counts from the beginning again by the last value before", () => {
    const placed = placeOnAxis(numbers(1, 1, 1, 2, 2, 3), numbers(10, 20, 25, 10, 20, 10));
    expect([...placed.xs]).toEqual([10, 20, 25, 35, 45, 55]);
    expect(placed.boundaries).toEqual([25, 45]);
  });

  it("leaves values that go on counting as they are", () => {
    const placed = placeOnAxis(numbers(1, 1, 2, 2), numbers(10, 20, 30, 40));
    expect([...placed.xs]).toEqual([10, 20, 30, 40]);
    expect(placed.boundaries).toEqual([20]);
  });

  it("gives no place to a point without a value, or to one that falls back within its iteration", () => {
    const placed = placeOnAxis(numbers(1, 1, 1, 1), numbers(100, Number.NaN, 90, 200));
    expect([...placed.xs]).toEqual([100, Number.NaN, Number.NaN, 200]);
  });

  it("finds the beginning of an iteration whose first point has no value", () => {
    const placed = placeOnAxis(numbers(1, 2, 2), numbers(50, Number.NaN, 10));
    expect([...placed.xs]).toEqual([50, Number.NaN, 60]);
    expect(placed.boundaries).toEqual([50]);
  });
});

describe("Smoothing", () => {
  it("takes means over five points, over fewer towards the ends, always centred", () => {
    // (2+4)/… by hand: 1 | (1+4+7)/3 | (1+4+7+2+6)/5 | (4+7+2+6+11)/5 | (2+6+11)/3 | 11
    expect([...smoothed(numbers(1, 4, 7, 2, 6, 11))]).toEqual([1, 4, 4, 6, 19 / 3, 11]);
  });

  it("keeps a gap, and lets no value across it", () => {
    const values = [...smoothed(numbers(1, 3, 5, Number.NaN, 8, 2))];
    expect(values).toEqual([1, 3, 5, Number.NaN, 8, 2]);
  });
});

describe("Zoom", () => {
  const all = { from: 0, to: 100 };

  it("keeps the value under the pointer in its place", () => {
    expect(zoomed(all, undefined, 0.5, 20)).toEqual({ from: 10, to: 60 });
    expect(zoomed(all, { from: 10, to: 60 }, 0.5)).toEqual({ from: 22.5, to: 47.5 });
  });

  it("stops at the ends, and is no zoom once all is in sight", () => {
    expect(zoomed(all, { from: 10, to: 60 }, 4)).toBeUndefined();
    expect(panned(all, { from: 10, to: 60 }, 2)).toEqual({ from: 50, to: 100 });
    expect(panned(all, { from: 10, to: 60 }, -2)).toEqual({ from: 0, to: 50 });
    expect(panned(all, undefined, 0.1)).toBeUndefined();
  });

  it("is never narrower than a part of all", () => {
    expect(within(all, { from: 40, to: 40 })).toEqual({ from: 40, to: 40.001 });
  });
});

describe("What is drawn", () => {
  it("is every point where they are few, each line at its own xs, a gap as null", () => {
    const first = line([1, 2, 4], [0.5, Number.NaN, 0.3]);
    const second = line([2, 3], [7, 8]);
    const aligned = createDecimator().align([first, second], { from: 0, to: 10 }, 100);
    expect(aligned.xs).toEqual([1, 2, 3, 4]);
    expect(aligned.lines).toEqual([
      [0.5, null, undefined, 0.3],
      [undefined, 7, 8, undefined],
    ]);
  });

  it("has the neighbours of the range, so that lines reach its edges", () => {
    const one = line([0, 10, 20, 30, 40], [0, 1, 2, 3, 4]);
    expect(createDecimator().align([one], { from: 15, to: 25 }, 100).xs).toEqual([10, 20, 30]);
  });

  it("has the least and greatest value of each column where points are many", () => {
    const count = 1000;
    const xs = Array.from({ length: count }, (_, i) => i);
    // In each hundred, -5 at 30 and 9 at 60; in the fourth hundred the other way round.
    const ys = xs.map((i) => {
      const [low, high] = i >= 300 && i < 400 ? [60, 30] : [30, 60];
      return i % 100 === low ? -5 : i % 100 === high ? 9 : 1;
    });
    const { xs: at, lines } = createDecimator().align([line(xs, ys)], { from: 0, to: 1000 }, 10);
    const columns = at.flatMap((x, i) => (i % 2 === 0 ? [[x, lines[0]?.[i], lines[0]?.[i + 1]]] : []));
    expect(columns.filter(([x]) => x !== undefined && x !== null && x > 0 && x < 1000)).toEqual([
      [25, -5, 9],
      [125, -5, 9],
      [225, -5, 9],
      [325, 9, -5],
      [425, -5, 9],
      [525, -5, 9],
      [625, -5, 9],
      [725, -5, 9],
      [825, -5, 9],
      [925, -5, 9],
    ]);
  });

  it("has a gap where a column has no number, and runs on where it has no point", () => {
    const xs = Array.from({ length: 1000 }, (_, i) => (i < 500 ? i : i + 500));
    const ys = xs.map((x) => (x >= 200 && x < 300 ? Number.NaN : 1));
    const { xs: at, lines } = createDecimator().align([line(xs, ys)], { from: 0, to: 1500 }, 15);
    const valueAt = (x: number): unknown => lines[0]?.[at.indexOf(x)];
    expect([valueAt(125), valueAt(225), valueAt(275), valueAt(325)]).toEqual([1, null, null, 1]);
    expect([valueAt(625), valueAt(675)]).toEqual([undefined, undefined]);
  });

  it("does not change where a pan only moves it", () => {
    const xs = Array.from({ length: 5000 }, (_, i) => i);
    const wave = line(
      xs,
      xs.map((x) => Math.sin(x) * (x % 7)),
    );
    const decimator = createDecimator();
    const at = (from: number): Map<number, unknown> => {
      const { xs: places, lines } = decimator.align([wave], { from, to: from + 2000 }, 100);
      return new Map(places.map((x, i) => [x, lines[0]?.[i]]));
    };
    const [before, after, fresh] = [at(1000), at(1240), createDecimator()];
    const both = [...before.keys()].filter((x) => x > 1300 && x < 2900 && after.has(x));
    expect(both.length).toBeGreaterThan(100);
    for (const x of both) expect(after.get(x)).toBe(before.get(x));
    // Far beyond the screens that are kept beside the one in sight.
    const far = decimator.align([wave], { from: 2990, to: 4990 }, 100);
    expect(far).toEqual(fresh.align([wave], { from: 2990, to: 4990 }, 100));
  });
});

describe("Figures", () => {
  it("have four digits at most, a unit and a true minus", () => {
    expect([0.41237, 12_345, 4_100_000, 5_461_000_000, 0.00002, -0.5, 0].map(figure)).toEqual([
      "0.4124",
      "12.35 k",
      "4.1 M",
      "5.461 B",
      "2.0e−5",
      "−0.5",
      "0",
    ]);
    expect(valueWords("mean_token_accuracy", 0.335)).toBe("33.5%");
    expect(valueWords("loss", Number.NaN)).toBe("no number");
    expect(valueWords("loss", undefined)).toBe("–");
  });

  it("of ticks share their digits", () => {
    expect(tickWords([0, 0.5, 1])).toEqual(["0", "0.5", "1.0"]);
    expect(tickWords([0, 20_000_000, 40_000_000])).toEqual(["0", "20 M", "40 M"]);
    expect(tickWords([0, 0.00001])).toEqual(["0", "1.0e−5"]);
  });

  it("are those of the nearest point, and of none behind the end of a line", () => {
    const one = line([10, 20, 30], [1, 2, 3]);
    expect([9, 10, 14, 16, 30, 31].map((x) => pointNear(one, x))).toEqual([undefined, 0, 0, 1, 2, undefined]);
  });
});

describe("Runs that are shown", () => {
  const run = (id: string) => ({ id, title: id, status: "running" as const, words: "" });
  const page = { runs: [run("new"), run("old")], first: null };

  it("are the newest at first, then those that were shown, and the one that was asked for", () => {
    expect(runsToShow(page, undefined)).toEqual(["new"]);
    expect(runsToShow(page, ["old", "gone"])).toEqual(["old"]);
    expect(runsToShow(page, [])).toEqual([]);
    expect(runsToShow({ ...page, first: "new" }, ["old"])).toEqual(["old", "new"]);
    expect(runsToShow({ ...page, first: "old" }, undefined)).toEqual(["old"]);
  });

  it("keep their looks while others come and go; no two of the first 36 look alike", () => {
    const three = slotsFor(["a", "b", "c"], new Map());
    expect([...three]).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
    expect([...slotsFor(["a", "c", "d"], three)]).toEqual([
      ["a", 0],
      ["c", 2],
      ["d", 1],
    ]);
    const looks = Array.from({ length: 36 }, (_, slot) => JSON.stringify(lookOf(slot)));
    expect(new Set(looks).size).toBe(36);
  });

  it("come back after a reload; a state of another form does not", () => {
    const kept = { shown: ["a"], axis: "tokens", isSmooth: false, zoom: { from: 1, to: 2 } };
    expect(keptState(structuredClone(kept))).toEqual(kept);
    expect(keptState({ ...kept, zoom: { from: 3, to: 2 } })?.zoom).toBeUndefined();
    for (const other of [undefined, 7, { ...kept, shown: "a" }, { ...kept, axis: "time" }])
      expect(keptState(other)).toBeUndefined();
  });
});
