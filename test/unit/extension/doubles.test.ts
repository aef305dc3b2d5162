import { describe, expect, it } from "vitest";
import { withoutDoubles } from "../../../src/extension/diagnostics/doubles.ts";
import type { Diagnostic, Range } from "../../../src/model/diagnostic.ts";

const range = (line: number, from: number, to: number): Range => ({
  start: { line, character: from },
  end: { line, character: to },
});
const ours = (code: string, place: Range): Diagnostic => ({
  code,
  severity: "error",
  message: code,
  range: place,
});

describe("Our diagnostics beside VS Code's own", () => {
  it("leave a type error to VS Code where it shows the same one", () => {
    const error = ours("TS2322", range(3, 4, 10));
    expect(withoutDoubles([error], [{ code: "2322", range: range(3, 4, 10) }])).toEqual([]);
  });

  it("show a type error that VS Code does not have", () => {
    const error = ours("TS2322", range(3, 4, 10));
    expect(withoutDoubles([error], [])).toEqual([error]);
    expect(withoutDoubles([error], [{ code: "2304", range: range(3, 4, 10) }])).toEqual([error]);
    expect(withoutDoubles([error], [{ code: "2322", range: range(9, 4, 10) }])).toEqual([error]);
  });

  it("hold a rule back where an error of VS Code covers its place", () => {
    const rule = ours("HASP210", range(5, 16, 20));
    expect(withoutDoubles([rule], [{ code: "2304", range: range(5, 16, 20) }])).toEqual([]);
    expect(withoutDoubles([rule], [{ code: "2304", range: range(5, 12, 30) }])).toEqual([]);
  });

  it("keep a rule about a whole class that has an error inside", () => {
    const rule = ours("HASP203", { start: { line: 2, character: 0 }, end: { line: 20, character: 1 } });
    expect(withoutDoubles([rule], [{ code: "2304", range: range(5, 16, 20) }])).toEqual([rule]);
  });
});
