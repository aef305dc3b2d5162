import { describe, expect, it } from "vitest";
import { formatAction } from "../../../src/model/action.ts";

const shown = (type: string, input: unknown): string => formatAction({ type, arg: JSON.stringify(input) });

describe("an action on one line", () => {
  it("shows its argument", () => {
    expect(formatAction({ type: "SEARCH", arg: "Helen Walton" })).toBe('SEARCH("Helen Walton")');
    expect(formatAction({ type: "FINAL", arg: "{not JSON}" })).toBe('FINAL("{not JSON}")');
  });

  it("shows the input of a tool call that tells most", () => {
    expect(shown("Bash", { description: "Runs them", command: "npm test" })).toBe("Bash(npm test)");
    expect(shown("Read", { path: "src/a.ts", offset: 3 })).toBe("Read(src/a.ts)");
    expect(shown("Edit", { path: "src/a.ts", oldText: "old", newText: "new" })).toBe(
      'Edit(src/a.ts: "old" → "new")',
    );
    expect(shown("MultiEdit", { edits: [{ path: "a", oldText: "x", newText: "y" }, { path: "b" }] })).toBe(
      'MultiEdit(a: "x" → "y", and 1 more)',
    );
    expect(shown("mcp__x__y", { id: 3 })).toBe('mcp__x__y({"id":3})');
    expect(shown("RunTests", {})).toBe("RunTests()");
  });

  it("stays on one short line", () => {
    const line = shown("Bash", { command: `echo ${"a\n".repeat(500)}` });
    expect(line).not.toContain("\n");
    expect(line.length).toBeLessThan(140);
  });
});
