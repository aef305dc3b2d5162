import { describe, expect, it } from "vitest";
import { readWeights, weightsWithout } from "../../../../src/analysis/signals/read-weights.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import { DEFAULT_WEIGHTS, familyWeights } from "../../../../src/model/signals.ts";

const FILE = "weights.yaml";
const read = (text: string) => readWeights(text, FILE);

/** The one finding of a text, with the words that it is about. */
function findingIn(text: string): Diagnostic & { readonly marked: string } {
  const { value, diagnostics } = read(text);
  expect(value).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  const [found] = diagnostics;
  if (found === undefined) throw new Error("no finding");
  const { start, end } = found.range;
  const line = text.split("\n")[start.line] ?? "";
  expect(end.line).toBe(start.line);
  return { ...found, marked: line.slice(start.character, end.character) };
}

describe("weights of signals from a file", () => {
  it("are those of the paper where the file does not say otherwise", () => {
    const text = `# An ablation.
families:
  timing: 0.2
  outcome: 0
slots:
  s1.fp: -0.3
drop: [s3.semantic, modality]
`;
    expect(read(text)).toEqual({
      value: {
        families: { ...DEFAULT_WEIGHTS.families, timing: 0.2, outcome: 0 },
        slots: { ...DEFAULT_WEIGHTS.slots, "s1.fp": -0.3 },
        dropped: ["s3.semantic", "modality"],
      },
      diagnostics: [],
    });
  });

  it("may be JSON", () => {
    const text = JSON.stringify({ families: { timing: 1 }, slots: { "s4.cost": -0.5 }, drop: ["s1.phase"] });
    expect(read(text).value).toEqual({
      families: { ...DEFAULT_WEIGHTS.families, timing: 1 },
      slots: { ...DEFAULT_WEIGHTS.slots, "s4.cost": -0.5 },
      dropped: ["s1.phase"],
    });
  });

  it.each(["drop: timing", "drop: [timing]", "drop:\n  - timing\n  - timing", '{"drop": "timing"}'])(
    "name what is dropped as a word or as a list: %j",
    (text) => {
      expect(read(text)).toEqual({ value: { ...DEFAULT_WEIGHTS, dropped: ["timing"] }, diagnostics: [] });
    },
  );

  it("add what a command line drops to what the file drops", () => {
    const { value } = readWeights("drop: timing", FILE, ["s4.cost", "timing"]);
    expect(value?.dropped).toEqual(["timing", "s4.cost"]);
  });

  it("are the same at any scale of the families", () => {
    const small = read("families: { timing: 0.15, modality: 0.1, correctness: 0.25, outcome: 0.5 }").value;
    const large = read("families: { timing: 3, modality: 2, correctness: 5, outcome: 10 }").value;
    if (small === undefined || large === undefined) throw new Error("no weights");
    for (const [family, weight] of Object.entries(familyWeights(large)))
      expect(weight).toBeCloseTo(familyWeights(small)[family as keyof typeof DEFAULT_WEIGHTS.families], 12);
  });
});

describe("a misspelt key", () => {
  it.each([
    ["familys:\n  timing: 1\n", "familys", "families", 0],
    ["families:\n  timming: 1\n", "timming", "timing", 1],
    ["slots:\n  s1.tp: 1\n  s3.semantik: 0.5\n", "s3.semantik", "s3.semantic", 2],
    ["slots:\n  S4_Cost: -1\n", "S4_Cost", "s4.cost", 1],
    ["drop:\n  - timing\n  - s3.semantik\n", "s3.semantik", "s3.semantic", 2],
    ["drop: modalty\n", "modalty", "modality", 0],
  ])("in %j is HASP620 at the key, with the likely one", (text, key, meant, line) => {
    expect(findingIn(text)).toMatchObject({
      code: "HASP620",
      severity: "error",
      file: FILE,
      marked: key,
      message: `Unknown key \`${key}\` in the weights.`,
      next: `Did you mean "${meant}"?`,
      range: { start: { line } },
    });
  });

  it("that resembles none names all that there are", () => {
    expect(findingIn("families: { luck: 1 }")).toMatchObject({
      code: "HASP620",
      marked: "luck",
      next: "Use one of: timing, modality, correctness, outcome.",
    });
  });

  it("is reported for each key, and none of the weights are taken", () => {
    const { value, diagnostics } = read("families: { luck: 1, timing: x }\nslots: { s9: 1 }\ndrop: [all]");
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code, range }) => [code, range.start.line])).toEqual([
      ["HASP620", 0],
      ["HASP621", 0],
      ["HASP620", 1],
      ["HASP620", 2],
    ]);
  });
});

describe("a value that is no weight", () => {
  it.each([
    ["slots:\n  s1.tp: much\n", "much", 1, "s1.tp", /penalty is negative/],
    ["slots:\n  s1.tp: [1]\n", "[1]", 1, "s1.tp", /penalty is negative/],
    ["slots: { s1.tp: true }", "true", 0, "s1.tp", /penalty is negative/],
    ["slots: { s1.tp: .nan }", ".nan", 0, "s1.tp", /penalty is negative/],
    ["slots: { s1.tp: .inf }", ".inf", 0, "s1.tp", /penalty is negative/],
    ['slots: { s1.tp: "0.5" }', '"0.5"', 0, "s1.tp", /penalty is negative/],
    ["families:\n  timing: 1\n  outcome: -0.5\n", "-0.5", 2, "outcome", /number from 0 to/],
    // Sums of such numbers overflow.
    ["slots: { s1.tp: 1e308 }", "1e308", 0, "s1.tp", /at most 1,000,000/],
    ["slots: { s1.fp: -1000001 }", "-1000001", 0, "s1.fp", /at most 1,000,000/],
    ["families: { outcome: 1e308 }", "1e308", 0, "outcome", /from 0 to 1,000,000/],
    ["families:\n  timing: half\n", "half", 1, "timing", /number from 0 to/],
  ])("in %j is HASP621 at the value", (text, value, line, name, next) => {
    const found = findingIn(text);
    expect(found).toMatchObject({
      code: "HASP621",
      severity: "error",
      file: FILE,
      marked: value,
      message: expect.stringContaining(`${name} cannot be `) as string,
      next: expect.stringMatching(next) as string,
      range: { start: { line } },
    });
  });

  it.each(["families: 5", "families: [timing]", "slots: s1.tp"])("%j is no mapping", (text) => {
    expect(findingIn(text)).toMatchObject({ code: "HASP621", range: { start: { line: 0 } } });
  });
});

describe("a file that holds no weights", () => {
  it.each(["", "# nothing\n", "timing", "- timing\n", "[]", "5"])("%j is HASP621", (text) => {
    const { value, diagnostics } = read(text);
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: "HASP621", message: "The file holds no weights.", file: FILE },
    ]);
  });

  it.each([
    ["families: { timing: 1\nslots: {}", 1],
    ["families:\n  timing: 1\n timing: 2\n", 2],
    ["families:\n  timing: 1\n  timing: 2\n", 2],
    ['{"families": ', 0],
  ])("%j is broken YAML, reported at its line", (text, line) => {
    const { value, diagnostics } = read(text);
    expect(value).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({
      code: "HASP621",
      message: expect.stringMatching(/^These weights cannot be read: /) as string,
      file: FILE,
      range: { start: { line } },
    });
  });
});

describe("weights under which nothing counts", () => {
  it.each([
    "drop: [timing, modality, correctness, outcome]",
    "families: { timing: 0, modality: 0, correctness: 0, outcome: 0 }",
    "families: { timing: 0, modality: 0, correctness: 0 }\ndrop: outcome",
    // The only family with a weight has no slot that counts.
    "families: { timing: 0, modality: 0, outcome: 0 }\ndrop: [s3.syntactic, s3.semantic, s3.domain]",
    "families: { timing: 0, modality: 0, outcome: 0 }\nslots: { s3.syntactic: 0, s3.semantic: 0, s3.domain: 0 }",
  ])("%j is HASP622", (text) => {
    expect(read(text)).toMatchObject({ value: undefined, diagnostics: [{ code: "HASP622", file: FILE }] });
  });

  it("are said even where the last of them goes by the command line", () => {
    const text = "drop: [timing, modality, correctness]";
    expect(read(text).value).toBeDefined();
    expect(readWeights(text, FILE, ["outcome"]).diagnostics).toMatchObject([{ code: "HASP622" }]);
  });
});

describe("weightsWithout", () => {
  it("are the paper's without these parts", () => {
    expect(weightsWithout(["timing", "s3.semantic"]).value).toEqual({
      ...DEFAULT_WEIGHTS,
      dropped: ["timing", "s3.semantic"],
    });
    expect(weightsWithout([]).value).toEqual(DEFAULT_WEIGHTS);
  });

  it("is HASP620 for a name that is none, and HASP622 where nothing is left", () => {
    expect(weightsWithout(["s3.semantik"])).toMatchObject({
      value: undefined,
      diagnostics: [{ code: "HASP620", next: 'Did you mean "s3.semantic"?' }],
    });
    expect(weightsWithout(["timing", "modality", "correctness", "outcome"]).diagnostics).toMatchObject([
      { code: "HASP622" },
    ]);
  });
});
