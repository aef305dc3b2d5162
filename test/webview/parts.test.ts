import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { EpisodeHead, Outcome } from "../../src/model/episode.ts";
import { countOutcomes, filterEpisodes, neighbour } from "../../webview/replay/filter.ts";
import { baseName, count, dollars, literal } from "../../webview/shared/format.ts";
import { GLYPHS } from "../../webview/shared/icon.ts";

const ROOT = new URL("../../", import.meta.url);

function head(id: string, outcome: Outcome, question: string): EpisodeHead {
  return { id, questionId: `q-${id}`, outcome, length: 1, question };
}

const HEADS = [
  head("a", "wrong", "Who built the mill?"),
  head("b", "halted", "Who built the pier?"),
  head("c", "correct", "When was the mill built?"),
];

describe("the filter", () => {
  const indices = (text: string, outcome: Parameters<typeof filterEpisodes>[1]["outcome"]): number[] =>
    filterEpisodes(HEADS, { text, outcome }).map((episode) => episode.index);

  test("keeps episodes with all words, in any case and order", () => {
    expect(indices("MILL built", "all")).toEqual([0, 2]);
    expect(indices("  ", "all")).toEqual([0, 1, 2]);
    expect(indices("q-b", "all")).toEqual([1]);
  });

  test("failed means wrong or halted", () => {
    expect(indices("", "failed")).toEqual([0, 1]);
    expect(indices("mill", "failed")).toEqual([0]);
    expect(countOutcomes(HEADS).get("failed")).toBe(2);
  });

  test("j and k go to the nearest episode that is listed, and stop at the ends", () => {
    const listed = filterEpisodes(HEADS, { text: "mill", outcome: "all" });
    expect(neighbour(listed, 0, 1)).toBe(2);
    expect(neighbour(listed, 2, 1)).toBe(2);
    expect(neighbour(listed, 1, 1)).toBe(2);
    expect(neighbour(listed, 1, -1)).toBe(0);
    expect(neighbour([], 1, 1)).toBeUndefined();
  });
});

test("numbers carry their unit, money as many digits as it needs", () => {
  expect(count(1, "step")).toBe("1 step");
  expect(count(1_204, "step")).toBe("1,204 steps");
  expect([0, 0.0042, 0.123, 4.5].map(dollars)).toEqual(["$0.000", "$0.0042", "$0.123", "$4.50"]);
});

test("values read as in code, and are cut", () => {
  expect(literal("a\nb")).toBe('"a\\nb"');
  expect(literal(undefined)).toBe("undefined");
  expect(literal("x".repeat(500), 10)).toBe('"xxxxxxxxx…');
  expect(baseName("C:\\skills\\pf.ts")).toBe("pf.ts");
});

test("every icon is the codicon of its name", async () => {
  const css = await readFile(new URL("node_modules/@vscode/codicons/dist/codicon.css", ROOT), "utf8");
  for (const [name, glyph] of Object.entries(GLYPHS)) {
    const code = glyph.codePointAt(0)?.toString(16) ?? "";
    expect(css, name).toContain(`.codicon-${name}:before { content: "\\${code}" }`);
  }
});

test("the view has no colour of its own, only the theme's", async () => {
  const files = await readdir(new URL("webview/", ROOT), { recursive: true });
  const sources = files.filter((file) => /^(replay|shared)\/.*\.(ts|css)$/.test(file.replaceAll("\\", "/")));
  expect(sources.length).toBeGreaterThan(20);
  for (const file of sources) {
    const text = await readFile(new URL(`webview/${file}`, ROOT), "utf8");
    expect(text, file).not.toMatch(
      /#[0-9a-f]{3,8}\b(?=[;\s)])|\b(rgb|hsl)a?\(|: (white|black|red|green|blue)\b/i,
    );
  }
});
