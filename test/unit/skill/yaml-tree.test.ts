import { describe, expect, test } from "vitest";
import { sourceText } from "../../../src/skill/source-text.ts";
import { readYaml } from "../../../src/skill/yaml-tree.ts";

const read = (text: string, firstOfDuplicates = false): ReturnType<typeof readYaml> =>
  readYaml(text, sourceText(text), 0, { firstOfDuplicates });
const billion = ["a: &a [x,x,x,x,x,x,x,x,x]"]
  .concat(
    "bcdefghij"
      .split("")
      .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[i]}`).join(",")}]`),
  )
  .join("\n");

describe("YAML of a stranger", () => {
  test.each([
    ["brackets that never close", "[".repeat(100_000)],
    ["brackets that close", `a: ${"[".repeat(300)}${"]".repeat(300)}`],
    ["braces", `${"{a: ".repeat(300)}1${"}".repeat(300)}`],
    ["dashes", "- ".repeat(5_000)],
    ["question marks", "? ".repeat(5_000)],
    ["indentation", Array.from({ length: 400 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
    ["an anchor of itself", "a: &a [*a]"],
    ["nine to the power of ten aliases", billion],
    ["a merge key", "a: &a {b: 1}\nc: {<<: *a}"],
  ])("%s: a problem, and no endless value", (_, text) => {
    const { root, problems } = read(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(root ?? null).length).toBeLessThan(100_000);
  });

  test("200 levels are read", () => {
    expect(read(`${"[".repeat(200)}${"]".repeat(200)}`).problems).toEqual([]);
    expect(read(`${"[".repeat(201)}${"]".repeat(201)}`).problems[0]?.message).toContain("200 levels deep");
  });

  // The package itself would compare two billion pairs of keys.
  test("60,000 keys, one of them twice: the second is named, or both are refused", () => {
    const text = `${Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join("\n")}\nk7: 2\n`;
    const lenient = read(text, true);
    expect(lenient.root?.kind).toBe("map");
    expect(lenient.problems.map(({ message }) => message)).toEqual([
      'the key "k7" stands twice, and only the first is read',
    ]);
    const strict = read(text);
    expect(strict.root).toBeUndefined();
    expect(strict.problems.map(({ message, range }) => [message, range.start.line])).toEqual([
      ['the key "k7" stands twice', 60_000],
    ]);
  });

  test("a key __proto__ is a key", () => {
    const { root } = read("__proto__: {polluted: 1}");
    expect(root?.kind === "map" && root.entries.has("__proto__")).toBe(true);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});
