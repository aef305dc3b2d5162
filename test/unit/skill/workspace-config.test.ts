import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIBRARIES, parseWorkspaceConfig } from "../../../src/skill/workspace-config.ts";

const read = (text: string) => parseWorkspaceConfig(text, "hasp.yaml");
const codes = (text: string) =>
  read(text).diagnostics.map(({ code, range }) => `${code}@${range.start.line}`);

describe("hasp.yaml", () => {
  it("names the libraries in use", () => {
    expect(read("libraries:\n  - builtin:web-search\n  - agents/skills\n")).toEqual({
      value: {
        libraries: [
          { kind: "builtin", domain: "web-search" },
          { kind: "folder", path: "agents/skills" },
        ],
      },
      diagnostics: [],
    });
  });

  it("may leave everything out", () => {
    for (const text of ["", "# nothing\n"])
      expect(read(text)).toEqual({ value: { libraries: DEFAULT_LIBRARIES }, diagnostics: [] });
  });

  it.each([
    ["libraries: [/etc]", "HASP414@0"],
    ["libraries:\n  - skills\n  - ../../elsewhere", "HASP414@2"],
    ["libraries:\n  - C:\\skills", "HASP414@1"],
    ["libraries: skills", "HASP412@0"],
    ["libraris: [skills]", "HASP413@0"],
    ["libraries: [skills", "HASP410@0"],
    ["- skills", "HASP411@0"],
  ])("%j is refused on its place", (text, code) => {
    expect(codes(text)).toContain(code);
    for (const { next } of read(text).diagnostics) expect(next).toBeTruthy();
  });

  it("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => void read(text)),
      { numRuns: 300 },
    );
  });
});
