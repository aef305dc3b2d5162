import { describe, expect, it } from "vitest";
import { renderTable } from "../../../src/cli/table.ts";
import { progressLine } from "../../../src/cli/terminal.ts";

describe("what the terminal shows", () => {
  it("aligns numbers to the right, and leaves no blanks at line ends", () => {
    const lines = renderTable(
      [{ title: "skill" }, { title: "fired", align: "right" }, { title: "note" }],
      [
        ["a", "7", ""],
        ["longer", "1,024", "x"],
      ],
    );
    expect(lines).toEqual(["skill   fired  note", "a           7", "longer  1,024  x"]);
  });

  it("draws a bar that is full at the end and never overflows", () => {
    expect(progressLine(0, 4, "x")).toMatch(/^░{24} 0% x$/);
    expect(progressLine(4, 4, "x")).toMatch(/^█{24} 100% x$/);
    expect(progressLine(9, 4, "x")).toMatch(/^█{24} 100% x$/);
    expect(progressLine(0, 0, "x")).toMatch(/^█{24} 100% x$/);
  });
});
