import { describe, expect, it } from "vitest";
import { readCard } from "../../../src/dataset/read-card.ts";
import { CARD } from "./card.ts";

const problem = (text: string): string => {
  const { value, diagnostics } = readCard(text, "x.card.json");
  expect(value).toBeUndefined();
  const [found] = diagnostics;
  expect(found).toMatchObject({ code: "HASP635", severity: "error", file: "x.card.json" });
  expect(found?.next).toMatch(/./);
  return found?.message ?? "";
};

describe("A data card", () => {
  it("is read as it was written", () => {
    const text = JSON.stringify(CARD);
    expect(readCard(text, "x.card.json")).toEqual({ value: CARD, diagnostics: [] });
  });

  it("that was cut off is no JSON", () => {
    expect(problem(JSON.stringify(CARD).slice(0, -9))).toBe(
      "This is no data card: the file is not complete JSON.",
    );
  });

  it.each([
    ["another schema", JSON.stringify({ ...CARD, schema: "hasp.data-card/2" }), "hasp.data-card/2"],
    ["no schema", "{}", "missing"],
    ["no object", "[1]", "missing"],
    ["null", "null", "missing"],
  ])("with %s is foreign", (_what, text, schema) => {
    expect(problem(text)).toBe(
      `This is no data card of HASP: its schema is ${schema}, not hasp.data-card/1.`,
    );
  });

  it("with a field that is gone, of another type, or out of its folder names it", () => {
    const { sample: _gone, ...rest } = CARD;
    expect(problem(JSON.stringify(rest))).toContain("sample");
    expect(problem(JSON.stringify({ ...CARD, rows: "1" }))).toContain("rows");
    expect(problem(JSON.stringify({ ...CARD, file: "../../secret.jsonl" }))).toContain("file");
  });
});
